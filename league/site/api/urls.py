"""Addresses of the API, below /api/."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from league.counting.api.counting import SeasonCounting, SeasonEvents
from league.counting.api.division import Divisions, SeasonClose
from league.draws.api.challenge import StageChallenges
from league.draws.api.draw import EventDraws, OneDraw
from league.draws.api.round import OneRound, Rounds, RoundSeating, RoundStatus, RoundTables
from league.entries.api.apart import ApartPairs
from league.entries.api.entry import Entries, EntryCheckIn, OneEntry
from league.evening.api.copy import SeasonCopy
from league.evening.api.entry import EntryStatus
from league.evening.api.event import EventStatus
from league.evening.api.own_entry import OwnEntry
from league.evening.api.stage import OneStage, Stages, StageSeeding, StageStatus
from league.events.api.event import Events, OneEvent
from league.events.api.series import OneSeries, SeriesList, SeriesPreview
from league.frame import public_id  # noqa: F401 — knows `<public_id:…>`
from league.hall.api.away import AwayList, EntryAway
from league.hall.api.clock import ClockOfRound
from league.hall.api.hall import HallSlots, OnePlace, OneSlot, Places, PlaceStatus, SlotStatus
from league.hall.api.timetable import OneTimetable, TimetableMoves, Timetables, TimetableStatus, TimetableTables
from league.notices.api.event_message import EventMessages
from league.notices.api.notice import Notices, NoticesSeen
from league.people.api.player import OnePlayer, Players
from league.people.api.style import AllTimeStyles, Styles
from league.placings.api.bracket import StageBracket
from league.placings.api.ranking import StageFile, StageRanking
from league.records.api.analysis import GameAnalysis
from league.records.api.file import ClubGames
from league.records.api.game import GameNotation, GameRecord, OneGame
from league.rulings.api.stage import RoundsOtherwise
from league.seasons.api.club import Clubs, OneClub
from league.seasons.api.difference import GameDifference
from league.seasons.api.head import AllTimeHeads, Heads
from league.seasons.api.ranking import AllTimeRecords, OneAllTime, Records
from league.seasons.api.rating import AllTimeRatings, Ratings
from league.seasons.api.season import OneSeason, Seasons
from league.seasons.api.standing import AllTimeStandings, Standings
from league.site.api.index import Index, Nothing
from league.site.api.schema import Schema, try_page
from league.tables.api.table import EventTable, TableGames, TableOutcome, TableWalkover

SEASON = "v1/clubs/<slug:club>/seasons/<slug:season>/"
EVENT = "v1/clubs/<slug:club>/events/<slug:event>/"
TIMETABLE = f"{EVENT}timetables/<public_id:timetable>/"
STAGE = f"{EVENT}stages/<int:stage>/"
ROUND = f"{STAGE}rounds/<int:number>/"
TABLE = "v1/tables/<public_id:table>/"
ALL_TIME = "v1/clubs/<slug:club>/all-time/"

api = [
    path("", RedirectView.as_view(pattern_name="api-docs")),
    path("docs/", try_page, name="api-docs"),
    path("schema/", Schema.as_view(), name="api-schema"),
    path("v1/", Index.as_view(), name="api"),
    path("v1/clubs/", Clubs.as_view()),
    path("v1/clubs/<slug:club>/", OneClub.as_view()),
    path("v1/clubs/<slug:club>/seasons/", Seasons.as_view()),
    path(SEASON, OneSeason.as_view()),
    path(f"{SEASON}standings/", Standings.as_view()),
    path(f"{SEASON}ratings/", Ratings.as_view()),
    path(f"{SEASON}styles/", Styles.as_view()),
    path(f"{SEASON}heads/", Heads.as_view()),
    path(f"{SEASON}games.ndjson", Records.as_view()),
    path(f"{SEASON}events/", SeasonEvents.as_view()),
    path(f"{SEASON}counting/", SeasonCounting.as_view()),
    path(f"{SEASON}divisions/", Divisions.as_view()),
    path(f"{SEASON}close/", SeasonClose.as_view()),
    path(f"{SEASON}copy/", SeasonCopy.as_view()),
    path(f"{SEASON}series/", SeriesList.as_view()),
    path(f"{SEASON}series/dates/", SeriesPreview.as_view()),
    path(f"{SEASON}series/<public_id:series>/", OneSeries.as_view()),
    path(ALL_TIME, OneAllTime.as_view()),
    path(f"{ALL_TIME}standings/", AllTimeStandings.as_view()),
    path(f"{ALL_TIME}ratings/", AllTimeRatings.as_view()),
    path(f"{ALL_TIME}styles/", AllTimeStyles.as_view()),
    path(f"{ALL_TIME}heads/", AllTimeHeads.as_view()),
    path(f"{ALL_TIME}games.ndjson", AllTimeRecords.as_view()),
    path("v1/clubs/<slug:club>/players/", Players.as_view()),
    path("v1/clubs/<slug:club>/games/", ClubGames.as_view()),
    path("v1/players/<public_id:player>/", OnePlayer.as_view()),
    path("v1/games/<public_id:game>/", OneGame.as_view()),
    path("v1/games/<public_id:game>/analysis/", GameAnalysis.as_view()),
    path("v1/games/<public_id:game>/difference/", GameDifference.as_view()),
    path("v1/games/<public_id:game>/record/", GameRecord.as_view()),
    path("v1/games/<public_id:game>/notation/", GameNotation.as_view()),
    path("v1/clubs/<slug:club>/notices/", Notices.as_view()),
    path("v1/clubs/<slug:club>/notices/seen/", NoticesSeen.as_view()),
    path("v1/clubs/<slug:club>/events/", Events.as_view()),
    path(EVENT, OneEvent.as_view()),
    path(f"{EVENT}status/", EventStatus.as_view()),
    path(f"{EVENT}draws.jsonl", EventDraws.as_view()),
    path(f"{EVENT}entries/", Entries.as_view()),
    path(f"{EVENT}entries/status/", EntryStatus.as_view()),
    path(f"{EVENT}entries/check-in/", EntryCheckIn.as_view()),
    path(f"{EVENT}entries/own/", OwnEntry.as_view()),
    path(f"{EVENT}entries/<public_id:entry>/", OneEntry.as_view()),
    path(f"{EVENT}entries/<public_id:entry>/away/", EntryAway.as_view()),
    path(f"{EVENT}apart/", ApartPairs.as_view()),
    path(f"{EVENT}messages/", EventMessages.as_view()),
    path(f"{EVENT}places/", Places.as_view()),
    path(f"{EVENT}places/<public_id:place>/", OnePlace.as_view()),
    path(f"{EVENT}places/<public_id:place>/status/", PlaceStatus.as_view()),
    path(f"{EVENT}slots/", HallSlots.as_view()),
    path(f"{EVENT}slots/<public_id:slot>/", OneSlot.as_view()),
    path(f"{EVENT}slots/<public_id:slot>/status/", SlotStatus.as_view()),
    path(f"{EVENT}away/", AwayList.as_view()),
    path(f"{EVENT}timetables/", Timetables.as_view()),
    path(TIMETABLE, OneTimetable.as_view()),
    path(f"{TIMETABLE}tables/", TimetableTables.as_view()),
    path(f"{TIMETABLE}moves/", TimetableMoves.as_view()),
    path(f"{TIMETABLE}status/", TimetableStatus.as_view()),
    path(f"{EVENT}stages/", Stages.as_view()),
    path(STAGE, OneStage.as_view()),
    path(f"{STAGE}status/", StageStatus.as_view()),
    path(f"{STAGE}seeding/", StageSeeding.as_view()),
    path(f"{STAGE}challenges/", StageChallenges.as_view()),
    path(f"{STAGE}otherwise/", RoundsOtherwise.as_view()),
    path(f"{STAGE}ranking/", StageRanking.as_view()),
    path(f"{STAGE}file/", StageFile.as_view()),
    path(f"{STAGE}bracket/", StageBracket.as_view()),
    path(f"{STAGE}rounds/", Rounds.as_view()),
    path(ROUND, OneRound.as_view()),
    path(f"{ROUND}tables/", RoundTables.as_view()),
    path(f"{ROUND}status/", RoundStatus.as_view()),
    path(f"{ROUND}seating/", RoundSeating.as_view()),
    path(f"{ROUND}clock/", ClockOfRound.as_view()),
    path(TABLE, EventTable.as_view()),
    path(f"{TABLE}games/", TableGames.as_view()),
    path(f"{TABLE}outcome/", TableOutcome.as_view()),
    path(f"{TABLE}walkover/", TableWalkover.as_view()),
    path("v1/draws/<public_id:draw>/", OneDraw.as_view()),
    re_path(r"", Nothing.as_view()),
]
