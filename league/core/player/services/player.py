"""Creating and renaming the players of a club."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Value
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from engine.illegal import Illegal, Refused
from engine.messages import say
from league.core import sql
from league.core.account.models import User
from league.core.frame.names import all_seen, mixes_alphabets, name_tidied, skeleton
from league.core.locks import Space, transaction_lock_shared
from league.core.log.services import Actor, Journal, club_journal
from league.core.log.texts import naming
from league.core.player.actions import PlayerAction
from league.core.player.models import PLAYER, PSEUDONYM, Handle, Player
from league.core.player.queries.player import folded_players, players_of_handles


def players_at_table(journal: Journal, handles: Sequence[str]) -> None:
    """Create players of the journal's club for the handles that have none yet (ignoring case), with
    the handle as the name.

    Raise `Refused` with `same_player_twice`. Until the transaction ends nobody is merged or
    erased."""
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    players_by_seat = players_of_handles(journal.club_id, handles)
    if None in players_by_seat:
        journal.lock()  # others who create the same players at this moment wait, and find them
        players_by_seat = players_of_handles(journal.club_id, handles)
    newcomers = [
        handle for handle, player in zip(handles, players_by_seat, strict=True) if player is None
    ]
    if newcomers:
        players_create(journal, newcomers)
        players_by_seat = players_of_handles(journal.club_id, handles)
    if len(set(players_by_seat)) < len(handles):
        raise same_player_twice()


class SeatPlayers:
    """The players at one table after another, by handle, including new ones of an earlier table. It
    writes nothing. `create`: unknown handles become new players. `players`: known row ids by
    handle, in this exact spelling."""

    def __init__(
        self, club_id: int, *, create: bool, players: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.club_id = club_id
        self.create = create
        self.folds = {handle: handle for handle in players}
        self.players: dict[str, int | str] = {**players}

    def look_up(self, handles: Iterable[str]) -> None:
        """Look up the players of these handles, unknown ones only, in one query."""
        asked = list(dict.fromkeys(handle for handle in handles if handle not in self.folds))
        if not asked:
            return
        for handle, (fold, player) in zip(asked, folded_players(self.club_id, asked), strict=True):
            self.folds[handle] = fold
            if player is not None:
                self.players[fold] = player

    def players_of(self, handles: Sequence[str]) -> list[int | None]:
        """Return the row ids of players by handles that were looked up, in the same order."""
        players = [self.players.get(self.folds[handle]) for handle in handles]
        return [player if isinstance(player, int) else None for player in players]

    def newcomers(self, handles: Sequence[str]) -> tuple[str, ...]:
        """Return the new handles of a table; from now on they are known.

        Raise `Refused`, without adding any: `unknown_player` if none may be created, or
        `same_player_twice`."""
        folds = [self.folds[handle] for handle in handles]
        newcomers = tuple(
            handle for handle, fold in zip(handles, folds, strict=True) if fold not in self.players
        )
        if newcomers and not self.create:
            message = say("the club has no player {handles}", handles=", ".join(newcomers))
            raise Refused(Illegal("unknown_player", message, path="seats"))
        distinct = {self.players.get(fold, fold) for fold in folds}
        if len(distinct) < len(handles):
            raise same_player_twice()
        for handle in newcomers:
            fold = self.folds[handle]
            self.players[fold] = fold
        return newcomers


def players_missing(club_id: int, handles: Sequence[str]) -> tuple[str, ...]:
    """Return the handles without a player. Raise as `players_at_table` would, but write nothing."""
    seating = SeatPlayers(club_id, create=True)
    seating.look_up(handles)
    return seating.newcomers(handles)


def same_player_twice() -> Refused:
    """Return the refusal of a table with two seats of one player."""
    return Refused(Illegal("same_player_twice", say("two seats are the same player"), path="seats"))


def players_create(
    journal: Journal, handles: Sequence[str], names: Mapping[str, str] | None = None
) -> list[Player]:
    """Create players with these handles, which nobody in the club has; of handles that differ only
    in case the first one counts.

    `names` are display names by handle; by default the handle is the name.
    """
    distinct: dict[str, str] = {}
    for fold, handle in zip(folded(handles), handles, strict=True):
        distinct[fold] = distinct.pop(fold, handle)  # the first handle, at the place of the last
    players = player_rows(journal, list(distinct.values()), names)
    players_append(journal, players)
    return players


def player_rows(
    journal: Journal, handles: Sequence[str], names: Mapping[str, str] | None = None
) -> list[Player]:
    """Return new players with these distinct handles, and add them to the journal. `players_append`
    stores them."""
    players = [
        Player(club_id=journal.club_id, handle=handle, name=(names or {}).get(handle) or handle)
        for handle in handles
    ]
    for player in players:
        journal.add(
            PlayerAction.CREATED,
            player.public_id,
            names={"handle": player.handle, "name": player.name},
        )
        journal.state(PLAYER, [player])
    return players


def players_append(journal: Journal, players: Sequence[Player]) -> None:
    """Store new players with their handles, in the journal's transaction."""
    Player.objects.bulk_create(players)
    Handle.objects.bulk_create(
        (
            Handle(club_id=journal.club_id, player=player, handle=player.handle)
            for player in players
        ),
        ignore_conflicts=True,
    )


def newcomer_create(journal: Journal, name: str, *, account: User | None = None) -> Player:
    """Create a player for somebody who gave a name, linked to the account if there is one.

    This never gives somebody an existing player or a lookalike: raise `ValidationError` for a name
    that looks like a name or a handle of the club, and for an account that is a player of the
    club."""
    word = word_checked("name", name)
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    journal.lock()
    if account is not None and Player.objects.filter(club=journal.club_id, user=account).exists():
        raise ValidationError(_("This account already belongs to a player in the club."))
    if mixes_alphabets(word):
        raise ValidationError(
            {"name": _("This name mixes letters from several alphabets. Use only one.")}
        )
    if _looks_known(journal.club_id, word):
        words = _(
            "Somebody in the club already has this name. If that’s you, ask the organisers to "
            "link the player to your account; if not, add something to the name."
        )
        raise ValidationError({"name": words})
    player = players_create(journal, [word])[0]
    if account is not None:
        Player.objects.filter(pk=player.pk).update(user=account)
        journal.add(
            PlayerAction.LINKED, player.public_id, {"before": None, "after": account.public_id}
        )
        journal.state(PLAYER, [player], ["account"])
    return player


def _looks_known(club_id: int, word: str) -> bool:
    names = Player.objects.filter(club=club_id).values_list("name", flat=True)
    known = [*Handle.objects.filter(club=club_id).words(), *names]
    return skeleton(word) in map(skeleton, known)


def folded(handles: Sequence[str]) -> list[str]:
    """Return handles without capitals, as the database folds them: equal ones find the same
    player."""
    rows = sql.rows(
        "SELECT lower(handle) FROM unnest(%s::text[]) WITH ORDINALITY AS given (handle, place)"
        " ORDER BY place",
        [list(handles)],
    )
    return [handle for (handle,) in rows]


NAME_LENGTH: Final = 64
"""The most characters of a name or a handle, as in a record."""


def player_rename(
    *, player: Player, actor: Actor, name: str | None = None, handle: str | None = None
) -> bool:
    """Change a player's display name or handle; return False if nothing changed.

    The former handle still finds the player. Raise `ValidationError`, by field, also for a handle
    of another player, and for an erased player."""
    given = {"name": name, "handle": handle}
    words = {part: word_checked(part, word) for part, word in given.items() if word is not None}
    with club_journal(player.club_id, actor, alone=True) as journal:
        row = Player.objects.get(pk=player.pk)
        refuse_erased(row)
        changed = {part: word for part, word in words.items() if word != getattr(row, part)}
        if not changed:
            return False
        if "handle" in changed:
            _store_handle(row, changed["handle"])
        names = {}
        for part, word in changed.items():
            names[f"{part}_before"] = getattr(row, part)
            names[f"{part}_after"] = word
        refuse_named(actor, names.values())
        Player.objects.filter(pk=player.pk).update(**changed)
        journal.add(PlayerAction.RENAMED, player.public_id, names=names)
        journal.state(PLAYER, [player], changed)
    player.refresh_from_db()
    return True


def word_checked(field: str, word: str) -> str:
    """Return a name or handle in Unicode's composed form, without white space around it.

    Raise `ValidationError` for the field if it is empty, too long, has invisible characters, or is
    the handle of an erased player."""
    word = name_tidied(word)
    if not word:
        raise ValidationError({field: _("Type at least one character.")})
    if len(word) > NAME_LENGTH:
        raise ValidationError(
            {field: _("Type at most %(most)d characters.") % {"most": NAME_LENGTH}}
        )
    try:
        all_seen(word)
    except ValidationError as error:
        raise ValidationError({field: error}) from None
    if PSEUDONYM.fullmatch(word.lower()):
        raise ValidationError(
            {field: _("This name stands in for a player who was erased. Choose another one.")}
        )
    return word


def refuse_erased(player: Player) -> None:
    """Raise `ValidationError` for an erased player."""
    if player.erased_at:
        raise ValidationError(_("This player has been erased, and that can’t be undone."))


def refuse_named(actor: Actor, names: Iterable[str]) -> None:
    """Raise `ValidationError` for a reason with one of these names: it is shown beside the person
    who is renamed, merged or forgotten."""
    if naming(names).search(actor.reason):
        raise ValidationError(
            {"reason": _("Others can read the reason, so leave the person’s name out of it.")}
        )


def _store_handle(player: Player, handle: str) -> None:
    same = Handle.objects.annotate(lower=Lower("handle")).filter(
        club=player.club_id, lower=Lower(Value(handle))
    )
    handle_row = same.first()
    if handle_row is None:
        Handle.objects.create(club_id=player.club_id, player=player, handle=handle)
    elif handle_row.player_id != player.pk:
        raise ValidationError(
            {
                "handle": _(
                    "Another player has this handle. Choose another one, or merge the two if "
                    "they’re the same person."
                )
            }
        )
    else:
        Handle.objects.filter(pk=handle_row.pk).update(handle=handle)
