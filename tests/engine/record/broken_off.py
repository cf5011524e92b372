"""Games that were broken off, played at random by a second, plain reading of the rulings: seats
leave, rounds (turns) are void, time is up. Bluff has its own (`simulated`); these are
Lügen-Kniffel, and outcomes of Bluff."""

import random
from typing import Any

from tests.engine.record.build import kniffel, outcome

SAYS = [
    *(
        "ones=2",
        "twos=4",
        "threes=6",
        "fours=8",
        "fives=10",
        "sixes=12",
        "three=17",
        "four=18",
        "full=25",
    ),
    *("small=30", "large=40", "kniffel=50", "chance=20"),
]
POINTS = {say: int(say.split("=")[1]) for say in SAYS}
UPPER = SAYS[:6]


def random_kniffel(seed: int) -> dict[str, Any]:
    """A game of Lügen-Kniffel that nobody doubts, with its result: somebody may leave or take a
    turn again, and time may be up."""
    rng = random.Random(seed)
    seats = rng.randint(2, 5)
    roller = opener = rng.randrange(seats)
    notes: list[list[str]] = [[] for _ in range(seats)]
    left: list[list[int]] = []
    turns: list[dict[str, Any]] = []
    had = [0] * seats
    lap: list[int] | None = None
    by_clock = rng.random() < 0.7
    while True:
        playing = [seat for seat in range(seats) if all(seat not in gone for gone in left)]
        if len(playing) == 1 or (lap is not None and not lap):
            break
        even = len({had[seat] for seat in playing}) == 1
        if by_clock and lap is None and even and rng.random() < 0.15:
            turns.append({"ended": "clock"})
            break
        if rng.random() < 0.04:
            leaving = sorted(rng.sample(playing, rng.randint(1, len(playing) - 1)))
            void = {"void": True} if roller in leaving and rng.random() < 0.5 else {}
            turns.append(void | {"forfeit": leaving})
            left.append(leaving)
            if lap is not None:
                lap = [seat for seat in lap if seat not in leaving]
                roller = lap[0] if lap else roller
            while lap is None and any(roller in gone for gone in left):
                roller = (roller + 1) % seats
            continue
        if rng.random() < 0.08:
            turns.append(
                {"void": True}
                | rng.choice([{}, {"rolls": ["12345"]}, {"rolls": ["11345", "11>666"]}])
            )
            continue
        say = rng.choice([say for say in SAYS if say not in notes[roller]])
        turns.append({"say": say})
        notes[roller].append(say)
        had[roller] += 1
        after = [(roller + step) % seats for step in range(1, seats + 1)]
        if lap is None and len(notes[roller]) == len(SAYS):
            lap = [
                roller,
                *(seat for seat in after if seat in playing and len(notes[seat]) < len(SAYS)),
            ]
        if lap is not None:
            lap = lap[1:]
            roller = lap[0] if lap else roller
        else:
            roller = next(seat for seat in after if seat in playing)
    totals = [
        sum(POINTS[say] for say in own)
        + 35 * (sum(POINTS[say] for say in own if say in UPPER) >= 63)
        for own in notes
    ]
    stayed = [seat for seat in range(seats) if all(seat not in gone for gone in left)]
    rank = [1 + sum(totals[other] > totals[seat] for other in stayed) for seat in range(seats)]
    ahead = seats
    for gone in left:
        ahead -= len(gone)
        for seat in gone:
            rank[seat] = ahead + 1
    return kniffel(*turns, seats=seats, opener=opener, result={"rank": rank, "points": totals})


def random_end(seed: int) -> dict[str, Any]:
    """The outcome of a game of Bluff in which seats lost dice and left until time was up, or one
    seat was left."""
    rng = random.Random(seed)
    seats, dice = rng.randint(2, 6), rng.choice([1, 2, 5])
    owned = [dice] * seats
    exits: list[tuple[list[int], int]] = []
    forfeit: list[int] = []
    while sum(map(bool, owned)) > 1 and rng.random() < 0.9:
        live = [seat for seat in range(seats) if owned[seat]]
        if rng.random() < 0.2:
            gone = rng.sample(live, rng.randint(1, len(live) - 1))
            forfeit += gone
            lost = {seat: owned[seat] for seat in gone}
        elif rng.random() < 0.3:
            bidder = rng.choice(live)
            lost = {seat: 1 for seat in live if seat != bidder}
        else:
            loser = rng.choice(live)
            lost = {loser: rng.randint(1, owned[loser])}
        owned = [number - lost.get(seat, 0) for seat, number in enumerate(owned)]
        if out := [seat for seat in lost if not owned[seat]]:
            exits.append((out, dice * seats - sum(owned)))
    gone_dice = dice * seats - sum(owned)
    points = [gone_dice + number for number in owned]
    rank = [1 + sum(other > number for other in owned) for number in owned]
    ahead = seats
    for out, gone_then in exits:
        ahead -= len(out)
        for seat in out:
            rank[seat], points[seat] = ahead + 1, gone_then
    record = outcome(rank, points, scoring="cntdice", dice=dice)
    if forfeit:
        record["outcome"]["forfeit"] = forfeit
    if sum(map(bool, owned)) > 1:
        record["outcome"] |= {"dice": owned, "ended": "clock"}
    return record
