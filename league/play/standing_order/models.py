"""Standing orders: acts that a player chooses in advance. Only their owner sees one before it
acts.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.play.online_table.models import OnlineSeat


class StandingOrder(models.Model):
    """An act that a seat has ordered in advance; at most one of each kind.

    `bid`: in Bluff, the bid to make, or the lowest bid to challenge, as an entry writes it.
    `points`: in Lügen-Kniffel, the most points of an announcement to believe. `round`: the number
    of the round for which the order holds, from 1; with `always` it holds for later rounds, too.
    `failed`: it couldn't act, which only its owner is told; it does nothing any more.
    """

    class OrderKind(models.TextChoices):
        """What an order does when it is the seat's turn."""

        CHALLENGE = "challenge", _("challenge from this bid on")
        RAISE = "raise", _("make this bid")
        BELIEVE = "believe", _("believe up to these points")

    seat = models.ForeignKey(
        OnlineSeat, on_delete=models.CASCADE, related_name="standing_orders", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="standing_orders",
    )
    kind = models.CharField(max_length=16, choices=OrderKind.choices)
    bid = models.CharField(max_length=8, blank=True, default="")
    points = models.PositiveSmallIntegerField(null=True)
    round = models.PositiveIntegerField()
    always = models.BooleanField(default=False)
    failed = models.BooleanField(default=False)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "kind"], name="one_order_of_a_kind")]

    def __str__(self) -> str:
        return f"an order of seat {self.seat_id}"
