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
    """Create players of the journal's club for those handles that have none yet (ignoring case),
    named like their handle.

    Raise `Refused` with `same_player_twice`. Until the transaction ends, no player of the club is
    merged or erased.
    """
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    players_by_seat = players_of_handles(journal.club_id, handles)
    if None in players_by_seat:
        journal.lock()  # others who create the same players wait, and then find them
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
    """Looks up the players at one table after another, without writing anything. New players of an
    earlier table are known at a later one. `create`: True if unknown handles are new players.
    `players`: row ids of players that are known already, by handle in this exact spelling."""

    def __init__(
        self, club_id: int, *, create: bool, players: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.club_id = club_id
        self.create = create
        # The key of each known handle in `players`: the handle in lower case, or in its own spelling.
        self.folds = {handle: handle for handle in players}
        # Row ids by that key; the key itself for a new player.
        self.players: dict[str, int | str] = {**players}

    def look_up(self, handles: Iterable[str]) -> None:
        """Look up the players of those handles that aren't known yet, in one query."""
        unknown_handles = list(
            dict.fromkeys(handle for handle in handles if handle not in self.folds)
        )
        if not unknown_handles:
            return
        for handle, (fold, player) in zip(
            unknown_handles, folded_players(self.club_id, unknown_handles), strict=True
        ):
            self.folds[handle] = fold
            if player is not None:
                self.players[fold] = player

    def players_of(self, handles: Sequence[str]) -> list[int | None]:
        """Return the row ids of the players with these handles, which were looked up, in the same
        order; None for a new player."""
        players = [self.players.get(self.folds[handle]) for handle in handles]
        return [player if isinstance(player, int) else None for player in players]

    def newcomers(self, handles: Sequence[str]) -> tuple[str, ...]:
        """Return the new handles of a table, which are known from now on.

        Raise `Refused`, without adding any of them: `unknown_player` if none may be created,
        `same_player_twice` if a player has two seats.
        """
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
    """Return those handles of a table that no player of the club has. Write nothing. Raise
    `Refused` with `same_player_twice` if two seats are the same player."""
    seat_players = SeatPlayers(club_id, create=True)
    seat_players.look_up(handles)
    return seat_players.newcomers(handles)


def same_player_twice() -> Refused:
    """Return the refusal of a table with two seats of one player."""
    return Refused(Illegal("same_player_twice", say("two seats are the same player"), path="seats"))


def players_create(
    journal: Journal, handles: Sequence[str], names: Mapping[str, str] | None = None
) -> list[Player]:
    """Create players with these handles, which nobody in the club has yet. Of handles that differ
    only in case, the first one counts.

    `names` are display names by handle; by default a player is named like the handle.
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
    """Return unsaved players with these distinct handles, and add them to the journal.
    `players_append` stores them."""
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
        journal.record(PLAYER, [player])
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
    """Create a player with the name that somebody gave, linked to their account if there is one.

    Raise `ValidationError` if the name looks like a name or a handle of the club, so that nobody
    gets an existing player or a lookalike, and if the account already is a player of the club.
    """
    checked_name = word_checked("name", name)
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    journal.lock()
    if account is not None and Player.objects.filter(club=journal.club_id, user=account).exists():
        raise ValidationError(_("This account already belongs to a player in the club."))
    if mixes_alphabets(checked_name):
        raise ValidationError(
            {"name": _("This name mixes letters from several alphabets. Use only one.")}
        )
    if _looks_known(journal.club_id, checked_name):
        message = _(
            "Somebody in the club already has this name. If that’s you, ask the organisers to link "
            "the player to your account; if not, add something to the name."
        )
        raise ValidationError({"name": message})
    player = players_create(journal, [checked_name])[0]
    if account is not None:
        Player.objects.filter(pk=player.pk).update(user=account)
        journal.add(
            PlayerAction.LINKED, player.public_id, {"before": None, "after": account.public_id}
        )
        journal.record(PLAYER, [player], ["account"])
    return player


def _looks_known(club_id: int, name: str) -> bool:
    names = Player.objects.filter(club=club_id).values_list("name", flat=True)
    known = [*Handle.objects.filter(club=club_id).words(), *names]
    return skeleton(name) in map(skeleton, known)


def folded(handles: Sequence[str]) -> list[str]:
    """Return the handles in lower case, as the database lowers them: handles that are then equal
    find the same player."""
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

    The former handle still finds the player. Raise `ValidationError` with messages by field if a
    text is invalid, the handle is another player's, or the player is erased.
    """
    new_texts = {}
    for field, text in (("name", name), ("handle", handle)):
        if text is not None:
            new_texts[field] = word_checked(field, text)
    with club_journal(player.club_id, actor, lock_at_once=True) as journal:
        row = Player.objects.get(pk=player.pk)
        refuse_erased(row)
        changed = {field: text for field, text in new_texts.items() if text != getattr(row, field)}
        if not changed:
            return False
        if "handle" in changed:
            _store_handle(row, changed["handle"])
        names = {}
        for field, text in changed.items():
            names[f"{field}_before"] = getattr(row, field)
            names[f"{field}_after"] = text
        refuse_named(actor, names.values())
        Player.objects.filter(pk=player.pk).update(**changed)
        journal.add(PlayerAction.RENAMED, player.public_id, names=names)
        journal.record(PLAYER, [player], changed)
    player.refresh_from_db()
    return True


def word_checked(field: str, text: str) -> str:
    """Return a name or handle in Unicode's composed form, without blanks around it.

    Raise `ValidationError` for the field if the text is empty, too long, has invisible characters,
    or has the form of an erased player's handle.
    """
    text = name_tidied(text)
    if not text:
        raise ValidationError({field: _("Type at least one character.")})
    if len(text) > NAME_LENGTH:
        raise ValidationError(
            {field: _("Type at most %(most)d characters.") % {"most": NAME_LENGTH}}
        )
    try:
        all_seen(text)
    except ValidationError as error:
        raise ValidationError({field: error}) from None
    if PSEUDONYM.fullmatch(text.lower()):
        raise ValidationError(
            {field: _("This name stands in for a player who was erased. Choose another one.")}
        )
    return text


def refuse_erased(player: Player) -> None:
    """Raise `ValidationError` if the player is erased."""
    if player.erased_at:
        raise ValidationError(_("This player has been erased, and that can’t be undone."))


def refuse_named(actor: Actor, names: Iterable[str]) -> None:
    """Raise `ValidationError` if the actor's reason has one of these names: it is shown beside the
    person who is renamed, merged or erased."""
    if naming(names).search(actor.reason):
        raise ValidationError(
            {"reason": _("Others can read the reason, so leave the person’s name out of it.")}
        )


def _store_handle(player: Player, handle: str) -> None:
    rows_with_handle = Handle.objects.annotate(lower=Lower("handle")).filter(
        club=player.club_id, lower=Lower(Value(handle))
    )
    handle_row = rows_with_handle.first()
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
