"""Players of a club, as records name them."""

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
    """Let these handles find players in the journal's club, in whatever capitals: who is new is
    created, with the handle as the name.

    Raises `Refused` with `same_player_twice`. Until the transaction ends nobody is merged or
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
    """The people at one table after the other: the players whom handles find, and those who are new
    since a table before. It writes nothing; `create`: handles that nobody has become players.
    `players`: those whom some handles, written just so, are known to find."""

    def __init__(
        self, club_id: int, *, create: bool, players: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.club_id = club_id
        self.create = create
        self.folds = {handle: handle for handle in players}
        self.players: dict[str, int | str] = {**players}

    def look_up(self, handles: Iterable[str]) -> None:
        """Ask who has these handles, in one query; nobody is asked for twice."""
        asked = list(dict.fromkeys(handle for handle in handles if handle not in self.folds))
        if not asked:
            return
        for handle, (fold, player) in zip(asked, folded_players(self.club_id, asked), strict=True):
            self.folds[handle] = fold
            if player is not None:
                self.players[fold] = player

    def players_of(self, handles: Sequence[str]) -> list[int | None]:
        """The players whom handles find that were looked up, in the same order."""
        players = [self.players.get(self.folds[handle]) for handle in handles]
        return [player if isinstance(player, int) else None for player in players]

    def newcomers(self, handles: Sequence[str]) -> tuple[str, ...]:
        """The handles of a table that nobody had, which find their players from now on. Raises
        `Refused`, and then nobody is new, with `unknown_player` where none are created, or with
        `same_player_twice`."""
        folds = [self.folds[handle] for handle in handles]
        newcomers = tuple(
            handle for handle, fold in zip(handles, folds, strict=True) if fold not in self.players
        )
        if newcomers and not self.create:
            message = say("the club has no player {handles}", handles=", ".join(newcomers))
            raise Refused(Illegal("unknown_player", message, path="seats"))
        if len({self.players.get(fold, fold) for fold in folds}) < len(handles):
            raise same_player_twice()
        self.players.update((self.folds[handle], self.folds[handle]) for handle in newcomers)
        return newcomers


def players_missing(club_id: int, handles: Sequence[str]) -> tuple[str, ...]:
    """The handles that find no player yet; raises as `players_at_table` would, and writes
    nothing."""
    seating = SeatPlayers(club_id, create=True)
    seating.look_up(handles)
    return seating.newcomers(handles)


def same_player_twice() -> Refused:
    """The refusal of a table at which somebody sits twice."""
    return Refused(Illegal("same_player_twice", say("two seats are the same player"), path="seats"))


def players_create(
    journal: Journal, handles: Sequence[str], names: Mapping[str, str] | None = None
) -> list[Player]:
    """New players with these handles, which nobody in the club has; those that differ in capitals
    only are one.

    `names` are the display names of those who have one besides the handle.
    """
    distinct = list(dict(zip(folded(handles)[::-1], handles[::-1], strict=True)).values())[::-1]
    players = player_rows(journal, distinct, names)
    players_append(journal, players)
    return players


def player_rows(
    journal: Journal, handles: Sequence[str], names: Mapping[str, str] | None = None
) -> list[Player]:
    """New players with these handles, which differ, noted in the journal; `players_append` stores
    them."""
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
    """A new player for somebody who says what they are called, linked to the account if there is
    one.

    Nobody becomes by this a player who is there already, nor looks like one: raises
    `ValidationError` for a name that looks like a name or a handle of the club, and for an account
    that is a player of the club."""
    word = word_checked("name", name)
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    journal.lock()
    if account is not None and Player.objects.filter(club=journal.club_id, user=account).exists():
        raise ValidationError(_("This account is a player of the club already."))
    if mixes_alphabets(word):
        raise ValidationError(
            {"name": _("Letters of several alphabets stand in this name. Write it in one.")}
        )
    if _looks_known(journal.club_id, word):
        words = _(
            "Somebody in the club is called like this. If that is you, ask the organisers to link "
            "the player to your"
            " account; if not, add something to the name."
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
    """True if a name looks like a handle, current or former, or a display name of the club."""
    like = skeleton(word)
    names = Player.objects.filter(club=club_id).values_list("name", flat=True)
    return any(
        skeleton(word) == like for word in (*Handle.objects.filter(club=club_id).words(), *names)
    )


def folded(handles: Sequence[str]) -> list[str]:
    """The handles without capitals, as the database folds them: those that are equal then find the
    same player."""
    rows = sql.rows(
        (
            "SELECT lower(handle) FROM unnest(%s::text[]) WITH ORDINALITY AS given (handle, "
            "place) ORDER BY place"
        ),
        [list(handles)],
    )
    return [handle for (handle,) in rows]


NAME_LENGTH: Final = 64
"""Characters that a name or a handle may have, as in a record."""


def player_rename(
    *, player: Player, actor: Actor, name: str | None = None, handle: str | None = None
) -> bool:
    """Give a player another display name or handle; False: it is the one already.

    The former handle still finds the player. Raises `ValidationError` by field, also for a handle
    that finds somebody else, and for who is erased."""
    words_before = {"name": name, "handle": handle}
    words = {
        part: word_checked(part, word) for part, word in words_before.items() if word is not None
    }
    with club_journal(player.club_id, actor, alone=True) as journal:
        row = Player.objects.get(pk=player.pk)
        refuse_erased(row)
        changed = {part: word for part, word in words.items() if word != getattr(row, part)}
        if not changed:
            return False
        if "handle" in changed:
            _add_handle(row, changed["handle"])
        names = {f"{part}_before": getattr(row, part) for part in changed}
        names |= {f"{part}_after": word for part, word in changed.items()}
        refuse_named(actor, names.values())
        Player.objects.filter(pk=player.pk).update(**changed)
        journal.add(PlayerAction.RENAMED, player.public_id, names=names)
        journal.state(PLAYER, [player], changed)
    player.refresh_from_db()
    return True


def word_checked(field: str, word: str) -> str:
    """A name or handle without white space around it, in Unicode's composed form.

    Raises `ValidationError` for the field if it is empty, too long, has characters that nobody
    sees, or is the handle of an erased player."""
    word = name_tidied(word)
    if not word:
        raise ValidationError({field: _("Write at least one character.")})
    if len(word) > NAME_LENGTH:
        raise ValidationError(
            {field: _("Write at most %(most)d characters.") % {"most": NAME_LENGTH}}
        )
    try:
        all_seen(word)
    except ValidationError as error:
        raise ValidationError({field: error}) from None
    if PSEUDONYM.fullmatch(word.lower()):
        raise ValidationError(
            {field: _("This stands for a player who was erased. Choose another one.")}
        )
    return word


def refuse_erased(player: Player) -> None:
    """Raise `ValidationError` for a player who was erased: a pseudonym is nobody's."""
    if player.erased_at:
        raise ValidationError(_("This player was erased, and stays so."))


def refuse_named(actor: Actor, names: Iterable[str]) -> None:
    """Raise `ValidationError` for a reason that tells one of these names: it stands beside who is
    renamed, merged or forgotten."""
    if naming(names).search(actor.reason):
        raise ValidationError(
            {"reason": _("Others read the reason, too: leave the person’s name out of it.")}
        )


def _add_handle(player: Player, handle: str) -> None:
    """Let a handle find a player, in the capitals that it is given in."""
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
                    "This handle finds another player. Choose another one, or merge the two "
                    "if they are one."
                )
            }
        )
    else:
        Handle.objects.filter(pk=handle_row.pk).update(handle=handle)
