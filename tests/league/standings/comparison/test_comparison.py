"""A player beside the season's average and beside somebody else."""

import re

import pytest
from django.db.models import Sum
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from engine.interval import of_share
from league.core.log.services import Actor
from league.models import Appearance, Player, Season, Standing, Style, Visibility
from league.standings.player.services import player_merge
from league.templatetags.figures import figure, percent
from tests.factories.counted import counted_season, rebuild_all, rename
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db


def compared(client: Client, handle: str = "anna", query: str = "") -> str:
    """The part of the player's page, as text that a browser would show."""
    player = Player.objects.get(handle=handle)
    response = client.get(reverse("player", args=[player.public_id]) + query)
    assert response.status_code == 200
    return response.content.decode().split('id="compared"')[1].split("</section>")[0]


def line(html: str, label: str) -> list[str]:
    """The figures of one line: the player's, the other's if there is one, the average."""
    row = html.split(f'<th scope="row" class="main">{label}</th>')[1].split("</tr>")[0]
    return re.findall(r"<td[^>]*>([^<]*)</td>", row)


def with_(handle: str) -> str:
    return f"?with={Player.objects.get(handle=handle).public_id}"


def share(hits: int, trials: int) -> str:
    value, low, high = of_share(hits, trials)
    return f"{percent(value)} ({percent(low)}–{percent(high)})"


def test_every_figure_stands_beside_the_average_of_all(client: Client) -> None:
    season = counted_season(9)
    html = compared(client)
    own = Standing.objects.get(ranking=season.ranking_id, player__handle="anna")
    sums = Standing.objects.filter(ranking=season.ranking_id).aggregate(
        points=Sum("points"), games=Sum("games"), wins=Sum("wins"), ranks=Sum("rank_sum")
    )
    assert line(html, "Points per game") == [
        figure(own.points / own.games, 1),
        figure(sums["points"] / sums["games"], 1),
    ]
    assert line(html, "Average rank")[1] == figure(sums["ranks"] / sums["games"], 2)
    assert line(html, "Games won") == [
        share(own.wins, own.games),
        share(sums["wins"], sums["games"]),
    ]
    styles = [row.sums for row in Style.objects.filter(ranking=season.ranking_id)]
    mine = Style.objects.get(ranking=season.ranking_id, player__handle="anna").sums
    assert line(html, "Bids that were bluffs") == [
        share(mine.bluffs, mine.bids),
        share(sum(style.bluffs for style in styles), sum(style.bids for style in styles)),
    ]
    right = (
        sum(sum(style.right) for style in styles),
        sum(sum(style.challenges) for style in styles),
    )
    assert line(html, "Challenges that were right")[1] == share(*right)


def test_two_stand_side_by_side(client: Client) -> None:
    season = counted_season(9)
    html = compared(client, query=with_("ben"))
    ben = Standing.objects.get(ranking=season.ranking_id, player__handle="ben")
    assert "Compared with ben" in html
    assert line(html, "Points per game")[1] == figure(ben.points / ben.games, 1)
    assert compared(client, "ben", with_("anna")).count("<td") == html.count("<td")


def test_head_to_head_counts_the_games_together(client: Client) -> None:
    season = counted_season(9)
    ahead = behind = 0
    for mine in Appearance.objects.filter(ranking=season.ranking_id, player__handle="anna"):
        its = Appearance.objects.filter(
            ranking=season.ranking_id, game=mine.game_id, player__handle="ben"
        ).first()
        if its:
            ahead += (mine.rank or 0) < (its.rank or 0)
            behind += (mine.rank or 0) > (its.rank or 0)
    html = compared(client, query=with_("ben"))
    assert f"{ahead + behind} games together" in html
    assert f"{ahead} ahead, {behind} behind, 0 level" in html


def test_who_never_met_is_told_so(client: Client) -> None:
    counted_season(
        [bluff_record(0, seats=["anna", "ben"]), bluff_record(1, seats=["cleo", "dario"])]
    )
    html = compared(client, query=with_("cleo"))
    assert "no game together in" in html
    assert "games together" not in html


def test_who_met_in_another_season_is_led_there(client: Client) -> None:
    autumn = counted_season(
        [bluff_record(seed, seats=["anna", "ben"]) for seed in (0, 1)], slug="autumn", name="Autumn"
    )
    apart = [
        bluff_record(seed, seats=seats)
        for seed, seats in ((2, ["anna", "cleo"]), (3, ["ben", "dario"]))
    ]
    counted_season(apart, slug="winter", name="Winter", club=autumn.club)
    html = " ".join(compared(client, query=f"{with_('ben')}&season=winter").split())
    assert "no game together in Winter" in html
    assert (
        f'<a href="?season=autumn&amp;{with_("ben")[1:]}#compared">Autumn</a>: 2 games together'
        in html
    )


def test_both_ratings_are_in_one_drawing(client: Client) -> None:
    counted_season(11)
    html = compared(client, query=with_("dario"))
    assert html.count("<svg") == 3, "the field's sign, and the chart wide and narrow"
    wide = html.split('class="chart wide')[1].split("</svg>")[0]
    first, second = wide.split('<g class="second">')
    assert (first.count("<circle"), second.count("<circle")) == (3, 3)
    assert "dario: the dashed one" in html


def test_a_season_without_ratings_has_no_chart(client: Client) -> None:
    counted_season(3, rated=False)
    assert "line d=" not in compared(client, query=with_("ben"))


def test_the_other_is_found_by_the_beginning_of_the_name(client: Client) -> None:
    season = counted_season([bluff_record(0, seats=["anna", "annika", "ben"])])
    rename(season, "ben", "Bénedikt")
    assert "Compared with Bénedikt" in compared(client, query="?with=bene")
    choice = compared(client, query="?with=an")
    assert "Compared with annika" in choice, "nobody is compared with oneself"
    both = compared(client, "ben", "?with=ann")
    assert "Who do you mean?" in both
    assert both.count("with=") == 2
    assert "Nobody else in" in compared(client, query="?with=%3Czzz%3E")


@pytest.mark.parametrize("word", ["%", "%00", "_", "x" * 3000])
def test_odd_words_find_nobody(client: Client, word: str) -> None:
    counted_season(1)
    player = Player.objects.get(handle="anna")
    response = client.get(
        reverse("player", args=[player.public_id]), {"with": word.replace("%00", "\x00")}
    )
    assert response.status_code == 200
    assert "Nobody else in" in response.content.decode()


@pytest.mark.parametrize("word", ["zum", "ana zumthor", "anna"])
def test_the_other_is_found_by_the_surname_alone_or_a_handle(client: Client, word: str) -> None:
    season = counted_season([bluff_record(0, seats=["anna", "annika", "ben"])])
    rename(season, "anna", "Ana Zumthor")
    assert "Compared with Ana Zumthor" in compared(client, "ben", f"?with={word}")


def test_a_handle_of_who_was_merged_finds_the_one_into_whom(client: Client) -> None:
    season = counted_season(
        [bluff_record(0, seats=["anna", "ben"]), bluff_record(1, seats=["zoe", "ben"])]
    )
    anna, zoe = (Player.objects.get(handle=handle) for handle in ("anna", "zoe"))
    player_merge(kept_player=anna, merged=zoe, actor=Actor())
    rebuild_all(season)
    assert "Compared with anna" in compared(client, "ben", "?with=ZOE")


def test_who_plays_elsewhere_or_unseen_is_nobody(client: Client) -> None:
    counted_season([bluff_record(0, seats=["anna", "ben"])])
    elsewhere: Season = counted_season(
        [bluff_record(1, seats=["zoe", "yves"])], visibility=Visibility.MEMBERS
    )
    zoe = Player.objects.get(club=elsewhere.club, handle="zoe")
    assert "Nobody else in" in compared(client, query=f"?with={zoe.public_id}")


@pytest.mark.parametrize("count", [1, 3])
def test_three_more_queries_with_another_player(
    client: Client, count: int, django_assert_num_queries: Queries
) -> None:
    counted_season(count)
    query = with_("ben")
    with django_assert_num_queries(16):  # the first finds the player
        compared(client, query=query)
