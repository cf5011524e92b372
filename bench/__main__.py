"""`make bench`: all measurements, one after the other."""

from bench import games, playouts, replay, service
from bench.measure import run


def main() -> None:
    """Measure and print."""
    run(replay.checked_replay())
    run(replay.bulk_verification(), turns=3)
    run(playouts.contest())
    games.measure()
    service.measure()


if __name__ == "__main__":
    main()
