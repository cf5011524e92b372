"""`python -m engine stage FILE`: the ranking of a stage, computed from its stage file alone, with
all reasons."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import pairwise
from typing import Final, NamedTuple

from engine.cli.files import complain
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
"""Bytes a stage file may have: ten thousand players in a hundred rounds have far fewer."""


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
    """Print the ranking: 0, or 1 for a file with a fault. OSError if the file can't be read."""
    with (
        nullcontext(sys.stdin.buffer)
        if arguments.file == "-"
        else open(arguments.file, "rb") as stream
    ):
        content = stream.read(LIMIT + 1)
    results = _too_large() if len(content) > LIMIT else read_stage(content)
    if isinstance(results, Illegal):
        complain(arguments.file, results)
        return 1
    rows = stage_ranking(results)
    most = results.rules.label_best or len(rows)
    ranking = _labels(label_ranking(rows, most)) if arguments.labels else _players(rows)
    if arguments.format == "json":
        text = json.dumps(ranking.json, ensure_ascii=False)
    else:
        text = "\n".join([*_warning(tables_unknown(results)), *ranking.lines()])
    sys.stdout.buffer.write(f"{text}\n".encode())
    return 0


def _warning(unknown: int) -> list[str]:
    """Say what the ranking lacks, above it; nothing where all points are known."""
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
        "file_too_large", say("the file has more than {most} bytes, unpacked", most=LIMIT)
    )


class PrintedRanking(NamedTuple):
    """A ranking as it is printed: the table with its head, and of each row, which JSON has as it
    stands, what it is made of and what put it behind the one before."""

    table: list[list[str]]
    rows: list[Object]
    reasons: list[tuple[Message, ...]]
    between: list[Message]

    @property
    def json(self) -> Json:
        """The rows, each with its sentences, and with what separates it from the next one."""
        below = [*map(str, self.between), None]
        return [
            {**row, "why": list[Json](why), "before_next": sentence}
            for row, why, sentence in zip(self.rows, self.reasons, below, strict=False)
        ]

    def lines(self) -> Iterator[str]:
        """The table, then the sentences of every row, with what separates it from the next one
        between them."""
        if not self.rows:
            yield "nobody takes part"
            return
        yield text_table(self.table, left_columns=1)
        for sentence, (first, *further) in zip([None, *self.between], self.reasons, strict=True):
            yield ""
            if sentence:
                yield f"-- {sentence}\n"
            yield str(first)
            yield from (f"   {reason}" for reason in further)


def _players(rows: Sequence[StageRow]) -> PrintedRanking:
    """The ranking of the players, with a column for each tie-break."""
    figures = [
        {str(by): TIE_BREAKS[by].figure_text(figure) for by, figure in row.figures.items()}
        for row in rows
    ]
    labels = [str(TIE_BREAKS[by].label) for row in rows[:1] for by in row.figures]
    return PrintedRanking(
        [
            ["rank", "name", "points", *labels],
            *(
                [str(row.rank), row.participant.name, written(row.points), *cells.values()]
                for row, cells in zip(rows, figures, strict=True)
            ),
        ],
        [
            {
                "rank": row.rank,
                "id": row.participant.player_id,
                "name": row.participant.name,
                "points": written(row.points),
                "tie_breaks": {**cells},
                **({"penalty": written(row.penalty)} if row.penalty else {}),
                **({"unknown": row.unknown} if row.unknown else {}),
            }
            for row, cells in zip(rows, figures, strict=True)
        ],
        [explain_row(row) for row in rows],
        [between(above, below) for above, below in pairwise(rows)],
    )


def _labels(rows: Sequence[LabelRow]) -> PrintedRanking:
    """The ranking of the players' labels."""
    return PrintedRanking(
        [
            ["rank", "label", "points"],
            *([str(row.rank), row.label, written(row.points)] for row in rows),
        ],
        [{"rank": row.rank, "label": row.label, "points": written(row.points)} for row in rows],
        [explain_label(row) for row in rows],
        [between_labels(above, below) for above, below in pairwise(rows)],
    )
