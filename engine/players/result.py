"""The result table of a match."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.interval import Interval, of_mean, of_share
from engine.players.match import Entrant, Played


class Row(NamedTuple):
    """What one kind of player reached; a kind is a name and a strength, and may sit at several seats.

    `share`: of the games won by one of its seats. `cntdice` and `rank`: the mean over its seats.
    """

    name: str
    strength: float
    seats: int
    wins: int
    share: Interval
    cntdice: Interval
    rank: Interval


HEAD: Final = ("player", "strength", "seats", "wins", "share", "95 %", "dice", "95 %", "rank", "95 %")


class Result:
    """The games of a match so far, by kind of player."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self.kinds: dict[tuple[str, float], list[int]] = {}
        for i, entrant in enumerate(entrants):
            self.kinds.setdefault((entrant.name, entrant.strength), []).append(i)
        self.games: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def add(self, played: Played) -> None:
        """Count one more game."""
        self.games.append((played.rank, played.cntdice))

    def rows(self) -> Iterator[Row]:
        """One row for each kind, in the order of the entrants; at least one game is counted."""
        for (name, strength), mine in self.kinds.items():
            ranks = [[rank[i] for i in mine] for rank, _ in self.games]
            dice = [[cntdice[i] for i in mine] for _, cntdice in self.games]
            wins = sum(1 in rank for rank in ranks)
            yield Row(
                name=name,
                strength=strength,
                seats=len(mine),
                wins=wins,
                share=of_share(wins, len(ranks)),
                cntdice=of_mean([sum(game) / len(mine) for game in dice]),
                rank=of_mean([sum(game) / len(mine) for game in ranks]),
            )

    def table(self) -> str:
        """The rows as plain text in columns."""
        lines = [HEAD, *[_cells(row) for row in self.rows()]]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(cells))
            for cells in (zip(line, widths, strict=True) for line in lines)
        )


def _cells(row: Row) -> tuple[str, ...]:
    figures = ((row.share, 3), (row.cntdice, 2), (row.rank, 2))
    told = [(f"{told.value:.{n}f}", f"{told.low:.{n}f} to {told.high:.{n}f}") for told, n in figures]
    return row.name, f"{row.strength:g}", str(row.seats), str(row.wins), *[cell for pair in told for cell in pair]
