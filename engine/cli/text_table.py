"""Rows of text in columns, for people who read a terminal."""

from collections.abc import Iterable, Sequence


def text_table(rows: Iterable[Sequence[str]], left_columns: int = 0) -> str:
    """The rows, one a line, each column as wide as its widest cell; the column number
    `left_columns` is aligned left."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == left_columns else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ).rstrip()
        for cells in lines
    )
