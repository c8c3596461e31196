"""A bot in plain Python: it needs no package, only the protocol (see SPEC.md).

The arena starts `command` of bot.toml and talks to it in lines of JSON: one message per line, from
the arena on standard input, to the arena on standard output. Standard error is yours for notes.

    arena                                     bot
    hello   which protocol it speaks    ->
                                        <-    hello    your name and your games
    start   a match begins              ->             (no answer)
    decide  your view of the table      ->
                                        <-    action   one of view["legal"], and the same number
    finish  scores and ranks            ->
                                        <-    finish
    bye     nothing more will come      ->             (no answer: end)

Many matches may be under way at once: `match` says which one a message is about. Fields that you do
not know are to be ignored. If you cannot go on, say `error` with a message, and end.

To make this bot your own, change the rules below. A rule gives a number to a legal action; the
action with the largest is played, the first of them when several have it. To use luck, make a
`random.Random(seed)` for each match from the `seed` of its `start`: then the bot plays the same
match again in the same way, which `arena check` asks of it.
"""

import json
import sys

NAME = "starter-python"


def lasvegas(view, action):
    """The best bill of a casino that I would lead alone, for each die of mine there."""
    casino = action["value"] - 1
    dice = list(view["dice"][casino])
    mine = dice.pop(view["seat"]) + view["throw"][casino]
    rivals = max(*dice, view["white"][casino] + view["white_throw"][casino])
    return view["bills"][casino][0] / mine if mine > rivals else -view["throw"][casino]


def cincinnati(view, action):
    """Table C with few points, else A; keep what the table wants; buy nothing; rob the rich."""
    seat, duel = view["seat"], view["duel"]
    if action["type"] == "table":
        few = sum(view["hands"][seat]) <= 13
        return {"A": 1, "B": 0, "C": 2 if few else 0}[action["table"]]
    if action["type"] == "keep":
        dice = duel["hands"][seat] if duel else view["hands"][seat]
        if not duel and view["choices"][seat] == "C":
            wanted = [die for die in dice if die <= 2]
        else:
            best = max(dice, key=lambda die: (dice.count(die), die))
            wanted = [die for die in dice if die == best]
        return sorted(action["dice"]) == sorted(wanted)
    if action["type"] == "challenge":
        return max(view["money"][action["seat"]], default=0)
    return action["type"] == "pass"


def trio(view, action):
    """Go on with a card known to be equal; begin with the number known in most places."""
    if action["type"] in ("offer", "pass"):
        return action["type"] == "pass"
    number = trio_number(view, action)
    if view["revealed"]:
        wanted = view["revealed"][0]["number"]
        return 2 if number == wanted else 1 if number is None else 0
    if number is None:
        return 1
    return sum(trio_number(view, other) == number for other in view["legal"])


def trio_number(view, action):
    """The number of the card that an action turns up, None if I cannot know it."""
    if action["type"] == "reveal":
        return view["centre"][action["slot"]]
    low = action["end"] == "low"
    if action["seat"] == view["seat"]:
        return view["hand"][0 if low else -1]
    known = view["known"][action["seat"]]
    for card in known["cards"][:1] if low else known["cards"][-1:]:
        if not known["unknown"] or (card <= known["low"] if low else card >= known["high"]):
            return card
    return None


COLOURS = ["red", "green", "yellow", "blue"]


def cash(view, action):
    """Open the richest safe; else take a key for the safe with most loot per missing key."""
    if action["type"] == "choose":
        return len(set(action["keys"]))
    if action["type"] == "open":
        return 100 + view["display"][action["safe"]]["loot"]
    if action["type"] == "take":
        best = 0
        for safe in filter(None, view["display"]):
            missing = [max(0, safe["keys"][key] - view["keys"][key]) for key in range(4)]
            if missing[COLOURS.index(action["colour"])]:
                best = max(best, safe["loot"] / sum(missing))
        return best
    return 0


RULES = {"lasvegas": lasvegas, "cincinnati": cincinnati, "trio": trio, "cash": cash}
matches = {}


def answer(message):
    """What to say to a message of the arena; None for nothing."""
    kind = message["type"]
    if kind == "hello":
        if message["protocol"].split(".")[0] != "1":
            raise ValueError(f"this bot speaks protocol 1, not {message['protocol']}")
        return {"type": "hello", "protocol": "1.0", "name": NAME, "games": list(RULES)}
    if kind == "start":
        matches[message["match"]] = RULES[message["game"]]
        return None
    if kind == "decide":
        rule, view = matches[message["match"]], message["view"]
        action = max(view["legal"], key=lambda action: rule(view, action))
        return {
            "type": "action",
            "match": message["match"],
            "number": message["number"],
            "action": action,
        }
    if kind == "finish":
        del matches[message["match"]]
        return {"type": "finish", "match": message["match"]}
    if kind == "error":
        matches.pop(message["match"], None)
        sys.stderr.write(f"the arena says: {message['message']}\n")
        return None
    if kind == "bye":
        sys.exit()
    raise ValueError(f"unknown message type {kind!r}")


def say(message):
    """Send a line, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    """Answer line by line until `bye` or the end of the input."""
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except Exception as error:
            say({"type": "error", "message": f"{type(error).__name__}: {error}"})
            sys.exit(1)
        if said:
            say(said)


if __name__ == "__main__":
    main()
