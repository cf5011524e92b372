"""Who may send the form of which page: for everybody else there is none, or a page to sign in.

The pages are those of the service itself: one that takes a form and isn't told here makes a test
fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, reverse
from pytest_django import DjangoDbBlocker

from games.models import Game
from league.core.claim.models import Claim
from league.core.claim.services import claim_codes_make, player_claim
from league.core.log.services import Actor
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.services import appeal_draft
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.services import objection_raise
from league.disputes.ruling.domain import RulingDecision
from league.disputes.ruling.models import Ruling
from league.events.wall_list.services import claim_request_make
from league.models import ChatLine, Club, Entry, EntryByMail, Event, Player, Table, User
from league.play.chat.services import line_report, line_say
from league.play.online_table.services.lobby import online_table_open, seat_take
from league.records.upload.services import import_job_create, import_job_preview
from league.sheets.device.services.device import device_make
from league.standings.season.queries.access import known_games
from league.urls import pages
from tests.database import lasting
from tests.factories import events
from tests.factories.arbiters import invited_arbiter
from tests.factories.league import ClubFactory, PlayerFactory, SeasonFactory, UserFactory
from tests.factories.photos import photo_of_sheet
from tests.factories.proposals import proposed_correction
from tests.factories.records import bluff_record, line
from tests.factories.sheets import SeasonScorer
from tests.factories.statements import statement_on
from tests.league.disputes.ruling.rulings import FINDING, decided, ruled
from tests.league.site.test_rights import (
    HELPERS,
    PEOPLE,
    addresses_of,
    be,
    desk_addresses,
    night_of,
)

pytestmark = pytest.mark.django_db

ALL: Final = (*PEOPLE, *HELPERS)
ACCOUNTS: Final = tuple(who for who in ALL if who != "anonymous")
MEMBERS: Final = ("player", "scorer", "arbiter", "organiser", "operator")
OPERATOR: Final = ("operator",)
CLUB: Final = ("organiser", *OPERATOR)
"""Organisers of the club."""
CLUB_SCORES: Final = ("scorer", *CLUB)
EVENT: Final = (*CLUB, "helping organiser")
"""Organisers of the club, and of this event."""
CLUB_RULES: Final = (*CLUB, "arbiter")
SCORES: Final = (*CLUB_SCORES, "helping scorer", "helping organiser")
RULES: Final = (*CLUB, "arbiter", "helping arbiter", "helping organiser")
WORKS: Final = (*CLUB_SCORES, "arbiter", *HELPERS)

MAY_SEND: Final = {
    ALL: ["replay", "claim", "claim-player", "claim-leave", "helper-code", "practice"],
    ACCOUNTS: [
        "my-page",
        "my-notices",
        "my-calendar",
        "notices",
        "playing-time",
        "push-subscribe",
        "push-unsubscribe",
    ],
    OPERATOR: ["service", "club-found", "password-link"],
    MEMBERS: ["desk-keys", "online-table-new"],
    (*MEMBERS, *HELPERS): ["event-enter", "event-claim"],
    CLUB: [
        *(
            "desk-season-new",
            "desk-all-time",
            "desk-season",
            "desk-season-link",
            "desk-season-copy",
        ),
        *("desk-season-counting", "desk-season-divisions", "desk-season-close", "desk-series-new"),
        *("desk-event-new", "desk-event-again", "desk-stages-spread"),
        *(
            "import",
            "import-confirm",
            "import-drop",
            "desk-members",
            "desk-member",
            "desk-member-remove",
        ),
        *(
            "desk-invitation",
            "desk-key",
            "desk-club",
            "desk-helpers",
            "desk-helper-uninvite",
            "desk-helper-end",
        ),
        *("claim-slips", "claim-undo", "claim-code", "chat-report-end"),
        *("player-rename", "player-link", "player-merge", "player-part", "player-erase"),
    ],
    CLUB_SCORES: [
        "game-entry",
        "season-write",
        "season-codes",
        "game-write",
        "game-device-end",
        "open-game-confirm",
    ],
    EVENT: [
        *(
            "desk-event-settings",
            "desk-event-notices",
            "desk-event-step",
            "desk-entries",
            "desk-fees",
            "desk-labels",
        ),
        *(
            "desk-entries-asked",
            "desk-entry-list",
            "desk-entry",
            "desk-entry-counts",
            "desk-entry-step",
        ),
        *(
            "desk-attendance",
            "desk-check-in-step",
            "desk-stage-new",
            "desk-stage",
            "desk-stage-drop",
        ),
        *(
            "desk-stage-places",
            "desk-stage-seeding",
            "desk-stage-otherwise",
            "desk-stage-set-back",
            "desk-round-publish",
        ),
        *("desk-round-take-back", "desk-slips", "desk-round-clock", "desk-round-change"),
        *(
            "desk-hall",
            "desk-place",
            "desk-place-drop",
            "desk-slot-drop",
            "desk-away-entry",
            "desk-timetable-ask",
        ),
        *("desk-timetable-move", "desk-timetable-publish", "desk-timetable-take-back"),
    ],
    SCORES: [
        "desk-check-in",
        "desk-claims",
        "desk-claim-step",
        "desk-codes",
        "table-result",
        "table-write",
        "table-device-end",
    ],
    RULES: [
        "game-correct",
        "game-void",
        "game-restore",
        "game-object",
        "game-rule",
        "game-hear",
        "ruling-appeal",
        "appeal-draft",
        "proposal",
        "photo-remove",
        *("game-arbiter", "arbiter-answer", "arbiter-end"),
        *("statement-remove", "evidence-remove"),
    ],
    CLUB_RULES: ["open-game-call"],
    WORKS: ["game-photos", "game-statements"],
    (): ["game-propose", "objection-withdraw", "appeal-withdraw", "appeal-draft-discard"],
}
"""Who may send the form of which page; nobody here sat at the game."""
BY_SECRET: Final = (
    *(
        "helper-invitation",
        "invitation",
        "entry-by-mail",
        "event-letters-stop",
        "notices-stop",
        "device-remove",
    ),
    *("holiday-end", "standing-order-give", "standing-order-withdraw"),
    *("arbiter-invitation", "arbiter-account"),
    *(
        "setup",
        "event-wall",
        "online-table-sit",
        "online-table-leave",
        "online-table-automatic",
        "online-table-start",
    ),
    *(
        *("online-table-act", "online-table-unsent", "online-table-call", "online-table-call-back"),
        "online-table-time-up",
        "online-table-again",
        "online-table-say",
        "online-table-more-time",
        "online-table-erase",
        *("chat-say", "chat-mute", "chat-report"),
        *(
            "event-table-online",
            "online-table-present",
            "online-table-begin-without",
            "online-table-scorer-begin",
        ),
        *("online-table-pause", "online-table-resume", "online-table-link"),
        "online-table-keep",
        "practice-game",
    ),
)
"""Whoever has the secret of the address, or owns what it names, may send them; tested where these
are."""
NOT_NOW: Final = {
    "branch-agree": "where a phone sent something after its key had ended",
    "desk-challenge": "a ladder's",
    "desk-free-table": "that of free tables",
    "table-walkover": "where too few are left at the table",
}
"""Pages that aren't there while the event stands as this one does."""


def anywhere(page: URLPattern) -> str:
    """An address of a page, at which there need not be anything."""
    kinds = {name: type(kind).__name__ for name, kind in page.pattern.converters.items()}
    words = {"IntConverter": 1, "PublicIdConverter": "2222222222", "EntryStepConverter": "withdraw"}
    return reverse(
        page.name or "", kwargs={name: words.get(kind, "x") for name, kind in kinds.items()}
    )


@pytest.fixture(scope="module")
def forms(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> list[URLPattern]:
    """The pages that take what is sent to them."""
    with lasting(django_db_blocker):
        client = Client()
        client.force_login(UserFactory.create(is_superuser=True))
        return [page for page in pages if client.post(anywhere(page), {}).status_code != 405]


@dataclass(frozen=True)
class World:
    """A club, an event of it, an address for each page that takes a form, and what is sent to
    it."""

    club: Club
    night: Event
    addresses: dict[str, str]
    sent: dict[str, dict[str, object]]


@pytest.fixture(scope="module")
def world(
    forms: list[URLPattern], django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[World]:
    with lasting(django_db_blocker):
        club = ClubFactory.create(slug="stern")
        desk = desk_addresses(club)
        night = night_of(club)
        special = desk | addresses_of(night)
        values = known(night)
        special["game-device-end"] = reverse(
            "game-device-end", args=[values["open_game"], values["alone_device_id"]]
        )
        addresses = {
            page.name or "": special.get(page.name or "")
            or reverse(
                page.name or "", kwargs={part: values[part] for part in page.pattern.converters}
            )
            for page in forms
            if page.name not in BY_SECRET
        }
        yield World(club, night, addresses, sent_to(night))


def sent_to(night: Event) -> dict[str, dict[str, object]]:
    """What is sent to those pages that take nothing without being told what it is about."""
    entry = Entry.objects.filter(event=night).earliest("number").public_id
    mailbox = "nele@example.org"
    wish = EntryByMail.objects.create(
        event=night, name="Nele", email=mailbox, mailbox=mailbox, digests=["0" * 64]
    )
    return {
        "desk-check-in": {"entry": entry, "do": "in"},
        "desk-claims": {"do": "renew"},
        "desk-fees": {"entry": entry, "do": "open"},
        "desk-entries-asked": {"asked": wish.pk},
        "open-game-confirm": {"length": 1},
    }


def known(night: Event) -> dict[str, object]:
    """What can stand in the address of a form."""
    club = night.club
    season = night.season
    organiser: User = UserFactory.create()
    game = Game.objects.filter(table_game__isnull=False).earliest("pk")
    seat = game.seats.get(number=0)
    game = Game.objects.select_related("season_game__season__club").get(pk=game.pk)
    objection = objection_raise(
        game=game, seat=seat.number, word="A four.", actor=Actor(organiser.pk)
    )
    statement = statement_on(game)
    table = Table.objects.filter(stage_round__number=2).earliest("pk")
    device, _ = device_make(subject=table, actor=Actor(organiser.pk))
    alone = SeasonScorer(
        season, *Player.objects.filter(entries__event=night).values_list("handle", flat=True)[:3]
    )
    alone_device, _ = device_make(subject=alone.row, actor=Actor(organiser.pk))
    (code,) = claim_codes_make(club=club, players=[PlayerFactory.create(club=club)], actor=Actor())
    claim = player_claim(player=PlayerFactory.create(club=club), way=Claim.Way.MAIL, user=None)
    (comer,) = events.enter(night, events.players(club, 1, prefix="comer"))
    waiting = claim_request_make(entry=comer, user=None, key="of a phone")
    job = import_job_create(
        season=season,
        file_name="a.jsonl",
        content=line(bluff_record(1)),
        uploaded_by=organiser,
        create_players=True,
        all_or_nothing=False,
    )
    import_job_preview(job_id=job.pk)
    return {
        **ruled_and_appealed(),
        "verb": "stands",
        "club_slug": club.slug,
        "season_slug": season.slug,
        "event_slug": night.slug,
        "player_id": code.player.public_id,
        "claim_id": claim.public_id,
        "code": code.code,
        "table_id": table.public_id,
        "device_id": device.public_id,
        "alone_device_id": alone_device.public_id,
        "open_game": alone.row.open_game.public_id,
        "game_id": game.public_id,
        "objection_id": objection.public_id,
        "proposal_id": proposed_correction(game).public_id,
        "invitation_id": invited_arbiter(game).public_id,
        "photo_id": photo_of_sheet(game).public_id,
        "statement_id": statement.public_id,
        "evidence_id": statement.files.get().public_id,
        "job_id": job.public_id,
        "branch": "2222222222",
        "request_id": waiting.public_id,
        "line_id": reported_line(night).public_id,
    }


def ruled_and_appealed() -> dict[str, object]:
    """A ruling on another game, an appeal against it, and the draft of its decision."""
    game = known_games().filter(table_game__isnull=False).latest("pk")
    arbiter, second = UserFactory.create(), UserFactory.create()
    hearing_open(game=game, word="Who called?", actor=Actor(arbiter.pk))
    ruling = ruled(game, arbiter)
    decided(game, closed=False)
    appeal = Appeal.objects.select_related("ruling__outcome").get(ruling=ruling)
    appeal.ruling.outcome = game
    decision = RulingDecision(Ruling.Verb.STANDS)
    draft = appeal_draft(
        appeal=appeal, decision=decision, finding=FINDING, author_id=second.pk, key=uuid4()
    )
    return {
        "ruling_id": ruling.public_id,
        "appeal_id": appeal.public_id,
        "draft_id": draft.public_id,
    }


def reported_line(night: Event) -> ChatLine:
    """A line that a guest has said at a private table, and that the host has reported."""
    rules = {"exact": "all", "reroll": True, "dice": 5, "scoring": "placement"}
    settings = {"most_seats": 6, "move_seconds": 60, "bank_seconds": 60}
    table = online_table_open(
        club=night.club, user=UserFactory.create(), rules=rules, settings=settings
    )
    guest, _ = seat_take(table=table, user=None, name="Gust")
    line = line_say(table=table, seat=guest, text="what was said")
    line_report(line=line, seat=table.seats.get(number=0))
    return line


NONE: Final = {"sign in", "404"}
"""The answers to who may not send a form: there is none."""


def statuses(client: Client, world: World) -> dict[str, str]:
    """How each address answers what is sent to it; nothing of that is kept."""
    answers = {}
    for name, address in world.addresses.items():
        with transaction.atomic():
            answer = client.post(address, world.sent.get(name, {}))
            transaction.set_rollback(True)
        away = answer.status_code == 302 and reverse("account_login") in answer["Location"]
        answers[name] = "sign in" if away else str(answer.status_code)
    return answers


@pytest.mark.parametrize("who", ALL)
def test_each_form_is_taken_from_those_who_may_send_it(
    client: Client, world: World, who: str
) -> None:
    be(client, world.club, who, world.night)
    answers = statuses(client, world)
    for people, names in MAY_SEND.items():
        for name in names:
            is_taken = answers[name] not in NONE
            assert is_taken == (who in people), (who, name, answers[name])


@pytest.mark.parametrize("who", HELPERS)
def test_a_helper_of_another_event_sends_nothing(client: Client, world: World, who: str) -> None:
    other = events.event(
        SeasonFactory.create(club=world.club, slug="other"), slug="night-2", status="running"
    )
    be(client, world.club, who, other)
    answers = statuses(client, world)
    for_everybody = {*MAY_SEND[ALL], *MAY_SEND[ACCOUNTS]}
    assert {
        name: answer
        for name, answer in answers.items()
        if answer not in NONE and name not in for_everybody
    } == {}


def test_every_page_that_takes_a_form_is_told_here(forms: list[URLPattern]) -> None:
    placed = [name for names in MAY_SEND.values() for name in names]
    assert len(placed) == len(set(placed))
    assert {page.name for page in forms} == {*placed, *BY_SECRET, *NOT_NOW}


def test_a_form_that_is_not_there_now_is_there_for_nobody(client: Client, world: World) -> None:
    be(client, world.club, "operator")
    answers = statuses(client, world)
    assert {answers[name] for name in NOT_NOW} == {"404"}
