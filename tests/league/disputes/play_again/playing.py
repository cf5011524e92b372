"""Games of both kinds that are written down at random."""

from __future__ import annotations

from random import Random

from engine.kniffel.combinations import ANNOUNCEABLE, DICE, FACES, score
from engine.kniffel.notation import dice_text
from engine.record.record import Record
from engine.sheet.sheet import OpenSheet as EngineSheet
from games.models import Game, Kind
from games.queries.game import sealed_record
from games.queries.open_game import sheet_written
from league.models import Table
from tests.factories.sheets import Scribe


def game_of(table: Table) -> Game:
    """The newest revision of a table's game, with its season and club."""
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    return games.filter(table_game__table=table).latest("revision")


def play_on(scribe: Scribe, chance: Random) -> None:
    """Write rounds until the game is over."""
    bluff = scribe.row.open_game.kind == Kind.BLUFF
    while not (sheet := folded(scribe)).over:
        if bluff:
            _lose(scribe, sheet, chance)
        else:
            _announce(scribe, sheet, chance)


def folded(scribe: Scribe) -> EngineSheet:
    """All that was written so far."""
    sheet = sheet_written(scribe.row.open_game.public_id).sheet
    assert isinstance(sheet, EngineSheet)
    return sheet


def _lose(scribe: Scribe, sheet: EngineSheet, chance: Random) -> None:
    owned = sheet.game.owned
    loser = chance.choice([seat for seat, dice in enumerate(owned) if dice])
    scribe.lose(loser, chance.randint(1, owned[loser]))


def _announce(scribe: Scribe, sheet: EngineSheet, chance: Random) -> None:
    """The roller announces something, true or not, and perhaps the next seat doubts it."""
    game = sheet.game
    roller = game.roller
    left = [name for name in ANNOUNCEABLE if not game.sheets[roller][name].filled]
    name = chance.choice(left)
    dice = tuple(sorted(chance.choices(FACES, k=DICE)))
    points = (
        score(name, dice) if chance.random() < 0.5 else chance.choice(sorted(ANNOUNCEABLE[name]))
    )
    if points not in ANNOUNCEABLE[name]:
        points = min(ANNOUNCEABLE[name])
    doubters = [seat for seat in game.playing if seat != roller and chance.random() < 0.3]
    doubts = {"doubts": doubters, "dice": dice_text(dice)} if doubters else {}
    scribe.add("close", say=f"{name}={points}", **doubts)


def play_rounds(scribe: Scribe, record: Record, numbers: range) -> None:
    """Write rounds of a record once more, by their numbers from 1."""
    for number in numbers:
        scribe.add("close", **record.kind.round_json(record.rounds[number - 1]))


def rounds_of(game: Game) -> Record:
    """The record of a sealed game."""
    return sealed_record(game)[0]
