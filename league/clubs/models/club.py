"""Clubs and who may do what in them."""

from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicIdField
from league.frame.money import CURRENCIES
from league.frame.names import all_seen


@cache
def timezones() -> frozenset[str]:
    """The names of the time zones of the IANA database; to list them takes a look into several hundred files."""
    return frozenset(available_timezones())


def is_timezone(name: str) -> None:
    """Accept the name of a time zone of the IANA database, or raise `ValidationError`."""
    if name not in timezones():
        raise ValidationError(
            _("“%(name)s” is not the name of a time zone, as in Europe/Berlin."), params={"name": name}
        )


class Club(models.Model):
    """A club: players who meet, and the seasons they play.

    `language` is that of the club's letters, by code, `currency` that of its fees. One that isn't `listed` stands in no
    list; who knows its address finds it.
    """

    public_id = PublicIdField()
    slug = models.SlugField(
        _("address"), max_length=64, unique=True, error_messages={"unique": _("Another club has this address.")}
    )
    name = models.CharField(_("name"), max_length=120, validators=[all_seen])
    about = models.TextField(_("about"), max_length=4000, blank=True, default="")
    timezone = models.CharField(_("time zone"), max_length=64, default="Europe/Berlin", validators=[is_timezone])
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE)
    currency = models.CharField(_("currency"), max_length=3, choices=CURRENCIES, default="EUR")
    listed = models.BooleanField(_("listed among the clubs"), default=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def source(self) -> str:
        """The record source of this club's games: ids are unique within it, whatever the club is called later."""
        return f"club:{self.pk}"


class Role(models.TextChoices):
    """All that a member may do. An organiser may do all that a scorer may."""

    ORGANISER = "organiser", _("Organiser")
    SCORER = "scorer", _("Scorer")
    ARBITER = "arbiter", _("Arbiter")
    PLAYER = "player", _("Player")


class Membership(models.Model):
    """One role of an account in a club; who has two roles has two rows."""

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, verbose_name=_("club"), related_name="memberships", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name=_("account"), related_name="memberships"
    )
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)

    class Meta:
        verbose_name = _("role of a member")
        verbose_name_plural = _("roles of members")
        constraints = [
            models.UniqueConstraint(fields=["club", "user", "role"], name="membership_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.role} · {self.club}"
