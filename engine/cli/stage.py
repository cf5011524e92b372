"""`python -m engine stage FILE`: the ranking of a stage by its file alone, with all reasons."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engine.cli.files import complain, opened
from engine.cli.text_table import text_table
from engine.illegal import Illegal
from engine.messages import Message, say
from engine.record.shape import Json, Object
from engine.scoring.stage.labels import LabelRow, between_labels, explain_label, label_ranking
from engine.scoring.stage.ranking import StageRow, stage_ranking, tables_unknown
from engine.scoring.stage.reasons import between, explain_row
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.stage_file import read_stage
from engine.scoring.wording import written

NAME: Final = "stage"
HELP: Final = "compute the ranking of a stage from its stage file, with the reason for every row"
LIMIT: Final = 1 << 26
"""The most bytes of a stage file; ten thousand players in a hundred rounds need far fewer."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the file, and how the ranking is printed."""
    parser.add_argument(
        "file", metavar="FILE", help="a stage file, one JSON object; - is standard input"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="text (the default) or json"
    )
    parser.add_argument(
        "--labels", action="store_true", help="rank the labels of the players, such as their clubs"
    )


def run(arguments: Namespace) -> int:
    """Print the ranking; return 0, or 1 for a file with a fault.

    Raise OSError if the file can't be read."""
    with opened(arguments.file) as stream:
        content = stream.read(LIMIT + 1)
    results = _too_large() if len(content) > LIMIT else read_stage(content)
    if isinstance(results, Illegal):
        complain(arguments.file, results)
        return 1
    rows = stage_ranking(results)
    if arguments.labels:
        # Without a limit, all players of a label count for it.
        players_counted = results.rules.label_best or len(rows)
        ranking = _printed_labels(label_ranking(rows, players_counted))
    else:
        ranking = _printed_players(rows)

    if arguments.format == "json":
        text = json.dumps(ranking.json, ensure_ascii=False)
    else:
        text = "\n".join([*_warning(tables_unknown(results)), *ranking.lines()])
    sys.stdout.buffer.write(f"{text}\n".encode())
    return 0


def _warning(unknown: int) -> list[str]:
    """Return a warning and an empty line, if there are tables whose points aren't known."""
    if not unknown:
        return []
    if unknown == 1:
        return ["1 table is over, but its points aren't known, so it doesn't count yet", ""]
    return [
        f"{unknown} tables are over, but their points aren't known, so they don't count yet",
        "",
    ]


def _too_large() -> Illegal:
    return Illegal(
        "file_too_large", say("the file has more than {most} bytes when unpacked", most=LIMIT)
    )


class PrintedRanking(NamedTuple):
    """A ranking for printing.

    `table` has the head and the rows as text, `rows` the same rows as JSON. `reasons` explain the
    figures of each row, and `between` what separates it from the next one.
    """

    table: list[list[str]]
    rows: list[Object]
    reasons: list[tuple[Message, ...]]
    between: list[Message]

    @property
    def json(self) -> Json:
        """Return the rows, each with its reasons and with what separates it from the next one."""
        before_next = [*map(str, self.between), None]
        rows: list[Json] = []
        for row, why, sentence in zip(self.rows, self.reasons, before_next, strict=False):
            rows.append({**row, "why": list[Json](why), "before_next": sentence})
        return rows

    def lines(self) -> Iterator[str]:
        """Yield the table, then the reasons of every row, and between rows what separates them."""
        if not self.rows:
            yield "nobody takes part"
            return
        yield text_table(self.table, left_column=1)
        for sentence, (first, *further) in zip([None, *self.between], self.reasons, strict=True):
            yield ""
            if sentence:
                yield f"-- {sentence}\n"
            yield str(first)
            for reason in further:
                yield f"   {reason}"


def _printed_players(rows: Sequence[StageRow]) -> PrintedRanking:
    tie_breaks_used = rows[0].figures if rows else {}
    labels = [str(TIE_BREAKS[by].label) for by in tie_breaks_used]
    table = [["rank", "name", "points", *labels]]
    json_rows: list[Object] = []
    for row in rows:
        name = row.participant.name
        points = written(row.points)
        tie_breaks: dict[str, Json] = {}
        for by, figure in row.figures.items():
            tie_breaks[str(by)] = TIE_BREAKS[by].figure_text(figure)
        table.append([str(row.rank), name, points, *map(str, tie_breaks.values())])

        json_row: Object = {
            "rank": row.rank,
            "id": row.participant.player_id,
            "name": name,
            "points": points,
            "tie_breaks": tie_breaks,
        }
        if row.penalty:
            json_row["penalty"] = written(row.penalty)
        if row.unknown:
            json_row["unknown"] = row.unknown
        json_rows.append(json_row)
    return PrintedRanking(
        table=table,
        rows=json_rows,
        reasons=[explain_row(row) for row in rows],
        between=[between(above, below) for above, below in pairwise(rows)],
    )


def _printed_labels(rows: Sequence[LabelRow]) -> PrintedRanking:
    table = [["rank", "label", "points"]]
    json_rows: list[Object] = []
    for row in rows:
        points = written(row.points)
        table.append([str(row.rank), row.label, points])
        json_rows.append({"rank": row.rank, "label": row.label, "points": points})
    return PrintedRanking(
        table=table,
        rows=json_rows,
        reasons=[explain_label(row) for row in rows],
        between=[between_labels(above, below) for above, below in pairwise(rows)],
    )
