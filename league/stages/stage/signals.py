"""All that rooms above are told of stages, in the transaction in which it happens."""

from typing import Final

from django.dispatch import Signal

finished_stage_changed: Final = Signal()
"""The places of a finished stage of an event (`event_id`) have changed, by a correction or by other tie-breaks."""
