"""What a record of Bluff leaves out and so can't be checked."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.messages import Message, say
from engine.record.bluff.round import RoundRecord

NO_DICE: Final = ("bids", "challenge", "result")
NOT_ALL_BIDS: Final = ("challenge", "result")
"""Levels of detail."""


def gaps(rounds: Sequence[RoundRecord]) -> Iterator[Message]:
    """Yield sentences on what the rounds of a valid record leave out."""
    counted = [record_round for record_round in rounds if not record_round.void]
    without_dice = sum(record_round.level in NO_DICE for record_round in counted)
    if without_dice:
        yield say(
            "For {number} of {all} rounds the dice aren't given: how many counted, or who lost "
            "some, is as somebody wrote it down.",
            number=without_dice,
            all=len(rounds),
        )
    without_bids = sum(record_round.level in NOT_ALL_BIDS for record_round in counted)
    if without_bids:
        yield say(
            "For {number} of {all} rounds not all bids are given, so nobody can say whether "
            "every one was a raise.",
            number=without_bids,
            all=len(rounds),
        )
