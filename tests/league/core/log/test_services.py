"""Whoever writes to a club's log holds its end as late as can be, or from the beginning."""

import pytest
from django.db import OperationalError, connection

from league.core.log.services import club_journal
from tests.factories.league import ClubFactory

END = "SELECT FROM league_loghead WHERE club_id = %s FOR UPDATE NOWAIT"


def test_nobody_else_of_a_club_comes_between_who_acts_alone(transactional_db: None) -> None:
    club = ClubFactory.create()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            with club_journal(club.pk):
                cursor.execute(END, [club.pk])
            with (
                club_journal(club.pk, lock_at_once=True),
                pytest.raises(OperationalError, match="could not obtain lock"),
            ):
                cursor.execute(END, [club.pk])
    finally:
        other.close()
