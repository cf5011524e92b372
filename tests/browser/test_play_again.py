"""A sealed game is played again from round 3 on a phone: what was before stays, and the new end
counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, is_sound
from tests.browser.scorer import PHONE, Phone, TableAt, table_of
from tests.browser.service import Site

__all__ = ["table_of"]
AGAIN = """
from games.models import Game
from league.core.log.services import Actor
from league.disputes.play_again.services import game_play_again
games = Game.objects.select_related("season_game__season__club")
game = games.get(table_game__table__public_id={table!r})
row = game_play_again(game=game, round_number=3, actor=Actor(None, "A cup was lifted in round 3."))
print(row.open_game.public_id, end="")
"""
COUNTED = """
import json
from games.models import Game
from league.models import TableScore
game = Game.objects.filter(table_game__table__public_id={table!r}).latest("revision")
score = TableScore.objects.get(table__public_id={table!r})
counts = game.season_game.season.ranking.ranked_games.filter(voided=False, over=True)
print(json.dumps([game.public_id, game.replaces.public_id, game.revision, score.game_id == game.pk,
                  list(counts.values_list("game__revision", flat=True))]))
"""


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


def lose(phone: Phone, seat: int, bid: str, count: str) -> None:
    """Enter the last round of a game."""
    phone.seat(seat)
    phone.tap(bid)
    phone.tap(count)
    phone.tap("Done")
    expect(phone.page.get_by_role("heading", name="The game is over")).to_be_visible()


def test_a_sealed_game_is_played_again_from_round_3(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=2)
    page.goto(at.address())
    phone = Phone(page)
    phone.round(0, "3 fours", "2 dice count")
    phone.round(1, "3 fours", "2 dice count")
    lose(phone, 0, "2 fours", "1 die counts")
    phone.tap("Seal the game")
    expect(page.locator(".score-winner")).to_contain_text("scorer", timeout=PATIENCE)
    first_winner = page.locator(".score-winner").inner_text()

    open_game = site.run(AGAIN.format(table=at.table))
    page.reload()
    expect(page.locator(".score-number")).to_have_text("Round 3", timeout=PATIENCE)
    expect(page.get_by_text("Everything before stays as it was sealed")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Undo"))).to_have_count(0)
    is_sound(page)
    phone.tap("More")
    for name in ("Amend an earlier round", "Who opens the game?"):
        expect(phone.button(name)).to_have_count(0)
    phone.tap("Back")
    lose(phone, 1, "2 fours", "1 die counts")
    phone.tap("Undo round 3")
    expect(phone.page.get_by_role("button", name=re.compile("Undo"))).to_have_count(0)
    lose(phone, 1, "2 fours", "1 die counts")
    phone.tap("Seal the game")
    expect(page.locator(".score-winner")).not_to_have_text(first_winner, timeout=PATIENCE)

    expect(page.locator(".score-gains").get_by_text("place 1")).to_be_visible(timeout=PATIENCE)
    revision, replaced, number, at_table, counted = json.loads(
        site.run(COUNTED.format(table=at.table))
    )
    assert (number, at_table, counted) == (2, True, [2])
    page.goto(f"/games/{revision}/")
    is_sound(page)
    expect(page.get_by_text("A cup was lifted in round 3.").first).to_be_attached()
    expect(page.locator(f'a[href="/games/{replaced}/"]').first).to_be_attached()
    page.goto(f"/games/{replaced}/")
    expect(page.get_by_text("Played again from round 3").first).to_be_visible()
    is_sound(page)
    page.goto(f"/open-games/{open_game}/")
    is_sound(page)
    expect(page.get_by_text("Everything above was taken over")).to_be_visible()
