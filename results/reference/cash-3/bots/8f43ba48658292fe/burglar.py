"""Two safes in one turn earn a premium, so collect keys for the two that lack fewest, then open."""

from itertools import combinations

from arena import Bot
from arena.games.cash import COLOURS


class Burglar(Bot):
    """Collect the keys of the two nearest safes, then open both."""

    games = ("cash",)

    def act(self, view):
        first = view.legal[0]
        if first.type == "choose":
            return max(view.legal, key=lambda choose: len(set(choose.keys)))
        opens = [action for action in view.legal if action.type == "open"]
        safes = [safe.keys for safe in view.display if safe]
        pairs = combinations(safes, min(2, len(safes)))
        lack = min((lacking(view.keys, pair) for pair in pairs), key=sum)
        if first.type == "take" and (not opens or any(lack)):
            takes = [action for action in view.legal if action.type == "take"]
            return max(takes, key=lambda take: lack[COLOURS.index(take.colour)])
        return max(opens, key=lambda action: view.display[action.safe].loot, default=first)


def lacking(keys, safes):
    """How many keys of each colour are missing to open all of the safes."""
    return [max(0, sum(need) - have) for have, *need in zip(keys, *safes, strict=True)]
