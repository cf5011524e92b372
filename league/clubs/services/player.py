"""Players of a club, as records name them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models.functions import Lower

from engine.illegal import Illegal
from engine.messages import say
from league.clubs.models import Handle, Player
from league.log.models import Action
from league.log.services import Actor, Journal, club_journal


class NoTable(Exception):
    """These handles can't be seated; `illegal` says why."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal.message)
        self.illegal = illegal


def players_at_table(journal: Journal, handles: Sequence[str], *, create: bool) -> tuple[str, ...]:
    """Find these handles' players in the journal's club; returns the handles that are new. Capitals don't matter.

    New players are created with the handle as their name. Raises `NoTable` with `unknown_player` if none are to be
    created, or with `same_player_twice`.
    """
    known = players_of_handles(journal.club_id, handles)
    if None in known and create:
        journal.lock()  # others who create the same players at this moment wait, and find them
        known = players_of_handles(journal.club_id, handles)
    new = tuple(handle for handle, player in zip(handles, known, strict=True) if player is None)
    if new and not create:
        raise unknown_players(new)
    if new:
        players_create(journal, new)
        known = players_of_handles(journal.club_id, handles)
    if len(set(known)) < len(handles):
        raise same_player_twice()
    return new


def players_missing(club_id: int, handles: Sequence[str], *, create: bool) -> tuple[str, ...]:
    """The handles that find no player yet; raises as `players_at_table` would, and writes nothing."""
    known = players_of_handles(club_id, handles)
    new = tuple(handle for handle, player in zip(handles, known, strict=True) if player is None)
    if new and not create:
        raise unknown_players(new)
    found = [player for player in known if player is not None]
    if len(set(found)) < len(found) or len(set(folded(new))) < len(new):
        raise same_player_twice()
    return new


def unknown_players(handles: Sequence[str]) -> NoTable:
    """The refusal of handles that nobody in the club has."""
    message = say("the club has no player {handles}", handles=", ".join(handles))
    return NoTable(Illegal("unknown_player", message, path="seats"))


def same_player_twice() -> NoTable:
    """The refusal of a table at which somebody sits twice."""
    return NoTable(Illegal("same_player_twice", say("two seats are the same player"), path="seats"))


def players_create(journal: Journal, handles: Sequence[str]) -> list[Player]:
    """New players with these handles, which nobody in the club has; those that differ in capitals only are one."""
    distinct = list(dict(zip(folded(handles)[::-1], handles[::-1], strict=True)).values())[::-1]
    players = Player.objects.bulk_create(
        Player(club_id=journal.club_id, handle=handle, name=handle) for handle in distinct
    )
    Handle.objects.bulk_create(
        (Handle(club_id=journal.club_id, player=player, handle=player.handle) for player in players),
        ignore_conflicts=True,
    )
    for player in players:
        journal.add(Action.PLAYER_CREATED, player.public_id, names={"handle": player.handle, "name": player.name})
    return players


def folded(handles: Sequence[str]) -> list[str]:
    """The handles without capitals, as the database folds them: those that are equal then find the same player."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT lower(handle) FROM unnest(%s::text[]) WITH ORDINALITY AS given (handle, place) ORDER BY place",
            [list(handles)],
        )
        return [row[0] for row in cursor.fetchall()]


def players_of_handles(club_id: int, handles: Sequence[str]) -> list[int | None]:
    """The id of the player that each handle finds, in the same order: the one that he or she was merged into, if any.

    The database folds the capitals of both sides, as its unique index does.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COALESCE(player.merged_into_id, player.id)"
            " FROM unnest(%s::text[]) WITH ORDINALITY AS given (handle, place)"
            " LEFT JOIN league_handle named ON named.club_id = %s AND lower(named.handle) = lower(given.handle)"
            " LEFT JOIN league_player player ON player.id = named.player_id"
            " ORDER BY place",
            [list(handles), club_id],
        )
        return [row[0] for row in cursor.fetchall()]


def player_rename(*, player: Player, actor: Actor, name: str | None = None, handle: str | None = None) -> bool:
    """Give a player another display name or handle; False: it is the one already.

    The former handle still finds the player. Raises `HandleTaken` for a handle that finds somebody else.
    """
    with club_journal(player.club_id, actor) as journal:
        journal.lock()
        stored = Player.objects.get(pk=player.pk)
        after = {"name": name or stored.name, "handle": handle or stored.handle}
        changed = [part for part in after if after[part] != getattr(stored, part)]
        if not changed:
            return False
        if "handle" in changed:
            _add_handle(stored, after["handle"])
        before = {part: getattr(stored, part) for part in changed}
        Player.objects.filter(pk=player.pk).update(**{part: after[part] for part in changed})
        names = {
            f"{part}_{when}": words[part] for when, words in (("before", before), ("after", after)) for part in changed
        }
        journal.add(Action.PLAYER_RENAMED, player.public_id, names=names)
    player.refresh_from_db()
    return True


class HandleTaken(Exception):
    """Another player of the club is found by this handle."""


def _add_handle(player: Player, handle: str) -> None:
    """Let a handle find a player, in the capitals that it is given in."""
    known = Handle.objects.annotate(lower=Lower("handle")).filter(club=player.club_id, lower=handle.lower()).first()
    if known is None:
        Handle.objects.create(club_id=player.club_id, player=player, handle=handle)
    elif known.player_id != player.pk:
        raise HandleTaken(handle)
    else:
        Handle.objects.filter(pk=known.pk).update(handle=handle)
