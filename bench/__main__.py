"""`make bench`: all measurements, one after the other. `python -m bench NAME…` does those that are
named."""

import argparse
from importlib import import_module

from bench.service.servers import servers

ENGINE = (
    "replay",
    "verification",
    "ratings",
    "playouts",
    "games",
    "draws",
    "brackets",
    "timetable",
)
ALONE = (*ENGINE, "start")
SERVICE = (
    *(
        "results",
        "whole_way",
        "latency",
        "pages",
        "traffic",
        "streams",
        "readers",
        "growth",
        "imports",
        "fairness",
        "rebuild",
    ),
    *("size", "event_draw", "event_result", "entries", "spectators", "online", "ruling"),
)
BY_NAME = ("capacity", "evening", "day")
"""Measured only if named: a selection of the others for the manual, and two that take a quarter of
an hour and more than one."""


def main() -> None:
    """Measure the parts that were asked for, or all, and print what came out."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="NAME",
        help=f"{', '.join(ALONE + SERVICE)}; without one all of these; or {', '.join(BY_NAME)}",
    )
    wanted = parser.parse_args().parts or ALONE + SERVICE
    if unknown := set(wanted) - {*ALONE, *SERVICE, *BY_NAME}:
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    for part in [part for part in ALONE if part in wanted]:
        import_module(f"bench.{part}").measure()
    parts = [part for part in SERVICE + BY_NAME if part in wanted]
    if parts:
        with servers():
            for part in parts:
                import_module(f"bench.service.{part}").measure()


if __name__ == "__main__":
    main()
