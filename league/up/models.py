"""What is known of the running service."""

from django.db import models


class Part(models.Model):
    """A process of the service, or a part of it that can fail alone, and its last heartbeat.

    The supervisor of each host stores them. `host_id` tells hosts of the same name apart.
    `deaths`: how often it was restarted."""

    host_id = models.CharField(max_length=32)
    host = models.CharField(max_length=255)
    name = models.CharField(max_length=64)
    beat_at = models.DateTimeField()
    deaths = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["host", "host_id", "name"]
        constraints = [
            models.UniqueConstraint(fields=["host_id", "name"], name="one_part_a_name_and_host_id")
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.host}"
