"""Addresses of the API, below /api/."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from league.frame import public_id  # noqa: F401 — knows `<public_id:…>`
from league.imports.api import ClubGames
from league.rankings.api.analysis import GameAnalysis
from league.rankings.api.club import Clubs, OneClub
from league.rankings.api.difference import GameDifference
from league.rankings.api.game import GameNotation, GameRecord, OneGame
from league.rankings.api.head import AllTimeHeads, Heads
from league.rankings.api.player import OnePlayer, Players
from league.rankings.api.ranking import AllTimeRecords, OneAllTime, Records
from league.rankings.api.rating import AllTimeRatings, Ratings
from league.rankings.api.season import OneSeason, Seasons
from league.rankings.api.standing import AllTimeStandings, Standings
from league.rankings.api.style import AllTimeStyles, Styles
from league.site.api.index import Index, Nothing
from league.site.api.schema import Schema, try_page

SEASON = "v1/clubs/<slug:club>/seasons/<slug:season>/"
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
    re_path(r"", Nothing.as_view()),
]
