"""All that rooms above are told of events, in the transaction in which it happens."""

from typing import Final

from django.dispatch import Signal

event_changed: Final = Signal()
"""The settings of an `event` have changed, by an `actor` (`league.core.log.services.Actor`)."""
