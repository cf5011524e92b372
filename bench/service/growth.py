"""Pages and files of a club with ever more games and entries in its log: which of them cost more
with each game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from django.db import connection
from django.test import Client

from bench.service.cost import WorkCost, cost, middle
from bench.service.league import copy_games, handle, new_season
from league.models import Membership, Player, Role, Season, User

ANSWERS: Final = 5
SIZES: Final = ((100, 0), (10_000, 99), (100_000, 9))
"""Games, and how often all that are there are copied to have so many."""


def measure() -> None:
    """Print the cost of each answer at three sizes, and the last as a multiple of the first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SET max_parallel_workers_per_gather = 0"
        )  # else helpers' time would be missing in the cost
    season = new_season(28)
    organiser = User.objects.create(
        username=season.club.slug, email=f"{season.club.slug}@example.org"
    )
    Membership.objects.create(club=season.club, user=organiser, role=Role.ORGANISER)
    costs: dict[str, list[WorkCost]] = {}
    for _, copies in SIZES:
        if copies:
            copy_games(season, copies, counted=True)
        for name, found in _answers(season, organiser):
            costs.setdefault(name, []).append(found)
    print(
        f"\nPages of a club with ever more games  (CPU of the median of {ANSWERS} answers, "
        "and queries)"
    )
    print(f"  {'':<28} {'  '.join(f'{games:>11,} games' for games, _ in SIZES)}")
    for name, row in costs.items():
        figures = "  ".join(f"{each.cpu:8.1f} ms {each.queries:4.0f} q" for each in row)
        print(f"  {name:<28} {figures}   {row[-1].cpu / row[0].cpu:.2f}×", flush=True)


def _answers(season: Season, organiser: User) -> Iterator[tuple[str, WorkCost]]:
    """What each answer costs, by the name of its page."""
    anybody, member = Client(headers={"host": "localhost"}), Client(headers={"host": "localhost"})
    member.force_login(organiser)
    for name, address in _public(season):
        yield name, _cost_of(anybody, address)
    for name, address in tuple(_public(season))[:3]:
        tag = anybody.get(address).headers.get("ETag")
        if tag:
            yield f"{name}, unchanged", _cost_of(anybody, address, {"if-none-match": tag}, 304)
    for name, address in _desk(season):
        yield name, _cost_of(member, address)


def _public(season: Season) -> Iterable[tuple[str, str]]:
    """The pages and files that everybody reads."""
    club, ranking = f"/clubs/{season.club.slug}/", f"/clubs/{season.club.slug}/{season.slug}/"
    row = f"{ranking}players/{Player.objects.get(club=season.club, handle=handle(1)).public_id}/"
    api = f"/api/v1{ranking.replace(season.slug, f'seasons/{season.slug}')}"
    return (
        ("home", "/"),
        ("clubs", "/clubs/"),
        ("club", club),
        ("search", f"/search/?q={handle(1)}"),
        ("ranking", ranking),
        ("games", f"{ranking}games/"),
        ("a player's row", row),
        ("… wins alone", f"{row}?only=wins"),
        ("heads of the API", f"{api}heads/"),
        ("table.csv", f"{ranking}table.csv"),
        ("handles.csv", f"{ranking}handles.csv"),
        ("seats.csv", f"{ranking}seats.csv"),
        ("heads.txt", f"{ranking}heads.txt"),
    )


def _desk(season: Season) -> Iterable[tuple[str, str]]:
    """The pages and files of organisers."""
    club = f"/clubs/{season.club.slug}/"
    return (
        ("home of an organiser", "/"),
        ("desk", f"{club}desk/"),
        ("seasons at the desk", f"{club}desk/seasons/"),
        ("players at the desk", f"{club}players/"),
        ("log", f"{club}log/"),
        ("log.jsonl", f"{club}log/log.jsonl"),
    )


def _cost_of(
    client: Client, address: str, headers: Mapping[str, str] | None = None, status: int = 200
) -> WorkCost:
    answer = client.get(address, headers=headers)
    if answer.status_code != status:
        raise ValueError(f"{address}: {answer.status_code}")
    answer.getvalue()
    costs = []
    for _ in range(ANSWERS):
        with cost() as found:
            client.get(address, headers=headers).getvalue()
        costs.append(found)
    return middle(costs)
