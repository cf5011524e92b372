"""`python -m engine table FILE…`: the table of a ranking, by the records of its games alone."""

import csv
import io
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from importlib.util import find_spec
from typing import Final

from engine.cli.adjustments import adjusted, read_adjustments
from engine.cli.files import complain, complain_empty, record_of
from engine.cli.files import games as games_of
from engine.cli.handles import NO_HANDLES, read_handles, with_current_handles
from engine.cli.seats import Seats, counting_for, read_seats
from engine.cli.text_table import text_table
from engine.illegal import Illegal, quote
from engine.messages import say
from engine.rating.ranking import COLUMNS, RankingRow, ranking
from engine.record.check import replay
from engine.scoring.finished_game import FinishedGame, finished_game
from engine.scoring.points import Scoring
from engine.scoring.standings import Criterion

NAME: Final = "table"
HELP: Final = "compute the table of a ranking from the records of its games"
TIE_BREAKS: Final = (Criterion.POINTS, Criterion.WINS, Criterion.BEST_GAME)
"""The tie-breaks of a new season of the service."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the files, how games are scored and ranked, and what to print."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="games as records or text, plain or gzip; - is standard input",
    )
    parser.add_argument(
        "--scoring",
        type=Scoring,
        choices=list(Scoring),
        required=True,
        help="how games give points",
    )
    parser.add_argument(
        "--tie-breaks",
        type=tie_breaks,
        default=TIE_BREAKS,
        metavar="LIST",
        help=(
            f"the first ranks, the others break ties: {', '.join(Criterion)}; "
            f"default: {','.join(TIE_BREAKS)}"
        ),
    )
    parser.add_argument(
        "--handles",
        metavar="FILE",
        help=(
            "CSV of handle,player,id: each handle in the records, its player's handle today, "
            "and the player's id"
        ),
    )
    parser.add_argument(
        "--seats",
        metavar="FILE",
        help=(
            "CSV of game,seat,counts_for: seats of guests, and of substitutes with the players "
            "they play for"
        ),
    )
    parser.add_argument(
        "--adjustments",
        metavar="FILE",
        help=(
            "CSV of game,seat,rank,penalty: seats that an arbiter has given another rank or a "
            "penalty"
        ),
    )
    parser.add_argument("--rated", action="store_true", help="with ratings; needs NumPy")
    parser.add_argument(
        "--timezone",
        type=timezone,
        default="UTC",
        help="the time zone in which days of play begin, for the changes; default: UTC",
    )
    parser.add_argument(
        "--format", choices=("csv", "text"), default="csv", help="csv (the default) or text"
    )


def tie_breaks(text: str) -> tuple[Criterion, ...]:
    """Return the criteria in a text such as `points,wins`, each once."""
    names = text.split(",")
    unknown = [name for name in names if name not in list(Criterion)]
    if unknown:
        raise ArgumentTypeError(
            f"there is no tie-break {unknown[0]!r}; choose from {', '.join(Criterion)}"
        )
    if len(set(names)) < len(names):
        raise ArgumentTypeError("a tie-break is listed twice")
    return tuple(map(Criterion, names))


def timezone(text: str) -> tzinfo:
    """Return the time zone of a name such as `Europe/Berlin`."""
    from zoneinfo import ZoneInfo  # loads Python's build settings, which no other verb needs

    try:
        return ZoneInfo(text)
    except (LookupError, ValueError, OSError):
        raise ArgumentTypeError(f"there is no time zone {text!r}") from None


def run(arguments: Namespace) -> int:
    """Print the table; return 0 if every game of the files is ok, else 1.

    Games that aren't over, and voided ones, don't count. A game with a fault, or with the id of an
    earlier one, is reported on standard error and doesn't count either. Raise OSError if a file
    can't be read.
    """
    handles = read_handles(arguments.handles) if arguments.handles else NO_HANDLES
    if isinstance(handles, Illegal):
        complain(arguments.handles, handles)
        return 1
    seats = read_seats(arguments.seats) if arguments.seats else {}
    if isinstance(seats, Illegal):
        complain(arguments.seats, seats)
        return 1
    adjustments = read_adjustments(arguments.adjustments) if arguments.adjustments else {}
    if isinstance(adjustments, Illegal):
        complain(arguments.adjustments, adjustments)
        return 1

    games: list[FinishedGame] = []
    code = 0
    results = _finished_games(arguments.files, arguments.scoring, handles.players, seats)
    for place, game in results:
        if not isinstance(game, Illegal):
            game = adjusted(game, arguments.scoring, adjustments)
        if isinstance(game, Illegal):
            complain(place, game)
            code = 1
        else:
            games.append(game)

    rated = arguments.rated and _has_numpy_or_warn()
    rows = ranking(games, arguments.tie_breaks, arguments.timezone, rated=rated, ids=handles.ids)
    text = _csv(rows) if arguments.format == "csv" else _text(rows)
    sys.stdout.buffer.write(text.encode())
    return code


def _has_numpy_or_warn() -> bool:
    if find_spec("numpy") is not None:
        return True
    print(
        "ratings need NumPy, which isn't installed: the table has none",
        file=sys.stderr,
    )
    return False


def _finished_games(
    files: Iterable[str], scoring: Scoring, current_handles: Mapping[str, str], seats: Seats
) -> Iterator[tuple[str, FinishedGame | Illegal]]:
    """Yield the games that count, or their faults, each after its place: `FILE:LINE`.

    Games that aren't over, and voided ones, are left out. `current_handles`: for each handle in the
    files, the one that its player has today. `seats`: the seats whose results count for another
    player, or for nobody."""
    place_by_id: dict[str, str] = {}
    for file in files:
        empty = True
        for line in games_of(file):
            empty = False
            place = f"{file}:{line.number}"
            game = _finished_game(line.content, scoring, place_by_id, place)
            if game is None:
                continue
            if not isinstance(game, Illegal):
                game = with_current_handles(game, current_handles)
            if not isinstance(game, Illegal):
                game = counting_for(game, seats)
            yield place, game
        if empty:
            complain_empty(file)


def _finished_game(
    content: bytes | Illegal, scoring: Scoring, place_by_id: dict[str, str], place: str
) -> FinishedGame | Illegal | None:
    """Return the game in the line at `place`, or its fault; None if it isn't over, or was voided.

    Add its place to `place_by_id`, the places of all earlier games by the ids of their records."""
    record = record_of(content)
    if isinstance(record, Illegal):
        return record
    if record.record_id in place_by_id:
        return Illegal(
            "conflict",
            say(
                "the game {id} is given twice, first at {place}",
                id=quote(record.record_id),
                place=place_by_id[record.record_id],
            ),
            path="id",
        )
    place_by_id[record.record_id] = place
    verdict = replay(record)
    if verdict.error is not None:
        return verdict.error
    if record.voided is not None:
        return None
    return finished_game(record, verdict, scoring)


def _csv(rows: Sequence[RankingRow]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS)
    writer.writeheader()
    writer.writerows(row.cells() for row in rows)
    return stream.getvalue()


def _text(rows: Sequence[RankingRow]) -> str:
    cells_of_rows = []
    for row in rows:
        cells = row.cells()
        cells["change"] = _signed(row.climbed)
        cells_of_rows.append(cells)
    columns = [column for column in COLUMNS if any(cells[column] for cells in cells_of_rows)]
    if not columns:
        return "no games\n"
    lines = [[column.replace("_", " ") for column in columns]]
    for cells in cells_of_rows:
        lines.append([cells[column] for column in columns])
    return text_table(lines, left_column=columns.index("handle")) + "\n"


def _signed(climbed: int | None) -> str:
    if climbed is None:
        return "new"
    return f"{climbed:+d}" if climbed else "="
