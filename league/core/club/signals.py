"""All that rooms above are told of clubs, in the transaction in which it happens."""

from typing import Final

from django.dispatch import Signal

roles_taken: Final = Signal()
"""Roles were taken from a `user` in a club (`club`), with the `journal` of the action: `organises` tells whether they
are an organiser of the club still, `belongs` whether they have any role in it."""
