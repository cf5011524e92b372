"""Whatever a service changes in a club, the club's log tells. A new service has to say here how, or
why not."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

import league
from games.models import Game
from league.core.claim.models import Claim
from league.core.claim.services import claim_codes_make, claim_end, player_claim
from league.core.club.actions import ClubAction
from league.core.club.services import club_change, club_create
from league.core.key.actions import KeyAction
from league.core.key.services.key import key_create, key_revoke
from league.core.log.actions import ACTIONS, Action
from league.core.log.ledger import ledger_differences
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.member.actions import MemberAction
from league.core.member.services.invitation import (
    invitation_accept,
    invitation_create,
    invitation_join,
    invitation_withdraw,
)
from league.core.member.services.member import member_add, member_change
from league.core.player.actions import PlayerAction
from league.core.player.services.player import player_rename
from league.disputes.correction.services import game_correct
from league.models import ApiKey, Club, Invitation, Player, Role, Season, User
from league.records.file.services import file_import, record_import
from league.records.photo.actions import PhotoAction
from league.records.photo.models import Photo
from league.records.photo.services.photo import photo_remove, photos_forget
from league.records.upload.actions import ImportAction
from league.records.upload.models import ImportJob
from league.records.upload.services import (
    import_job_confirm,
    import_job_create,
    import_job_drop,
    import_job_preview,
    import_job_run,
)
from league.standings.player.services import player_link, player_merge, player_part
from league.standings.ranked_game.actions import GameAction
from league.standings.ranking.actions import RankingAction
from league.standings.ranking.services.rebuild import ranking_rebuild_ask
from league.standings.season.actions import SeasonAction
from league.standings.season.services.club import club_settings_change
from league.standings.season.services.season import (
    all_time_create,
    season_change,
    season_create,
    season_link_renew,
)
from tests.database import lasting
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.factories.photos import photo_of_sheet
from tests.factories.records import bluff_record, line
from tests.league.counting.event_counting import logged as logged_counting
from tests.league.disputes.call import logged as logged_calls
from tests.league.events.entry import logged as logged_entries
from tests.league.events.helper import logged as logged_dates
from tests.league.floor.timetable import logged as logged_halls
from tests.league.play.chat import logged as logged_chat
from tests.league.play.online_table import logged as logged_play
from tests.league.sheets.sheet import logged as logged_sheets
from tests.league.stages.course import logged as event_services

ROOT = Path(inspect.getfile(league)).parent


class Scene:
    """A club in which everything is that a service could change."""

    def __init__(self) -> None:
        self.season: Season = counted_season([bluff_record(1), bluff_record(2)])
        self.club: Club = self.season.club
        self.organiser: User = MembershipFactory.create(club=self.club).user
        self.scorer: User = MembershipFactory.create(club=self.club, role=Role.SCORER).user
        self.actor = Actor(self.organiser.pk)
        self.anna = Player.objects.get(handle="anna")
        self.zoe: Player = PlayerFactory.create(club=self.club, handle="zoe")
        self.emil: Player = PlayerFactory.create(club=self.club, handle="emil")
        player_merge(kept_player=self.anna, merged=self.emil, actor=self.actor)
        self.key: ApiKey = key_create(club=self.club, user=self.organiser, label="tablet")[0]

    def invited(self, email: str = "new@example.org") -> Invitation:
        """An invitation that waits."""
        return invitation_create(
            club=self.club, email=email, role=Role.ARBITER, invited_by=self.organiser
        )[0]

    def photo(self) -> Photo:
        """A photo of a sheet, with its game and season."""
        photo = photo_of_sheet(Game.objects.select_related("season_game__season").earliest("pk"))
        return Photo.objects.select_related("game__season_game__season").get(pk=photo.pk)

    def old_photos_forgotten(self) -> None:
        """A photo that is old enough to go."""
        self.photo()
        with patch.object(settings, "PHOTO_DAYS", 0):
            photos_forget()

    def uploaded(self) -> ImportJob:
        """A file that somebody uploaded."""
        return import_job_create(
            season=self.season,
            uploaded_by=self.organiser,
            file_name="games.jsonl",
            content=line(bluff_record(3)) + line(bluff_record(4, seats=["anna", "xaver"])),
            create_players=True,
            all_or_nothing=False,
        )

    def previewed(self) -> ImportJob:
        """A file that waits for somebody's word."""
        job = self.uploaded()
        import_job_preview(job_id=job.pk)
        return job

    def confirmed(self) -> ImportJob:
        """A file that may go in."""
        job = self.previewed()
        import_job_confirm(job=job, confirmed_by=self.organiser)
        return job


UPLOADED, CONFIRMED, ENDED = ImportAction.UPLOADED, ImportAction.CONFIRMED, ImportAction.ENDED
LOGGED: Final[dict[str, tuple[Callable[[Scene], object], list[Action]]]] = {
    "core.club.club_create": (
        lambda it: club_create(actor=it.actor, slug="new", name="New"),
        [ClubAction.CREATED],
    ),
    "core.club.club_change": (
        lambda it: club_change(club=it.club, actor=it.actor, name="New"),
        [ClubAction.CHANGED],
    ),
    "standings.season.club.club_settings_change": (
        lambda it: club_settings_change(club=it.club, actor=it.actor, timezone="Asia/Tokyo"),
        [ClubAction.CHANGED],
    ),
    "core.member.member.member_add": (
        lambda it: member_add(club=it.club, user=it.organiser, role=Role.ARBITER, actor=it.actor),
        [MemberAction.ADDED],
    ),
    "core.member.member.member_change": (
        lambda it: member_change(
            club=it.club, user=it.scorer, roles=[Role.ARBITER], actor=it.actor
        ),
        [MemberAction.ADDED, MemberAction.REMOVED],
    ),
    "core.member.invitation.invitation_create": (lambda it: it.invited(), [MemberAction.INVITED]),
    "core.member.invitation.invitation_withdraw": (
        lambda it: invitation_withdraw(invitation=it.invited(), actor=it.actor),
        [MemberAction.INVITED, MemberAction.INVITATION_WITHDRAWN],
    ),
    "core.member.invitation.invitation_accept": (
        lambda it: invitation_accept(invitation=it.invited(it.scorer.email), user=it.scorer),
        [MemberAction.INVITED, MemberAction.ADDED],
    ),
    "core.member.invitation.invitation_join": (
        lambda it: invitation_join(invitation=it.invited(), name="new", password="six threes"),
        [MemberAction.INVITED, MemberAction.ADDED],
    ),
    "core.key.key.key_create": (
        lambda it: key_create(club=it.club, user=it.organiser, label="laptop"),
        [KeyAction.CREATED],
    ),
    "core.key.key.key_revoke": (
        lambda it: key_revoke(key=it.key, actor=it.actor),
        [KeyAction.REVOKED],
    ),
    "core.player.player.player_rename": (
        lambda it: player_rename(player=it.anna, name="Anna B.", handle="annab", actor=it.actor),
        [PlayerAction.RENAMED],
    ),
    "standings.player.player_link": (
        lambda it: player_link(player=it.anna, account=UserFactory.create(), actor=it.actor),
        [PlayerAction.LINKED],
    ),
    "core.claim.claim_codes_make": (
        lambda it: claim_codes_make(club=it.club, players=[it.anna], actor=it.actor),
        [PlayerAction.CODE_MADE],
    ),
    "core.claim.player_claim": (
        lambda it: player_claim(player=it.anna, way=Claim.Way.MAIL, user=None),
        [PlayerAction.CLAIMED],
    ),
    "core.claim.claim_end": (
        lambda it: claim_end(
            claim=player_claim(player=it.anna, way=Claim.Way.MAIL, user=UserFactory.create()),
            actor=it.actor,
        ),
        [PlayerAction.CLAIMED, PlayerAction.CLAIM_ENDED],
    ),
    "standings.player.player_merge": (
        lambda it: player_merge(kept_player=it.anna, merged=it.zoe, actor=it.actor),
        [PlayerAction.MERGED],
    ),
    "standings.player.player_part": (
        lambda it: player_part(merged=it.emil, actor=it.actor),
        [PlayerAction.PARTED],
    ),
    "standings.season.season.season_create": (
        lambda it: season_create(
            club=it.club, actor=it.actor, slug="new", name="New", starts_on=it.season.starts_on
        ),
        [SeasonAction.CREATED],
    ),
    "standings.season.season.season_change": (
        lambda it: season_change(season=it.season, actor=it.actor, tie_breaks=["wins", "points"]),
        [SeasonAction.CHANGED],
    ),
    "standings.season.season.season_link_renew": (
        lambda it: season_link_renew(season=it.season, actor=it.actor),
        [SeasonAction.LINK_RENEWED],
    ),
    "standings.season.season.all_time_create": (
        lambda it: all_time_create(club=it.club, actor=it.actor),
        [RankingAction.CREATED],
    ),
    "standings.ranking.rebuild.ranking_rebuild_ask": (
        lambda it: ranking_rebuild_ask(ranking=it.season.ranking, actor=it.actor),
        [RankingAction.REBUILT],
    ),
    "records.file.record_import": (
        lambda it: record_import(season=it.season, line=line(bluff_record(3))),
        [GameAction.SEALED],
    ),
    "records.file.file_import": (
        lambda it: file_import(
            stream=BytesIO(line(bluff_record(3)) + line(bluff_record(4, seats=["anna", "xaver"]))),
            season=it.season,
            all_or_nothing=True,
        ),
        [GameAction.SEALED, PlayerAction.CREATED, GameAction.SEALED],
    ),
    "disputes.correction.game_correct": (
        lambda it: game_correct(
            game=Game.objects.get(external_id="game-1"),
            line=line(bluff_record(5, id="game-1")),
            reason="Two seats were mixed up.",
        ),
        [GameAction.CORRECTED],
    ),
    **event_services.LOGGED,
    "records.upload.import_job_create": (lambda it: it.uploaded(), [UPLOADED]),
    "records.upload.import_job_confirm": (lambda it: it.confirmed(), [UPLOADED, CONFIRMED]),
    "records.upload.import_job_drop": (
        lambda it: import_job_drop(job=it.previewed(), dropped_by=it.organiser),
        [UPLOADED, ImportAction.DROPPED],
    ),
    "records.upload.import_job_run": (
        lambda it: import_job_run(job_id=it.confirmed().pk),
        [UPLOADED, CONFIRMED, GameAction.SEALED, PlayerAction.CREATED, GameAction.SEALED, ENDED],
    ),
    "records.photo.photo.photo_add": (lambda it: it.photo(), [PhotoAction.ADDED]),
    "records.photo.photo.photo_remove": (
        lambda it: photo_remove(photo=it.photo(), actor=it.actor),
        [PhotoAction.ADDED, PhotoAction.REMOVED],
    ),
    "records.photo.photo.photos_forget": (
        lambda it: it.old_photos_forgotten(),
        [PhotoAction.ADDED, PhotoAction.REMOVED],
    ),
    **logged_entries.LOGGED,
    **logged_counting.LOGGED,
    **logged_dates.LOGGED,
    **logged_play.LOGGED,
}
"""What changes a club, and what its log says of it."""
LOGGED_ELSEWHERE: Final[dict[str, tuple[Any, list[Action]]]] = {
    **logged_halls.LOGGED,
    **logged_sheets.LOGGED,
    **logged_calls.LOGGED,
}
"""The same of rooms that look for themselves."""

PART: Final = "part of a larger action, whose journal it is given"
ERASES: Final = "part of erasing a player, which is logged"
READS: Final = "only reads, or refuses"
DERIVES: Final = (
    "only computes what follows from the facts: it changes nothing that somebody could have said"
)
ASKS: Final = "has something computed anew; whoever asks for it logs why"
OWN: Final = "keeps what the service itself needs, and nothing of the club"
ACCOUNT: Final = "an account's own choice, which is of no club"
UNLOGGED: Final = {
    "records.photo.photo.picture_of": READS,
    "records.photo.photo.pictures_drop": PART,
    **event_services.UNLOGGED,
    **logged_play.UNLOGGED,
    **logged_chat.UNLOGGED,
    "core.log.club_journal": "is the log",
    "core.log.log_start": (
        "begins the log of a new club, whose first entry follows in the same transaction"
    ),
    "core.account.account_address_vouch": "keeps to an account's own address, which is of no club",
    "core.account.phone_create": "makes an account of the service, of no club",
    "core.claim.claims_end": PART,
    "core.claim.claims_forget": PART,
    "core.account.account_create": "makes an account of the service, of no club",
    "core.delivery.letter.delayed_letter_send": "a letter of the service, which is of no club",
    "core.delivery.letter.letter_send": "a letter of the service, which is of no club",
    "core.account.sign_ins_forget": "sessions and wrong passwords, which are of no club",
    "core.account.sessions_end": "sessions, which are of no club",
    "core.account.second_factor_drop": "an account's own factors, which are of no club",
    "core.account.second_factors_keep": "encrypts an account's own factors anew",
    "site.own_data.account_delete": "ends roles, keys and links by the services that log it",
    "site.own_data.account_forget": "deletes what is an account's own, which is of no club",
    "site.own_data.refuse_last_operator": READS,
    "floor.hall.room_rewrite": PART,
    "site.erasure.erasure_list.erasures_repeat": "erases by `player_erase` and `guest_erase` alone",
    "site.health.due_times_set_back": "says when a job looks again; nobody's words change",
    "core.delivery.letter.letters_forget": "a letter of the service, which is of no club",
    "core.delivery.letter.letters_write": "a letter of the service, which is of no club",
    "core.delivery.preference.preference_set": ACCOUNT,
    "core.delivery.preference.stop_token": READS,
    "core.delivery.preference.stop_token_read": READS,
    "core.delivery.preference.topic_stop": ACCOUNT,
    "core.delivery.push.push_key": READS,
    "core.delivery.push.push_send": "sends what an action that is logged already has to tell",
    "core.delivery.subscription.endpoint_check": READS,
    "core.delivery.subscription.subscription_drop": ACCOUNT,
    "core.delivery.subscription.subscription_save": ACCOUNT,
    "core.club.club_settings": READS,
    "core.player.erasure.players_forget": PART,
    "site.erasure.mention.mentions_forget": PART,
    "site.erasure.mention.texts_lock": READS,
    "site.erasure.mention.positions_of": READS,
    "core.key.idempotency.answer_once": OWN,
    "core.key.idempotency.keys_forget": OWN,
    "core.member.invitation.invitations_forget": (
        "forgets what nobody can accept any more; its making stays logged"
    ),
    "core.member.member.role_give": PART,
    "core.player.merge.players_merge": PART,
    "core.player.merge.players_part": PART,
    "core.player.merge.merge_check": READS,
    "core.player.player.players_at_table": PART,
    "core.player.player.player_rows": PART,
    "core.player.player.players_append": PART,
    "core.player.player.players_create": PART,
    "core.player.player.players_missing": READS,
    "core.player.player.folded": READS,
    "core.player.player.same_player_twice": READS,
    "core.player.player.word_checked": READS,
    "core.player.player.refuse_erased": READS,
    "core.player.player.refuse_named": READS,
    "events.calendar.calendar_address_renew": (
        "keeps to an account's own calendar, which is of no club"
    ),
    "notices.notice.notice.event_letters_stop": ACCOUNT,
    "notices.notice.notice.notices_erase": ERASES,
    "notices.notice.notice.notices_forget": OWN,
    "notices.notice.notice.notices_read": "tells people of actions that are logged already",
    "notices.notice.notice.notices_write": (
        "tells people of actions that are logged already, or of a turn"
    ),
    "notices.notice.turn.turn_notice_make": (
        "tells a player of a turn, which follows from the sheet"
    ),
    "notices.notice.turn.seat_name_forget_in_notices": "part of erasing a name, which is logged",
    "notices.notice.turn.end_notice_make": (
        "tells a player of the end of a game, which follows from the sheet"
    ),
    "notices.notice.notice.notices_see": ACCOUNT,
    "notices.notice.sending.sending_mail": (
        "sends what an action that is logged already has to tell"
    ),
    "notices.notice.sending.sending_push": (
        "sends what an action that is logged already has to tell"
    ),
    "floor.hall.hall_change": "is the transaction of whoever changes an event's hall",
    "floor.hall.tables_tell": DERIVES,
    "floor.timetable.key_of": READS,
    "floor.timetable.timetables_waiting": READS,
    "records.photo.erasure.uploads_forget": PART,
    "records.upload.import_job_preview": (
        "tells what a file would do, which is logged already, and changes nothing"
    ),
    "records.upload.imports_run": "imports file after file, each of which is logged",
    "records.upload.imports_waiting": READS,
    "records.upload.preview_job": READS,
    "records.file.file_preview": READS,
    "records.file.season_named": READS,
    "records.file.content_import": (
        "brings a program's games to those that import one or a file, which log them"
    ),
    "records.game.read_for": READS,
    "records.game.record_read": READS,
    "records.game.broken_proof": READS,
    "records.game.unfit_for": READS,
    "records.game.uncountable": READS,
    "records.game.record_take": PART,
    "records.game.records_take": PART,
    "records.game.games_entered": READS,
    "records.game.newcomers_of": READS,
    "records.game.sealing_hold": PART,
    "core.member.member.invitations_end": PART,
    "records.game.season_game_add": PART,
    "standings.ranking.counting.ranking_count": DERIVES,
    "standings.ranking.counting.fold": DERIVES,
    "standings.ranking.counting.rated_game": READS,
    "standings.ranking.counting.publish": DERIVES,
    "standings.ranked_game.games_remove": DERIVES,
    "standings.ranked_game.games_insert": DERIVES,
    "standings.ranked_game.games_rescore": DERIVES,
    "standings.ranked_game.last_places": READS,
    "standings.rating.rating.ratings_add": DERIVES,
    "standings.rating.rating.ratings_batch": DERIVES,
    "standings.rating.rating.ratings_reset": DERIVES,
    "standings.rating.rating.ratings_drop": DERIVES,
    "standings.rating.rating_change.changes_store": DERIVES,
    "standings.ranked_game.next_set_aside": DERIVES,
    "standings.ranking.rebuild.rebuild_ask": ASKS,
    "standings.ranking.rebuild.ranking_rebuild": DERIVES,
    "standings.season.season.season_check": READS,
    "standings.season.season.season_settings": READS,
    "standings.season.season.season_values": READS,
    "standings.season.season.settings_check": READS,
    "standings.season.season.settled_check": READS,
    "standings.standing.held_players": READS,
    "standings.standing.counted_rows": READS,
    "standings.standing.rows_write": DERIVES,
    "standings.standing.columns": READS,
    "standings.style.styles_read": DERIVES,
    "standings.style.styles_restart": ASKS,
    "standings.style.adds_style": READS,
    "standings.style.analysed": READS,
    "standings.style.style_row": READS,
    "standings.standing.players_store": DERIVES,
    "site.audit.audit_ask": OWN,
    "site.audit.audits_continue": OWN,
    "site.audit.club_audit": OWN,
    "site.audit.verify_club": READS,
    "site.audit.audits_forget": ERASES,
    "site.setup.first_account_create": (
        "the account is of no club; the service that founds the club logs that"
    ),
    "disputes.correction.correction_preview": READS,
    "events.event.event_whole": READS,
    "events.event.refuse_over": READS,
    "events.event.course_journal": "is the transaction of whoever changes the course of an event",
    "core.log.changes_between": READS,
    "events.entry.erasure.mail_entries_forget": ERASES,
    "events.entry.erasure.labels_forget": ERASES,
    "stages.round.round_attempt": OWN,
    "stages.placing.places_write": DERIVES,
    "notices.notice.notice.unseen_write": DERIVES,
    "counting.promotion.plan_checked": READS,
    "stages.course.stage.stage_move": "takes one of the steps of a stage, each of which is logged",
    **dict.fromkeys((*logged_entries.PART, *logged_dates.PART), PART),
    **dict.fromkeys((*logged_entries.READS, *logged_dates.READS), READS),
    **logged_entries.UNLOGGED,
    **logged_dates.UNLOGGED,
    **logged_sheets.UNLOGGED,
}
"""What has no entry of its own, and why."""


SET_BY_HAND: Final = {
    "events.event.entries_move_up": "event.capacity",
    "events.entry.entry.entries_no_show": "event.check_in_until",
    "events.fee.fees_set": "event.fee",
    "stages.stage.latecomer.entry_join_stage": "entry.checked_in_at",
    "notices.message.message_send": "player.account",
}
"""Cells that a scene writes itself, past the services, so that there is something for the service
to change."""


def services() -> Iterator[tuple[str, str]]:
    """The public functions of all services, as they are named here and as Python finds them."""
    for file in sorted([*ROOT.rglob("services.py"), *ROOT.rglob("services/*.py")]):
        module = ".".join(("league", *file.relative_to(ROOT).with_suffix("").parts))
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                place = module.removeprefix("league.").replace(".services", "")
                yield f"{place}.{node.name}", f"{module}:{node.name}"


def test_every_service_says_how_it_is_logged_or_why_not() -> None:
    assert {
        name for name, _ in services()
    } == LOGGED.keys() | LOGGED_ELSEWHERE.keys() | UNLOGGED.keys()
    assert not LOGGED.keys() & UNLOGGED.keys()


def test_what_is_part_of_a_larger_action_is_given_its_journal() -> None:
    places = dict(services())
    for name, reason in UNLOGGED.items():
        module, _, function = places[name].partition(":")
        takes = "journal" in inspect.signature(getattr(import_module(module), function)).parameters
        assert takes is (reason == PART), name


def entries() -> dict[tuple[int, int], LogEntry]:
    return {
        (entry.club_id, entry.position): entry
        for entry in LogEntry.objects.order_by("club", "position")
    }


@pytest.fixture(scope="module")
def lasting_scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """One scene for all services: it takes longer to make than most of them."""
    with lasting(django_db_blocker):
        yield Scene()


@pytest.fixture
def scene(lasting_scene: Scene, db: None) -> Scene:
    return deepcopy(lasting_scene)


@pytest.mark.parametrize("name", LOGGED)
def test_what_a_service_changes_stands_in_the_log(scene: Scene, name: str) -> None:
    change, actions = LOGGED[name]
    before = entries()
    change(scene)
    new = [entry for place, entry in entries().items() if place not in before]
    assert [entry.action for entry in new] == actions
    for club in Club.objects.all():
        codes = {difference.code for difference in ledger_differences(club.pk)}
        assert codes <= {SET_BY_HAND.get(name)}, "the log tells all that rows hold"


def test_every_action_of_the_log_is_some_services() -> None:
    logged = [*LOGGED.values(), *LOGGED_ELSEWHERE.values()]
    by_migrations = {ClubAction.STATED}
    assert {action for _, actions in logged for action in actions} == set(
        ACTIONS.values()
    ) - by_migrations


WRITES = re.compile(
    r"\.(save|delete|create|get_or_create|update_or_create|bulk_create|bulk_update)\(|objects.*\.update\("
)
NOTES = {
    "static_src/icons.py": "a picture, when somebody draws the icons anew",
    "core/key/api.py": "when a key was used last, for people",
    "core/frame/cache.py": "what may be gone at any moment",
    "core/frame/card.py": "a picture, which is kept nowhere but in the cache",
    "core/jobs.py": "that a call waits, in the cache",
    "demo/accounts.py": "the passwords of the demo's own accounts",
    "up/parts.py": "when a process was heard of last, for operators",
}


def test_nobody_but_a_service_writes() -> None:
    for file in ROOT.rglob("*.py"):
        place = file.relative_to(ROOT)
        if (
            not {"services", "services.py", "migrations", "log"} & set(place.parts)
            and str(place) not in NOTES
        ):
            assert not WRITES.search(file.read_text(encoding="utf-8")), place
