"""Corrections by agreement: one seat proposes what was played, and the last seat to agree corrects
the game."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.db import transaction
from django.utils.translation import gettext, override

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game, Seat
from games.queries.void import game_void
from league.core.log.services import Actor, Journal, club_journal
from league.core.member.models.member import Role
from league.disputes.agreement.models import AGREEMENT, PROPOSAL, Agreement, Proposal
from league.disputes.agreement.queries import proposal_content, proposal_line, proposal_of
from league.disputes.correction.services import correction_preview, game_correct
from league.disputes.objection.queries.objection import own_seat_of
from league.disputes.objection.services import seat_acting_role
from league.records.game.services import sealing_hold
from league.stages.result.services.result import result_hold
from league.standings.ranked_game.actions import ProposalAction

MOST_PROPOSALS: Final = 20
MESSAGES: Final[dict[str, Message]] = {
    "not_at_the_table": say("only the players at this table can say what was played"),
    "no_objection": say("nobody objects to this game: object first, then say what was played"),
    "other_seats": say("the players can't be changed here: ask an arbiter to correct them"),
    "other_proposal": say("there is a newer proposal: look at that one"),
    "seat_agreed": say("this player has already agreed"),
    "too_many_proposals": say(
        "a game can have at most {most} proposals: ask an arbiter", most=MOST_PROPOSALS
    ),
}


def correction_propose(*, game: Game, line: bytes, actor: Actor) -> Proposal:
    """Propose, for the actor's own seat, a record of what was really played in a game. The seat
    agrees with it at once; the game is corrected once all seats agree. The game must be loaded with
    its season.

    Raise `Refused` if the record can't correct the game, and with `not_at_the_table`,
    `no_objection`, `other_seats`, `too_many_proposals`."""
    seat = own_seat_of(game, actor.account_id)
    if seat is None:
        raise _refusal("not_at_the_table")
    correction_preview(game=game, line=line)  # refuses a record that can't correct the game
    handles, content = proposal_content(line)
    seats = Seat.objects.filter(game=game).order_by("number")
    if handles != list(seats.values_list("handle", flat=True)):
        raise _refusal("other_seats")
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        if not game.objections.filter(end=None).exists():
            raise _refusal("no_objection")
        if Proposal.objects.filter(game=game).count() >= MOST_PROPOSALS:
            raise _refusal("too_many_proposals")
        proposal = Proposal.objects.create(game=game, content=content, made_at=journal.at)
        digest = sha256(content.encode()).hexdigest()
        details = {"proposal": proposal.public_id, "content": digest}
        journal.add(ProposalAction.MADE, game.public_id, details)
        journal.record(PROPOSAL, [proposal])
        _agree(journal, proposal, seat, Role.PLAYER)
    return proposal


def proposal_agree(*, proposal: Proposal, seat: int, actor: Actor) -> Game | None:
    """Agree for a seat with a proposal, loaded with its game and season: for the actor's own seat,
    or for a player without an account. The last seat to agree corrects the game. Return the
    corrected game; None while other seats are missing.

    Raise `Refused` with `conflict` or `voided`, `no_objection`, `other_proposal`, `seat_agreed`,
    and as `game_correct` does."""
    game = proposal.game
    role = seat_acting_role(game, seat, actor.account_id)
    with transaction.atomic():
        result_hold(game=game)
        with club_journal(game.season_game.season.club_id, actor) as journal:
            sealing_hold(journal)
            _refuse_closed(proposal, seat)
            _agree(journal, proposal, seat, role)
        agreed = Agreement.objects.filter(proposal=proposal).count()
        if agreed < Seat.objects.filter(game=game).count():
            return None
        with override(game.season_game.season.club.language):
            reason = gettext("All players agreed on what was played.")
        line = proposal_line(proposal)
        return game_correct(
            game=game, line=line, reason=reason, entered_by_id=actor.account_id, role=role
        )


def _refuse_closed(proposal: Proposal, seat: int) -> None:
    game = proposal.game
    if Game.objects.filter(replaces=game).exists():
        raise Refused(Illegal("conflict", say("this game has already been corrected")))
    if game_void(game) is not None:
        raise Refused(Illegal("voided", say("this game is void: there is nothing to agree on")))
    newest = proposal_of(game)
    if newest is None:
        raise _refusal("no_objection")
    if newest != proposal:
        raise _refusal("other_proposal")
    if Agreement.objects.filter(proposal=proposal, seat=seat).exists():
        raise _refusal("seat_agreed")


def _agree(journal: Journal, proposal: Proposal, seat: int, role: str) -> None:
    agreement = Agreement.objects.create(
        proposal=proposal,
        seat=seat,
        role=role,
        agreed_at=journal.at,
        agreed_by_id=journal.actor.account_id,
    )
    details = {"proposal": proposal.public_id, "seat": seat, "role": role}
    journal.add(ProposalAction.AGREED, proposal.game.public_id, details)
    journal.record(AGREEMENT, [agreement])


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))
