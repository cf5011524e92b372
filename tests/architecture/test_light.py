"""A process that starts imports no package that only a few jobs need: they do it themselves, when
they work."""

import ast
import subprocess
import sys

from tests.architecture.checkout import ROOT

HEAVY = {
    *(
        "ortools",
        "pandas",
        "numpy",
        "rustworkx",
        "aiohttp",
        "pywebpush",
        "py_vapid",
        "icalendar",
        "tqdm",
        "PIL",
    ),
    *("fido2", "qrcode"),
}
LATE = HEAVY | {"cryptography", "psutil"}
"""What Celery imports anyway is of no use to the supervisor before its servers start."""
HEAVY_MODULES = {
    "engine.pairing.timetables.timetable",
    "engine.pairing.draw",
    "engine.rating.waves",
    "engine.rating.plackett_luce",
    "engine.analysis.aim",
    "engine.arrays",
}
"""Modules of ours that import such a package."""
COMMANDS = {
    "league/management/commands/import_games.py",
    "league/static_src/icons.py",
}  # loaded for who calls them
START = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
import django
django.setup()
import league.asgi, league.urls
from league.celery_app import app
app.loader.import_default_modules()
import celery.apps.beat, celery.apps.worker
print(*sys.modules)
"""
SUPERVISOR = "import sys, league.management.commands.up; print(*sys.modules)"


def modules(program: str) -> set[str]:
    """The packages that a program has imported at its end."""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {module.partition(".")[0] for module in run.stdout.split()}


def test_web_workers_and_beat_start_without_what_few_jobs_need() -> None:
    assert modules(START) & HEAVY == set()


def test_the_supervisor_starts_the_servers_before_it_loads_what_its_processes_need() -> None:
    packages = modules(SUPERVISOR)
    assert (
        packages & (LATE | {"celery", "psycopg", "redis", "rest_framework", "structlog"}) == set()
    )


def test_heavy_packages_are_imported_inside_functions() -> None:
    for file in (ROOT / "league").rglob("*.py"):
        place = str(file.relative_to(ROOT))
        if place not in COMMANDS:
            assert not imports_at_top(ast.parse(file.read_text())), place


def imports_at_top(tree: ast.Module) -> set[str]:
    """The heavy packages and modules that are imported as soon as the file is."""
    names = {
        alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names
    }
    names |= {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
    return {name for name in names if name in HEAVY_MODULES or name.partition(".")[0] in LATE}
