"""The solver of the duel, run briefly."""

from pathlib import Path

import pytest

from engine.players.duel import unpacked
from engine.players.exploit import exploitability
from engine.players.solve_duel import main, solve


def test_more_iterations_come_closer_to_an_equilibrium(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for iterations in (5, 60):
        main(str(tmp_path / "duel.bin"), iterations)
        found.append(exploitability(unpacked((tmp_path / "duel.bin").read_bytes())))
        assert f"exploitability {found[-1]:.6f}" in capsys.readouterr().out
    assert found[1] < found[0] / 3
    assert 0 < found[1] < 0.02


def test_a_row_that_is_never_come_to_is_not_shipped() -> None:
    rows = [row for history in solve(5) for row in history]
    never = [row for row in rows if not any(row)]
    assert 0 < len(never) < len(rows)
    assert all(abs(sum(row) - 1) < 1e-9 for row in rows if any(row))
