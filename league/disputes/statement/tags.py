"""Statements, for the pages of a game and of its case: `{% load statements %}`."""

from __future__ import annotations

from typing import NamedTuple

from django import template

from games.models import Game
from league.core.viewer.permissions import Account
from league.core.viewer.queries.author import Author, authors_of
from league.disputes.statement.models import Statement
from league.disputes.statement.queries.statement import FILES, statements_on
from league.records.photo.models import Photo
from league.records.photo.queries import photos_of_revisions

register = template.Library()


class StatementsPanel(NamedTuple):
    """The statements about a game and the photos of its sheet, as a page shows them."""

    statements: list[Statement]
    photos: list[Photo]
    authors: dict[int, Author]


@register.simple_tag
def statements_about(game: Game, reader: Account) -> StatementsPanel:
    """Return the statements about a game, loaded with its season, and the photos of its sheet, for
    a reader who may rule on it: `{% statements_about game request.user as said %}`."""
    statements = list(statements_on(game).prefetch_related(FILES))
    photos = list(photos_of_revisions(game))
    club = game.season_game.season.club
    accounts = [statement.made_by for statement in statements]
    accounts += [photo.added_by for photo in photos]
    return StatementsPanel(
        statements=statements,
        photos=photos,
        authors=authors_of(reader, club, accounts),
    )


@register.simple_tag
def can_speak(game: Game, reader: Account, own_seat: int | None) -> bool:
    """Return True if the reader may make a statement about a game while it is disputed:
    `{% can_speak game reader seat as speaks %}`. No query for a player of the game, or for a
    stranger."""
    if not reader.is_authenticated:
        return False
    return own_seat is not None or reader.has_perm("league.bear_witness", game)
