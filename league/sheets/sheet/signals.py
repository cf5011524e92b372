"""All that rooms above are told of sheets, in the transaction in which it happens."""

from typing import Final

from django.dispatch import Signal

branch_kept: Final = Signal()
"""A `branch` is kept beside a sheet, which may be sealed: what an `account` wrote, or a phone whose key it made."""
