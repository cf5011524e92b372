"""Addresses of the public pages."""

from django.urls import path

from league.imports.web import import_confirm, import_drop, import_job_page, import_upload
from league.rankings.web.club import club_home, club_list
from league.rankings.web.game import game_notation_file, game_page, game_record_file
from league.rankings.web.player import player_page
from league.rankings.web.season import season_games, season_page, season_table
from league.rankings.web.standing import standing_page
from league.site.web.docs import doc_page, docs_index
from league.site.web.home import home
from league.site.web.replay import replay, replayed

pages = [
    path("", home, name="home"),
    path("clubs/", club_list, name="club_list"),
    path("clubs/<slug:club>/", club_home, name="club"),
    path("clubs/<slug:club>/<slug:season>/", season_page, name="season"),
    path("clubs/<slug:club>/<slug:season>/table.csv", season_table, name="season-table"),
    path("clubs/<slug:club>/<slug:season>/games/", season_games, name="season-games"),
    path("clubs/<slug:club>/<slug:season>/players/<int:player>/", standing_page, name="standing"),
    path("players/<int:player>/", player_page, name="player"),
    path("games/<int:game>/", game_page, name="game"),
    path("games/<int:game>/record.json", game_record_file, name="game-record"),
    path("games/<int:game>/record.cups", game_notation_file, name="game-notation"),
    path("clubs/<slug:club>/<slug:season>/import/", import_upload, name="import"),
    path("imports/<int:job>/", import_job_page, name="import-job"),
    path("imports/<int:job>/confirm/", import_confirm, name="import-confirm"),
    path("imports/<int:job>/drop/", import_drop, name="import-drop"),
    path("replay/", replay, name="replay"),
    path("replay/<str:packed>/", replayed, name="replayed"),
    path("docs/", docs_index, name="docs"),
    path("docs/rules", doc_page, {"page": "rules"}, name="rules"),
    path("docs/<slug:page>", doc_page, name="doc"),
]
