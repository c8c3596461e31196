"""The dialogues of SPEC.md: what the arena and the Python starter say in one match of each game.

`python -m tests.dialogue` writes the lines quoted in SPEC.md anew; the prose around them is yours.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from arena import games, protocol
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
    match = Match(Spec("m1", name, (), names, SEED))
    rng = Random(SEED)
    views = protocol.adapter(game.view_type)
    actions = {json.dumps(_plain(game, action)): action for action in game.actions}
    yield from _exchange(protocol.ArenaHello(arena="0.1.0"))
    told = match.start(0)
    yield from _exchange(
        protocol.Start(
            match=told.match,
            game=told.game,
            options=told.options.model_dump(mode="json"),
            seat=told.seat,
            players=told.players,
            seed=told.seed,
            move_time=1.0,
        )
    )
    while (seat := match.ask()) is not None:
        if seat == 0:
            view = views.dump_python(match.game.view(0), mode="json")
            number = len(match._actions)
            asked, answer = _exchange(protocol.Decide(match="m1", number=number, view=view))
            yield asked
            yield answer
            match.answer(actions[json.dumps(json.loads(answer[1])["action"])])
        else:
            legal = match.game.legal()
            match.answer(legal[int(rng.random() * len(legal))])
    end = match.finish()
    yield from _exchange(
        protocol.ArenaFinish(
            match="m1", scores=[*end.scores], ranks=[*end.ranks], faults=[*end.faults]
        )
    )
    yield "arena", protocol.ArenaBye().model_dump_json()


def _plain(game: Any, action: Any) -> Any:
    return protocol.adapter(game.action_type).dump_python(action, mode="json")


def _exchange(message: Any) -> Iterator[Said]:
    """A message of the arena, and the starter's answer if it gives one."""
    line = message.model_dump_json()
    yield "arena", line
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


if __name__ == "__main__":
    SPEC.write_text(refreshed(SPEC.read_text(encoding="utf-8")), encoding="utf-8")
