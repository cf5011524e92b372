"""Queries of void games, which are kept from counting and not restored."""

from __future__ import annotations

from collections.abc import Collection

from engine.record.reason import VoidMark
from games.models import Game, Void


def game_void(game: Game) -> Void | None:
    """Return the void of a void game; None for a game that counts. One query."""
    void = Void.objects.filter(game=game).order_by("-number").first()
    if void is None or not void.stands:
        return None
    return void


def voids_of(game: Game) -> list[Void]:
    """Return all voids of a game in order, with the sheets on which it was played again. One
    query."""
    return list(
        Void.objects.filter(game=game).select_related("play_again__open_game").order_by("number")
    )


def standing_voids(game_ids: Collection[int]) -> dict[int, Void]:
    """Return the voids of the void games among these, by the games' row ids. One query."""
    voids = Void.objects.filter(game__in=game_ids)
    newest = voids.order_by("game_id", "-number").distinct("game_id")
    return {void.game_id: void for void in newest if void.stands}


def voided_games(source: str, external_ids: Collection[str]) -> dict[str, Game]:
    """Return the void games among these ids from a source, each in its newest revision, by id. One
    query."""
    voids = Void.objects.filter(
        game__source=source, game__external_id__in=external_ids, game__corrections__isnull=True
    ).select_related("game")
    newest = voids.order_by("game__external_id", "-number").distinct("game__external_id")
    return {void.game.external_id: void.game for void in newest if void.stands}


def void_mark(void: Void | None) -> VoidMark | None:
    """Return the mark of a void game in an exported record."""
    if void is None:
        return None
    return VoidMark(void.made_at.isoformat(), void.reason)
