"""Addresses of the public pages."""

from django.urls import path

from league.frame import public_id  # noqa: F401 — knows `<public_id:…>`
from league.imports.web import import_confirm, import_drop, import_job_page, import_upload
from league.rankings.web.club import club_home, club_list
from league.rankings.web.days import rank_days_page
from league.rankings.web.game import game_notation_file, game_page, game_record_file
from league.rankings.web.mine import my_page
from league.rankings.web.player import player_page
from league.rankings.web.ranking import (
    ranking_csv,
    ranking_games,
    ranking_handles,
    ranking_heads,
    ranking_page,
    ranking_players,
    ranking_print,
)
from league.rankings.web.standing import standing_page
from league.rankings.web.styles import styles_page
from league.rulings.web import correction_page, difference_page
from league.site.web.desk.club import all_time_page, club_found_page, club_settings_page
from league.site.web.desk.key import key_list, key_revoke_page
from league.site.web.desk.member import invitation_withdraw_page, member_list, member_page, member_remove_page
from league.site.web.desk.overview import desk, desk_imports
from league.site.web.desk.season import season_link_page, season_list, season_new_page, season_settings_page
from league.site.web.docs import doc_page, docs_index
from league.site.web.home import home
from league.site.web.invitation import invitation_page
from league.site.web.log import log_export, log_page
from league.site.web.player import (
    player_desk,
    player_erase_page,
    player_link_page,
    player_list,
    player_merge_page,
    player_part_page,
    player_rename_page,
)
from league.site.web.replay import replay, replayed
from league.site.web.search import search_page
from league.site.web.service import service_page
from league.site.web.setup import setup_page

pages = [
    path("", home, name="home"),
    path("clubs/", club_list, name="club_list"),
    path("clubs/<slug:club>/", club_home, name="club"),
    path("clubs/<slug:club>/desk/", desk, name="desk"),
    path("clubs/<slug:club>/desk/seasons/", season_list, name="desk-seasons"),
    path("clubs/<slug:club>/desk/seasons/new/", season_new_page, name="desk-season-new"),
    path("clubs/<slug:club>/desk/seasons/all-time/", all_time_page, name="desk-all-time"),
    path("clubs/<slug:club>/desk/season/<slug:season>/", season_settings_page, name="desk-season"),
    path("clubs/<slug:club>/desk/season/<slug:season>/link/", season_link_page, name="desk-season-link"),
    path("clubs/<slug:club>/desk/imports/", desk_imports, name="desk-imports"),
    path("clubs/<slug:club>/desk/members/", member_list, name="desk-members"),
    path("clubs/<slug:club>/desk/members/<public_id:user>/", member_page, name="desk-member"),
    path("clubs/<slug:club>/desk/members/<public_id:user>/remove/", member_remove_page, name="desk-member-remove"),
    path(
        "clubs/<slug:club>/desk/invitations/<public_id:invitation>/", invitation_withdraw_page, name="desk-invitation"
    ),
    path("clubs/<slug:club>/desk/keys/", key_list, name="desk-keys"),
    path("clubs/<slug:club>/desk/keys/<public_id:key>/", key_revoke_page, name="desk-key"),
    path("clubs/<slug:club>/desk/settings/", club_settings_page, name="desk-club"),
    path("clubs/<slug:club>/log/", log_page, name="club-log"),
    path("clubs/<slug:club>/log/log.jsonl", log_export, name="club-log-export"),
    path("clubs/<slug:club>/players/", player_list, name="club-players"),
    path("clubs/<slug:club>/players/<public_id:player>/", player_desk, name="club-player"),
    path("clubs/<slug:club>/players/<public_id:player>/rename/", player_rename_page, name="player-rename"),
    path("clubs/<slug:club>/players/<public_id:player>/link/", player_link_page, name="player-link"),
    path("clubs/<slug:club>/players/<public_id:player>/merge/", player_merge_page, name="player-merge"),
    path("clubs/<slug:club>/players/<public_id:player>/part/", player_part_page, name="player-part"),
    path("clubs/<slug:club>/players/<public_id:player>/erase/", player_erase_page, name="player-erase"),
    path("clubs/<slug:club>/<slug:slug>/", ranking_page, name="season"),
    path("clubs/<slug:club>/<slug:slug>/table.csv", ranking_csv, name="season-table"),
    path("clubs/<slug:club>/<slug:slug>/print/", ranking_print, name="season-print"),
    path("clubs/<slug:club>/<slug:slug>/players/", ranking_players, name="season-players"),
    path("clubs/<slug:club>/<slug:slug>/handles.csv", ranking_handles, name="season-handles"),
    path("clubs/<slug:club>/<slug:slug>/games/", ranking_games, name="season-games"),
    path("clubs/<slug:club>/<slug:slug>/styles/", styles_page, name="styles"),
    path("clubs/<slug:club>/<slug:slug>/heads.txt", ranking_heads, name="season-heads"),
    path("clubs/<slug:club>/<slug:slug>/players/<public_id:player>/", standing_page, name="standing"),
    path("clubs/<slug:club>/<slug:slug>/players/<public_id:player>/days/", rank_days_page, name="rank-days"),
    path("me/", my_page, name="my-page"),
    path("players/<public_id:player>/", player_page, name="player"),
    path("games/<public_id:game>/", game_page, name="game"),
    path("games/<public_id:game>/correct/", correction_page, name="game-correct"),
    path("games/<public_id:game>/difference/", difference_page, name="game-difference"),
    path("games/<public_id:game>/record.json", game_record_file, name="game-record"),
    path("games/<public_id:game>/record.cups", game_notation_file, name="game-notation"),
    path("clubs/<slug:club>/<slug:season>/import/", import_upload, name="import"),
    path("imports/<public_id:job>/", import_job_page, name="import-job"),
    path("imports/<public_id:job>/confirm/", import_confirm, name="import-confirm"),
    path("imports/<public_id:job>/drop/", import_drop, name="import-drop"),
    path("replay/", replay, name="replay"),
    path("replay/<str:packed>/", replayed, name="replayed"),
    path("invitations/<str:token>/", invitation_page, name="invitation"),
    path("search/", search_page, name="search"),
    path("service/", service_page, name="service"),
    path("service/club/", club_found_page, name="club-found"),
    path("setup/", setup_page, name="setup"),
    path("docs/", docs_index, name="docs"),
    path("docs/rules", doc_page, {"page": "rules"}, name="rules"),
    path("docs/<slug:page>", doc_page, name="doc"),
]
