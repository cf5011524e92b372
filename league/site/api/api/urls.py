"""Addresses of the API, below /api/, with the operations at each."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from league.core.frame import public_id  # noqa: F401 — knows `<public_id:…>`
from league.counting.copy.api import SeasonCopy
from league.counting.counting.api import SeasonClose, SeasonCounting, SeasonTables
from league.disputes.agreement.api import GameProposals, Proposals
from league.disputes.correction.api import EntryPreviews
from league.disputes.objection.api import EventObjections, GameObjections, ObjectionEnds, Objections
from league.disputes.otherwise.api import RoundsOtherwise
from league.disputes.void.api import GameVoids
from league.events.entry.api import CheckIns, Entries
from league.events.event.api import Events, OneEvent
from league.events.helper.api import Helpers
from league.events.series.api import SeriesOfSeason
from league.events.wall.api import ClaimRequests, Walls
from league.floor.check_in.api import EntryStatuses, OwnEntries
from league.floor.hall.api import AwayTimes, ClockOfRound, Places
from league.floor.timetable.api import Timetables
from league.notices.notice.api import EventMessages, Notices
from league.records.file.api import ClubGames
from league.records.game.api import Games
from league.records.photo.api import GamePhotos, Photos
from league.sheets.device.api.device import Codes, Devices, GameDevices, SeasonCodes
from league.sheets.sheet.api import OpenGameGains, OpenGames, SeasonOpenGames, SheetBranches, TableOpening
from league.site.api.api.index import Index, Nothing, Schema, try_page
from league.stages.course.api import EventRun
from league.stages.placing.api import Placings
from league.stages.round.api.round import Draws, EventDraws, Rounds
from league.stages.stage.api import OneStage, Seedings, Stages
from league.stages.table.api import EventTables, TableGames, TableOutcomes
from league.standings.player.api import Claims, PlayerInRanking, Players, Styles
from league.standings.ranking.api.ranking import AllTimeRankings, Standings
from league.standings.season.api import Clubs, Seasons

CLUB = "v1/clubs/<slug:club>/"
SEASON = f"{CLUB}seasons/<slug:season>/"
ALL_TIME = f"{CLUB}all-time/"
PLAYER = "players/<public_id:player>/"
EVENT = f"{CLUB}events/<slug:event>/"
TIMETABLE = f"{EVENT}timetables/<public_id:timetable>/"
STAGE = f"{EVENT}stages/<int:stage>/"
ROUND = f"{STAGE}rounds/<int:number>/"
TABLE = "v1/tables/<public_id:table>/"
OPEN_GAME = "v1/open-games/<public_id:open_game>/"
GAME = "v1/games/<public_id:game>/"

api = [
    path("", RedirectView.as_view(pattern_name="api-docs")),
    path("docs/", try_page, name="api-docs"),
    path("schema/", Schema.as_view({"get": "get_schema"}), name="api-schema"),
    path("v1/", Index.as_view({"get": "index"}), name="api"),
    path("v1/clubs/", Clubs.as_view({"get": "list_clubs"})),
    path(CLUB, Clubs.as_view({"get": "get_club"})),
    path(f"{CLUB}seasons/", Seasons.as_view({"get": "list_seasons"})),
    path(SEASON, Seasons.as_view({"get": "get_season"})),
    path(f"{SEASON}standings/", Standings.as_view({"get": "list_standings"})),
    path(f"{SEASON}ratings/", Standings.as_view({"get": "list_ratings"})),
    path(f"{SEASON}styles/", Styles.as_view({"get": "list_styles"})),
    path(f"{SEASON}{PLAYER}standing/", PlayerInRanking.as_view({"get": "get_standing"})),
    path(f"{SEASON}{PLAYER}points/", PlayerInRanking.as_view({"get": "list_points"})),
    path(f"{SEASON}{PLAYER}ranks/", PlayerInRanking.as_view({"get": "list_ranks"})),
    path(f"{SEASON}{PLAYER}ratings/", PlayerInRanking.as_view({"get": "list_rating_days"})),
    path(f"{SEASON}{PLAYER}rivals/", PlayerInRanking.as_view({"get": "list_rivals"})),
    path(f"{SEASON}heads/", Standings.as_view({"get": "list_heads"})),
    path(f"{SEASON}games.ndjson", Standings.as_view({"get": "get_season_records"})),
    path(f"{SEASON}events/", SeasonTables.as_view({"get": "list_season_events"})),
    path(f"{SEASON}counting/", SeasonCounting.as_view({"get": "get_season_counting", "post": "set_season_counting"})),
    path(f"{SEASON}divisions/", SeasonTables.as_view({"get": "list_divisions", "post": "set_divisions"})),
    path(f"{SEASON}close/", SeasonClose.as_view({"get": "preview_season_close", "post": "close_season"})),
    path(f"{SEASON}copy/", SeasonCopy.as_view({"get": "preview_season_copy", "post": "copy_season"})),
    path(f"{SEASON}series/", SeriesOfSeason.as_view({"get": "list_series", "post": "create_series"})),
    path(f"{SEASON}series/dates/", SeriesOfSeason.as_view({"post": "preview_series"})),
    path(f"{SEASON}series/<public_id:series>/", SeriesOfSeason.as_view({"get": "get_series"})),
    path(ALL_TIME, AllTimeRankings.as_view({"get": "get_all_time"})),
    path(f"{ALL_TIME}standings/", Standings.as_view({"get": "list_all_time_standings"})),
    path(f"{ALL_TIME}ratings/", Standings.as_view({"get": "list_all_time_ratings"})),
    path(f"{ALL_TIME}styles/", Styles.as_view({"get": "list_all_time_styles"})),
    path(f"{ALL_TIME}{PLAYER}standing/", PlayerInRanking.as_view({"get": "get_all_time_standing"})),
    path(f"{ALL_TIME}{PLAYER}points/", PlayerInRanking.as_view({"get": "list_all_time_points"})),
    path(f"{ALL_TIME}{PLAYER}ranks/", PlayerInRanking.as_view({"get": "list_all_time_ranks"})),
    path(f"{ALL_TIME}{PLAYER}ratings/", PlayerInRanking.as_view({"get": "list_all_time_rating_days"})),
    path(f"{ALL_TIME}{PLAYER}rivals/", PlayerInRanking.as_view({"get": "list_all_time_rivals"})),
    path(f"{ALL_TIME}heads/", Standings.as_view({"get": "list_all_time_heads"})),
    path(f"{ALL_TIME}games.ndjson", Standings.as_view({"get": "get_all_time_records"})),
    path(f"{CLUB}players/", Players.as_view({"get": "list_players"})),
    path(f"{CLUB}claims/", Claims.as_view({"get": "list_claims"})),
    path(f"{CLUB}claims/codes/", Claims.as_view({"post": "make_claim_codes"})),
    path(f"{CLUB}claims/<public_id:claim>/status/", Claims.as_view({"post": "end_claim"})),
    path(f"{CLUB}games/", ClubGames.as_view({"get": "list_games", "post": "enter_games"})),
    path(f"v1/{PLAYER}", Players.as_view({"get": "get_player"})),
    path(GAME, Games.as_view({"get": "get_game"})),
    path(f"{GAME}analysis/", Games.as_view({"get": "get_game_analysis"})),
    path(f"{GAME}difference/", Games.as_view({"get": "get_game_difference"})),
    path(f"{GAME}void/", GameVoids.as_view({"post": "void_game"})),
    path(f"{GAME}void/preview/", GameVoids.as_view({"post": "preview_void"})),
    path(f"{GAME}photos/", GamePhotos.as_view({"get": "list_photos", "post": "add_photo"})),
    path("v1/photos/<public_id:photo>/", Photos.as_view({"get": "get_photo"})),
    path(f"{GAME}objections/", GameObjections.as_view({"post": "raise_objection"})),
    path(f"{GAME}proposals/", GameProposals.as_view({"post": "propose_correction"})),
    path("v1/proposals/<public_id:proposal>/", Proposals.as_view({"get": "get_proposal"})),
    path("v1/proposals/<public_id:proposal>/agreements/", Proposals.as_view({"post": "agree"})),
    path(f"{CLUB}objections/", Objections.as_view({"get": "list_objections"})),
    path("v1/objections/<public_id:objection>/end/", ObjectionEnds.as_view({"post": "end_objection"})),
    path(f"{GAME}record/", Games.as_view({"get": "get_game_record"})),
    path(f"{GAME}notation/", Games.as_view({"get": "get_game_notation"})),
    path(f"{CLUB}notices/", Notices.as_view({"get": "list_notices"})),
    path(f"{CLUB}notices/seen/", Notices.as_view({"post": "see_notices"})),
    path(f"{CLUB}events/", Events.as_view({"get": "list_events", "post": "create_event"})),
    path(EVENT, OneEvent.as_view({"get": "get_event", "patch": "change_event"})),
    path(f"{EVENT}status/", EventRun.as_view({"post": "move_event"})),
    path(f"{EVENT}history/", EventRun.as_view({"get": "list_history"})),
    path(f"{EVENT}codes/", Codes.as_view({"post": "take_code"})),
    path(f"{EVENT}objections/", EventObjections.as_view({"get": "list_event_objections"})),
    path(f"{EVENT}draws.jsonl", EventDraws.as_view({"get": "get_event_draws"})),
    path(f"{EVENT}entries/", Entries.as_view({"get": "list_entries", "post": "add_entries"})),
    path(f"{EVENT}entries/status/", EntryStatuses.as_view({"post": "move_entries"})),
    path(f"{EVENT}entries/fees/", Entries.as_view({"get": "get_fees", "post": "set_fees"})),
    path(f"{EVENT}entries/check-in/", CheckIns.as_view({"post": "check_in_entries"})),
    path(f"{EVENT}entries/own/", OwnEntries.as_view({"get": "get_own_entry", "post": "change_own_entry"})),
    path(f"{EVENT}entries/<public_id:entry>/", Entries.as_view({"get": "get_entry", "patch": "change_entry"})),
    path(f"{EVENT}entries/<public_id:entry>/away/", AwayTimes.as_view({"post": "set_away"})),
    path(f"{EVENT}entries/<public_id:entry>/preview/", EntryPreviews.as_view({"post": "preview_entry"})),
    path(f"{EVENT}wall/", Walls.as_view({"get": "get_wall", "post": "renew_wall"})),
    path(f"{EVENT}claims/", ClaimRequests.as_view({"get": "list_claim_requests"})),
    path(f"{EVENT}claims/<public_id:claim_request>/status/", ClaimRequests.as_view({"post": "answer_claim_request"})),
    path(f"{EVENT}apart/", Entries.as_view({"get": "list_apart", "post": "keep_apart"})),
    path(f"{EVENT}helpers/", Helpers.as_view({"get": "list_helpers", "post": "invite_helper"})),
    path(f"{EVENT}helpers/status/", Helpers.as_view({"post": "end_helper"})),
    path(f"{EVENT}messages/", EventMessages.as_view({"get": "list_messages", "post": "send_message"})),
    path(f"{EVENT}places/", Places.as_view({"get": "list_places", "post": "add_places"})),
    path(f"{EVENT}places/<public_id:place>/", Places.as_view({"get": "get_place", "patch": "change_place"})),
    path(f"{EVENT}places/<public_id:place>/status/", Places.as_view({"post": "drop_place"})),
    path(f"{EVENT}slots/", Places.as_view({"get": "list_slots", "post": "add_slots"})),
    path(f"{EVENT}slots/<public_id:slot>/", Places.as_view({"get": "get_slot"})),
    path(f"{EVENT}slots/<public_id:slot>/status/", Places.as_view({"post": "drop_slot"})),
    path(f"{EVENT}away/", AwayTimes.as_view({"get": "list_away"})),
    path(f"{EVENT}timetables/", Timetables.as_view({"get": "list_timetables", "post": "ask_timetable"})),
    path(TIMETABLE, Timetables.as_view({"get": "get_timetable"})),
    path(f"{TIMETABLE}tables/", Timetables.as_view({"get": "list_timetable_tables"})),
    path(f"{TIMETABLE}moves/", Timetables.as_view({"post": "move_timetable_tables"})),
    path(f"{TIMETABLE}status/", Timetables.as_view({"post": "move_timetable"})),
    path(f"{EVENT}stages/", Stages.as_view({"get": "list_stages", "post": "create_stage"})),
    path(STAGE, OneStage.as_view({"get": "get_stage", "patch": "change_stage"})),
    path(f"{STAGE}status/", OneStage.as_view({"post": "move_stage"})),
    path(f"{STAGE}seeding/", Seedings.as_view({"get": "list_seeding"})),
    path(f"{STAGE}challenges/", Rounds.as_view({"post": "make_challenge"})),
    path(f"{STAGE}tables/", Rounds.as_view({"post": "set_up_table"})),
    path(f"{STAGE}otherwise/", RoundsOtherwise.as_view({"get": "list_otherwise", "post": "keep_rounds"})),
    path(f"{STAGE}ranking/", Placings.as_view({"get": "list_stage_ranking"})),
    path(f"{STAGE}meetings/", Placings.as_view({"get": "get_stage_meetings"})),
    path(f"{STAGE}labels/", Placings.as_view({"get": "list_label_ranking"})),
    path(f"{STAGE}file/", Placings.as_view({"get": "get_stage_file"})),
    path(f"{STAGE}bracket/", Placings.as_view({"get": "get_stage_bracket"})),
    path(f"{STAGE}rounds/", Rounds.as_view({"get": "list_rounds", "post": "ask_round"})),
    path(ROUND, Rounds.as_view({"get": "get_round"})),
    path(f"{ROUND}tables/", Rounds.as_view({"get": "list_tables"})),
    path(f"{ROUND}status/", Rounds.as_view({"post": "move_round"})),
    path(f"{ROUND}seating/", Rounds.as_view({"post": "seat_round"})),
    path(f"{ROUND}clock/", ClockOfRound.as_view({"get": "get_round_clock", "post": "set_round_clock"})),
    path(TABLE, EventTables.as_view({"get": "get_table"})),
    path(f"{TABLE}games/", TableGames.as_view({"post": "enter_table_game"})),
    path(f"{TABLE}outcome/", TableOutcomes.as_view({"post": "enter_table_outcome"})),
    path(f"{TABLE}devices/", Devices.as_view({"get": "list_devices", "post": "make_device"})),
    path(f"{TABLE}devices/<public_id:device>/status/", Devices.as_view({"post": "end_device"})),
    path(f"{OPEN_GAME}devices/", GameDevices.as_view({"get": "list_game_devices", "post": "make_game_device"})),
    path(f"{OPEN_GAME}devices/<public_id:device>/status/", GameDevices.as_view({"post": "end_game_device"})),
    path(f"{TABLE}walkover/", EventTables.as_view({"post": "give_table"})),
    path(f"{TABLE}open-game/", TableOpening.as_view({"post": "open_table_game"})),
    path(f"{SEASON}codes/", SeasonCodes.as_view({"post": "take_season_code"})),
    path(f"{SEASON}open-games/", SeasonOpenGames.as_view({"get": "list_open_games", "post": "open_season_game"})),
    path(OPEN_GAME, OpenGames.as_view({"get": "get_open_game"})),
    path(f"{OPEN_GAME}entries/", OpenGames.as_view({"get": "get_entries", "post": "add_entry"})),
    path(f"{OPEN_GAME}branches/", SheetBranches.as_view({"get": "list_branches", "post": "keep_branch"})),
    path(f"{OPEN_GAME}branches/<public_id:branch>/agreement/", SheetBranches.as_view({"post": "agree_with_branch"})),
    path(f"{OPEN_GAME}gains/", OpenGameGains.as_view({"get": "get_gains"})),
    path(f"{OPEN_GAME}seal/", OpenGames.as_view({"post": "seal_open_game"})),
    path("v1/draws/<public_id:draw>/", Draws.as_view({"get": "get_draw"})),
    re_path(r"", Nothing.as_view()),
]
