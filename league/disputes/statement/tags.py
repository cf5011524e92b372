"""Statements, for the pages of a game and of its case: `{% load statements %}`."""

from __future__ import annotations

from typing import NamedTuple

from django import template

from games.models import Game
from league.core.viewer.permissions import Account
from league.core.viewer.queries.author import Author, authors_of
from league.disputes.statement.models import Statement
from league.disputes.statement.queries.statement import FILES, statements_on

register = template.Library()


class StatementsPanel(NamedTuple):
    """What was said about a game, as a page shows it to somebody who reads it."""

    statements: list[Statement]
    authors: dict[int, Author]


@register.simple_tag
def statements_about(game: Game, reader: Account) -> StatementsPanel:
    """What was said about a game, which comes with its season, for somebody who may rule on it:
    `{% statements_about game request.user as said %}`."""
    statements = list(statements_on(game).prefetch_related(FILES))
    club = game.season_game.season.club
    return StatementsPanel(
        statements=statements,
        authors=authors_of(reader, club, [statement.made_by for statement in statements]),
    )


@register.simple_tag
def can_speak(game: Game, reader: Account, own_seat: int | None) -> bool:
    """True for those who have a say about a game while it is disputed: `{% can_speak game reader
    seat as speaks %}`. `own_seat`: where they sat. No query for somebody who did, or for a
    stranger."""
    if not reader.is_authenticated:
        return False
    return own_seat is not None or reader.has_perm("league.see_photos", game)
