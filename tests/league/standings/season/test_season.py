"""A season's settings are fields: what they can be is the engine's to say, and what they change is
said first."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.record.kinds import KINDS
from engine.record.setting import settings_of
from games.domain.rule_text import RULE_TEXTS, RuleText
from games.domain.ruleset import value_in_words
from games.models.game import Kind
from league.models import AllTime, Club, LogEntry, Season, TieBreak, Visibility
from league.standings.season.actions import SeasonAction
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory

pytestmark = pytest.mark.django_db

BREAKS = ["points", "wins", "best_game"]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="stern")


@pytest.fixture
def desk(client: Client, club: Club) -> Client:
    client.force_login(MembershipFactory.create(club=club).user)
    return client


def fields(**changed: Any) -> dict[str, Any]:
    """A form of Bluff as a browser sends it."""
    breaks = changed.pop("tie_breaks", BREAKS)
    return {
        "name": "Herbstliga 2026",
        "slug": "herbst",
        "starts_on": "2026-09-01",
        "ends_on": "",
        "visibility": "public",
        "rule_exact": '"all"',
        "rule_reroll": "false",
        "rule_dice": "5",
        "rule_scoring": "free",
        "scoring": "cntdice",
        "rated": "on",
        **{f"tie_break_{place}": name for place, name in enumerate(breaks, start=1)},
        **changed,
    }


def new(client: Client, kind: str = "bluff", **changed: Any) -> str:
    answer = client.post(
        f"{reverse('desk-season-new', args=['stern'])}?kind={kind}", fields(**changed), follow=True
    )
    return " ".join(answer.content.decode().split())


def change(client: Client, season: Season, **changed: Any) -> str:
    answer = client.post(
        reverse("desk-season", args=[season.club.slug, season.slug]), fields(**changed), follow=True
    )
    return " ".join(answer.content.decode().split())


def test_a_new_season_has_the_rules_and_the_order_that_were_chosen(
    desk: Client, club: Club
) -> None:
    html = new(
        desk,
        rule_exact='"giveaway"',
        rule_dice="free",
        tie_breaks=["wins", "", "points", "", "games"],
    )
    season = Season.objects.select_related("ranking").get()
    assert season.rules == {"exact": "giveaway", "reroll": False}
    assert season.ranking.tie_breaks == ["wins", "points", "games"]
    assert (season.ranking.scoring, season.ranking.rated) == ("cntdice", True)
    assert "After an exact hit the challenger gives one die to the bidder." in html
    assert "/docs/rules#b9" in html
    assert LogEntry.objects.latest("position").action == SeasonAction.CREATED


def test_a_season_of_luegen_kniffel_has_its_own_settings(desk: Client, club: Club) -> None:
    new(
        desk,
        kind=Kind.LUEGEN_KNIFFEL,
        rule_truth='"at_least"',
        rule_allow_zero="true",
        scoring="totals",
    )
    season = Season.objects.select_related("ranking").get()
    assert (season.kind, season.rules) == (
        "luegen-kniffel",
        {"truth": "at_least", "allow_zero": True},
    )
    assert season.ranking.scoring == "totals"


@pytest.mark.parametrize("text", RULE_TEXTS.values(), ids=list(RULE_TEXTS))
def test_a_rule_text_by_its_name_settles_its_rules(
    desk: Client, club: Club, text: RuleText
) -> None:
    chosen = {"rule_exact": '"giveaway"', "rule_truth": '"at_least"', "rule_allow_zero": "true"}
    scoring = {"scoring": "totals"} if text.kind == Kind.LUEGEN_KNIFFEL else {}
    html = new(desk, kind=text.kind, **chosen, **scoring, text=text.name)
    assert Season.objects.get().rules == dict(text.rules)
    assert all(
        str(value_in_words(text.kind, name, value)) in html for name, value in text.rules.items()
    )


def test_the_texts_are_offered_by_name_until_the_rules_are_settled(
    desk: Client, club: Club
) -> None:
    html = desk.get(reverse("desk-season-new", args=["stern"]), {"kind": "bluff"}).content.decode()
    assert all(
        name in html
        for name in ("Ravensburger 2009", "F.X. Schmid 1993", "Brettspielwelt", "the Dutch sheet")
    )
    season = counted_season(club=club)
    assert (
        "Ravensburger"
        not in desk.get(reverse("desk-season", args=["stern", season.slug])).content.decode()
    )


@pytest.mark.parametrize("kind", Kind.values)
def test_every_setting_of_the_engine_is_a_field_with_words_for_each_choice(
    desk: Client, kind: str
) -> None:
    form = desk.get(reverse("desk-season-new", args=["stern"]), {"kind": kind}).context["form"]
    fields = {f"rule_{setting.name}": setting for setting in settings_of(KINDS[kind])}
    assert [field.name for field in form.rule_fields] == list(fields)
    for name, setting in fields.items():
        _, *choices = form.fields[name].choices
        assert [json.loads(value) for value, _ in choices] == list(setting.choices)
        assert all(words for _, words in choices)


def test_without_a_game_one_is_asked_for(desk: Client) -> None:
    html = desk.get(reverse("desk-season-new", args=["stern"])).content.decode()
    assert 'href="?kind=bluff"' in html
    assert 'href="?kind=luegen-kniffel"' in html


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"rule_exact": '"alle"'}, "rule_exact", "Select a valid choice"),
        ({"rule_dice": "21"}, "rule_dice", "Select a valid choice"),
        ({"scoring": "totals"}, "scoring", "Select a valid choice"),
        ({"tie_breaks": ["points", "wins", "points"]}, "tie_break_3", "already further up"),
        ({"tie_breaks": ["", "wins"]}, "tie_break_1", "This field is required."),
        ({"ends_on": "2026-08-31"}, "ends_on", "end before it starts"),
        ({"slug": "taken"}, "slug", "Another season of the club uses this address."),
        ({"slug": "desk"}, "slug", "Another page of the club"),
    ],
)
def test_what_no_season_can_be_is_said_at_its_field(
    desk: Client, club: Club, changed: dict[str, Any], field: str, said: str
) -> None:
    SeasonFactory.create(club=club, slug="taken")
    season = SeasonFactory.create(club=club, slug="herbst")
    for html in (new(desk, **{"slug": "new"} | changed), change(desk, season, **changed)):
        wrong = html[html.index('class="field wrong"') :]
        assert f'id="id_{field}"' in wrong
        assert said in wrong
    assert Season.objects.count() == 2


def test_an_address_is_made_from_the_name_and_is_nobody_elses(desk: Client, club: Club) -> None:
    for _ in range(2):
        assert "The season is ready." in new(desk, slug="", name="Große Runde")
    assert set(Season.objects.values_list("slug", flat=True)) == {"grosse-runde", "grosse-runde-2"}


def test_a_change_of_the_order_says_that_the_table_is_sorted_anew_before_it_is(
    desk: Client, club: Club
) -> None:
    season = counted_season(3, club=club, slug="herbst", rules={"exact": "all"})
    html = change(desk, season, tie_breaks=["wins", "points"])
    assert "The table is sorted again, by wins, points. Ranks may change." in html
    season.ranking.refresh_from_db()
    assert season.ranking.tie_breaks == BREAKS
    html = change(desk, season, tie_breaks=["wins", "points"], sure="yes")
    assert "Settings saved." in html
    season.ranking.refresh_from_db()
    assert (season.ranking.tie_breaks, season.ranking.rebuilt_to) == (["wins", "points"], 0)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"visibility": "members"}, "For everybody else it doesn’t exist."),
        ({"visibility": "link"}, "Only members and people with the season’s link can read it"),
        ({"slug": "other"}, "Links to the old one stop working"),
        ({"rated": ""}, "All ratings disappear"),
    ],
)
def test_what_readers_would_notice_is_said_first(
    desk: Client, club: Club, changed: dict[str, str], said: str
) -> None:
    season = counted_season(1, club=club, slug="herbst")
    before = season.visibility, season.slug, season.ranking.rated
    assert said in change(desk, season, **changed)
    season.refresh_from_db()
    assert (season.visibility, season.slug, season.ranking.rated) == before


def test_a_new_name_needs_no_second_word(desk: Client, club: Club) -> None:
    season = counted_season(1, club=club, slug="herbst", rules={})
    assert "Settings saved." in change(desk, season, name="Another name", archived="on")
    season.refresh_from_db()
    assert (season.name, season.archived) == ("Another name", True)


def test_rules_and_scoring_are_settled_once_games_are_in_and_the_page_says_why(
    desk: Client, club: Club
) -> None:
    season = counted_season(1, club=club, slug="herbst", rules={"exact": "all"})
    page = desk.get(reverse("desk-season", args=["stern", "herbst"]))
    assert "Games have been played by these rules" in " ".join(page.content.decode().split())
    form = page.context["form"]
    assert all(form.fields[name].disabled for name in ("rule_exact", "rule_dice", "scoring"))
    change(desk, season, rule_exact='"giveaway"', scoring="placement", sure="yes")
    season.refresh_from_db()
    season.ranking.refresh_from_db()
    assert (season.rules, season.ranking.scoring) == ({"exact": "all"}, "cntdice")


def test_the_link_is_shown_where_it_opens_something_and_a_new_one_closes_it(
    desk: Client, club: Club, django_user_model: Any
) -> None:
    season = counted_season(1, club=club, slug="herbst", visibility=Visibility.LINK)
    page = reverse("desk-season", args=["stern", "herbst"])
    link = f"http://localhost:8000/clubs/stern/herbst/?key={season.link_token}"
    assert link in desk.get(page).content.decode()
    guest = Client()
    assert guest.get(link).status_code == 200
    html = desk.post(
        reverse("desk-season-link", args=["stern", "herbst"]), {"reason": ""}, follow=True
    )
    season.refresh_from_db()
    assert season.link_token in html.content.decode()
    assert guest.get(link).status_code == guest.get("/clubs/stern/herbst/").status_code == 404
    assert guest.get(f"/clubs/stern/herbst/?key={season.link_token}").status_code == 200
    entry = LogEntry.objects.latest("position")
    assert (entry.action, season.link_token in entry.payload) == (SeasonAction.LINK_RENEWED, False)


def test_a_public_season_has_no_link(desk: Client, club: Club) -> None:
    season = counted_season(1, club=club, slug="herbst")
    assert (
        season.link_token
        not in desk.get(reverse("desk-season", args=["stern", "herbst"])).content.decode()
    )


def test_a_ranking_of_all_time_is_begun_once(desk: Client, club: Club) -> None:
    SeasonFactory.create(club=club)
    begin = reverse("desk-all-time", args=["stern"])
    assert begin in desk.get(reverse("desk-seasons", args=["stern"])).content.decode()
    desk.post(begin, {"reason": ""})
    assert AllTime.objects.get().club == club
    assert begin not in desk.get(reverse("desk-seasons", args=["stern"])).content.decode()


def test_an_archived_season_stands_last_and_not_on_the_first_page(
    client: Client, club: Club
) -> None:
    counted_season(1, club=club, name="Old one", archived=True, starts_on="2026-10-01")
    counted_season(1, club=club, name="New one")
    html = client.get(reverse("club", args=["stern"])).content.decode()
    assert html.index("New one") < html.index("Old one")
    home = client.get("/").content.decode()
    assert "New one" in home
    assert "Old one" not in home


def test_all_tie_breaks_can_be_ordered(desk: Client, club: Club) -> None:
    new(desk, tie_breaks=list(reversed(TieBreak.values)))
    assert Season.objects.get().ranking.tie_breaks == list(reversed(TieBreak.values))
