"""The first evening as the manual tells it, button by button, on the real pages, in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from games.models import Game
from league.clubs.queries.setup import setup_token
from league.draws.services.round import round_draw, rounds_waiting
from league.models import Event, Season, Stage
from league.rankings.services.counting import ranking_count
from league.site.web.docs import ENGLISH, PAGES, manual
from tests.languages import languages_of
from tests.league.site.web.walk import Reader

NAMES = ["Anna", "Ben", "Cleo", "Dario"]
CLUB, SEASON, EVENT = "Würfelrunde", "Herbst", "Erster Abend"
TYPED = {
    "token": "", "username": "wirtin", "email": "wirtin@example.org", "password": "three stars and a lie",
    "password_again": "three stars and a lie", "club-name": CLUB, "starts_at": "2099-12-03T19:30", "rounds": "2",
}  # fmt: skip
"""What is typed wherever a field of this name is."""
BUTTONS = ("start", "organise", "run-an-event", "enter", "correct", "mail")
"""The pages of the manual whose words in italics are those of the pages."""
TERMS = {
    "en": {"cockpit", "stage", "history", "not there yet", "Table 3 · Cellar", "Table 5 · Cellar, place 1"},
    "de": {"Cockpit", "Phase", "noch nicht da", "Tisch 3 · Keller", "Tisch 5 · Keller, Platz 1"},
    "nl": {"cockpit", "fase", "verloop", "nog niet aanwezig", "Tafel 3 · Kelder", "Tafel 5 · Kelder, plaats 1"},
}
"""Words in italics that the manual explains or gives as examples; nobody presses them."""


@pytest.fixture(autouse=True)
def _language_of_before() -> Iterator[None]:
    """No test leaves its language to the next one."""
    with translation.override(translation.get_language()):
        yield


def steps(language: str) -> list[list[str]]:
    """The words in italics of each step."""
    (part,) = re.findall(r'<h2 id="first-evening">.*?<ol>(.*?)</ol>', manual("run-an-event", language).html, re.DOTALL)
    return [italics(step) for step in part.split("<li>")[1:]]


def italics(html: str) -> list[str]:
    return [" ".join(unescape(words).split()) for words in re.findall(r"<em>(.*?)</em>", html, re.DOTALL)]


class Organiser(Reader):
    """Who walks through the first evening with the manual beside the screen."""

    def __init__(self, client: Client, language: str) -> None:
        super().__init__(client, language, self.typed)

    def typed(self, name: str, form: dict[str, str]) -> str | None:
        """What the organiser types into a field; the places go by the order of the fields, and so do the points."""
        if name == "name":
            return SEASON if "rule_exact" in form else EVENT if "starts_at" in form else None
        if name == "names":
            return "\n".join(NAMES)
        kind, _, _ = name.partition("_")
        if kind not in ("place", "points") or "sure" in form:
            return TYPED.get(name) or None
        place = 1 + [field for field in form if field.startswith(f"{kind}_")].index(name)
        return str(place if kind == "place" else 5 * (1 + len(NAMES) - place))

    def back_to_the_cockpit(self) -> None:
        """Follow the event's name in the line above the title, unless this is the cockpit."""
        if self.sees(EVENT):
            self.press(EVENT)

    def do(self, step: list[str]) -> None:
        """Press what a step names; where it isn't there, the line above the title leads back first."""
        for words in step:
            for back in (EVENT, CLUB):
                if not self.sees(words) and self.sees(back):
                    self.press(back)
            self.press(words)
            for waiting in rounds_waiting():
                round_draw(round_id=waiting)
                self.open(self.address)


@pytest.mark.django_db
@pytest.mark.parametrize("language", languages_of("run-an-event"))
def test_the_first_evening_goes_as_the_manual_says(client: Client, language: str) -> None:
    begin, season, event, plan, enter, start, result, draw, finish = steps(language)
    organiser = Organiser(client, language)
    organiser.open(f"/setup/?token={setup_token()}")
    for step in (begin, season, event, plan, enter, start, result):
        organiser.do(step)
    for _ in range(int(TYPED["rounds"]) - 1):
        organiser.back_to_the_cockpit()
        organiser.do(draw)
        organiser.do(result)
    organiser.do(finish)
    assert Event.objects.get().status == Event.Status.FINISHED
    assert Stage.objects.get().rounds == Game.objects.count() == int(TYPED["rounds"])
    ranking_count(ranking_id=Season.objects.get().ranking_id)
    organiser.open(f"/clubs/{Event.objects.get().club.slug}/herbst/")
    assert all(name in organiser.html for name in NAMES)


def test_every_language_names_as_many_buttons_a_step() -> None:
    counts = {language: [len(step) for step in steps(language)] for language in languages_of("run-an-event")}
    assert all(count == counts[ENGLISH] for count in counts.values())


def words_of_pages(language: str) -> set[str]:
    """All words of pages in a language, with and without a capital."""
    catalogue = polib.pofile(settings.BASE_DIR / "league/locale" / (language if language != ENGLISH else "de") / FILE)
    known: set[str] = set()
    for entry in catalogue:
        english = [entry.msgid, entry.msgid_plural]
        known |= set(english if language == ENGLISH else [entry.msgstr, *entry.msgstr_plural.values()])
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
