"""What is known of the running service."""

from django.db import models


class Part(models.Model):
    """A process of the service, or a part of it that can fail alone, and its last heartbeat.

    The supervisor of each machine or container stores them. `deaths`: how often it was
    restarted."""

    host = models.CharField(max_length=255)
    name = models.CharField(max_length=64)
    beat_at = models.DateTimeField()
    deaths = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["host", "name"]
        constraints = [
            models.UniqueConstraint(fields=["host", "name"], name="one_part_a_name_and_host")
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.host}"
