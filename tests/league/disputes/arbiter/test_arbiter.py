"""Who can rule on a game: nobody who sat there or entered anything of it."""

from __future__ import annotations

import pytest

from games.models import Game
from league.disputes.arbiter.queries import bar_to_ruling
from league.models import User

pytestmark = pytest.mark.django_db


def code_of_bar(game: Game, user: User | None) -> str | None:
    bar = bar_to_ruling(game, user.pk if user else None)
    return bar.code if bar else None


def test_somebody_who_sat_there_cant_rule_nor_who_entered_it(played: Game, sitters: list[User], ruler: User) -> None:
    assert code_of_bar(played, ruler) is None
    assert code_of_bar(played, None) is None, "the service itself"
    for sitter in sitters:
        assert code_of_bar(played, sitter) == "at_the_table"
    entered_by = played.entered_by
    assert code_of_bar(played, entered_by) == ("entered_it" if entered_by else None)
