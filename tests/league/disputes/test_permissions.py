"""Who may do what in which state of a dispute: every role, state and verb, tried on the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.disputes.arbiter.services import arbiter_accept, arbiter_assent, arbiter_invite
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.services import objection_withdraw
from league.disputes.ruling.services.verb import VERBS
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.statement import statement_add
from league.events.helper.services import helper_add
from league.models import (
    Appeal,
    AppealDraft,
    ArbiterInvitation,
    Club,
    Event,
    Evidence,
    Hearing,
    Objection,
    Photo,
    Player,
    Role,
    Ruling,
    User,
)
from league.records.photo.services.photo import photo_add
from league.stages.result.services.result import table_outcome_enter
from tests.database import lasting
from tests.factories import events
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory
from tests.factories.photos import picture
from tests.factories.proposals import turned
from tests.league.disputes.ruling.rulings import decided, objected, ruled, ruling_form
from tests.league.stages.result.test_result import in_seat_order, published, table_of

pytestmark = pytest.mark.django_db
RULERS: Final = ("arbiter", "organiser", "event_arbiter")
SEATED: Final = ("seat", "seated_arbiter")
ROLES: Final = ("anybody", "account", "player", "scorer", "enterer", "agreed", *RULERS, *SEATED)
OPEN: Final = ("raised", "heard")
DISPUTED: Final = (*OPEN, "appealed")
"""The states in which the arbiter from outside on whom all players agreed may do something."""
STATES: Final = ("none", *OPEN, "ruled", "appealed", "closed", "withdrawn", "out_of_time")
NOT_HERE: Final = ("replayed", "round_voided", "lifted")
"""Only the end of this game is known, so none of its rounds can be played again; and nothing of it
is adjusted."""
FACTS: Final = (Objection, Hearing, Ruling, Appeal, AppealDraft)


def is_allowed(role: str, state: str, verb: str) -> bool:
    """The whole matrix in a few rules."""
    speaks = role in (*RULERS, *SEATED, "enterer")
    rules = role in RULERS or (role == "agreed" and state in DISPUTED)
    if verb == "object":
        return speaks and state in ("none", "withdrawn", *OPEN)
    if verb == "appeal":
        return speaks and state == "ruled"
    if verb == "hear":
        return rules and state != "heard"
    of_void = VERBS[verb].of_void
    return rules and of_void is not True and verb not in NOT_HERE and state in DISPUTED


def is_readable(role: str, state: str, page: str) -> bool:
    """Who reads what of a dispute, in a few rules."""
    if role == "agreed":
        return state in DISPUTED
    if page in ("game-case", "game-case-keys"):
        return role in (*RULERS, "enterer", "seated_arbiter")
    if page == "evidence":
        return role in (*RULERS, *SEATED, "enterer")
    return role in (*RULERS, *SEATED, "enterer", "scorer")


def game_entered_by(enterer: User, club: Club) -> Game:
    """A game at a table of an evening, whose result that account entered."""
    stage = published(SeasonFactory.create(club=club, scoring="placement"))
    table = table_of(stage)
    game = table_outcome_enter(table=table, ranks=in_seat_order(table), actor=Actor(enterer.pk))
    return Game.objects.select_related(
        "season_game__season__club", "season_game__season__ranking"
    ).get(pk=game.pk)


def users_of(game: Game, enterer: User) -> dict[str, User | None]:
    """An account for each role; those at the table sit at seats 0 and 2."""
    club = game.season_game.season.club
    handles = {seat.number: seat.handle for seat in game.seats.all()}
    users: dict[str, User | None] = {"anybody": None, "enterer": enterer}
    for role in ROLES:
        if role not in users:
            users[role] = UserFactory.create(username=role)
    for role, club_role in (
        ("player", Role.PLAYER),
        ("scorer", Role.SCORER),
        ("arbiter", Role.ARBITER),
        ("enterer", Role.ARBITER),
        ("organiser", Role.ORGANISER),
        ("seated_arbiter", Role.ARBITER),
    ):
        MembershipFactory.create(club=club, user=users[role], role=club_role)
    helper_add(
        event=Event.objects.get(),
        user=known(users["event_arbiter"]),
        role=Role.ARBITER,
        actor=events.ACTOR,
    )
    Player.objects.filter(club=club, handle=handles[0]).update(user=users["seat"])
    Player.objects.filter(club=club, handle=handles[2]).update(user=users["seated_arbiter"])
    return users


def known(user: User | None) -> User:
    assert user is not None
    return user


def agree(game: Game, arbiter: User, other: User) -> None:
    """Let all seats agree on an arbiter from outside, for whom another one answers."""
    invitation, _ = arbiter_invite(game=game, actor=Actor(other.pk))
    arbiter_accept(invitation=invitation, user=arbiter, close_to=[], actor=Actor(arbiter.pk))
    accepted = ArbiterInvitation.objects.get(pk=invitation.pk)
    for seat in range(game.seats.count()):
        arbiter_assent(invitation=accepted, seat=seat, actor=Actor(other.pk))


@dataclass(frozen=True)
class World:
    """A game, an account for each role, and an arbiter who has no other part in it."""

    game: Game
    users: dict[str, User | None]
    other: User


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with lasting(django_db_blocker):
        club = ClubFactory.create(slug="stern")
        enterer = UserFactory.create(username="enterer")
        game = game_entered_by(enterer, club)
        users = users_of(game, enterer)
        yield World(game, users, MembershipFactory.create(club=club, role=Role.ARBITER).user)


def bring(state: str, game: Game, other: User, agreed: User) -> None:
    """Bring the dispute about a game into a state, as an arbiter who has no other part in it. All
    seats agree on another one where there is a dispute."""
    if state == "out_of_time":
        Event.objects.update(objection_hours=0)
    if state == "heard":
        hearing_open(game=game, word="Who called?", actor=Actor(other.pk))
        agree(game, agreed, other)
    if state in ("raised", "withdrawn", "ruled", "appealed", "closed"):
        objection = objected(game, other, seat=1)
        agree(game, agreed, other)
        if state == "withdrawn":
            objection_withdraw(objection=objection, actor=Actor(other.pk))
    if state in ("ruled", "appealed", "closed"):
        ruled(game, other)
    if state in ("appealed", "closed"):
        decided(game, state == "closed")


def attempt(client: Client, game: Game, verb: str, seat: int) -> Any:
    """Try a verb by the page for it, as somebody at that seat, or for it."""
    if verb == "object":
        return client.post(
            reverse("game-object", args=[game.public_id]), {"seat": seat, "word": "It was a star."}
        )
    if verb == "hear":
        return client.post(reverse("game-hear", args=[game.public_id]), {"word": "Who called?"})
    if verb == "appeal":
        ruling = Ruling.objects.last()
        path = reverse("ruling-appeal", args=[ruling.public_id if ruling else "2222222222"])
        return client.post(path, {"seat": seat, "word": "Nobody asked me."})
    form = ruling_form(
        **{field: MORE[field](game) for field in VERBS[verb].asks if field != "ranks"}
    )
    form |= {f"place_{number}": place for number, place in enumerate(MORE["ranks"](game))}
    return client.post(reverse("game-rule", args=[game.public_id, verb]), form)


def _corrected_line(game: Game) -> str:
    return (
        turned(game).decode() if sealed_record(game)[0].outcome else write(sealed_record(game)[0])
    )


MORE: Final[dict[str, Callable[[Game], Any]]] = {
    "seat": lambda game: 1,
    "points": lambda game: 2,
    "round_number": lambda game: 1,
    "ranks": lambda game: [4, 3, 2, 1],
    "line": _corrected_line,
}
"""What a verb asks for beside the ruling, by the field."""


@pytest.mark.parametrize("state", STATES)
def test_each_role_does_in_each_state_what_it_may_and_nothing_else(
    world: World, state: str
) -> None:
    game = world.game
    bring(state, game, world.other, known(world.users["agreed"]))
    before = facts_told()
    wrong = []
    for role, user in world.users.items():
        client = client_of(user)
        for verb in ("object", "hear", "appeal", *VERBS):
            with transaction.atomic():
                answer = attempt(client, game, verb, seat=2 if role == "seated_arbiter" else 0)
                after = facts_told()
                transaction.set_rollback(True)
            assert answer.status_code in (200, 302, 404), (role, verb)
            if (after != before) != is_allowed(role, state, verb):
                wrong.append((role, verb))
    assert wrong == []


def facts_told() -> tuple[int, ...]:
    """How many facts of each kind there are."""
    counts = ", ".join(f"(SELECT count(*) FROM {model._meta.db_table})" for model in FACTS)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {counts}")
        return tuple(cursor.fetchone())


def client_of(user: User | None) -> Client:
    """A browser in which the account is signed in."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.mark.parametrize("state", STATES)
def test_each_role_reads_in_each_state_what_it_may_and_nothing_else(
    world: World, state: str
) -> None:
    game, other = world.game, world.other
    objection = objected(game, other, seat=3)
    statement_add(
        game=game, seat=3, word="No.", files=[SentFile("a.txt", b"Two stars.")], account=other
    )
    objection_withdraw(objection=objection, actor=Actor(other.pk))
    photo_add(game=game, file=picture("PNG"), account=other)
    bring(state, game, other, known(world.users["agreed"]))
    pages = dict.fromkeys(
        ("game-case", "game-case-keys", "game-statements", "game-photos"), game.public_id
    )
    pages |= {"evidence": Evidence.objects.get().public_id, "photo": Photo.objects.get().public_id}
    wrong = []
    for role, user in world.users.items():
        client = client_of(user)
        for page, public_id in pages.items():
            is_read = client.get(reverse(page, args=[public_id])).status_code == 200
            if is_read != is_readable(role, state, page):
                wrong.append((role, page))
    assert wrong == []
