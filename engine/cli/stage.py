"""`python -m engine stage FILE`: the ranking of a stage, computed from its stage file alone, with all reasons."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import pairwise
from typing import Final

from engine.cli.files import complain
from engine.cli.text_table import text_table
from engine.illegal import Illegal
from engine.messages import say
from engine.record.shape import Json
from engine.scoring.stage.ranking import StageRow, stage_ranking
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
    parser.add_argument("file", metavar="FILE", help="a stage file, one JSON object; - is standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (the default) or json")


def run(arguments: Namespace) -> int:
    """Print the ranking: 0, or 1 for a file with a fault. OSError if the file can't be read."""
    with nullcontext(sys.stdin.buffer) if arguments.file == "-" else open(arguments.file, "rb") as stream:
        content = stream.read(LIMIT + 1)
    results = _too_large() if len(content) > LIMIT else read_stage(content)
    if isinstance(results, Illegal):
        complain(arguments.file, results)
        return 1
    rows = stage_ranking(results)
    text = json.dumps(_as_json(rows), ensure_ascii=False) if arguments.format == "json" else "\n".join(_as_text(rows))
    sys.stdout.buffer.write(f"{text}\n".encode())
    return 0


def _too_large() -> Illegal:
    return Illegal("file_too_large", say("the file has more than {most} bytes, unpacked", most=LIMIT))


def _as_json(rows: Sequence[StageRow]) -> Json:
    """The rows, each with its sentences, and with what separates it from the next one."""
    last = [None] if rows else []
    below = [*(str(between(above, below)) for above, below in pairwise(rows)), *last]
    return [
        {
            "rank": row.rank,
            "id": row.participant.player_id,
            "name": row.participant.name,
            "points": written(row.points),
            "tie_breaks": {str(by): TIE_BREAKS[by].figure_text(figure) for by, figure in row.figures.items()},
            "why": list[Json](explain_row(row)),
            "before_next": sentence,
        }
        for row, sentence in zip(rows, below, strict=True)
    ]


def _as_text(rows: Sequence[StageRow]) -> Iterator[str]:
    """The table, then the sentences of every row, with what separates it from the next one between them."""
    if not rows:
        yield "nobody takes part"
        return
    head = ["rank", "name", "points", *(str(TIE_BREAKS[by].label) for by in rows[0].figures)]
    cells = [
        [
            str(row.rank),
            row.participant.name,
            written(row.points),
            *(TIE_BREAKS[by].figure_text(figure) for by, figure in row.figures.items()),
        ]
        for row in rows
    ]
    yield text_table([head, *cells], left_columns=1)
    for number, row in enumerate(rows):
        yield ""
        if number:
            yield f"-- {between(rows[number - 1], row)}\n"
        first, *further = explain_row(row)
        yield str(first)
        yield from (f"   {sentence}" for sentence in further)
