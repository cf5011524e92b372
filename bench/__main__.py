"""`make bench`: all measurements, one after the other."""

from bench import playouts, replay, service
from bench.measure import run


def main() -> None:
    """Measure and print."""
    run(replay.contest())
    run(replay.bulk_contest())
    run(playouts.contest())
    service.measure()


if __name__ == "__main__":
    main()
