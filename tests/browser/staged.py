"""What the demo doesn't have: a club whose events have come to where pages show what is rare.

`conftest.py` runs it beside the service; it prints where its pages are.
"""

from __future__ import annotations

import json
from datetime import date
from time import time
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from allauth.account.internal.flows.login import (
    AUTHENTICATION_METHODS_SESSION_KEY,
    record_authentication,
)
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from django.db import transaction

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from games.services.open_game import Writer
from league.core.account.models import User
from league.core.account.web.sign_in import BACKEND
from league.core.claim.models import Claim
from league.core.claim.services import claim_codes_make, claim_end, player_claim
from league.core.club.services import club_create
from league.core.delivery.models.preference import NoticeTopic
from league.core.delivery.services.preference import stop_token
from league.core.log.services import Actor
from league.core.member.models.member import Role
from league.core.member.services.invitation import invitation_create
from league.core.member.services.member import member_add
from league.core.player.models import Player
from league.demo.accounts import PASSWORD
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.services import appeal_draft
from league.disputes.arbiter.services import arbiter_assent, arbiter_invite
from league.disputes.arbiter.web import SALT
from league.disputes.call.services import call_make
from league.disputes.correction.services import game_correct
from league.disputes.objection.services import objection_raise
from league.disputes.ruling.domain import RulingDecision
from league.disputes.ruling.models import Ruling
from league.events.entry.models import Entry, EntryByMail
from league.events.entry.services.self_entry import entry_by_mail_ask
from league.events.event.models import Event
from league.events.helper.services import helper_invite
from league.events.wall_list.services import claim_request_make, wall_code
from league.notices.notice.queries.notice import letters_token
from league.stages.result.services.void import game_void_add
from league.stages.stage.format import Format
from league.stages.stage.models import Seeding, Stage
from league.stages.table.services.table import table_set_up
from league.standings.ranking.models import Scoring
from league.standings.season.models import Season, Visibility
from league.standings.season.services.season import season_create
from tests.browser.pages import ADMIN, OPERATOR, ORGANISER
from tests.factories import events
from tests.factories.arbiters import invited_arbiter
from tests.factories.proposals import proposed_correction
from tests.factories.sheets import Scorer, SeasonScorer
from tests.factories.statements import statement_on
from tests.league.disputes.ruling.rulings import FINDING, decided, ruled


@transaction.atomic
def staged() -> dict[str, str]:
    """Stage it all: public ids and tokens by the names that `pages.py` has for them."""
    organiser = User.objects.get(email=ORGANISER)
    _operator()
    club = club_create(
        actor=events.ACTOR, slug="hinterzimmer", name="Hinterzimmer", timezone="Europe/Berlin"
    )
    member_add(club=club, user=organiser, role=Role.ORGANISER, actor=events.ACTOR)
    season = season_create(
        club=club,
        actor=events.ACTOR,
        slug="probe",
        name="Probe",
        starts_on=date(2026, 9, 3),
        visibility=Visibility.LINK,
        scoring=Scoring.PLACEMENT,
    )
    _, invited = invitation_create(
        club=club, email="new@example.org", role=Role.SCORER, invited_by=organiser
    )
    night = events.event(season, fee=500)
    shown, _ = helper_invite(event=night, role=Role.SCORER, invited_by=organiser)
    _, helping = helper_invite(
        event=night, role=Role.SCORER, invited_by=organiser, email="helper@example.org"
    )
    letter, _ = entry_by_mail_ask(event=night, name="Nele", email="nele@example.org")
    _undrawn(season)
    _running(season, "by-hand", seeding=Seeding.HAND, start=False)
    events.drawn(_running(season, "drawn"), publish=False)
    coded, claimed, ended = events.players(club, 3, prefix="claim-")
    (code,) = claim_codes_make(club=club, players=[coded], actor=events.ACTOR)
    player_claim(player=claimed, way=Claim.Way.MAIL, user=None)
    claim_end(claim=player_claim(player=ended, way=Claim.Way.MAIL, user=None), actor=events.ACTOR)
    return {
        "claim_code": code.code,
        "coded": coded.public_id,
        "member": organiser.public_id,
        "invited": invited,
        "code_shown": shown.public_id,
        "helping": helping,
        "letter": letter,
        "letters": letters_token(EntryByMail.objects.get(event=night)),
        "notices": stop_token(organiser.public_id, NoticeTopic.MESSAGE),
        "corrected": _corrected(season, organiser).public_id,
        "restored": _voided(season).public_id,
        **_contested(season),
        **_appealed(season),
        **_watched(season),
    }


def _operator() -> None:
    """Somebody who runs the service, with an app and recovery codes."""
    operator = User.objects.create_user(
        "operator", OPERATOR, PASSWORD, is_staff=True, is_superuser=True
    )
    TOTP.activate(operator, generate_totp_secret())
    RecoveryCodes.activate(operator)


def proven(email: str) -> str:
    """The key of a session in which an account has just proved once more who it is, and for a
    day."""
    user = User.objects.get(email=email)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    record_authentication(SimpleNamespace(session=session), user, "password", reauthenticated=True)
    records = session[AUTHENTICATION_METHODS_SESSION_KEY]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [
        {**record, "at": time() + 24 * 3600} for record in records
    ]
    session.create()
    return str(session.session_key)


def _running(season: Season, slug: str, **settings: Any) -> Stage:
    """The first stage of an event of twelve players that runs."""
    made = events.event(season, slug, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 12, prefix=f"{slug}-"))
    return events.stage(made, **settings)


def _watched(season: Season) -> dict[str, str]:
    """Two tables whose games were written down: one plays, and the other's game is sealed."""
    tables = events.drawn(_running(season, "watched")).tables.select_related(
        "stage_round__stage__event__season__club"
    )
    playing, over = tables.order_by("number")[:2]
    scorer = Scorer(playing)
    scorer.lose(1)
    scorer.add("note", bid="2x3", seat=0)
    scorer.add("undo")
    scorer.add("note", bid="2x4", seat=0)
    done = Scorer(over)
    done.finish()
    done.seal()
    sheet = scorer.row.open_game.public_id
    handles = [player.handle for player in events.players(season.club, 3, prefix="pub-")]
    alone, sealed = SeasonScorer(season, *handles), SeasonScorer(season, *handles)
    for written in (alone, sealed):
        written.finish()
    call_make(row=alone.row, writer=Writer(automatic="hare"), key=uuid4())
    sealed.seal()
    return {
        "watched": playing.public_id,
        "wall": _asked(playing.stage_round.stage.event),
        "sealed": over.public_id,
        "sheet": sheet,
        "alone": alone.row.open_game.public_id,
        "alone_sealed": sealed.row.open_game.public_id,
    }


def _asked(night: Event) -> str:
    """A phone that waits at an event, and a name that was tapped there; the code of its wall."""
    waiting, taken = (
        Entry.objects.filter(event=night).select_related("event", "player").order_by("number")[:2]
    )
    claim_request_make(entry=waiting, user=None, key="of a phone")
    player_claim(player=taken.player, way=Claim.Way.LIST, user=None)
    return wall_code(night).code


def _undrawn(season: Season) -> None:
    """A ladder and free tables: at each one table plays, and others can sit down."""
    for slug, format in (("ladder", Format.LADDER), ("free", Format.FREE)):
        stage = _running(season, slug, format=format, sizes=[2], rounds=None)
        players = [member.entry_id for member in events.facts(stage).members.values()]
        table_set_up(stage=stage, players=players[:2], actor=events.ACTOR)


def _corrected(season: Season, organiser: User) -> Game:
    """A game that was corrected after it had told who meets in the second round."""
    stage = _running(season, "corrected", format=Format.SINGLE, sizes=[2], rounds=None)
    first = events.drawn(stage)
    events.play(first)
    events.drawn(stage)
    wrong = Game.objects.get(table_game__table__stage_round=first, table_game__table__number=1)
    record = json.loads(write(sealed_record(wrong)[0]))
    record["outcome"]["rank"].reverse()
    return game_correct(
        game=wrong,
        line=json.dumps(record).encode(),
        reason="Mixed up on the score sheet.",
        entered_by_id=organiser.pk,
    )


def _contested(season: Season) -> dict[str, str]:
    """A game to whose result a seat objects, and what another one proposes; the admin sat there,
    too."""
    events.play(events.drawn(_running(season, "contested")))
    game = Game.objects.get(
        table_game__table__stage_round__stage__event__slug="contested", table_game__table__number=1
    )
    objection = objection_raise(
        game=game, seat=1, word="The last die was a star.", actor=events.ACTOR
    )
    admin = User.objects.get(email=ADMIN)
    Player.objects.filter(club=season.club, handle=game.seats.get(number=2).handle).update(
        user=admin
    )
    proposal = proposed_correction(game)
    return {
        "contested": game.public_id,
        "objection": objection.public_id,
        "proposal": proposal.public_id,
        "statement": statement_on(game, account=admin, seat=2).public_id,
        **_ruled_by_others(game, admin),
    }


def _ruled_by_others(game: Game, admin: User) -> dict[str, str]:
    """Somebody from outside who accepted to rule on a game, and a link that nobody has followed
    yet."""
    accepted = invited_arbiter(
        game, User.objects.create_user("Ruth Reed", "ruth@example.org", PASSWORD)
    )
    arbiter_assent(invitation=accepted, seat=0, actor=events.ACTOR)
    invitation, token = arbiter_invite(game=accepted.game, actor=Actor(admin.pk))
    signed = signing.dumps([invitation.public_id, "new-arbiter@example.org"], salt=SALT)
    return {"arbiter_link": token, "ruling_account": signed}


def _appealed(season: Season) -> dict[str, str]:
    """A game that was voided by a ruling, against which a seat appeals, and what a first arbiter
    drafts; a game on which an arbiter has ruled, and nobody has appealed so far."""
    events.play(events.drawn(_running(season, "appealed")))
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    first, second = games.filter(
        table_game__table__stage_round__stage__event__slug="appealed"
    ).order_by("pk")[:2]
    arbiter = User.objects.get(email="arbiter@example.org")
    objection_raise(game=first, seat=1, word="The last die was a star.", actor=events.ACTOR)
    ruled(first, arbiter, Ruling.Verb.VOIDED)
    decided(first, closed=False)
    appeal = Appeal.objects.select_related("ruling__outcome__season_game__season__club").get(
        ruling__game=first
    )
    organiser = User.objects.get(email=ORGANISER)
    draft = appeal_draft(
        appeal=appeal,
        decision=RulingDecision(Ruling.Verb.RESTORED),
        finding=FINDING,
        author_id=organiser.pk,
        key=uuid4(),
    )
    objection_raise(game=second, seat=1, word="The last die was a star.", actor=events.ACTOR)
    ruling = ruled(second, arbiter)
    return {"appealed": first.public_id, "ruling": ruling.public_id, "draft": draft.public_id}


def _voided(season: Season) -> Game:
    """A game that was voided and may count again, as nobody has played it anew."""
    events.play(events.drawn(_running(season, "voided")))
    game = Game.objects.get(
        table_game__table__stage_round__stage__event__slug="voided", table_game__table__number=1
    )
    game_void_add(game=game, actor=Actor(reason="Two sat at the wrong table."))
    return game
