"""Views for tests, written as short as they can be read."""

from engine.bluff.ruleset import Ruleset
from engine.bluff.track import BID
from engine.players.player import Said, SeatView


def view(
    cup: str,
    *bids: str,
    owned: tuple[int, ...] = (5, 5),
    shown: tuple[str, ...] | None = None,
    **rules: object,
) -> SeatView:
    """What the last seat sees after these bids, each as `seat:bid` or `seat:bid/dice laid out`."""
    parts = [
        (int(seat), *said.partition("/"))
        for seat, _, said in (text.partition(":") for text in bids)
    ]
    said = tuple(Said(seat, BID[bid], show) for seat, bid, _, show in parts)
    seat = len(owned) - 1
    return SeatView(
        rules=Ruleset(**rules),  # type: ignore[arg-type]
        seat=seat,
        after=next(other for other in range(len(owned)) if owned[other]),
        owned=owned,
        shown=shown or ("",) * len(owned),
        cup=cup,
        said=said,
    )
