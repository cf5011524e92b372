"""What is said about disputed games."""

from games.models import Game
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.statement import statement_add
from league.models import Statement, User
from tests.factories.league import UserFactory

WORD = "I stood beside the table and saw two stars."


def statement_on(game: Game, account: User | None = None, seat: int | None = None) -> Statement:
    """What somebody said about a game to which a seat objects, with a text that shows it: a
    witness, if no seat is named."""
    game = Game.objects.select_related("season_game__season__club").get(pk=game.pk)
    files = [SentFile("notes.txt", b"two stars")]
    account = account or UserFactory.create()
    return statement_add(game=game, seat=seat, word=WORD, files=files, account=account)[0]
