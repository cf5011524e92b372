import pytest

from league import sql
from league.seasons.models import Season

pytestmark = pytest.mark.django_db


def test_rows_come_as_the_statement_orders_them() -> None:
    assert sql.rows("SELECT number, number * %s FROM generate_series(1, 2) number", [10]) == [(1, 10), (2, 20)]


def test_one_row_is_the_first_or_none() -> None:
    assert sql.row("SELECT number FROM generate_series(%(first)s, 9) number", {"first": 4}) == (4,)
    assert sql.row("SELECT 1 WHERE false") is None


def test_a_statement_tells_how_many_rows_it_wrote(season: Season) -> None:
    assert sql.execute("UPDATE league_season SET archived = true WHERE id = %s", [season.pk]) == 1
    season.refresh_from_db()
    assert season.archived
