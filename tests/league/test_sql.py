from typing import Any

import pytest
from django.db.models import Case, QuerySet, Value, When

from league.core import sql
from league.standings.season.models import Season
from tests.factories.league import SeasonFactory

pytestmark = pytest.mark.django_db


def test_rows_come_as_the_statement_orders_them() -> None:
    assert sql.rows("SELECT number, number * %s FROM generate_series(1, 2) number", [10]) == [
        (1, 10),
        (2, 20),
    ]


def test_a_statement_that_comes_often_is_prepared() -> None:
    def prepared() -> int:
        (count,) = sql.row(
            "SELECT count(*) FROM pg_prepared_statements WHERE strpos(statement, %s) > 0",
            ["league_season"],
        )
        return int(count)

    before = prepared()
    for _ in range(6):
        Season.objects.filter(slug="never-named-before").values_list("notes").first()
    assert prepared() == before + 1


def test_one_row_is_the_first_or_none() -> None:
    assert sql.row("SELECT number FROM generate_series(%(first)s, 9) number", {"first": 4}) == (4,)
    assert sql.row("SELECT 1 WHERE false") is None


def test_a_query_that_is_kept_answers_for_each_key_as_the_one_it_was_made_from() -> None:
    written: list[str] = []

    @sql.KeptQuery
    def kept(slug: str) -> QuerySet[Any, tuple[Any, ...]]:
        written.append(slug)
        seasons = Season.objects.filter(slug=slug).annotate(
            shown=Case(When(archived=True, then=Value("archive")))
        )
        return seasons.values_list("pk", "name", "shown", "created_at")

    seasons = [SeasonFactory.create(archived=archived) for archived in (False, True)]
    for season in seasons:
        found = kept(season.slug)
        assert (
            found
            == list(kept.build(season.slug))
            == [(season.pk, season.name, found[0][2], season.created_at)]
        )
    assert kept("%s") == kept("nothing") == []
    assert written.count(sql.KEY) == 1


def test_a_statement_tells_how_many_rows_it_wrote(season: Season) -> None:
    assert sql.execute("UPDATE league_season SET archived = true WHERE id = %s", [season.pk]) == 1
    season.refresh_from_db()
    assert season.archived
