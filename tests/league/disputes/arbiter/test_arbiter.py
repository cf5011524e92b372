"""Who can rule on a game: nobody who sat there or entered anything of it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries as Queries

from engine.sheet.entry import stored_entry
from games.models import Game, SheetBranch
from games.services.open_game import Writer, entry_add
from league.core.log.services import Actor
from league.disputes.arbiter.queries import bar_to_ruling, rulers_of
from league.models import Club, GameDevice, Player, Role, Season, User
from league.sheets.device.services.device import device_make
from league.standings.player.services import player_merge
from league.standings.season.queries.access import known_games
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.factories.sheets import SeasonScorer

pytestmark = pytest.mark.django_db


def code_of_bar(game: Game, user: User | None) -> str | None:
    bar = bar_to_ruling(game, user.pk if user else None)
    return bar.code if bar else None


def test_somebody_who_sat_there_cant_rule_nor_who_entered_it(
    played: Game, sitters: list[User], ruler: User
) -> None:
    assert code_of_bar(played, ruler) is None
    assert code_of_bar(played, None) is None, "the service itself"
    for sitter in sitters:
        assert code_of_bar(played, sitter) == "at_the_table"
    entered_by = played.entered_by
    assert code_of_bar(played, entered_by) == ("entered_it" if entered_by else None)


def test_somebody_who_sat_there_by_another_handle_cant_rule(
    played: Game, club: Club, sitters: list[User]
) -> None:
    kept = PlayerFactory.create(club=club, user=UserFactory.create())
    player_merge(kept_player=kept, merged=Player.objects.get(user=sitters[0]), actor=Actor())
    assert code_of_bar(played, kept.user) == "at_the_table"


def test_somebody_who_ruled_before_cant_rule_on_the_appeal(played: Game, ruler: User) -> None:
    bar = bar_to_ruling(played, ruler.pk, ruled_by=[ruler.pk])
    assert bar is not None
    assert bar.code == "ruled_before"
    assert bar_to_ruling(played, ruler.pk, ruled_by=[ruler.pk + 1]) is None
    assert ruler in rulers_of(played)
    assert ruler not in rulers_of(played, ruled_by=[ruler.pk])


@pytest.fixture
def scorer(evening: Season) -> SeasonScorer:
    """A game of three that nobody has written down yet."""
    handles = list(evening.club.players.order_by("pk").values_list("handle", flat=True)[:3])
    return SeasonScorer(evening, *handles)


def write_as(scorer: SeasonScorer, writer: Writer) -> None:
    """Note a bid of the game."""
    open_game = scorer.row.open_game.public_id
    entry = stored_entry("note", {"bid": "2x4"})
    entry_add(open_game=open_game, length=scorer.length, entry=entry, writer=writer, key=uuid4())


def key_of(scorer: SeasonScorer, user: User, *, own: bool) -> Writer:
    """Somebody who writes by a key that an account made, for the own phone or for another one."""
    device, _ = device_make(subject=scorer.row, actor=Actor(user.pk), own=own)
    return Writer(device=(device.pk, device.public_id))


def sealed(scorer: SeasonScorer) -> Game:
    scorer.finish()
    scorer.seal()
    return known_games().latest("pk")


def test_somebody_who_wrote_on_the_sheet_cant_rule(scorer: SeasonScorer, ruler: User) -> None:
    write_as(scorer, Writer(account=(ruler.pk, ruler.public_id)))
    game = sealed(scorer)
    assert code_of_bar(game, ruler) == "entered_it"
    assert ruler not in rulers_of(game)


@pytest.mark.parametrize("own", [True, False])
def test_a_key_for_the_own_phone_bars_and_one_for_another_phone_does_not(
    scorer: SeasonScorer, ruler: User, own: bool
) -> None:
    write_as(scorer, key_of(scorer, ruler, own=own))
    game = sealed(scorer)
    assert code_of_bar(game, ruler) == ("entered_it" if own else None)
    assert (ruler in rulers_of(game)) is not own
    assert GameDevice.objects.get().own is own


def test_an_own_key_that_wrote_nothing_bars_nobody(scorer: SeasonScorer, ruler: User) -> None:
    key_of(scorer, ruler, own=True)
    assert code_of_bar(sealed(scorer), ruler) is None


def test_somebody_whose_writing_came_late_cant_rule(scorer: SeasonScorer, ruler: User) -> None:
    game = sealed(scorer)
    SheetBranch.objects.create(
        sheet=scorer.row.open_game.sheet,
        after=0,
        entries="[]",
        account=ruler,
        key=uuid4(),
        made_at=timezone.now(),
    )
    assert code_of_bar(game, ruler) == "entered_it"


def test_those_of_the_club_and_the_event_who_took_no_part_can_rule(
    played: Game, club: Club, sitters: list[User], ruler: User
) -> None:
    organiser = MembershipFactory.create(club=club, role=Role.ORGANISER).user
    MembershipFactory.create(club=club, role=Role.SCORER)
    MembershipFactory.create(club=club, role=Role.ARBITER, user=sitters[0])
    rulers = rulers_of(played)
    assert {ruler, organiser} <= {*rulers}
    assert sitters[0] not in rulers
    for user in rulers:
        assert code_of_bar(played, user) is None


def test_the_bar_takes_one_query(
    played: Game, ruler: User, django_assert_num_queries: Queries
) -> None:
    with django_assert_num_queries(1):
        bar_to_ruling(played, ruler.pk)
