"""Trio as it lies on the table: the centre, the hands, the cards turned up, the trios won."""

from __future__ import annotations

from arena.games.trio import Ask, Revealed, Trio


def draw(game: Trio) -> str:
    """The table between two actions; cards in brackets are turned up, dots are empty slots."""
    up = {card.source.slot for card in game.revealed if not isinstance(card.source, Ask)}
    options = game.options
    teams = ", teams" if options.teams else ""
    turn = f"turn {game.turns + 1} of {options.turn_limit}"
    if game.seat is None:
        turn = f"over after {game.turns} turns"
    lines = [f"{turn}, {options.mode}{teams}", ""]
    if game.centre:
        lines += [
            "  slot    " + "".join(f"{slot:^4}" for slot in range(len(game.centre))),
            "  centre  " + "".join(_slot(card, at in up) for at, card in enumerate(game.centre)),
            "",
        ]
    for seat in range(game.players):
        side = seat % len(game.trios)
        mark = "▶" if seat == game.seat else " "
        team = f" team {side}" if options.teams else ""
        hand = " ".join(f"{card:>2}" for card in game.hands[seat])
        trios = "".join(f"  {number}-{number}-{number}" for number in game.trios[side])
        lines.append(f"{mark} seat {seat}{team}  {hand:<26} {trios}".rstrip())
    if game.revealed:
        lines += ["", "  turned up: " + ", ".join(map(_turned_up, game.revealed))]
    if game.exchange:
        waiting = " and ".join(f"team {team}" for team in game.exchange)
        lines += ["", f"  {waiting} may exchange"]
    return "\n".join(lines)


def _slot(card: int, up: bool) -> str:
    return f"{f'[{card}]' if up else card or '·':^4}"


def _turned_up(card: Revealed) -> str:
    source = card.source
    place = (
        f"{source.end} of seat {source.seat}" if isinstance(source, Ask) else f"slot {source.slot}"
    )
    return f"{card.number} ({place})"
