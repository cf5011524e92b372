"""Addresses of rankings."""

from django.urls import path

from league.core.club.urls import CLUB_API
from league.standings.ranking.api.ranking import AllTimeRankings, Standings
from league.standings.ranking.web.ranking import (
    ranking_adjustments,
    ranking_csv,
    ranking_games,
    ranking_handles,
    ranking_heads,
    ranking_players,
    ranking_print,
    ranking_seats,
)
from league.standings.season.urls import SEASON, SEASON_API

ALL_TIME_API = f"{CLUB_API}/all-time"

pages = [
    path(f"{SEASON}/table.csv", ranking_csv, name="season-table"),
    path(f"{SEASON}/print/", ranking_print, name="season-print"),
    path(f"{SEASON}/players/", ranking_players, name="season-players"),
    path(f"{SEASON}/handles.csv", ranking_handles, name="season-handles"),
    path(f"{SEASON}/seats.csv", ranking_seats, name="season-seats"),
    path(f"{SEASON}/adjustments.csv", ranking_adjustments, name="season-adjustments"),
    path(f"{SEASON}/games/", ranking_games, name="season-games"),
    path(f"{SEASON}/heads.txt", ranking_heads, name="season-heads"),
]

api = [
    path(f"{SEASON_API}/standings/", Standings.as_view({"get": "list_standings"})),
    path(f"{SEASON_API}/ratings/", Standings.as_view({"get": "list_ratings"})),
    path(f"{SEASON_API}/heads/", Standings.as_view({"get": "list_heads"})),
    path(f"{SEASON_API}/games.ndjson", Standings.as_view({"get": "get_season_records"})),
    path(f"{ALL_TIME_API}/", AllTimeRankings.as_view({"get": "get_all_time"})),
    path(f"{ALL_TIME_API}/standings/", Standings.as_view({"get": "list_all_time_standings"})),
    path(f"{ALL_TIME_API}/ratings/", Standings.as_view({"get": "list_all_time_ratings"})),
    path(f"{ALL_TIME_API}/heads/", Standings.as_view({"get": "list_all_time_heads"})),
    path(f"{ALL_TIME_API}/games.ndjson", Standings.as_view({"get": "get_all_time_records"})),
]
