"""The styles of all players in one table, for arbiters and organisers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.interval import of_share
from league.models import Role, Season, Style
from league.standings.style import web as styles_web
from league.templatetags.figures import percent
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db


def address(season: Season, page: str = "styles") -> str:
    return reverse(page, args=[season.club.slug, season.slug])


def as_role(client: Client, season: Season, role: Role) -> Client:
    client.force_login(MembershipFactory.create(club=season.club, role=role).user)
    return client


def shown(client: Client, season: Season, query: str = "") -> str:
    return as_role(client, season, Role.ARBITER).get(address(season) + query).content.decode()


def names(html: str) -> list[str]:
    return re.findall(r'class="row-link"[^>]*>([^<]+)<', html)


@pytest.mark.parametrize("role", list(Role))
def test_it_is_for_arbiters_and_organisers(client: Client, role: Role) -> None:
    season = counted_season(1)
    may = role in {Role.ARBITER, Role.ORGANISER}
    as_role(client, season, role)
    assert client.get(address(season)).status_code == (200 if may else 404)
    assert ("Styles compared" in client.get(address(season, "season")).content.decode()) is may


def test_it_is_for_nobody_else(client: Client) -> None:
    season, elsewhere = counted_season(1), SeasonFactory.create()
    assert client.get(address(season)).status_code == 404
    client.force_login(UserFactory.create())
    assert client.get(address(season)).status_code == 404
    assert as_role(client, elsewhere, Role.ARBITER).get(address(season)).status_code == 404


def test_each_share_stands_with_its_interval(client: Client) -> None:
    season = counted_season(9)
    html = shown(client, season)
    sums = Style.objects.get(ranking=season.ranking_id, player__handle="anna").sums
    row = html.split(">anna</a>")[1].split("</tr>")[0]
    for hits, trials in (
        (sums.bluffs, sums.bids),
        (sums.caught, sums.stood + sums.lucky + sums.caught),
        (sum(sums.right), sum(sums.challenges)),
    ):
        share = of_share(hits, trials)
        assert f">{percent(share.value)}<" in row
        assert f">{percent(share.low)}–{percent(share.high)}<" in row


def test_every_column_sorts_both_ways(client: Client) -> None:
    season = counted_season(9)
    styles = {row.player.name: row.sums for row in Style.objects.filter(ranking=season.ranking_id)}
    figures: dict[str, Callable[[str], Any]] = {
        "name": lambda name: name,
        "bids": lambda name: styles[name].bids,
        "bluffed": lambda name: styles[name].bluff_rate,
        "caught": lambda name: 1 - (styles[name].bluff_success or 0),
        "challenges": lambda name: sum(styles[name].challenges),
        "right": lambda name: sum(styles[name].right) / sum(styles[name].challenges),
    }
    for sort, figure in figures.items():
        up, down = (
            [figure(name) for name in names(shown(client, season, f"?sort={sign}{sort}"))]
            for sign in ("", "-")
        )
        assert up == sorted(up), sort
        assert down == sorted(down, reverse=True), sort


def test_who_has_no_share_comes_last(client: Client) -> None:
    season = counted_season(3)
    Style.objects.filter(ranking=season.ranking_id, player__handle="anna").update(
        challenges=[0] * 10, right=[0] * 10
    )
    for sort in ("right", "-right"):
        assert names(shown(client, season, f"?sort={sort}"))[-1] == "anna"


def test_an_unknown_sort_is_by_bluffs(client: Client) -> None:
    season = counted_season(3)
    assert names(shown(client, season, "?sort=password")) == names(
        shown(client, season, "?sort=-bluffed")
    )


def test_many_players_come_in_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(styles_web, "STYLES_PER_PAGE", 2)
    season = counted_season(3)
    first, second = names(shown(client, season)), names(shown(client, season, "?page=2"))
    assert (len(first), len(second)) == (2, 2)
    assert not set(first) & set(second)


def test_nothing_to_compare_says_how_it_comes_to_be(client: Client) -> None:
    assert "Nothing to compare yet" in shown(client, SeasonFactory.create())
