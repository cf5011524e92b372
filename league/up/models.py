"""All that is known of the running service itself."""

from django.db import models


class Part(models.Model):
    """A process of the service, or what in it can fail alone, and when it was last heard of.

    The supervisor of each machine or container writes them down. `deaths`: how often it was started
    again."""

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
