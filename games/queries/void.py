"""Games that are void: taken out of all that is counted, and not restored."""

from __future__ import annotations

from collections.abc import Collection

from engine.record.reason import VoidMark
from games.models import Game, Void


def game_void(game: Game) -> Void | None:
    """The void of a game that is void; None for one that counts. One query."""
    void = Void.objects.filter(game=game).order_by("-number").first()
    return void if void is not None and void.stands else None


def voids_of(game: Game) -> list[Void]:
    """All that was ever said of a game being void, in order, with the sheets on which it was played
    again. One query."""
    return list(
        Void.objects.filter(game=game).select_related("play_again__open_game").order_by("number")
    )


def standing_voids(game_ids: Collection[int]) -> dict[int, Void]:
    """The voids of those of these games that are void, by the games' row ids. One query."""
    newest = (
        Void.objects.filter(game__in=game_ids).order_by("game_id", "-number").distinct("game_id")
    )
    return {void.game_id: void for void in newest if void.stands}


def voided_games(source: str, external_ids: Collection[str]) -> dict[str, Game]:
    """The games of these ids from a source, in their newest revisions, that are void, by id. One
    query."""
    voids = Void.objects.filter(
        game__source=source, game__external_id__in=external_ids, game__corrections__isnull=True
    ).select_related("game")
    newest = voids.order_by("game__external_id", "-number").distinct("game__external_id")
    return {void.game.external_id: void.game for void in newest if void.stands}


def void_mark(void: Void | None) -> VoidMark | None:
    """The mark that the record of a voided game bears in an export."""
    return None if void is None else VoidMark(void.made_at.isoformat(), void.reason)
