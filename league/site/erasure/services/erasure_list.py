"""Repeating erasures after a backup was restored, from ERASURES_FILE."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from league.core.account.models import User
from league.core.log.services import Actor
from league.core.player.models import Player
from league.play.online_table.queries import seats_of_lasting_names
from league.play.online_table.services.guest import guest_erase
from league.records.upload.models import ImportJob
from league.records.upload.services import import_job_preview, import_job_run
from league.site.erasure.services.erasure import player_erase
from league.site.own_data.services import account_forget


def erasures_repeat(*, words: Collection[str]) -> int:
    """Erase the players and guests and delete the accounts that a restored backup still has, and
    return how many there were. Repeating it changes nothing. `words`: the ids in ERASURES_FILE.

    Files that waited for a job when the backup was made are imported first, since they may make
    players who were erased later.
    """
    players = Player.objects.filter(public_id__in=words, erased_at=None)
    _finish_uploads(players.values_list("club_id", flat=True).distinct())
    count = sum(player_erase(player=player, actor=Actor()) for player in players.order_by("pk"))
    accounts = User.objects.filter(public_id__in=words, is_active=True)
    for account in accounts.order_by("pk"):
        account_forget(user=account)
        count += 1
    for seat in seats_of_lasting_names(words):
        count += guest_erase(table=seat.table, seat=seat, actor=Actor())
    return count


def _finish_uploads(club_ids: Iterable[int]) -> None:
    jobs = ImportJob.objects.filter(season__club__in=club_ids).order_by("pk")
    for job_id in jobs.filter(state=ImportJob.State.UPLOADED).values_list("pk", flat=True):
        import_job_preview(job_id=job_id)
    for job_id in jobs.filter(state=ImportJob.State.CONFIRMED).values_list("pk", flat=True):
        import_job_run(job_id=job_id)
