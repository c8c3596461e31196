"""The dialogues of SPEC.md: what the arena and the Python starter say in one match of each game.

`python -m tests.dialogue` writes `dialogues/` and the lines quoted in SPEC.md anew; the prose
around them is yours.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from arena import games, host, protocol, wire
from arena.loading import folder_of
from arena.match import Match, Spec

V1 = folder_of("protocol", "protocol_files") / "v1"
SPEC = V1 / "SPEC.md"
SEED = 7
WIDTH = 100
INDENT = " " * 6

Said = tuple[str, str]
"""Who speaks, and the line."""
Place = tuple[str, str, int | None]
"""Who speaks, the type of the message, and the number of the decision."""


@cache
def starter() -> Any:
    """The module of the Python starter."""
    path = V1 / "starters" / "python" / "bot.py"
    found = importlib.util.spec_from_file_location("starter", path)
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def dialogue(name: str) -> Iterator[Said]:
    """Hello to bye over one match, the starter in seat 0 among seats that play at random."""
    game = games.load(name)
    names = ("starter", *("random",) * (min(game.player_counts) - 1))
    match = Match(Spec("m1", name, (), names, SEED, move_time=1.0))
    head = wire.match_part("m1")
    rng = Random(SEED)
    yield from _exchange(wire.write(protocol.ArenaHello(arena="0.1.0")))
    yield from _exchange(host.start_line(match, 0))
    while (seat := match.ask()) is not None:
        if seat == 0:
            view = protocol.adapter(game.view_type).dump_json(match.game.view(0))
            asked, answer = _exchange(wire.decide(wire.decision_part(head, match.number), view))
            yield from (asked, answer)
            action = json.loads(answer[1])["action"]
            match.answer(protocol.adapter(game.action_type).validate_json(json.dumps(action)))
        else:
            legal = match.game.legal()
            match.answer(legal[int(rng.random() * len(legal))])
    yield from _exchange(host.finish_line(match, match.finish()))
    yield "arena", wire.write(protocol.ArenaBye()).decode().strip()


def _exchange(line: bytes) -> Iterator[Said]:
    """A line of the arena, and the starter's answer if it gives one."""
    yield "arena", line.decode().strip()
    if answer := starter().answer(json.loads(line)):
        yield "bot", json.dumps(answer, separators=(",", ":"))


def wrap(said: Said) -> str:
    """A line broken after commas, so that joining the pieces gives the line again."""
    who, line = said
    rows = [""]
    for piece in re.findall(r"(?:\[[^][{}]*\]|[^,])+,?", line):
        if rows[-1] and len(rows[-1]) + len(piece) > WIDTH - 4 - len(INDENT):
            rows.append("")
        rows[-1] += piece
    return f"    {who:6}" + f"\n    {INDENT}".join(rows)


QUOTED = re.compile(rf"^    (arena|bot) +(\{{.*(?:\n    {INDENT}.+)*)$", re.MULTILINE)


def unwrap(quoted: re.Match[str]) -> Said:
    """The line that was broken."""
    return quoted[1], re.sub(r"\n +", "", quoted[2])


def section(text: str, name: str) -> str:
    """The part of SPEC.md about a game."""
    start = text.index(f"(`{name}`)\n")
    return text[start:].partition("\n## ")[0]


def place(said: Said) -> Place:
    """What tells a line from all others of its dialogue."""
    message = json.loads(said[1])
    return said[0], message["type"], message.get("number")


def refreshed(text: str) -> str:
    """SPEC.md with every quoted line as it would be said now."""
    for name in games.names():
        old = section(text, name)
        text = text.replace(old, _requoted(old, {place(said): said for said in dialogue(name)}))
    return text


def _requoted(part: str, now: dict[Place, Said]) -> str:
    return QUOTED.sub(lambda quoted: wrap(now[place(unwrap(quoted))]), part)


def whole(name: str) -> str:
    """The file that holds every line of a dialogue."""
    head = f"# A whole match of {name}: '> ' is what the arena says, '< ' what the bot answers.\n"
    return head + "".join(
        f"{'>' if who == 'arena' else '<'} {line}\n" for who, line in dialogue(name)
    )


if __name__ == "__main__":
    for game in games.names():
        (V1 / "dialogues" / f"{game}.txt").write_text(whole(game), encoding="utf-8")
    SPEC.write_text(refreshed(SPEC.read_text(encoding="utf-8")), encoding="utf-8")
