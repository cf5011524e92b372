"""Rows of text in columns, for reading in a terminal."""

from collections.abc import Iterable, Sequence


def text_table(rows: Iterable[Sequence[str]], left_column: int = 0) -> str:
    """Return the rows, one a line, with columns as wide as their widest cells.

    The column with the index `left_column` is aligned left, all others right.
    """
    all_rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*all_rows, strict=True)]
    lines = []
    for row in all_rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[left_column] = row[left_column].ljust(widths[left_column])
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
