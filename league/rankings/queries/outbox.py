"""What waits to be counted."""

from django.db.models.functions import Now

from games.models import Outbox


def seasons_waiting() -> list[int]:
    """Ids of the seasons with games that are due to be counted."""
    return list(
        Outbox.objects.filter(done_at=None, due_at__lte=Now())
        .order_by()
        .values_list("game__season_game__season_id", flat=True)
        .distinct()
    )
