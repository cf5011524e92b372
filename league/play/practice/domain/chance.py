"""How likely a bid is from the point of view of one seat."""

from __future__ import annotations

from engine.analysis.odds import bid_chance
from engine.bluff.hand import matching
from engine.bluff.track import BID, COUNT, FACE
from league.play.online_table.domain.bluff import OnlineTableNow


def bid_percent(now: OnlineTableNow) -> int | None:
    """Return the chance, in percent, that the last bid holds, given the viewer's dice and those
    laid out.

    None before the first bid. Rulings B7, B19 (R, S).
    """
    if not now.bid:
        return None
    bid = BID[now.bid]
    laid_out = "".join(seat.shown for seat in now.seats)
    known = matching(now.cup + laid_out, FACE[bid])
    unknown = sum(seat.hidden for seat in now.seats if not seat.is_me)
    return round(100 * bid_chance(COUNT[bid], FACE[bid], known, unknown))
