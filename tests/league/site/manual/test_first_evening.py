"""The first evening as the manual tells it, button by button, on the real pages, in each
language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final
from zoneinfo import ZoneInfo

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext

from games.models import Game, Kind
from league.core.account.queries.setup import setup_token
from league.languages import ENGLISH
from league.models import (
    Club,
    Entry,
    Event,
    FinalRank,
    Format,
    Membership,
    Role,
    Season,
    Stage,
    StageRound,
    Table,
    TableScore,
    User,
)
from league.site.manual.web import PAGES, manual
from league.stages.round.services import round_draw, rounds_waiting
from league.standings.ranking.services.counting import ranking_count
from tests.languages import languages_of
from tests.league.site.manual.walk import Reader

NAMES = ["Anna", "Ben", "Cleo", "Dario", "Elif", "Fritz", "Greta", "Hakan"]
CLUB, SEASON, EVENT = "Würfelrunde", "Herbst", "Erster Abend"
STARTS = "2099-12-03T19:30"
TABLES, ROUNDS = 2, 2
TYPED = {
    "token": "",
    "username": "wirtin",
    "email": "wirtin@example.org",
    "password": "three stars and a lie",
    "password_again": "three stars and a lie",
    "club-name": CLUB,
    "starts_at": STARTS,
    "rounds": str(ROUNDS),
}
"""What is typed wherever a field of this name is."""
BUTTONS = ("start", "organise", "run-an-event", "enter", "correct", "mail")
"""The pages of the manual whose words in italics are those of the pages."""
TERMS = {
    "en": {
        "dashboard",
        "stage",
        "history",
        "Table 3 · Cellar",
        "Table 5 · Cellar, spot 1",
    },
    "de": {"Spieltagsleitung", "Phase", "Tisch 3 · Keller", "Tisch 5 · Keller, Platz 1"},
    "nl": {
        "dashboard",
        "fase",
        "verloop",
        "Tafel 3 · Kelder",
        "Tafel 5 · Kelder, plek 1",
    },
}
"""Words in italics that the manual explains or gives as examples; nobody presses them."""


@pytest.fixture(autouse=True)
def _language_of_before() -> Iterator[None]:
    """No test leaves its language to the next one."""
    with translation.override(translation.get_language()):
        yield


def texts(language: str) -> list[str]:
    """The steps, as HTML."""
    (part,) = re.findall(
        r'<h2 id="first-evening">.*?<ol>(.*?)</ol>',
        manual("run-an-event", language).html,
        re.DOTALL,
    )
    return [step.partition("</li>")[0] for step in str(part).split("<li>")[1:]]


def steps(language: str) -> list[list[str]]:
    """The words in italics of each step."""
    return [italics(step) for step in texts(language)]


def italics(html: str) -> list[str]:
    return [
        " ".join(unescape(words).split())
        for words in re.findall(r"<em>(.*?)</em>", html, re.DOTALL)
    ]


class Organiser(Reader):
    """Who walks through the first evening with the manual beside the screen."""

    def __init__(self, client: Client, language: str) -> None:
        super().__init__(client, language, self.typed)

    def typed(self, name: str, form: dict[str, str]) -> str | None:
        """What the organiser types into a field; the places go by the order of the fields."""
        if name == "name":
            return SEASON if "rule_exact" in form else EVENT if "starts_at" in form else None
        if name == "text" and "rule_exact" in form:
            return "brettspielwelt"
        if name == "names":
            return "\n".join(NAMES)
        kind, _, _ = name.partition("_")
        if kind != "place" or "sure" in form:
            return TYPED.get(name) or None
        place = 1 + [field for field in form if field.startswith(f"{kind}_")].index(name)
        return str(place)

    def back_to_the_cockpit(self) -> None:
        """Follow the event's name in the line above the title, unless this is the cockpit."""
        if self.sees(EVENT):
            self.press(EVENT)

    def do(self, step: list[str]) -> None:
        """Press what a step names; where it isn't there, the line above the title leads back
        first."""
        for words in step:
            for back in (EVENT, CLUB):
                if not self.sees(words) and self.sees(back):
                    self.press(back)
            self.press(words)
            for waiting in rounds_waiting():
                round_draw(round_id=waiting)
                self.open(self.address)


def account() -> None:
    assert (User.objects.get().username, Club.objects.get().name) == (TYPED["username"], CLUB)
    assert Membership.objects.get(user__username=TYPED["username"]).role == Role.ORGANISER


def season_begun() -> None:
    assert Season.objects.get().kind == Kind.BLUFF


def season_rules() -> None:
    season = Season.objects.get()
    assert season.name == SEASON
    assert season.rules["exact"] == "challenger", "as the text says that was chosen"


def event_planned() -> None:
    assert Event.objects.get().season == Season.objects.get()


def event_time() -> None:
    event = Event.objects.get()
    assert event.name == EVENT
    assert (
        timezone.localtime(event.starts_at, ZoneInfo(event.club.timezone)).strftime(
            "%Y-%m-%dT%H:%M"
        )
        == STARTS
    )


def stage_planned() -> None:
    assert Stage.objects.get().format == Format.PODS


def stage_rounds() -> None:
    assert Stage.objects.get().rounds == ROUNDS


def names_asked() -> None:
    assert Event.objects.get().status == Event.Status.DRAFT, "nothing has started"


def names_there() -> None:
    entries = Entry.objects.exclude(checked_in_at=None)
    assert sorted(entries.values_list("player__name", flat=True)) == NAMES


def event_runs() -> None:
    assert Event.objects.get().status == Event.Status.RUNNING


def first_round() -> None:
    assert StageRound.objects.get().status == StageRound.Status.PUBLISHED
    assert Table.objects.count() == TABLES


def places_in_order() -> None:
    for score in TableScore.objects.all():
        assert score.ranks == [1, 2, 3, 4], "as they were named"


def results_sealed() -> None:
    for table in Table.objects.all():
        assert table.finished


def rounds_played() -> None:
    assert StageRound.objects.count() == ROUNDS
    assert Game.objects.count() == ROUNDS * TABLES
    places_in_order()
    results_sealed()


def evening_over() -> None:
    assert (Stage.objects.get().status, Event.objects.get().status) == (
        Stage.Status.FINISHED,
        Event.Status.FINISHED,
    )


CHECKS: Final = (
    (account,),
    (season_begun, season_rules),
    (event_planned, event_time),
    (stage_planned, stage_rounds),
    (names_asked, names_there),
    (event_runs, first_round),
    (places_in_order, results_sealed),
    (rounds_played,),
    (evening_over,),
)
"""What is true after each step, sentence by sentence."""


@pytest.mark.parametrize("language", languages_of("run-an-event"))
def test_every_sentence_of_the_first_evening_is_walked(language: str) -> None:
    said = [
        len(re.findall(r"\.(?=\s|$)", step.replace("</p>", "").strip())) for step in texts(language)
    ]
    assert said == [len(checks) for checks in CHECKS]


@pytest.mark.django_db
@pytest.mark.parametrize("language", languages_of("run-an-event"))
def test_the_first_evening_goes_as_the_manual_says(client: Client, language: str) -> None:
    begin, season, event, plan, enter, start, result, draw, finish = steps(language)
    organiser = Organiser(client, language)
    assert not User.objects.exists()
    organiser.open(f"/setup/?token={setup_token()}")
    for step, checks in zip((begin, season, event, plan, enter, start), CHECKS, strict=False):
        organiser.do(step)
        for check in checks:
            check()
    organiser.do(result)
    for check in CHECKS[6]:
        check()
    for _ in range(ROUNDS - 1):
        organiser.back_to_the_cockpit()
        organiser.do(draw)
        organiser.do(result)
    rounds_played()
    organiser.do(finish)
    evening_over()
    winner = FinalRank.objects.filter(rank=1)[0].entry.player.name
    organiser.open(f"/clubs/{Club.objects.get().slug}/events/{Event.objects.get().slug}/")
    assert winner in organiser.html.split('class="podium', 1)[1], "to a winner"
    ranking_count(ranking_id=Season.objects.get().ranking_id)
    organiser.open(f"/clubs/{Club.objects.get().slug}/herbst/")
    assert all(name in organiser.html for name in NAMES)


@pytest.mark.django_db
@pytest.mark.parametrize("language", languages_of("run-an-event"))
def test_the_line_above_a_title_leads_back_to_the_cockpit_and_to_the_club(
    client: Client, language: str
) -> None:
    begin, season, event, plan, *_ = steps(language)
    organiser = Organiser(client, language)
    organiser.open(f"/setup/?token={setup_token()}")
    for step in (begin, season, event, plan):
        organiser.do(step)
    cockpit = f"/clubs/{Club.objects.get().slug}/desk/events/{Event.objects.get().slug}/"
    for below in ("attendance/", "check-in/", "entries/", "settings/", "stages/1/"):
        organiser.open(f"{cockpit}{below}")
        organiser.press(EVENT)
        assert organiser.address == cockpit
        organiser.press(CLUB)
        assert organiser.address == f"/clubs/{Club.objects.get().slug}/"


def test_every_language_names_as_many_buttons_a_step() -> None:
    counts = {
        language: [len(step) for step in steps(language)]
        for language in languages_of("run-an-event")
    }
    assert all(count == counts[ENGLISH] for count in counts.values())


def words_of_pages(language: str) -> set[str]:
    """All words of pages in a language, with and without a capital."""
    catalogue = polib.pofile(
        settings.BASE_DIR / "league/locale" / (language if language != ENGLISH else "de") / FILE
    )
    known: set[str] = set()
    for entry in catalogue:
        english = [entry.msgid, entry.msgid_plural]
        known |= set(
            english if language == ENGLISH else [entry.msgstr, *entry.msgstr_plural.values()]
        )
    return known | {words[:1].upper() + words[1:] for words in known}


FILE = "LC_MESSAGES/django.po"


@pytest.mark.parametrize(
    ("page", "language"), [(page, language) for page in BUTTONS for language in languages_of(page)]
)
def test_what_the_manual_calls_a_button_is_a_word_of_the_pages(page: str, language: str) -> None:
    assert page in PAGES
    walked = {words for step in steps(language) for words in step}
    named = set(italics(manual(page, language).html)) - TERMS[language] - walked
    assert named - words_of_pages(language) == set()


@pytest.mark.parametrize("language", languages_of("mail"))
def test_the_word_that_leads_to_an_event_s_entries_is_that_of_the_manual(language: str) -> None:
    with translation.override(language):
        assert gettext("Entries") in italics(manual("mail", language).html)
