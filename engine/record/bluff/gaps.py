"""What a record of Bluff leaves out, so that nobody can check it."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.messages import Message, say
from engine.record.bluff.round import RoundRecord

NO_DICE: Final = ("bids", "challenge", "result")
NOT_ALL_BIDS: Final = ("challenge", "result")
"""Levels of detail."""


def gaps(rounds: Sequence[RoundRecord]) -> Iterator[Message]:
    """Sentences on what the rounds of a good record don't tell."""
    ended = [round for round in rounds if not round.void]
    without_dice = sum(round.level in NO_DICE for round in ended)
    if without_dice:
        yield say(
            "Of {number} of {all} rounds the dice aren't told: how many counted, or who lost some, is as somebody wrote"
            " it down.",
            number=without_dice,
            all=len(rounds),
        )
    without_bids = sum(round.level in NOT_ALL_BIDS for round in ended)
    if without_bids:
        yield say(
            "Of {number} of {all} rounds not all bids are told, so nobody can say whether every one was a raise.",
            number=without_bids,
            all=len(rounds),
        )
