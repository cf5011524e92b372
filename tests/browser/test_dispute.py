"""A whole dispute on phones: object, hear, preview, rule, the ranking changes, appeal, decide;
notices and the public list. Each step in the language of the person who takes it."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.service import Site
from tests.browser.test_objection import played

PHONE: Final[Any] = {
    "viewport": {"width": 360, "height": 780},
    "has_touch": True,
    "reduced_motion": "reduce",
}
ARBITERS: Final = """
from django.db import transaction
from league.core.account.models import User
from league.models import Club, Membership
with transaction.atomic():
    club = Club.objects.get(slug="becherkeller")
    for name in ("second", "third"):
        user, _ = User.objects.get_or_create(email=f"{name}@example.org", defaults={"username": name})
        user.set_password("hoch-die-becher")
        user.save()
        user.emailaddress_set.get_or_create(email=user.email, defaults={"verified": True, "primary": True})
        Membership.objects.get_or_create(club=club, user=user, role="arbiter")
"""


@pytest.fixture
def people(browser: Browser, site: Site) -> Any:
    """Open a phone for somebody, in a language."""
    contexts: list[BrowserContext] = []

    def phone(email: str, locale: str) -> Page:
        context = browser.new_context(base_url=site.url, locale=locale, **PHONE)
        contexts.append(context)
        page = context.new_page()
        sign_in(page, email)
        return page

    yield phone
    for context in contexts:
        context.close()


def test_a_dispute_from_the_objection_to_the_decision_of_its_appeal(
    people: Any, site: Site
) -> None:
    address = played(site, "dispute", 4)
    site.run(ARBITERS)

    # A player objects, in German.
    player = people("scorer@example.org", "de-DE")
    player.goto(address)
    player.get_by_text("Etwas stimmt nicht").click()
    player.get_by_role("textbox").first.fill("Der letzte Würfel war ein Stern.")
    player.get_by_role("button", name="Einspruch erheben").click()
    expect(player.get_by_text("Dieses Ergebnis ist vorläufig")).to_be_visible()

    # The arbiter finds it on the desk, hears the table, and rules, in English.
    arbiter = people("arbiter@example.org", "en-GB")
    arbiter.goto("/clubs/becherkeller/desk/objections/")
    is_sound(arbiter)
    arbiter.get_by_role("link", name="dispute").first.click()
    is_sound(arbiter)
    arbiter.get_by_role("link", name="Hear the table…").click()
    is_sound(arbiter)
    arbiter.get_by_label("What do you want to ask the table?").fill("Who saw the last die?")
    arbiter.get_by_role("button", name="Open the hearing").click()
    expect(arbiter.get_by_role("main")).to_contain_text("Who saw the last die?")
    arbiter.get_by_role("link", name="Void the game…").click()
    expect(arbiter.get_by_role("heading", name="What this changes")).to_be_visible()
    is_sound(arbiter)
    arbiter.get_by_label("What happened").fill("Nobody can tell which dice lay there.")
    arbiter.get_by_label("Rule", exact=False).first.select_option("B7")
    arbiter.get_by_label("Reason").fill("The facts stay unclear.")
    arbiter.get_by_role("button", name="Confirm ruling").click()
    expect(arbiter.get_by_text("You have ruled.")).to_be_visible()
    is_sound(arbiter)

    # The ranking follows, and the player is told and appeals, in German.
    ranking = f"/clubs/becherkeller/{json.loads(site.run(SEASON))}/"
    expect_games(player, ranking, 0)
    wait_for_notice(player, "Entscheidung").click()
    is_sound(player)
    player.get_by_role("link", name="Berufung einlegen …").click()
    is_sound(player)
    player.get_by_role("textbox").first.fill("Das Foto zeigt die Würfel.")
    player.get_by_role("button", name="Berufung").click()
    expect(player.get_by_role("main")).to_contain_text("Es wurde Berufung eingelegt.")

    # Two others decide, in Dutch: one drafts, one agrees.
    second = people("second@example.org", "nl-NL")
    second.goto("/clubs/becherkeller/desk/objections/")
    is_sound(second)
    second.get_by_role("link", name="Beroep tegen beslissing").click()
    is_sound(second)
    second.get_by_role("link", name="Partij weer laten tellen…").click()
    second.get_by_label("Wat er gebeurde").fill("De foto laat de dobbelstenen zien.")
    second.get_by_label("Reden").fill("Het verslag klopt met de foto.")
    second.get_by_role("button", name="Aan een tweede scheidsrechter voorleggen").click()
    third = people("third@example.org", "nl-NL")
    third.goto(f"{address}case/")
    third.get_by_role("link", name="Concept bekijken").click()
    is_sound(third)
    third.get_by_role("button", name="Akkoord: zo beslissen").click()
    expect(third.get_by_text("Over het beroep is beslist.")).to_be_visible()

    # Everything counts as before, and anybody reads both rulings.
    expect_games(player, ranking, 4)
    player.goto("/clubs/becherkeller/rulings/")
    is_sound(player)
    expect(player.get_by_role("main")).to_contain_text("die Partie zählt wieder")
    expect(player.get_by_role("main")).to_contain_text("The facts stay unclear.")


SEASON: Final = """
import json
from league.models import Season
print(json.dumps(Season.objects.get(slug="dispute").slug))
"""


def wait_for_notice(page: Page, title: str) -> Locator:
    """Wait until somebody is told of something; returns the link to it."""
    link = page.get_by_role("main").get_by_role("link", name=title).first
    for _ in range(20):
        page.goto("/me/notices/")
        if link.is_visible():
            break
        page.wait_for_timeout(1000)
    return link


def expect_games(page: Page, ranking: str, rows: int) -> None:
    """Wait until so many players stand in a ranking."""
    for _ in range(20):
        page.goto(ranking)
        if page.locator("main tbody tr").count() == rows:
            break
        page.wait_for_timeout(1000)
    expect(page.locator("main tbody tr")).to_have_count(rows)
