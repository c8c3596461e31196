"""Walk to the table with the most money on it, and keep the dice that suit the table."""

from arena import Bot


class Tourist(Bot):
    """Go where the money is, keep what fits there, buy nothing."""

    games = ("cincinnati",)

    def act(self, view):
        if view.stage == "table":
            return max(view.legal, key=lambda action: money(view.cards["ABC".index(action.table)]))
        if view.stage == "keep":
            duel = view.duel
            table, hands = ("A", duel.hands) if duel else (view.choices[view.seat], view.hands)
            keep = fitting(table, hands[view.seat])
            fits = (action for action in view.legal if action.dice == keep)
            return next(fits, view.legal[0])
        return view.legal[-1]


def money(cards):
    return sum(card for card in cards if isinstance(card, int))


def fitting(table, hand):
    """The values thrown most often at A, one die of each value at B, the low dice at C."""
    if table == "A":
        return tuple(die for die in hand if hand.count(die) == max(map(hand.count, hand)))
    if table == "B":
        return tuple(sorted(set(hand), reverse=True))
    return tuple(die for die in hand if die <= 2)
