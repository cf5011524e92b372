"""Penalties and set orders of games, at random."""

from random import Random

from games.models import Game
from league.core.log.services import Actor
from league.models import Penalty
from league.stages.adjustment.queries import ranks_counting
from league.stages.adjustment.services.order import order_lift, order_set
from league.stages.adjustment.services.penalty import penalty_add, penalty_lift
from league.standings.adjustment.models import SetOrder

ARBITER = Actor(reason="As the arbiter ruled.")


def random_ranks(chance: Random, seats: int) -> list[int]:
    """Ranks of so many seats, some of them shared."""
    strengths = [chance.randint(0, seats) for _ in range(seats)]
    return [1 + sum(other > own for other in strengths) for own in strengths]


def adjust(game: Game, chance: Random) -> None:
    """Fine a seat of a game, lift a penalty, set its order, or lift that."""
    penalties = Penalty.objects.filter(game=game, lifts=None, lift=None).select_related("game")
    order = SetOrder.objects.filter(game=game).order_by("-number").first()
    step = chance.choice(["fine", "fine", "lift", "set", "let"])
    if step == "fine":
        seat = chance.randrange(game.seats.count())
        penalty_add(game=game, seat=seat, points=chance.randint(1, 9), actor=ARBITER)
    elif step == "lift" and penalties:
        penalty_lift(penalty=penalties[0], actor=ARBITER)
    elif step == "let" and order is not None and order.ranks is not None:
        order_lift(game=game, actor=ARBITER)
    elif step == "set":
        set_unlike(game, chance)


def set_unlike(game: Game, chance: Random) -> None:
    """Set another order than the one that counts."""
    ranks = random_ranks(chance, game.seats.count())
    if tuple(ranks) != ranks_counting(game):
        order_set(game=game, ranks=ranks, actor=ARBITER)


def acquit(game: Game) -> None:
    """Lift all that stands of a game."""
    for penalty in Penalty.objects.filter(game=game, lifts=None, lift=None).select_related("game"):
        penalty_lift(penalty=penalty, actor=ARBITER)
    order = SetOrder.objects.filter(game=game).order_by("-number").first()
    if order is not None and order.ranks is not None:
        order_lift(game=game, actor=ARBITER)
