"""Addresses of the pages on which a club is organised, part by part as the desk's menu has them."""

from django.urls import path

from league.core.frame import public_id  # noqa: F401 — knows `<public_id:…>`
from league.core.key.desk import key_list, key_revoke_page
from league.core.member.desk.member import invitation_withdraw_page, member_list, member_page, member_remove_page
from league.counting.copy.desk import event_again_page, season_copy_page, stages_spread_page
from league.counting.counting.desk.counting import close_page, counting_page, divisions_page
from league.disputes.correction.desk import entry_counts_page
from league.disputes.objection.web import event_objection_list, objection_list
from league.disputes.otherwise.desk import otherwise_page
from league.events.entry.desk.asked import asked_page
from league.events.entry.desk.attendance import attendance_page
from league.events.entry.desk.entries import entries_csv, entries_page, entries_print
from league.events.entry.desk.entry_list import entry_list_page
from league.events.entry.desk.labels import labels_page
from league.events.event.desk.event import event_desk_list, event_new_page, event_settings_page
from league.events.fee.desk import fees_csv, fees_page
from league.events.helper.desk.helper import helper_code_shown, helper_end, helper_list, helper_uninvite
from league.events.series.desk import series_new_page
from league.events.wall.desk import claim_request_step, event_claims_page
from league.floor.check_in.desk.check_in import check_in_page, check_in_step_page
from league.floor.check_in.desk.entry import desk_entry_page, desk_entry_step_page
from league.floor.clock.desk import round_clock_page
from league.floor.cockpit.desk.cockpit import event_cockpit
from league.floor.cockpit.desk.step import event_step_page
from league.floor.hall.desk.hall import away_list, away_page, hall_desk, place_drop_page, place_page, slot_drop_page
from league.floor.timetable.desk import (
    timetable_ask_page,
    timetable_move_page,
    timetable_page,
    timetable_publish_page,
    timetable_take_back_page,
)
from league.notices.message.desk import event_notices_page
from league.records.upload.desk import desk_imports
from league.sheets.device.web import code_page
from league.sheets.sheet.web.write import slips_page
from league.site.club.desk import desk
from league.stages.round.desk.round import round_page, round_publish_page
from league.stages.round.desk.seating import round_change_page
from league.stages.round.desk.take_back import round_take_back_page, stage_set_back_page
from league.stages.stage.desk.stage import (
    stage_drop_page,
    stage_new_page,
    stage_page,
    stage_places_page,
    stage_seeding_page,
)
from league.stages.table.desk.challenge import challenge_page
from league.stages.table.desk.free_table import free_table_page
from league.standings.season.desk.club import club_settings_page
from league.standings.season.desk.season import (
    all_time_page,
    season_link_page,
    season_list,
    season_new_page,
    season_settings_page,
)

DESK = "clubs/<slug:club_slug>/desk"
SEASON = f"{DESK}/season/<slug:season_slug>"
EVENT = f"{DESK}/events/<slug:event_slug>"
STAGE = f"{EVENT}/stages/<int:stage>"
ROUND = f"{STAGE}/rounds/<int:number>"

desk_pages = [
    path(f"{DESK}/", desk, name="desk"),
    path(f"{DESK}/seasons/", season_list, name="desk-seasons"),
    path(f"{DESK}/seasons/new/", season_new_page, name="desk-season-new"),
    path(f"{DESK}/seasons/all-time/", all_time_page, name="desk-all-time"),
    path(f"{SEASON}/", season_settings_page, name="desk-season"),
    path(f"{SEASON}/link/", season_link_page, name="desk-season-link"),
    path(f"{SEASON}/counting/", counting_page, name="desk-season-counting"),
    path(f"{SEASON}/divisions/", divisions_page, name="desk-season-divisions"),
    path(f"{SEASON}/close/", close_page, name="desk-season-close"),
    path(f"{SEASON}/copy/", season_copy_page, name="desk-season-copy"),
    path(f"{SEASON}/series/", series_new_page, name="desk-series-new"),
    path(f"{DESK}/events/", event_desk_list, name="desk-events"),
    path(f"{DESK}/events/new/", event_new_page, name="desk-event-new"),
    path(f"{EVENT}/", event_cockpit, name="desk-event"),
    path(f"{EVENT}/settings/", event_settings_page, name="desk-event-settings"),
    path(f"{EVENT}/helpers/", helper_list, name="desk-helpers"),
    path(f"{EVENT}/helpers/<public_id:invitation_id>/", helper_code_shown, name="desk-helper-code"),
    path(f"{EVENT}/helpers/<public_id:invitation_id>/withdraw/", helper_uninvite, name="desk-helper-uninvite"),
    path(f"{EVENT}/helpers/<public_id:user_id>/<slug:role>/end/", helper_end, name="desk-helper-end"),
    path(f"{EVENT}/notices", event_notices_page, name="desk-event-notices"),
    path(f"{EVENT}/steps/<slug:step>/", event_step_page, name="desk-event-step"),
    path(f"{EVENT}/entries/", entries_page, name="desk-entries"),
    path(f"{EVENT}/fees/", fees_page, name="desk-fees"),
    path(f"{EVENT}/labels/", labels_page, name="desk-labels"),
    path(f"{EVENT}/fees/fees.csv", fees_csv, name="desk-fees-file"),
    path(f"{EVENT}/entries/asked/", asked_page, name="desk-entries-asked"),
    path(f"{EVENT}/entries/list/", entry_list_page, name="desk-entry-list"),
    path(f"{EVENT}/entries/entries.csv", entries_csv, name="desk-entries-file"),
    path(f"{EVENT}/entries/print/", entries_print, name="desk-entries-print"),
    path(f"{EVENT}/entries/<public_id:entry_id>/", desk_entry_page, name="desk-entry"),
    path(f"{EVENT}/entries/<public_id:entry_id>/counts/", entry_counts_page, name="desk-entry-counts"),
    path(f"{EVENT}/entries/<public_id:entry_id>/<slug:step>/", desk_entry_step_page, name="desk-entry-step"),
    path(f"{EVENT}/claims/", event_claims_page, name="desk-claims"),
    path(f"{EVENT}/claims/<public_id:request_id>/", claim_request_step, name="desk-claim-step"),
    path(f"{EVENT}/attendance/", attendance_page, name="desk-attendance"),
    path(f"{EVENT}/again/", event_again_page, name="desk-event-again"),
    path(f"{EVENT}/stages/spread/", stages_spread_page, name="desk-stages-spread"),
    path(f"{EVENT}/check-in/", check_in_page, name="desk-check-in"),
    path(f"{EVENT}/check-in/<slug:step>/", check_in_step_page, name="desk-check-in-step"),
    path(f"{EVENT}/stages/new/", stage_new_page, name="desk-stage-new"),
    path(f"{STAGE}/", stage_page, name="desk-stage"),
    path(f"{STAGE}/drop/", stage_drop_page, name="desk-stage-drop"),
    path(f"{STAGE}/places/", stage_places_page, name="desk-stage-places"),
    path(f"{STAGE}/seeding/", stage_seeding_page, name="desk-stage-seeding"),
    path(f"{STAGE}/challenge/", challenge_page, name="desk-challenge"),
    path(f"{STAGE}/table/", free_table_page, name="desk-free-table"),
    path(f"{STAGE}/otherwise/", otherwise_page, name="desk-stage-otherwise"),
    path(f"{STAGE}/set-back/", stage_set_back_page, name="desk-stage-set-back"),
    path(f"{ROUND}/", round_page, name="desk-round"),
    path(f"{ROUND}/publish/", round_publish_page, name="desk-round-publish"),
    path(f"{ROUND}/take-back/", round_take_back_page, name="desk-round-take-back"),
    path(f"{ROUND}/slips/", slips_page, name="desk-slips"),
    path(f"{ROUND}/clock/", round_clock_page, name="desk-round-clock"),
    path(f"{ROUND}/change/", round_change_page, name="desk-round-change"),
    path(f"{EVENT}/objections/", event_objection_list, name="desk-event-objections"),
    path(f"{EVENT}/codes/", code_page, name="desk-codes"),
    path(f"{EVENT}/hall/", hall_desk, name="desk-hall"),
    path(f"{EVENT}/hall/places/<public_id:place_id>/", place_page, name="desk-place"),
    path(f"{EVENT}/hall/places/<public_id:place_id>/drop/", place_drop_page, name="desk-place-drop"),
    path(f"{EVENT}/hall/times/<public_id:slot_id>/drop/", slot_drop_page, name="desk-slot-drop"),
    path(f"{EVENT}/hall/away/", away_list, name="desk-away"),
    path(f"{EVENT}/hall/away/<public_id:entry_id>/", away_page, name="desk-away-entry"),
    path(f"{EVENT}/timetable/", timetable_page, name="desk-timetable"),
    path(f"{EVENT}/timetable/ask/", timetable_ask_page, name="desk-timetable-ask"),
    path(f"{EVENT}/timetable/move/", timetable_move_page, name="desk-timetable-move"),
    path(f"{EVENT}/timetable/publish/", timetable_publish_page, name="desk-timetable-publish"),
    path(f"{EVENT}/timetable/take-back/", timetable_take_back_page, name="desk-timetable-take-back"),
    path(f"{DESK}/objections/", objection_list, name="desk-objections"),
    path(f"{DESK}/imports/", desk_imports, name="desk-imports"),
    path(f"{DESK}/members/", member_list, name="desk-members"),
    path(f"{DESK}/members/<public_id:user_id>/", member_page, name="desk-member"),
    path(f"{DESK}/members/<public_id:user_id>/remove/", member_remove_page, name="desk-member-remove"),
    path(f"{DESK}/invitations/<public_id:invitation_id>/", invitation_withdraw_page, name="desk-invitation"),
    path(f"{DESK}/keys/", key_list, name="desk-keys"),
    path(f"{DESK}/keys/<public_id:key_id>/", key_revoke_page, name="desk-key"),
    path(f"{DESK}/settings/", club_settings_page, name="desk-club"),
]
