"""What players are called, and whose account they are."""

import re

import pytest
from django.core.exceptions import ValidationError

from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.core.player.services.player import player_rename
from league.models import Club, LogEntry, Player
from league.records.file.services import Outcome, record_import
from league.standings.player.services import player_link
from league.standings.standing.queries.standing import table_rows
from tests.factories.counted import add_games, counted_season
from tests.factories.league import PlayerFactory, UserFactory
from tests.factories.logged import without_rows
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(club: Club) -> Player:
    made: Player = PlayerFactory.create(club=club, handle="anna", name="Anna")
    return made


def refused(field: str, player: Player, **words: str) -> str:
    """What is said to a word that a player can't have."""
    with pytest.raises(ValidationError) as error:
        player_rename(player=player, actor=Actor(), **words)
    return " ".join(error.value.message_dict[field])


def test_a_record_with_a_former_handle_finds_the_same_player() -> None:
    season = counted_season([bluff_record(0, seats=("anna", "ben"))])
    anna = Player.objects.get(handle="anna")
    assert player_rename(player=anna, actor=Actor(), handle="anna-k")
    for number, handle in enumerate(("anna", "ANNA", "anna-k", "Anna-K"), start=1):
        add_games(season, [bluff_record(number, seats=(handle, "ben"))])
    assert Player.objects.count() == 2
    assert {row.player: row.games for row in table_rows(season.ranking)}[anna.public_id] == 5


def test_the_table_shows_the_new_name_and_counts_the_old_games() -> None:
    season = counted_season(3)
    before = table_rows(season.ranking)
    anna = Player.objects.get(handle="anna")
    player_rename(player=anna, actor=Actor(), name="Anna Kühn", handle="ak")
    after = table_rows(season.ranking)
    assert [(row.rank, row.points, row.mu) for row in after] == [
        (row.rank, row.points, row.mu) for row in before
    ]
    assert [row.name for row in after if row.handle == "ak"] == ["Anna Kühn"]


def test_a_former_handle_can_be_taken_up_again(anna: Player) -> None:
    player_rename(player=anna, actor=Actor(), handle="ak")
    player_rename(player=anna, actor=Actor(), handle="Anna")
    assert anna.handle == "Anna"
    assert sorted(anna.handles.all().words()) == ["Anna", "ak"]


def test_the_same_name_again_is_no_change(anna: Player) -> None:
    entries = LogEntry.objects.count()
    assert not player_rename(player=anna, actor=Actor(), name=" Anna ", handle="anna")
    assert LogEntry.objects.count() == entries


def test_a_rename_is_logged_without_the_names(anna: Player) -> None:
    player_rename(player=anna, actor=Actor(reason="she asked for it"), name="Änni")
    entry = LogEntry.objects.latest("position")
    assert (entry.action, entry.subject, entry.why) == (
        PlayerAction.RENAMED,
        anna.public_id,
        "she asked for it",
    )
    assert without_rows(entry.payload).keys() == {"name_before", "name_after", "reason"}
    assert not {"Anna", "Änni"} & set(re.findall(r"\w+", entry.payload))
    words = {place: word for place, (_, word) in (entry.names or {}).items()}
    assert words.pop(f"player/{anna.public_id}/name") == "Änni"
    assert words == {
        "name_before": "Anna",
        "name_after": "Änni",
        "reason": "she asked for it",
    }


def test_a_handle_that_finds_somebody_else_is_refused(anna: Player) -> None:
    ben = PlayerFactory.create(club=anna.club, handle="ben")
    player_rename(player=ben, actor=Actor(), handle="benno")
    assert "Another player" in refused("handle", anna, handle="BEN")
    assert PlayerFactory.create(handle="zoe").club != anna.club
    assert player_rename(player=anna, actor=Actor(), handle="zoe"), "in another club it is free"


@pytest.mark.parametrize(
    ("word", "kept"),
    [
        ("  Anna ", "Anna"),
        ("A\u0308nni", "Änni"),
        ("李娜", "李娜"),
        ("Anna 🎲", "Anna 🎲"),
        ("x" * 64, "x" * 64),
    ],
)
def test_a_name_is_trimmed_and_composed(anna: Player, word: str, kept: str) -> None:
    player_rename(player=anna, actor=Actor(), name=word, handle=word)
    assert (anna.name, anna.handle) == (kept, kept)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("", "at least one"),
        (" \t\n", "at least one"),
        ("x" * 65, "at most 64"),
        ("an\u200bna", "is invisible"),
        ("\u202eanna", "is invisible"),
        ("an\u2066na", "is invisible"),
        ("an\x00na", "is invisible"),
        ("an\nna", "is invisible"),
        ("\ufeffanna", "is invisible"),
        ("an\u2028na", "is invisible"),
        ("player-bcdfghjkmn", "erased"),
    ],
)
@pytest.mark.parametrize("field", ["name", "handle"])
def test_a_name_has_no_characters_that_nobody_sees(
    anna: Player, field: str, word: str, said: str
) -> None:
    assert said in refused(field, anna, **{field: word})
    anna.refresh_from_db()
    assert (anna.name, anna.handle) == ("Anna", "anna")


def test_a_reason_tells_no_name(anna: Player) -> None:
    with pytest.raises(ValidationError, match="leave the person"):
        player_rename(player=anna, actor=Actor(reason="anna married"), name="Anna K.")
    assert player_rename(player=anna, actor=Actor(reason="annabel asked for it"), name="Anna K.")


def test_an_account_is_linked_and_taken_off_again(anna: Player) -> None:
    account = UserFactory.create()
    assert player_link(player=anna, account=account, actor=Actor())
    assert anna.user == account
    assert not player_link(player=anna, account=account, actor=Actor())
    assert player_link(player=anna, account=None, actor=Actor())
    assert anna.user is None
    entries = LogEntry.objects.filter(action=PlayerAction.LINKED).values_list("payload", flat=True)
    assert [without_rows(payload) for payload in entries] == [
        {"after": account.public_id, "before": None},
        {"after": None, "before": account.public_id},
    ]


def test_an_account_is_one_player_of_a_club(anna: Player) -> None:
    account = UserFactory.create()
    player_link(player=anna, account=account, actor=Actor())
    with pytest.raises(ValidationError, match="linked to the player anna"):
        player_link(player=PlayerFactory.create(club=anna.club), account=account, actor=Actor())
    assert player_link(player=PlayerFactory.create(), account=account, actor=Actor()), (
        "another club is another player"
    )


def test_a_new_player_of_a_record_keeps_the_handle_as_it_came(anna: Player) -> None:
    season = counted_season(0, club=anna.club)
    imported = record_import(season=season, line=line(bluff_record(1, seats=("Anna", "Zoë"))))
    assert imported.outcome == Outcome.CREATED
    assert imported.new_players == ("Zoë",)
