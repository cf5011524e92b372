"""The accounts that can rule on a disputed game: those of the club, and the arbiter from outside on
whom the seats agree; and why an account can't."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Lower
from django.utils import timezone

from engine.illegal import Illegal
from engine.messages import Message, say
from games.models import Game, SheetBranch, SheetEntry
from league.core.account.models import User
from league.core.frame.letter_link import digest_of
from league.core.frame.name_key import NameKey
from league.core.member.models.member import Membership, Role
from league.core.player.models import Handle, Player
from league.core.viewer.permissions import Account
from league.core.viewer.queries.access import Viewer, with_right
from league.disputes.agreement.queries import seats_without_account
from league.disputes.arbiter.domain import State, state_of
from league.disputes.arbiter.models import ArbiterAssent, ArbiterInvitation, ArbiterInvitationEnd
from league.disputes.arbiter.permissions import agreed_invitations, good_invitations
from league.disputes.objection.queries.objection import own_seat_of, seats_of_account
from league.events.helper.models import Helper
from league.standings.ranked_game.queries.game import SeatAtTable, seats_of
from league.standings.ranked_game.queries.provisional import result_is_provisional
from league.standings.season.queries.access import game_for, game_of_case_for, known_games

BARS: Final[dict[str, Message]] = {
    "at_the_table": say("you sat at this table: somebody else has to rule"),
    "entered_it": say("you entered this result: somebody else has to rule"),
    "ruled_before": say("you made the ruling under appeal: others have to decide it"),
}
"""Why an account can't rule on a game, by the code."""
RULERS: Final = (Role.ARBITER, Role.ORGANISER)
"""The roles of a club and of an event whose holders rule on games."""


@dataclass(frozen=True, slots=True)
class InvitationStatus:
    """An invitation to rule, as a reader sees it.

    `arbiter`: the account that accepted. `close_to`: the seats to which it declared to be close.
    `seats`: all seats of the game, each with its assent. `answers`: the seats for which the reader
    can answer now. `may_end`: the reader can take the invitation back, or give it up. `is_own`: the
    reader made it."""

    invitation: ArbiterInvitation
    state: State
    arbiter: User | None
    close_to: list[SeatAtTable]
    seats: list[tuple[SeatAtTable, ArbiterAssent | None]]
    answers: list[SeatAtTable]
    may_end: bool
    is_own: bool

    @property
    def agreed_seats(self) -> int:
        """Return the number of seats that have agreed."""
        return sum(assent is not None for _, assent in self.seats)

    @property
    def close_seats(self) -> list[int]:
        """Return the numbers of the seats to which the arbiter declared to be close."""
        return [seat.number for seat in self.close_to]

    @property
    def assents(self) -> list[ArbiterAssent]:
        """Return the assents of the seats, by seat."""
        return [assent for _, assent in self.seats if assent is not None]

    @property
    def end(self) -> ArbiterInvitationEnd | None:
        """Return the fact that ended the invitation; None if nothing did."""
        return getattr(self.invitation, "end", None)

    @property
    def is_open(self) -> bool:
        """Return True while somebody can accept the invitation, agree to the arbiter, or rule."""
        return self.state in (State.INVITED, State.ACCEPTED, State.AGREED)


def game_for_ruling(viewer: Viewer, game: str) -> Game:
    """Return a game by its public id, with its season and club, if the viewer has the right to rule
    on it; the viewer may have taken part in it. Raise `ObjectDoesNotExist` otherwise.

    The arbiter on whom the seats agreed gets the game even without access to its season.
    """
    return with_right(viewer, game_of_case_for(viewer, game), "league.rule_on_game")


def cases_of_arbiter(user: Account) -> Q:
    """Return the condition that an account rules on a game because all seats agreed on it. The
    condition holds for all revisions of the game."""
    if not user.is_authenticated:
        return Q(pk__in=[])
    agreed = agreed_invitations().filter(
        game__source=OuterRef("source"),
        game__external_id=OuterRef("external_id"),
        acceptance__arbiter=user.pk,
    )
    return Q(Exists(agreed))


def bar_to_ruling(
    game: Game, account_id: int | None, ruled_by: Collection[int] = ()
) -> Illegal | None:
    """Return why an account can't rule on a game, loaded with its season; None if it can.

    An arbiter neither sat at the table nor entered anything of the game. If the ruling is appealed,
    those who made it (`ruled_by`) are barred, too. The service itself has no account and is never
    barred. One query."""
    if account_id is None:
        return None
    if account_id in ruled_by:
        return _bar("ruled_before")
    seats = seats_of_account(game.season_game.season.club_id, account_id)
    wrote_on_sheet = _wrote_on_sheet(Q(account=account_id), Q(device__made_by=account_id))
    entered_result = Q(entered_by=account_id, revision=1)
    revisions = _revisions(game).annotate(sat=Exists(seats.filter(game=OuterRef("pk"))))
    involved = revisions.filter(Q(sat=True) | (wrote_on_sheet | entered_result))
    sat_in_revisions = list(involved.values_list("sat", flat=True))
    if not sat_in_revisions:
        return None
    return _bar("at_the_table" if any(sat_in_revisions) else "entered_it")


def rulers_of(game: Game, ruled_by: Collection[int] = ()) -> list[User]:
    """Return the arbiters and organisers of a game's club and event who can rule on it, by name. If
    there are none, the seats can agree on somebody else. Four queries.

    The game must be loaded with its season. `ruled_by`: the accounts that made an appealed ruling.
    """
    barred = accounts_involved(game) | {*ruled_by}
    return list(holders_of(game, RULERS).exclude(pk__in=barred))


def holders_of(game: Game, roles: Collection[Role]) -> QuerySet[User]:
    """Return the active accounts that have one of these roles in a game's club or at its event, by
    name. The game must be loaded with its season."""
    members = Membership.objects.filter(club=game.season_game.season.club_id, role__in=roles)
    helpers = Helper.objects.filter(
        event__stages__stage_rounds__tables__table_games__game=game, ended_at=None, role__in=roles
    )
    has_role = Q(pk__in=members.values("user")) | Q(pk__in=helpers.values("user"))
    return User.objects.filter(has_role, is_active=True).order_by(NameKey("username"))


def agreed_arbiters(game: Game, ruled_by: Collection[int] = ()) -> set[int]:
    """Return the accounts on which all seats of a game agreed and that can rule on it; hardly ever
    more than one. The game must be loaded with its season. Two queries."""
    invitations = agreed_invitations().filter(
        game__source=game.source, game__external_id=game.external_id
    )
    active = invitations.filter(acceptance__arbiter__is_active=True)
    accounts = active.values_list("acceptance__arbiter", flat=True)
    return {account for account in accounts if bar_to_ruling(game, account, ruled_by) is None}


def accounts_involved(game: Game) -> set[int]:
    """Return the accounts that sat at a game, loaded with its season, or entered anything of it.
    Three queries."""
    revisions = _revisions(game)
    accounts_of_entries: list[QuerySet[Any, Any]] = [
        revisions.filter(revision=1).values_list("entered_by", flat=True)
    ]
    for rows in (SheetEntry.objects.all(), SheetBranch.objects.all()):
        of_game = rows.filter(sheet__sealed__game__in=revisions.values("pk"))
        on_own_device = of_game.filter(OWN_DEVICE)
        accounts_of_entries.append(of_game.values_list("account", flat=True))
        accounts_of_entries.append(on_own_device.values_list("device__made_by", flat=True))
    first, *others = (accounts.order_by() for accounts in accounts_of_entries)
    accounts = accounts_at_table(game) | {*first.union(*others)}
    return {account for account in accounts if account is not None}


def accounts_at_table(game: Game) -> set[int | None]:
    """Return the accounts of the players of a game, loaded with its season, and of the players
    merged with them. Two queries."""
    club_id = game.season_game.season.club_id
    seat_handles = game.seats.values(lower=Lower("handle"))
    handles = Handle.objects.alias(lower=Lower("handle")).filter(
        club=club_id, lower__in=seat_handles
    )
    people = set(handles.values_list(Coalesce("player__merged_into", "player"), flat=True))
    players = Player.objects.filter(
        Q(pk__in=people) | Q(merged_into__in=people), user__isnull=False
    )
    return set(players.values_list("user", flat=True))


def game_for_arbiter(viewer: Viewer, game: str) -> Game:
    """Return a game by its public id if it is disputed or had an invitation to rule, and the viewer
    sat at it or may correct it. Raise `ObjectDoesNotExist` otherwise."""
    row = game_for(viewer, game)
    if not speaks_for_game(viewer.user, row):
        raise Game.DoesNotExist
    if not result_is_provisional(row) and not ArbiterInvitation.objects.filter(game=row).exists():
        raise Game.DoesNotExist
    return row


def speaks_for_game(user: Account, game: Game) -> bool:
    """Return True if an account sat at a game or may correct it: then it can invite an arbiter."""
    if not user.is_authenticated:
        return False
    return own_seat_of(game, user.pk) is not None or user.has_perm("league.correct_game", game)


def invitations_of(game: Game) -> QuerySet[ArbiterInvitation]:
    """Return the invitations to rule on a game, with acceptance, assents and end, the newest first.
    Two queries."""
    invitations = ArbiterInvitation.objects.filter(game=game)
    with_answers = invitations.select_related("acceptance__arbiter", "end", "made_by")
    return with_answers.prefetch_related("acceptance__assents").order_by("-number")


def invitation_for(viewer: Viewer, invitation: str) -> ArbiterInvitation:
    """Return an invitation by its public id, with game, season and club, for the seats of the game,
    those who may correct it, and the account that accepted. Raise `ObjectDoesNotExist`
    otherwise."""
    rows = ArbiterInvitation.objects.select_related("acceptance__arbiter", "end", "made_by")
    row = rows.prefetch_related("acceptance__assents").get(public_id=invitation)
    row.game = known_games().get(pk=row.game_id)
    is_arbiter = viewer.user.pk is not None and arbiter_of(row) == viewer.user.pk
    if not is_arbiter:
        game_for_arbiter(viewer, row.game.public_id)
    return row


def invitation_for_bearer(token: str) -> ArbiterInvitation:
    """Return the invitation of a link by its token, with game, season and club.

    Raise `ArbiterInvitation.DoesNotExist`, also if the invitation has ended or is too old, or if
    nobody disputes the game any more."""
    rows = good_invitations().select_related("acceptance__arbiter", "made_by")
    row = rows.prefetch_related("acceptance__assents").get(digest=digest_of(token))
    row.game = known_games().get(pk=row.game_id)
    return row


def arbiter_of(invitation: ArbiterInvitation) -> int | None:
    """Return the row id of the account that accepted an invitation; None if nobody has."""
    acceptance = getattr(invitation, "acceptance", None)
    return acceptance.arbiter_id if acceptance is not None else None


def seats_to_answer(invitation: ArbiterInvitation, user: Account) -> list[int]:
    """Return the seats for which an account can say yes or no now: its own seat; or, if it corrects
    the game and didn't sit there, the seats whose players have no account. Empty until somebody
    accepts the invitation."""
    acceptance = getattr(invitation, "acceptance", None)
    if acceptance is None or not good_invitations().filter(pk=invitation.pk).exists():
        return []
    assented = {assent.seat for assent in acceptance.assents.all()}
    return sorted(_speaks_for(invitation.game, user) - assented)


def status_of(game: Game, user: Account, invitation: ArbiterInvitation) -> InvitationStatus:
    """Return the status of an invitation to rule on a game, for a reader. Seven queries at most."""
    (status,) = _statuses(game, user, [invitation])
    return status


def invitation_statuses(game: Game, user: Account) -> list[InvitationStatus]:
    """Return the status of all invitations to rule on a game, for a reader, the newest first. The
    number of queries doesn't depend on the number of invitations."""
    return _statuses(game, user, list(invitations_of(game)))


def may_invite(game: Game, statuses: Collection[InvitationStatus]) -> bool:
    """Return True if the reader of these invitations can make another one: the game is disputed,
    the seats haven't agreed on an arbiter, and nobody has accepted an invitation by the reader. One
    query."""
    for status in statuses:
        if status.state == State.AGREED:
            return False
        if status.is_own and status.state == State.ACCEPTED:
            return False
    return result_is_provisional(game)


def _statuses(
    game: Game, user: Account, invitations: list[ArbiterInvitation]
) -> list[InvitationStatus]:
    seats = seats_of(game)
    is_disputed = result_is_provisional(game)
    speaks_for = _speaks_for(game, user) if is_disputed else set()
    corrects = user.has_perm("league.correct_game", game)
    return [
        _status(invitation, user, seats, speaks_for, is_disputed, corrects)
        for invitation in invitations
    ]


def _status(
    invitation: ArbiterInvitation,
    user: Account,
    seats: list[SeatAtTable],
    speaks_for: set[int],
    is_disputed: bool,
    corrects: bool,
) -> InvitationStatus:
    """Return the status of one invitation for a reader. `speaks_for`: the seats for which the
    reader answers; `corrects`: whether the reader may correct the game."""
    state = state_of(invitation, seats, is_disputed, timezone.now())
    arbiter = None
    close_to: list[int] = []
    assents: dict[int, ArbiterAssent] = {}
    acceptance = getattr(invitation, "acceptance", None)
    if acceptance is not None:
        arbiter = acceptance.arbiter
        close_to = acceptance.close_to
        assents = {assent.seat: assent for assent in acceptance.assents.all()}

    answers: set[int] = set()
    if state == State.ACCEPTED:
        answers = speaks_for - assents.keys()
    is_own = user.pk is not None and invitation.made_by_id == user.pk
    is_waiting = state in (State.INVITED, State.ACCEPTED)
    may_take_back = is_waiting and (is_own or corrects)
    is_arbiter = arbiter is not None and arbiter.pk == user.pk
    may_give_up = is_arbiter and (is_waiting or state == State.AGREED)
    return InvitationStatus(
        invitation=invitation,
        state=state,
        arbiter=arbiter,
        close_to=[seat for seat in seats if seat.number in close_to],
        seats=[(seat, assents.get(seat.number)) for seat in seats],
        answers=[seat for seat in seats if seat.number in answers],
        may_end=may_take_back or may_give_up,
        is_own=is_own,
    )


def _speaks_for(game: Game, user: Account) -> set[int]:
    if not user.is_authenticated:
        return set()
    own_seat = own_seat_of(game, user.pk)
    if own_seat is not None:
        return {own_seat}
    if user.has_perm("league.correct_game", game):
        return set(seats_without_account(game))
    return set()


def cases_to_rule(user: Account) -> list[ArbiterInvitation]:
    """Return the invitations by which an account can rule on a case now, with game, season and
    club. One query."""
    if not user.is_authenticated:
        return []
    rows = agreed_invitations().filter(acceptance__arbiter=user.pk)
    return list(rows.select_related("game__season_game__season__club").order_by("pk"))


OWN_DEVICE: Final = Q(device__table_device__own=True) | Q(device__game_device__own=True)
"""The condition that an entry was written with a key on the own phone of the account that made the
key."""


def _revisions(game: Game) -> QuerySet[Game]:
    return Game.objects.filter(source=game.source, external_id=game.external_id)


def _wrote_on_sheet(by_account: Q, by_device: Q) -> Q:
    """Return the condition that somebody wrote on the sheet of a game, or on a branch beside it:
    with an account, or with a device for their own use. `by_account`, `by_device`: the conditions
    that an entry is theirs."""
    condition = by_account | (by_device & OWN_DEVICE)
    entries = SheetEntry.objects.filter(condition, sheet__sealed__game=OuterRef("pk"))
    branches = SheetBranch.objects.filter(condition, sheet__sealed__game=OuterRef("pk"))
    return Q(Exists(entries)) | Q(Exists(branches))


def _bar(code: str) -> Illegal:
    return Illegal(code, BARS[code])
