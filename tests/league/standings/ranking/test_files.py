"""The files about all games of a ranking: they are sent in portions, however long they are."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.core import sql
from tests.factories.counted import counted_season, season_of_games

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["season-handles", "season-seats", "season-adjustments"])
def test_portions_of_rows_join_to_the_same_file(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    season = counted_season(season_of_games(8))
    path = reverse(name, args=[season.club.slug, season.slug])
    whole = Client().get(path).getvalue()
    monkeypatch.setattr(sql, "PORTION", 1)
    response = Client().get(path)
    assert response.streaming
    assert response.getvalue() == whole
