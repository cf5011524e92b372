"""Erasing a player: every area forgets what it knows of the person. Games, ranks and digests stay
as they are."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.admin.models import LogEntry as AdminEntry

from league.core.claim.services import claims_forget
from league.core.erasures_file import erasures_keep
from league.core.locks import Space, transaction_lock_patient
from league.core.log.erasure import log_forget, names_beside
from league.core.log.services import Actor, club_journal
from league.core.log.texts import naming
from league.core.player.models import Player
from league.core.player.queries.player import one_person, words_of
from league.core.player.services.erasure import players_forget
from league.core.player.services.player import refuse_named
from league.disputes.appeal.services import appeal_drafts_erase, appeals_forget
from league.disputes.objection.services import objections_forget
from league.disputes.statement.services.removal import statements_forget
from league.events.entry.services.erasure import labels_forget, mail_entries_forget
from league.notices.notice.services.notice import notices_erase
from league.play.chat.services import lines_erase
from league.play.online_table.services.guest import online_seats_forget
from league.records.photo.services.erasure import uploads_forget
from league.site.audit.services import audits_forget
from league.site.erasure.queries import mentions, names_of_person
from league.site.erasure.services.mention import mentions_forget, positions_of, texts_lock


def player_erase(*, player: Player, actor: Actor, spared: Collection[str] = ()) -> bool:
    """Erase a player and all players merged with this one: only a pseudonym stays. Return False if
    that was done before.

    The texts that people wrote lose the name, too, as far as possible
    (`league.site.erasure.queries`), except for mentions with a key in `spared`, which mean another
    person of that name.

    The public ids of the players go into ERASURES_FILE. Raise `ValidationError` if the reason has
    the name, `Busy` while games or files of the club are being entered, and `OSError` if
    ERASURES_FILE can't be written.
    """
    with club_journal(player.club_id, actor) as journal:
        texts_lock(player.club_id, names_of_person(Player.objects.get(pk=player.pk)))
        transaction_lock_patient(Space.PLAYERS, player.club_id)
        journal.lock()
        players = [
            person
            for person in one_person(Player.objects.get(pk=player.pk))
            if not person.erased_at
        ]
        if not players:
            return False
        subjects = {person.public_id for person in players}
        erasures_keep(subjects)
        names = words_of(players) | names_beside(player.club_id, subjects)
        refuse_named(actor, names)
        pattern = naming(names)
        found_mentions = mentions(player.club, subjects, names)
        mentions_forget(
            journal,
            [mention for mention in found_mentions if mention.key not in spared],
            pattern,
            players[0].pseudonym,
        )
        kept_positions = positions_of(
            player.club_id, [mention for mention in found_mentions if mention.key in spared]
        )
        uploads_forget(journal, pattern)
        mail_entries_forget(players, pattern)
        labels_forget(players)
        online_seats_forget(journal, players)
        lines_erase(club_id=player.club_id, named=pattern)
        notices_erase(club=player.club, players=players, name_pattern=pattern)
        claims_forget(journal, players)
        objections_forget(journal, players)
        appeals_forget(journal, players)
        appeal_drafts_erase(club_id=player.club_id, named=pattern)
        statements_forget(journal, players)
        players_forget(journal, players)
        audits_forget(player.club_id, pattern)
        log_forget(player.club_id, subjects, pattern, kept_positions)
        for entry in AdminEntry.objects.all():
            if pattern.search(f"{entry.object_repr} {entry.change_message}"):
                AdminEntry.objects.filter(pk=entry.pk).update(object_repr="", change_message="")
    player.refresh_from_db()
    return True
