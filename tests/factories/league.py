"""Factories of clubs and the people in them."""

from datetime import date

import factory
from factory.django import DjangoModelFactory

from league.models import Club, Membership, Player, Role, Season, User


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"user{n}")
    email = factory.LazyAttribute(lambda user: f"{user.username}@example.org")


class ClubFactory(DjangoModelFactory[Club]):
    class Meta:
        model = Club

    slug = factory.Sequence(lambda n: f"club-{n}")
    name = factory.Sequence(lambda n: f"Club {n}")


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    club = factory.SubFactory(ClubFactory)
    handle = factory.Sequence(lambda n: f"player{n}")
    name = factory.LazyAttribute(lambda player: player.handle.title())


class SeasonFactory(DjangoModelFactory[Season]):
    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda n: f"season-{n}")
    name = factory.Sequence(lambda n: f"Season {n}")
    starts_on = date(2026, 9, 1)


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.ORGANISER
