"""Addresses of the pages. The first that fits is taken, so that a club's own words come before its seasons."""

from django.contrib.sitemaps.views import index as sitemap_index
from django.contrib.sitemaps.views import sitemap
from django.urls import path
from django.views.decorators.http import require_safe

from league.core.account.web.password_link import password_link_page
from league.core.claim.desk import claim_code_page, claim_list, claim_slips, claim_undo
from league.core.claim.web import claim_leave_page, claim_page, claim_player_page
from league.core.club.desk.club import club_found_page
from league.core.delivery.web import (
    device_remove,
    notices_page,
    notices_stop,
    push_subscribe,
    push_unsubscribe,
    service_worker,
)
from league.core.frame import public_id  # noqa: F401 — knows `<public_id:…>`
from league.core.member.web import invitation_page
from league.counting.counting.web import season_events
from league.disputes.agreement.web import proposal_page
from league.disputes.correction.web.correction import correction_page, difference_page
from league.disputes.objection.web import objection_end_page, objection_page, objection_withdraw_button
from league.disputes.void.web import restore_page, void_page
from league.events.calendar.web.calendar import club_calendar, event_calendar
from league.events.calendar.web.own_calendar import my_calendar, own_calendar
from league.events.entry.web.entry import entry_page
from league.events.entry.web.self_entry import enter_page, entry_by_mail_page
from league.events.helper.web import helper_code_page, helper_invitation_page
from league.events.wall.web import event_claim_page, event_wall_page
from league.floor.clock.web import clock_page
from league.floor.event_page.web import event_list, event_page
from league.floor.hall.web import hall_page
from league.floor.my_tables.web import my_tables
from league.floor.timetable.web import timetable_print, timetable_shown
from league.notices.notice.web import event_letters_stop_page, my_notices
from league.records.game.web.game import game_notation_file, game_page, game_record_file
from league.records.photo.web import photo_file, photo_remove_step, photos_page
from league.records.replay.web import replay, replayed
from league.records.score_card.web import score_card_page
from league.records.upload.web import import_confirm, import_drop, import_job_page, import_upload
from league.sheets.device.web import season_code_page
from league.sheets.scorer.web import game_score_page, score_page, score_worker
from league.sheets.sheet.web.season_game import game_device_end, game_write_page, season_write_page, write_where_page
from league.sheets.sheet.web.sheet import branch_agreement, sheet_confirm, sheet_page
from league.sheets.sheet.web.write import device_end, write_page
from league.sheets.watching.web import event_live_page, table_live_page
from league.site.card.web import event_card, game_card, player_card, season_card
from league.site.club.web import club_home, ranking_page
from league.site.desk.desk import desk_pages
from league.site.erasure.web import player_erase_page, player_merge_page
from league.site.health.web.service import service_page
from league.site.home.web.home import home
from league.site.log.web import log_export, log_page
from league.site.manual.web import doc_page, docs_index
from league.site.search.web import search_page
from league.site.setup.web import setup_page
from league.site.well_known.web.sitemaps import SITEMAPS
from league.site.well_known.web.well_known import favicon, manifest, robots, security_txt
from league.stages.draw.web import draw_file_page, draw_page
from league.stages.result.web.game_entry import game_entry_page
from league.stages.result.web.result import result_page
from league.stages.stage.web import (
    bracket_page,
    retracted_round_page,
    stage_file_page,
    stage_meetings_page,
    stage_ranking_page,
    stage_round_page,
    stage_rounds_page,
)
from league.stages.stage.web import stage_page as event_stage_page
from league.stages.table.desk.walkover import walkover_page
from league.stages.table.web import table_page
from league.standings.player.desk import (
    player_desk,
    player_link_page,
    player_list,
    player_part_page,
    player_rename_page,
)
from league.standings.player.web.own import my_page
from league.standings.player.web.player import player_page
from league.standings.ranking.web.ranking import (
    ranking_csv,
    ranking_games,
    ranking_handles,
    ranking_heads,
    ranking_players,
    ranking_print,
    ranking_seats,
)
from league.standings.season.web import club_list
from league.standings.standing.web.days import rank_days_page
from league.standings.standing.web.standing import standing_page
from league.standings.style.web import styles_page

EVENT = "clubs/<slug:club_slug>/events/<slug:event_slug>"
STAGE = f"{EVENT}/stages/<int:stage>"

pages = [
    path("", home, name="home"),
    path("clubs/", club_list, name="club_list"),
    path("clubs/<slug:club_slug>/", club_home, name="club"),
    *desk_pages,
    path("clubs/<slug:club_slug>/calendar.ics", club_calendar, name="club-calendar"),
    path("clubs/<slug:club_slug>/events/", event_list, name="events"),
    path(f"{EVENT}/", event_page, name="event"),
    path(f"{EVENT}/card.png", event_card, name="event-card"),
    path(f"{EVENT}/timetable/", timetable_shown, name="timetable"),
    path(f"{EVENT}/timetable/print/", timetable_print, name="timetable-print"),
    path(f"{EVENT}/clock/", clock_page, name="clock"),
    path(f"{EVENT}/hall/", hall_page, name="hall"),
    path(f"{EVENT}/live/", event_live_page, name="event-live"),
    path(f"{STAGE}/", event_stage_page, name="stage"),
    path(f"{STAGE}/stage.json", stage_file_page, name="stage-file"),
    path(f"{STAGE}/ranking/", stage_ranking_page, name="stage-ranking"),
    path(f"{STAGE}/bracket/", bracket_page, name="bracket"),
    path(f"{STAGE}/rounds/", stage_rounds_page, name="stage-rounds"),
    path(f"{STAGE}/meetings/", stage_meetings_page, name="stage-meetings"),
    path(f"{STAGE}/rounds/<int:number>/", stage_round_page, name="stage-round"),
    path(f"{STAGE}/rounds/<int:number>/taken-back/<public_id:round_id>/", retracted_round_page, name="retracted-round"),
    path(f"{EVENT}.ics", event_calendar, name="event-calendar"),
    path(f"{EVENT}/enter/", enter_page, name="event-enter"),
    path(f"{EVENT}/claim/", event_claim_page, name="event-claim"),
    path(f"{EVENT}/claim/<slug:code>/", event_wall_page, name="event-wall"),
    path("clubs/<slug:club_slug>/log/", log_page, name="club-log"),
    path("clubs/<slug:club_slug>/log/log.jsonl", log_export, name="club-log-export"),
    path("clubs/<slug:club_slug>/claims/", claim_list, name="claims"),
    path("clubs/<slug:club_slug>/claims/slips/", claim_slips, name="claim-slips"),
    path("clubs/<slug:club_slug>/claims/<public_id:claim_id>/undo/", claim_undo, name="claim-undo"),
    path("clubs/<slug:club_slug>/players/", player_list, name="club-players"),
    path("clubs/<slug:club_slug>/players/<public_id:player_id>/", player_desk, name="club-player"),
    path("clubs/<slug:club_slug>/players/<public_id:player_id>/rename/", player_rename_page, name="player-rename"),
    path("clubs/<slug:club_slug>/players/<public_id:player_id>/link/", player_link_page, name="player-link"),
    path("clubs/<slug:club_slug>/players/<public_id:player_id>/code/", claim_code_page, name="claim-code"),
    path("clubs/<slug:club_slug>/players/<public_id:player_id>/merge/", player_merge_page, name="player-merge"),
    path("clubs/<slug:club_slug>/players/<public_id:player_id>/part/", player_part_page, name="player-part"),
    path("clubs/<slug:club_slug>/players/<public_id:player_id>/erase/", player_erase_page, name="player-erase"),
    path("clubs/<slug:club_slug>/<slug:slug>/", ranking_page, name="season"),
    path("clubs/<slug:club_slug>/<slug:slug>/card.png", season_card, name="season-card"),
    path("clubs/<slug:club_slug>/<slug:slug>/by-events/", season_events, name="season-events"),
    path("clubs/<slug:club_slug>/<slug:slug>/table.csv", ranking_csv, name="season-table"),
    path("clubs/<slug:club_slug>/<slug:slug>/print/", ranking_print, name="season-print"),
    path("clubs/<slug:club_slug>/<slug:slug>/players/", ranking_players, name="season-players"),
    path("clubs/<slug:club_slug>/<slug:slug>/handles.csv", ranking_handles, name="season-handles"),
    path("clubs/<slug:club_slug>/<slug:slug>/seats.csv", ranking_seats, name="season-seats"),
    path("clubs/<slug:club_slug>/<slug:slug>/games/", ranking_games, name="season-games"),
    path("clubs/<slug:club_slug>/<slug:slug>/styles/", styles_page, name="styles"),
    path("clubs/<slug:club_slug>/<slug:slug>/heads.txt", ranking_heads, name="season-heads"),
    path("clubs/<slug:club_slug>/<slug:slug>/players/<public_id:player_id>/", standing_page, name="standing"),
    path("clubs/<slug:club_slug>/<slug:slug>/players/<public_id:player_id>/days/", rank_days_page, name="rank-days"),
    path("clubs/<slug:club_slug>/<slug:season_slug>/import/", import_upload, name="import"),
    path("clubs/<slug:club_slug>/<slug:season_slug>/enter/", game_entry_page, name="game-entry"),
    path("clubs/<slug:club_slug>/<slug:season_slug>/write/", season_write_page, name="season-write"),
    path("clubs/<slug:club_slug>/<slug:season_slug>/write/codes/", season_code_page, name="season-codes"),
    path("me/", my_page, name="my-page"),
    path("me/tables/", my_tables, name="my-tables"),
    path("me/notices/", my_notices, name="my-notices"),
    path("me/calendar/", my_calendar, name="my-calendar"),
    path("calendar/<str:secret>.ics", own_calendar, name="own-calendar"),
    path("account/notices/", notices_page, name="notices"),
    path("account/notices/devices/<public_id:device>/remove/", device_remove, name="device-remove"),
    path("account/notices/subscribe/", push_subscribe, name="push-subscribe"),
    path("account/notices/unsubscribe/", push_unsubscribe, name="push-unsubscribe"),
    path("account/notices/stop/<str:token>/", notices_stop, name="notices-stop"),
    path("favicon.ico", favicon, name="favicon"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("robots.txt", robots, name="robots"),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path(
        "sitemap.xml",
        require_safe(sitemap_index),
        {"sitemaps": SITEMAPS, "sitemap_url_name": "sitemap-part"},
        name="sitemap",
    ),
    path("sitemap-<section>.xml", require_safe(sitemap), {"sitemaps": SITEMAPS}, name="sitemap-part"),
    path("sw.js", service_worker, name="service-worker"),
    path("players/<public_id:player_id>/", player_page, name="player"),
    path("players/<public_id:player_id>/card.png", player_card, name="player-card"),
    path("tables/<public_id:table_id>/", table_page, name="table"),
    path("tables/<public_id:table_id>/live/", table_live_page, name="table-live"),
    path("tables/<public_id:table_id>/result/", result_page, name="table-result"),
    path("tables/<public_id:table_id>/walkover/", walkover_page, name="table-walkover"),
    path("tables/<public_id:table_id>/write/", write_page, name="table-write"),
    path("tables/<public_id:table_id>/write/<public_id:device_id>/end/", device_end, name="table-device-end"),
    path("open-games/<public_id:open_game>/", sheet_page, name="open-game"),
    path("open-games/<public_id:open_game>/write/", game_write_page, name="game-write"),
    path("open-games/<public_id:open_game>/write/<public_id:device_id>/end/", game_device_end, name="game-device-end"),
    path("open-games/<public_id:open_game>/confirm/", sheet_confirm, name="open-game-confirm"),
    path("open-games/<public_id:open_game>/branches/<public_id:branch>/agree/", branch_agreement, name="branch-agree"),
    path("write/", write_where_page, name="write-where"),
    path("score/sw.js", score_worker, name="score-worker"),
    path("score/<public_id:table_id>/", score_page, name="score"),
    path("score/games/<public_id:open_game>/", game_score_page, name="score-game"),
    path("draws/<public_id:draw>/", draw_page, name="draw"),
    path("draws/<public_id:draw>/draw.json", draw_file_page, name="draw-file"),
    path("entries/<public_id:entry_id>/", entry_page, name="entry"),
    path("entries/by-mail/<str:token>/", entry_by_mail_page, name="entry-by-mail"),
    path("entries/letters/<str:token>/", event_letters_stop_page, name="event-letters-stop"),
    path("games/<public_id:game_id>/", game_page, name="game"),
    path("games/<public_id:game_id>/card.png", game_card, name="game-card"),
    path("games/<public_id:game_id>/correct/", correction_page, name="game-correct"),
    path("games/<public_id:game_id>/photos/", photos_page, name="game-photos"),
    path("photos/<public_id:photo_id>/", photo_file, name="photo"),
    path("photos/<public_id:photo_id>/remove/", photo_remove_step, name="photo-remove"),
    path("games/<public_id:game_id>/void/", void_page, name="game-void"),
    path("games/<public_id:game_id>/restore/", restore_page, name="game-restore"),
    path("games/<public_id:game_id>/propose/", correction_page, {"proposing": True}, name="game-propose"),
    path("proposals/<public_id:proposal_id>/", proposal_page, name="proposal"),
    path("games/<public_id:game_id>/object/", objection_page, name="game-object"),
    path("objections/<public_id:objection_id>/withdraw/", objection_withdraw_button, name="objection-withdraw"),
    path("objections/<public_id:objection_id>/end/", objection_end_page, name="objection-end"),
    path("games/<public_id:game_id>/difference/", difference_page, name="game-difference"),
    path("games/<public_id:game_id>/record.json", game_record_file, name="game-record"),
    path("games/<public_id:game_id>/record.cups", game_notation_file, name="game-notation"),
    path("imports/<public_id:job_id>/", import_job_page, name="import-job"),
    path("imports/<public_id:job_id>/confirm/", import_confirm, name="import-confirm"),
    path("imports/<public_id:job_id>/drop/", import_drop, name="import-drop"),
    path("replay/", replay, name="replay"),
    path("replay/<str:packed>/", replayed, name="replayed"),
    path("invitations/<str:token>/", invitation_page, name="invitation"),
    path("claim/", claim_page, name="claim"),
    path("claim/leave/", claim_leave_page, name="claim-leave"),
    path("claim/<slug:code>/", claim_player_page, name="claim-player"),
    path("helpers/", helper_code_page, name="helper-code"),
    path("helpers/<str:token>/", helper_invitation_page, name="helper-invitation"),
    path("search/", search_page, name="search"),
    path("score-cards/<slug:kind>/", score_card_page, name="score-card"),
    path("service/", service_page, name="service"),
    path("service/club/", club_found_page, name="club-found"),
    path("service/password/", password_link_page, name="password-link"),
    path("setup/", setup_page, name="setup"),
    path("docs/", docs_index, name="docs"),
    path("docs/rules", doc_page, {"page": "rules"}, name="rules"),
    path("docs/<slug:page>", doc_page, name="doc"),
]
