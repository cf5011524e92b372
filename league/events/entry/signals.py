"""All that rooms above are told of entries, in the transaction in which it happens."""

from typing import Final

from django.dispatch import Signal

entries_checked_in: Final = Signal()
"""Somebody was seen at an `event`, on whose course the caller works alone, with the `journal` of the action."""
entry_counts_changed: Final = Signal()
"""The results of an `entry` count for somebody else than before, or for nobody."""
