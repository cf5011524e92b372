"""The games that can be played at an online table, on its pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.models import Kind
from league.play.online_table.web import bluff, kniffel
from league.play.online_table.web.game_page import PlayPage

GAME_PAGES: Final[Mapping[str, PlayPage]] = {
    Kind.BLUFF: bluff.PAGE,
    Kind.LUEGEN_KNIFFEL: kniffel.PAGE,
}
"""By the kind of game."""
