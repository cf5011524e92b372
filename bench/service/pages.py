"""The page of a ranking at several sizes: bytes, CPU and queries of one answer, made by the view itself."""

from __future__ import annotations

from django.test import Client

from bench.service.cost import cost, middle
from bench.service.league import new_season

ANSWERS = 5


def measure() -> None:
    """Print what one answer costs for each size."""
    print(f"\nThe page of a ranking  (median of {ANSWERS} answers)")
    for players in (28, 500, 5_000):
        season = new_season(players)
        address = f"/clubs/{season.club.slug}/{season.slug}/"
        client = Client(headers={"host": "localhost"})
        size = len(client.get(address).content)
        costs = []
        for _ in range(ANSWERS):
            with cost() as found:
                client.get(address)
            costs.append(found)
        each = middle(costs)
        figures = f"{size / 1000:8,.0f} kB  {each.cpu:8.1f} ms CPU  {each.queries:4.0f} queries"
        print(f"  {players:>6,} players {figures}", flush=True)
