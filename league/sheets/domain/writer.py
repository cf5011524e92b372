"""Whether a device may still write."""

from __future__ import annotations

from datetime import datetime

from games.models import Device


def device_ended(device: Device, at: datetime) -> datetime | None:
    """Tell when a device stopped being good: it was revoked, or has ended by itself; None for one that is good."""
    return min([end for end in (device.revoked_at, device.ends_at) if end is not None and end <= at], default=None)
