"""What somebody who practises is told: how likely a bid is from the own dice."""

from __future__ import annotations

from engine.analysis.odds import bid_chance
from engine.bluff.hand import matching
from engine.bluff.track import BID, COUNT, FACE
from league.play.online_table.domain.bluff import OnlineTableNow


def bid_percent(now: OnlineTableNow) -> int | None:
    """How likely it is, in percent, that as many dice lie there as were bid last, by the own dice
    and those laid out.

    None before the first bid. Rulings B7, B19 (R, S).
    """
    if not now.bid:
        return None
    bid = BID[now.bid]
    seen = matching(now.cup + "".join(seat.shown for seat in now.seats), FACE[bid])
    unseen = sum(seat.hidden for seat in now.seats if not seat.is_me)
    return round(100 * bid_chance(COUNT[bid], FACE[bid], seen, unseen))
