"""Which seats' names came as bare commitments: every club's log says so of the games before, once.

From here on the entry of a game says it, so that `verify` can tell a seat that lost its salt without an erasure.
"""

import json
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

from engine.record.club_log import entry_json, next_digest

COMMITTED = """
    SELECT game.public_id, array_agg(seat.number ORDER BY seat.number) FROM games_seat seat
    JOIN games_game game ON game.id = seat.game_id
    WHERE game.source = 'club:' || %(club)s AND length(seat.seal) = 32 AND NOT EXISTS (
        SELECT FROM league_logentry entry WHERE entry.club_id = %(club)s AND entry.action = 'player.erased'
            AND seat.handle = 'player-' || entry.subject
    ) GROUP BY game.public_id ORDER BY game.public_id
"""


def state(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Append an entry to the log of each club that has such seats."""
    at = timezone.now()
    for head in apps.get_model("league", "LogHead").objects.select_for_update().order_by("pk"):
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(COMMITTED, {"club": head.pk})
            committed = dict(cursor.fetchall())
        if committed:
            append(apps, head, {"committed": committed}, at)


def append(apps: StateApps, head: Any, payload: dict[str, Any], at: Any) -> None:
    """Append an entry as the service does, as nobody in particular."""
    head.position += 1
    row: dict[str, Any] = {"position": head.position, "action": "club.stated", "reason": "", "at": at}
    entry = entry_json(subject="", payload=payload, actor=None, request="", **row)
    head.digest = next_digest(bytes(head.digest), entry)
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    apps.get_model("league", "LogEntry").objects.create(club_id=head.pk, payload=text, digest=head.digest, **row)
    head.save()


class Migration(migrations.Migration):
    dependencies = [("league", "0005_handles")]

    operations = [migrations.RunPython(state, migrations.RunPython.noop)]
