"""Factories of clubs and the people in them."""

from datetime import date

from factory.declarations import LazyAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory

from league.models import Club, Membership, Player, Role, Season, User


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    username = Sequence(lambda n: f"user{n}")
    email = LazyAttribute(lambda user: f"{user.username}@example.org")


class ClubFactory(DjangoModelFactory[Club]):
    class Meta:
        model = Club

    slug = Sequence(lambda n: f"club-{n}")
    name = Sequence(lambda n: f"Club {n}")


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    club = SubFactory(ClubFactory)
    handle = Sequence(lambda n: f"player{n}")
    name = LazyAttribute(lambda player: player.handle.title())


class SeasonFactory(DjangoModelFactory[Season]):
    class Meta:
        model = Season

    club = SubFactory(ClubFactory)
    slug = Sequence(lambda n: f"season-{n}")
    name = Sequence(lambda n: f"Season {n}")
    starts_on = date(2026, 9, 1)


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    club = SubFactory(ClubFactory)
    user = SubFactory(UserFactory)
    role = Role.ORGANISER
