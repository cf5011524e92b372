"""The engine's tests are pure like the engine: they start no server and do without Django, games
and league."""

import subprocess
import sys

from tests.architecture.checkout import ROOT

ALONE = """
import sys

for name in ("django", "celery", "psycopg", "redis", "games", "league", "tests.servers"):
    sys.modules[name] = None  # now an import of it fails

import pytest

sys.exit(pytest.main(["tests/engine", "--collect-only", "--quiet"]))
"""


def test_the_engines_tests_are_collected_without_django_and_servers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "tests collected" in done.stdout
