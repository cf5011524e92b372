"""All that rooms above are told of tables, in the transaction in which it happens."""

from typing import Final

from django.dispatch import Signal

tables_drawn: Final = Signal()
"""A `stage_round` has tables now, each at the place of its own number."""
game_voided: Final = Signal()
"""A `game` counts for nothing any more, by the `journal` of whoever voids it in that `role`."""
table_reopened: Final = Signal()
"""A `table` that was finished is played on."""
