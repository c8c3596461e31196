// A bot in JavaScript for Node.js: it needs no package, only the protocol (see SPEC.md).
//
// The arena starts `command` of bot.toml and talks to it in lines of JSON: one message per line,
// from the arena on standard input, to the arena on standard output. Standard error (console.error)
// is yours for notes.
//
//     arena                                     bot
//     hello   which protocol it speaks    ->
//                                         <-    hello    your name and your games
//     start   a match begins              ->             (no answer)
//     decide  your view of the table      ->
//                                         <-    action   one of view.legal, and the same number
//     finish  scores and ranks            ->
//                                         <-    finish
//     bye     nothing more will come      ->             (no answer: end)
//
// Many matches may be under way at once: `match` says which one a message is about. Fields that you
// do not know are to be ignored. If you cannot go on, say `error` with a message, and end.
//
// To make this bot your own, change the rules below. A rule gives a number to a legal action; the
// action with the largest is played, the first of them when several have it. To use luck, make a
// generator for each match from the `seed` of its `start` (Math.random cannot be seeded): then the
// bot plays the same match again in the same way, which `arena check` asks of it.

"use strict";
const readline = require("node:readline");

const NAME = "starter-javascript";
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const rules = {
  // The best bill of a casino that I would lead alone, for each die of mine there.
  lasvegas(view, action) {
    const casino = action.value - 1;
    const mine = view.dice[casino][view.seat] + view.throw[casino];
    const rivals = view.dice[casino].filter((_, seat) => seat !== view.seat);
    rivals.push(view.white[casino] + view.white_throw[casino]);
    return mine > Math.max(...rivals) ? view.bills[casino][0] / mine : -view.throw[casino];
  },

  // Table C with few points, else A; keep what the table wants; buy nothing; rob the rich.
  cincinnati(view, action) {
    const { seat, duel } = view;
    if (action.type === "table") {
      return { A: 1, B: 0, C: sum(view.hands[seat]) <= 13 ? 2 : 0 }[action.table];
    }
    if (action.type === "keep") {
      const dice = duel ? duel.hands[seat] : view.hands[seat];
      const worth = (die) => 10 * dice.filter((other) => other === die).length + die;
      const best = Math.max(...dice.map(worth));
      const low = !duel && view.choices[seat] === "C";
      const wanted = dice.filter((die) => (low ? die <= 2 : worth(die) === best));
      return String([...action.dice].sort()) === String(wanted.sort()) ? 1 : 0;
    }
    if (action.type === "challenge") return Math.max(0, ...view.money[action.seat]);
    return action.type === "pass" ? 1 : 0;
  },

  // Go on with a card known to be equal; begin with the number known in most places.
  trio(view, action) {
    if (action.type === "offer" || action.type === "pass") return action.type === "pass" ? 1 : 0;
    const number = trioNumber(view, action);
    if (view.revealed.length) {
      return number === view.revealed[0].number ? 2 : number === null ? 1 : 0;
    }
    if (number === null) return 1;
    return view.legal.filter((other) => trioNumber(view, other) === number).length;
  },

  // Open the richest safe; else take a key for the safe with most loot per missing key.
  cash(view, action) {
    if (action.type === "choose") return new Set(action.keys).size;
    if (action.type === "open") return 100 + view.display[action.safe].loot;
    if (action.type !== "take") return 0;
    const colour = ["red", "green", "yellow", "blue"].indexOf(action.colour);
    const hopes = view.display.filter(Boolean).map((safe) => {
      const missing = safe.keys.map((need, key) => Math.max(0, need - view.keys[key]));
      return missing[colour] ? safe.loot / sum(missing) : 0;
    });
    return Math.max(0, ...hopes);
  },
};

// The number of the card that an action turns up, null if I cannot know it.
function trioNumber(view, action) {
  if (action.type === "reveal") return view.centre[action.slot];
  const low = action.end === "low";
  if (action.seat === view.seat) return view.hand.at(low ? 0 : -1);
  const known = view.known[action.seat];
  const card = known.cards.at(low ? 0 : -1);
  if (card === undefined) return null;
  return !known.unknown || (low ? card <= known.low : card >= known.high) ? card : null;
}

function choose(rule, view) {
  const scores = view.legal.map((action) => rule(view, action));
  return view.legal[scores.indexOf(Math.max(...scores))];
}

const matches = new Map();

// What to say to a message of the arena; undefined for nothing.
function answer(message) {
  const { type, match } = message;
  switch (type) {
    case "hello":
      if (message.protocol.split(".")[0] !== "1") {
        throw new Error(`this bot speaks protocol 1, not ${message.protocol}`);
      }
      return { type, protocol: "1.0", name: NAME, games: Object.keys(rules) };
    case "start":
      if (!Object.hasOwn(rules, message.game)) throw new Error(`unknown game ${message.game}`);
      matches.set(match, rules[message.game]);
      return undefined;
    case "decide":
      return {
        type: "action",
        match,
        number: message.number,
        action: choose(matches.get(match), message.view),
      };
    case "finish":
      matches.delete(match);
      return { type, match };
    case "error":
      matches.delete(match);
      console.error(`the arena says: ${message.message}`);
      return undefined;
    case "bye":
      return process.exit();
    default:
      throw new Error(`unknown message type ${type}`);
  }
}

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  try {
    const said = answer(JSON.parse(line));
    if (said) say(said);
  } catch (error) {
    say({ type: "error", message: String(error) });
    process.exit(1);
  }
});
