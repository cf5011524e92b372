"""A player's page: figures, chart, results and rivals, of the seasons that the viewer may see."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.core.log.services import Actor
from league.models import Player, Season, Standing, Style, Visibility
from league.standings.player.services import player_merge
from league.templatetags.figures import figure, percent, signed
from tests.factories.counted import add_games, counted_season, rename, three_tables
from tests.factories.league import MembershipFactory, PlayerFactory, SeasonFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db


def page_of(client: Client, handle: str, query: str = "") -> str:
    player = Player.objects.get(handle=handle)
    response = client.get(reverse("player", args=[player.public_id]) + query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_twelve_queries_whatever_the_number_of_games(
    client: Client, count: int, django_assert_num_queries: Queries
) -> None:
    counted_season(count)
    with django_assert_num_queries(13):  # the first finds the player
        page_of(client, "anna")


def test_headline_figures_carry_their_intervals(client: Client) -> None:
    season = counted_season(9)
    html = page_of(client, "anna")
    row = Standing.objects.get(ranking=season.ranking_id, player__handle="anna")
    figures = html.split('class="stats"')[1].split("</dl>")[0]
    assert f"{row.points / row.games:.1f}" in figures
    assert f"{row.rank_sum / row.games:.2f}" in figures
    assert figures.count("±") == 3
    assert "95" in figures


def test_the_chart_has_a_mark_for_each_event(client: Client) -> None:
    counted_season(11)
    html = page_of(client, "anna")
    chart = html.split('class="chart wide')[1].split("</svg>")[0]
    assert chart.count("<circle") == 3
    assert 'class="band"' in chart
    assert "night-2" in chart


@pytest.mark.parametrize(
    ("language", "day"), [("en", "6 Sep"), ("de", "6. Sept."), ("nl", "6 sep")]
)
def test_a_day_on_the_chart_is_written_in_the_readers_language(language: str, day: str) -> None:
    counted_season([bluff_record(n, played_at=f"2026-09-0{n}T20:00:00+02:00") for n in (4, 5, 6)])
    html = page_of(Client(headers={"Accept-Language": language}), "anna")
    assert f">{day}</text>" in html


def test_a_single_game_has_no_spread(client: Client) -> None:
    counted_season(1)
    figures = page_of(client, "anna").split('class="stats"')[1].split("</dl>")[0]
    assert figures.count("±") == 1


def test_each_season_can_be_chosen(client: Client) -> None:
    first = counted_season(2)
    second: Season = SeasonFactory.create(club=first.club, starts_on="2026-10-01")
    add_games(second, three_tables(3, first=20))
    html = page_of(client, "anna")
    assert f'href="?season={second.slug}" aria-current="page"' in html, "it has most games"
    other = page_of(client, "anna", f"?season={first.slug}")
    assert f'href="?season={first.slug}" aria-current="page"' in other
    assert re.search(rf'href="[^"]*{first.slug}/"', other.split('class="stats"')[1])


def test_the_page_opens_on_the_season_with_most_games(client: Client) -> None:
    first = counted_season(9)
    second: Season = SeasonFactory.create(club=first.club, starts_on="2026-10-01")
    add_games(second, three_tables(1, first=20))
    assert f'href="?season={first.slug}" aria-current="page"' in page_of(client, "anna")


def test_rivals_count_games_together_and_who_was_ahead(client: Client) -> None:
    season = counted_season(9)
    html = page_of(client, "anna")
    rivals = html.split('id="rivals"')[1].split("</table>")[0]
    games = Standing.objects.get(ranking=season.ranking_id, player__handle="anna").games
    assert all(int(count) <= games for count in re.findall(r'together">(\d+)<', rivals))
    assert set(re.findall(r'row-link"[^>]*>(\w+)<', rivals)) == {"ben", "cleo", "dario", "elif"}


def test_many_rivals_unfold(client: Client) -> None:
    counted_season(
        [bluff_record(seed, seats=["anna", f"a{seed}", f"b{seed}"]) for seed in range(8)]
    )
    short, long = page_of(client, "anna"), page_of(client, "anna", "?rivals=all")
    assert "Show all 16" in short
    assert (
        short.split('id="results"')[0].count("row-link"),
        long.split('id="results"')[0].count("row-link"),
    ) == (
        12,
        16,
    )


def test_results_come_in_pages(client: Client) -> None:
    counted_season(17)
    assert page_of(client, "anna").count('row-link seats"') == 15
    (older,) = re.findall(r'href="(\?[^"]*)" rel="next"', page_of(client, "anna"))
    assert page_of(client, "anna", unescape(older)).count('row-link seats"') == 2


def test_only_visible_seasons_are_counted_and_shown(client: Client) -> None:
    public = counted_season(1)
    secret: Season = SeasonFactory.create(
        club=public.club, visibility=Visibility.MEMBERS, name="Secret"
    )
    add_games(secret, three_tables(3, first=20))
    html = page_of(client, "anna")
    assert "Secret" not in html
    assert html.count('row-link seats"') == 1
    client.force_login(MembershipFactory.create(club=public.club).user)
    assert "Secret" in page_of(client, "anna")


def test_a_player_of_hidden_seasons_alone_is_404(client: Client) -> None:
    season = counted_season(1, visibility=Visibility.LINK)
    player = Player.objects.get(handle="anna")
    address = reverse("player", args=[player.public_id])
    assert client.get(address).status_code == 404
    assert client.get(f"{address}?key={season.link_token}").status_code == 200
    assert client.get(reverse("player", args=[PlayerFactory.create().public_id])).status_code == 404


def test_who_was_merged_has_the_page_of_the_one_into_whom(client: Client) -> None:
    counted_season(3)
    elif_, ben = (Player.objects.get(handle=handle) for handle in ("elif", "ben"))
    player_merge(kept_player=ben, merged=elif_, actor=Actor())
    assert client.get(reverse("player", args=[elif_.public_id]))["Location"] == reverse(
        "player", args=[ben.public_id]
    )
    page_of(client, "ben")


def test_who_was_merged_into_a_player_of_hidden_seasons_is_404(client: Client) -> None:
    counted_season(3, visibility=Visibility.MEMBERS)
    elif_, ben = (Player.objects.get(handle=handle) for handle in ("elif", "ben"))
    player_merge(kept_player=ben, merged=elif_, actor=Actor())
    assert client.get(reverse("player", args=[elif_.public_id])).status_code == 404


def test_a_player_whose_games_are_not_over_has_a_page(client: Client) -> None:
    counted_season([bluff_record(0, rounds=1)])
    html = page_of(client, "anna")
    assert "not finished" in html
    assert 'class="stats"' not in html


def test_markup_in_names_is_escaped(client: Client) -> None:
    rename(counted_season(1), "anna", "<img src=x> 🎲")
    html = page_of(client, "ben") + page_of(client, "anna")
    assert "&lt;img src=x&gt; 🎲" in html
    assert "<img" not in html


def test_the_style_is_told_with_what_it_is_made_of(client: Client) -> None:
    season = counted_season(9)
    html = page_of(client, "anna").split('id="style"')[1].split("</section>")[0]
    row = Style.objects.get(ranking=season.ranking_id, player__handle="anna").sums
    challenges, right = sum(row.challenges), sum(row.right)
    assert f"{row.bluffs} of {row.bids} bids" in html
    assert f"{row.stood + row.lucky} of {row.stood + row.lucky + row.caught} not caught" in html
    assert f"{right} of {challenges} right" in html
    assert figure(row.cost / 1_000_000 / row.decisions, 3) in html
    assert signed(row.luck / 1_000_000, 2) in html
    assert (
        f"dice, {row.rolls} rolls; fair dice stay within ±\u202f{figure(row.luck_half, 2)}" in html
    )
    assert row.rolls > 0


def test_who_has_no_game_that_tells_every_roll_has_no_luck(client: Client) -> None:
    counted_season([bluff_record(1, rules={"reroll": True, "scoring": "cntdice"})])
    assert (
        "no game shows all its rolls"
        in page_of(client, "anna").split('id="style"')[1].split("</section>")[0]
    )


def test_the_calibration_has_a_point_for_each_bin_with_challenges(client: Client) -> None:
    season = counted_season(9)
    chart = page_of(client, "anna").split('class="chart calibration"')[1].split("</figure>")[0]
    row = Style.objects.get(ranking=season.ranking_id, player__handle="anna").sums
    bins = [
        (number, right) for number, right in zip(row.challenges, row.right, strict=True) if number
    ]
    assert chart.count("<circle") == len(bins)
    assert re.findall(r'<td class="n">(\d+)</td>\s+</tr>', chart) == [
        str(number) for number, _ in bins
    ]
    for number, right in bins:
        assert f'<td class="n">{percent(right / number)}</td>' in chart


def test_who_never_showed_dice_has_no_style(client: Client) -> None:
    counted_season([bluff_record(1, level="result")])
    assert 'id="style"' not in page_of(client, "anna")


def test_rivals_and_results_are_those_of_the_chosen_season(client: Client) -> None:
    first = counted_season([bluff_record(0, seats=["anna", "ben"])])
    second: Season = SeasonFactory.create(club=first.club, starts_on="2026-10-01")
    add_games(second, [bluff_record(seed, seats=["anna", "cleo"]) for seed in (21, 22)])
    for season, rival, games in ((first, "ben", 1), (second, "cleo", 2)):
        html = page_of(client, "anna", f"?season={season.slug}")
        assert re.findall(
            r'row-link" href="[^"?]*\?season=([^"]*)">(\w+)<', html.split('id="rivals"')[1]
        ) == [(season.slug, rival)]
        assert html.count('row-link seats"') == games


def test_the_chart_shows_the_last_hundred_days_of_play(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.standings.player.web.player.DAYS", 3)
    counted_season(
        [bluff_record(n, played_at=f"2026-09-0{n}T20:00:00+02:00") for n in (3, 4, 5, 6)]
    )
    html = page_of(client, "anna")
    assert html.split('class="chart wide')[1].split("</svg>")[0].count("<circle") == 3
    assert "the last 3 of 4 days of play" in html
