"""Every column of every table is a fact, follows from facts, or the log tells it; or it is free,
for a reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
import pytest
from django.apps import apps
from django.db import connection, models

from games.models import Game
from league.core.claim.services import claim_end, player_claim
from league.core.log.ledger import ledger_differences
from league.core.log.nouns import NOUNS
from league.core.log.services import Actor
from league.counting.event_counting.services import counting_change, divisions_set
from league.counting.event_rebuild.domain import CACHES
from league.disputes.arbiter.services import arbiter_accept, arbiter_assent, arbiter_invite
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.play_again.services import game_play_again
from league.events.entry.models import FeeStatus
from league.events.entry.services.entry import entries_keep_apart, entry_change, entry_withdraw
from league.events.entry.services.label import labels_set
from league.events.fee.services import fees_set
from league.events.helper.services import helper_add, helper_remove
from league.events.series.services import series_create
from league.floor.hall.services import away_set
from league.floor.timetable.services import timetable_publish
from league.models import Claim, Club, Event, Role, Season, StageRound, Table, TableDevice
from league.sheets.device.services.device import device_make, device_revoke
from league.stages.adjustment.services.order import order_set
from league.stages.adjustment.services.penalty import penalty_add, penalty_lift
from league.stages.result.services.result import table_game_enter
from league.stages.result.services.void import game_void_add
from league.stages.round.services import round_change
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.services.walkover import walkover_give
from league.standings.season.queries.access import known_games
from league.standings.season.services.season import all_time_create, season_create
from tests.database import TRIGGERS_OFF, connect_as_owner
from tests.factories import events, halls
from tests.factories.league import ClubFactory, MembershipFactory, UserFactory
from tests.factories.photos import photo_of_sheet
from tests.factories.proposals import proposed_correction
from tests.factories.records import bluff_record, line
from tests.factories.statements import statement_on
from tests.league.disputes.ruling.rulings import appealed_and_decided
from tests.league.sheets.sheet.logged import (
    game_device,
    late_bids,
    late_bids_let_in,
    sheet_handed_in,
)

pytestmark = pytest.mark.django_db
ACTOR: Final = events.ACTOR
WHY: Final = Actor(reason="They asked for it.")


def marked() -> Iterator[tuple[str, str, tuple[str, str]]]:
    """The columns that models mark as logged, and those that name rows, with their places in the
    ledger."""
    for noun in NOUNS.values():
        model = noun.model.__name__
        paths = [path for path in noun.named if isinstance(path, str) and path != "public_id"]
        yield from ((model, path.partition("__")[0], (noun.name, "row")) for path in paths)
        yield from ((model, name, (noun.name, column)) for column, name in noun.fields.items())


ELSEWHERE: Final = {
    "Membership": {"club": ("role", "row")},
    "Ranking": {name: ("ranking", name) for name in ("scoring", "tie_breaks", "rated")},
    "DivisionPlayer": {"division": ("division player", "division")},
    "Apart": dict.fromkeys(("first", "second"), ("pair apart", "row")),
    "Stage": {"gone": ("stage", "gone")},
    "StageRound": {"kept": ("round kept", "row")},
    "Draw": {"group": ("draw", "group")},
    "Walkover": {"absent": ("walkover", "absent")},
    "Void": {name: ("void", name) for name in ("stands", "role", "made_at")},
    "PlayAgain": {
        "open_game": ("play again", "open_game"),
        "void": ("play again", "row"),
        "round_number": ("play again", "round"),
        "voids_round": ("play again", "voids_round"),
    },
    "Photo": {"content": ("photo", "content")},
    "Evidence": {"content": ("evidence", "content")},
    "AppealEnd": {
        "ended_at": ("appeal", "ended_at"),
        **dict.fromkeys(("appeal", "ruling"), ("appeal", "decision")),
    },
    "ObjectionEnd": {
        **{name: ("objection", name) for name in ("way", "reason", "ended_at")},
        "role": ("objection", "end_role"),
        "objection": ("objection", "way"),
    },
    "ArbiterInvitationEnd": {
        **{name: ("arbiter invitation", name) for name in ("way", "ended_at")},
        **{name: ("arbiter invitation", f"end_{name}") for name in ("role", "seat")},
        "invitation": ("arbiter invitation", "way"),
    },
    "ArbiterAcceptance": {"invitation": ("arbiter acceptance", "row")},
    "ArbiterAssent": dict.fromkeys(("acceptance", "seat"), ("arbiter assent", "row")),
    "Device": {name: ("device", name) for name in ("made_at", "revoked_at")},
    "TableDevice": {
        "table": ("device", "table"),
        "player": ("device", "player"),
        "device": ("device", "row"),
    },
    "GameDevice": {
        "open_game": ("device", "open_game"),
        "player": ("device", "player"),
        "device": ("device", "row"),
    },
    "SheetBranch": {
        **{name: ("branch", name) for name in ("after", "entries", "made_at", "waits_until")},
        "device": ("branch", "by"),
        "sheet": ("branch", "open_game"),
    },
    "HallPlace": {"closed": ("place", "closed")},
    "Away": {"must": ("away", "never"), "slot": ("away", "never"), "entry": ("away", "row")},
    "TimetableTable": dict.fromkeys(
        ("timetable", "stage", "round", "number", "slot", "place"), ("timetable", "tables")
    ),
}
"""Where a changed cell of a column is named that no model marks: of a model of games, or told in
another form."""
PLACED: Final[dict[str, dict[str, tuple[str, str]]]] = {
    model: dict(places) for model, places in ELSEWHERE.items()
}
"""Where a changed cell of a column is named: the noun of the ledger, and its column."""
for marked_model, marked_column, marked_place in marked():
    PLACED.setdefault(marked_model, {}).setdefault(marked_column, marked_place)
NAME: Final = "names the row"
WHEN: Final = "a time of the service's own, which nothing follows from"
WORK: Final = "how far work has come, of which what it makes is verified"
PRIVATE: Final = "somebody's own, which nothing public follows from"
HELD: Final = "held against the log in another way: tests/league/site/audit/test_tampering.py"
FREE: Final = {
    **dict.fromkeys(("created_at", "asked_at", "changed_at", "since"), WHEN),
    **dict.fromkeys(("version", "changes", "attempts", "opened", "failure", "ahead", "cost"), WORK),
    **dict.fromkeys(("id", "public_id", "pk"), NAME),
    **dict.fromkeys(
        ("computed_at", "last_day", "last_at", "last_id", "rated_from", "rated_from_id"), WORK
    ),
    **dict.fromkeys(("rebuilt_to", "rebuilt_player", "rebuilt_until", "rebuilds_asked"), WORK),
    **dict.fromkeys(("seats_counted", "ties_averaged"), WORK),
    "Handle.handle": "the database lets nobody change it",
    "Season.link_token": PRIVATE,
    "Group.number": "verified with who is in it",
    "Season.ranking": "verified with the games that count there",
    "StageRound.minutes": "of a round's clock, which nothing follows from",
    "StageRound.clock_started_at": "of a round's clock, which nothing follows from",
    "StageRound.clock_stopped_at": "of a round's clock, which nothing follows from",
    "StageRound.starts_at": "of a round's clock, which nothing follows from",
    "Draw.reason": "beside the log's entry of the change, which seals it",
    "Draw.made_by": HELD,
    "Void.reason": "beside the log's entry, which seals it",
    "Void.made_by": HELD,
    "Objection.raised_by": HELD,
    "Hearing.opened_by": HELD,
    "Ruling.club": "the log's own",
    "Appeal.raised_by": HELD,
    "AppealEnd.ended_by": HELD,
    **dict.fromkeys(
        (
            "AppealDraft.appeal",
            "AppealDraft.author",
            "AppealDraft.body",
            "AppealDraft.key",
            "AppealDraft.made_at",
        ),
        "a draft is no fact: nothing follows from it",
    ),
    "Agreement.agreed_by": HELD,
    "ArbiterInvitation.digest": PRIVATE,
    "ArbiterInvitation.made_by": HELD,
    "ArbiterAssent.assented_by": HELD,
    "ArbiterInvitationEnd.ended_by": HELD,
    "TableDevice.own": "beside the log's entry of the key, which seals it",
    "GameDevice.own": "beside the log's entry of the key, which seals it",
    "ObjectionEnd.ended_by": HELD,
    "Walkover.reason": "beside the log's entry, which seals it",
    "Walkover.made_by": HELD,
    "TableGame.revision": HELD,
    "Device.key_digest": PRIVATE,
    "SheetBranch.key": "the writer's own name for what it sent",
    "SheetBranch.account": "beside the device, of which the database wants exactly one",
    "Device.ends_at": "until when a phone may write: what it wrote names it",
    "Device.made_by": HELD,
    "Ranking.game_count": "computed anew: tests/league/site/audit/test_verification.py",
    "Claim.key": "whose page asked: a phone's own, which the log doesn't tell",
}
"""Columns, by name or by table and name, that no statement of the log holds, and why."""
OF_OTHERS: Final = {
    **dict.fromkeys(
        (
            "User",
            "Invitation",
            "HelperInvitation",
            "ApiKey",
            "IdempotencyKey",
            "Letter",
            "NoticePreference",
            "ClaimCode",
            "ClaimRequest",
            "WallCode",
        ),
        PRIVATE,
    ),
    **dict.fromkeys(
        ("PushSubscription", "CalendarAddress", "EntryByMail", "Notice", "NoticeSending"), PRIVATE
    ),
    **dict.fromkeys(("EventMessage", "ImportJob", "Reader", "SetAside", "Audit", "Part"), WORK),
    **dict.fromkeys(
        ("LogEntry", "LogHead"), "the chain of digests: tests/league/core/log/test_chain.py"
    ),
    **dict.fromkeys(
        ("Handle", "PlayerSeat", "Game", "Seat", "Round", "SeasonGame"), "sealed: tests/league/site"
    ),
    **dict.fromkeys(
        (
            "RankedGame",
            "Appearance",
            "Rating",
            "RatingChange",
            "Standing",
            "GameStyle",
            "Style",
            "AllTime",
        ),
        "computed anew: tests/league/site/audit/test_verification.py",
    ),
    **{
        cache.model.__name__: "computed anew: tests/league/counting/event_counting/test_rebuild.py"
        for cache in CACHES
    },
    **dict.fromkeys(
        ("OnlineTable", "OnlineSeat"),
        "of a friendly game: the sealed one and its sheet are verified",
    ),
    **dict.fromkeys(
        ("ChatLine", "ChatMute", "ChatReport", "StandingOrder", "PlayingTime", "Holiday"), PRIVATE
    ),
    "OnlineTurn": "a clock: what it ends is an entry of the sheet",
    "CaseReminder": "a clock: what it tells is an entry of the log",
    "GameEnd": "what is still to be told of an end that the sheet has",
    "DealerSecret": "the proof of each game holds it to its commitment",
    "HiddenAct": "the dice and the answers that the entries of its sheet tell later",
    **dict.fromkeys(
        (
            "OpenGame",
            "OpenSeat",
            "OpenSheet",
            "SheetEntry",
            "SealedSheet",
            "TableOpenGame",
            "SeasonOpenGame",
        ),
        "the chain of entries: tests/league/sheets/sheet/test_verification.py",
    ),
}
"""Tables whose cells are somebody else's to verify, or nobody's, and why."""
SETTLED_BY_KEY: Final = {"club", "same_as", "merged_into", "erased_at", "ranking"}
"""Columns of people and their clubs that league/core/player/queries/verification.py holds, and keys
that the database holds."""


def columns() -> Iterator[tuple[type[models.Model], models.Field[Any, Any]]]:
    for app in ("league", "games"):
        for model in apps.get_app_config(app).get_models():
            if not model._meta.proxy:
                yield from ((model, column) for column in model._meta.concrete_fields)


def test_every_column_is_in_the_log_derived_sealed_or_free_for_a_reason() -> None:
    lacking = [
        f"{model.__name__}.{column.name}"
        for model, column in columns()
        if model.__name__ not in OF_OTHERS
        and column.name not in PLACED.get(model.__name__, {})
        and column.name not in FREE
        and f"{model.__name__}.{column.name}" not in FREE
        and column.name not in SETTLED_BY_KEY
        and not isinstance(column, models.CompositePrimaryKey | models.GeneratedField)
    ]
    assert lacking == []


def test_every_column_that_the_log_tells_is_some_column_s() -> None:
    logged = {(noun.name, column) for noun in NOUNS.values() for column in noun.columns}
    placed = {place for places in PLACED.values() for place in places.values()}
    own = {("season", name) for name in ("scoring", "tie_breaks", "rated")} | {
        ("round kept", "digest")
    }
    assert logged - placed - own == {("away", "rather_not"), ("timetable", "tables")} - placed


def whole_club() -> Club:
    """A club with a row of everything that its log tells."""
    club = ClubFactory.create()
    MembershipFactory.create(club=club)
    season = season_create(
        club=club, actor=ACTOR, slug="one", name="One", starts_on="2026-09-01", scoring="placement"
    )
    season = Season.objects.select_related("club", "ranking").get(pk=season.pk)
    all_time_create(club=club, actor=ACTOR)
    counting_change(season=season, actor=ACTOR, per="event", best=3)
    series_create(
        season=season,
        actor=ACTOR,
        rule="FREQ=WEEKLY;INTERVAL=1;BYDAY=TH;COUNT=2",
        slug="s",
        name="S",
        starts_at=events.BEGINS,
    )
    night = events.event(season, status=Event.Status.RUNNING, fee=500)
    players = events.players(club, 9)
    divided = {player.public_id: 1 for player in players}
    divisions_set(season=season, actor=ACTOR, divisions=[("A", 0, 1), ("B", 1, 0)], players=divided)
    entries = events.enter(night, players[:8])
    fees_set(event=night, entries=entries[:2], fee=FeeStatus.PAID, actor=ACTOR)
    helper_add(event=night, user=UserFactory.create(), role=Role.SCORER, actor=ACTOR)
    helper_remove(
        helper=helper_add(event=night, user=UserFactory.create(), role=Role.ARBITER, actor=ACTOR),
        actor=ACTOR,
    )
    player_claim(player=players[7], way=Claim.Way.MAIL, user=None)
    claim_end(claim=player_claim(player=players[6], way=Claim.Way.MAIL, user=None), actor=ACTOR)
    entry_change(entry=entries[7], substitutes=players[8], actor=ACTOR)
    entries_keep_apart(first=entries[0], second=entries[1], must=False, actor=ACTOR)
    labels_set(event=night, entries=entries[:3], label="Ulm", actor=ACTOR)
    slots = halls.hall(night)
    away_set(entry=entries[2], away={slots[-1].pk: True}, actor=ACTOR)
    stage = events.stage(night, sizes=[4], rounds=3, by_division=True)
    first = events.drawn(stage)
    timetable_publish(timetable=halls.timetable(night), actor=ACTOR)
    events.play(first)
    second = events.drawn(stage)
    facts = stage_facts(stage)
    tables = [list(facts.ids(table)) for table in facts.tables if table.round_number == 2]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    seen = [draw.public_id for draw in facts.draws]
    assert round_change(stage_round=second, tables=tables, draws_seen=seen, actor=WHY)
    table = (
        Table.objects.select_related("stage_round__stage__event")
        .filter(stage_round=second)
        .earliest("number")
    )
    device, _ = device_make(subject=table, actor=ACTOR)
    device_revoke(device=TableDevice(device=device, table=table), actor=ACTOR)
    device_revoke(device=game_device(table), actor=ACTOR)
    late_bids_let_in(table)
    sheet_handed_in(table)
    late_bids(table)
    for seat in table.seats.select_related("entry__event")[:3]:
        entry_withdraw(entry=seat.entry, actor=ACTOR)
    assert walkover_give(table=table, actor=WHY)
    photo_of_sheet(Game.objects.filter(table_game__isnull=False).earliest("pk"))
    *_, contested, voided = Game.objects.filter(table_game__isnull=False).order_by("pk")
    for game, number in ((contested, 0), (contested, 1), (voided, 0)):
        objection = objection_raise(
            game=game, seat=number, word="Two dice were hidden.", actor=ACTOR
        )
        if number:
            objection_withdraw(objection=objection, actor=ACTOR)
    proposed_correction(contested)
    game_void_add(game=voided, actor=WHY)
    return club


def game_of_rounds(stage_round: StageRound) -> Game:
    """A game of the round's last table, of which all rounds are known."""
    table = Table.objects.filter(stage_round=stage_round).latest("number")
    handles = list(table.seats.order_by("seat").values_list("entry__player__handle", flat=True))
    game = table_game_enter(table=table, line=line(bluff_record(7, seats=handles)), actor=ACTOR)
    return Game.objects.select_related("season_game__season__club").get(pk=game.pk)


def club_of_today() -> Club:
    """The same with rows of what came once logs stated rows."""
    club = whole_club()
    voided = known_games().filter(voids__isnull=False).latest("pk")
    appealed_and_decided(voided)
    newest = StageRound.objects.filter(stage__event__club=club).latest("pk")
    game_play_again(game=game_of_rounds(newest), round_number=2, actor=WHY)
    contested = Game.objects.filter(objections__isnull=False, objections__end=None).latest("pk")
    statement_on(contested)
    penalty_lift(penalty=penalty_add(game=contested, seat=0, points=2, actor=ACTOR), actor=ACTOR)
    order_set(game=contested, ranks=[1] * contested.seats.count(), actor=ACTOR)
    game = known_games().get(pk=contested.pk)
    arbiter_invite(game=game, actor=ACTOR)
    invitation, _ = arbiter_invite(game=game, actor=ACTOR)
    arbiter_accept(invitation=invitation, user=UserFactory.create(), close_to=[1], actor=ACTOR)
    arbiter_assent(invitation=invitation, seat=1, actor=ACTOR)
    return club


def test_what_the_services_made_is_what_the_log_tells(transactional_db: None) -> None:
    club = club_of_today()
    assert list(ledger_differences(club.pk)) == []


def other_value(model: type[models.Model], column: models.Field[Any, Any]) -> str:
    """SQL of a value that the column doesn't have."""
    name = f'"{column.column}"'
    if column.is_relation and not column.null:
        return f"{-1 if column.name == 'first' else 1} * (1000000 + {name})"
    if column.is_relation:
        target = column.target_field  # type: ignore[attr-defined]
        rows, key = target.model._meta.db_table, f'"{target.column}"'
        own = f"{model._meta.db_table}.{name}"
        others = (
            f"(SELECT max({key}) FROM {rows} related WHERE related.{key} IS DISTINCT FROM {own})"
        )
        return f"COALESCE({others}, 1000000 + {name})"
    kinds: dict[str, str] = {
        "boolean": f"NOT {name}",
        "bytea": f"{name} || 'x'",
        "date": f"COALESCE({name}, '2026-01-01') + 400",
        "jsonb": "'{\"dice\": 3}'",
        "text": f"{name} || ' '",
        "uuid": "gen_random_uuid()",
    }
    kind = str(column.db_type(connection))
    if kind.endswith("[]"):
        return f"COALESCE({name}, '{{}}') || '{{{'2026-01-01' if 'date' in kind else 7}}}'::{kind}"
    if kind.startswith("timestamp"):
        sign = "" if column.name == "ends_at" else "-"
        return f"COALESCE({name}, '2100-01-01') + interval '{sign}1 hour'"
    if kind in ("varchar(3)", "character varying(10)"):
        return f"reverse({name})"
    if kind.startswith("varchar"):
        return f"CASE WHEN length({name}) >= 10 THEN reverse({name}) || '' ELSE {name} || '7' END"
    return kinds.get(kind, f"COALESCE({name}, 0) + 100")


@contextmanager
def changed_cell(model: type[models.Model], column: models.Field[Any, Any]) -> Iterator[bool]:
    """One cell of the column as the owner of the database makes it another, for a moment; False: it
    can't be that."""
    table, name, kind = model._meta.db_table, f'"{column.column}"', column.db_type(connection)
    with connect_as_owner(TRIGGERS_OFF) as owner:
        cell = owner.execute(
            f"SELECT ctid::text, {name}::text FROM {table} ORDER BY ctid DESC LIMIT 1"
        ).fetchone()
        assert cell, table
        place, value = cell
        try:
            changed = owner.execute(
                f"UPDATE {table} SET {name} = {other_value(model, column)}"
                " WHERE ctid = %s::tid RETURNING ctid::text",
                [place],
            ).fetchone()
        except psycopg.errors.CheckViolation:
            yield False
            return
        assert changed
        yield True
        owner.execute(
            f"UPDATE {table} SET {name} = %s::text::{kind} WHERE ctid = %s::tid",
            [value, changed[0]],
        )


def test_one_changed_cell_of_each_column_is_named(transactional_db: None) -> None:
    club = club_of_today()
    unnamed = []
    for model, column in columns():
        if place := PLACED.get(model.__name__, {}).get(column.name):
            with changed_cell(model, column) as changed:
                cells = {
                    (difference.table, difference.column)
                    for difference in ledger_differences(club.pk)
                }
            if changed and not cells & {place, (place[0], "row")}:
                unnamed.append((f"{model.__name__}.{column.name}", cells))
    assert not unnamed, "\n".join(map(str, unnamed))
    assert list(ledger_differences(club.pk)) == []
