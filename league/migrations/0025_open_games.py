"""Open games at tables, and the keys of who writes them; a number of a table has one first game."""

import django.db.models.deletion
import games.models.fact
import pgtrigger.compiler
import pgtrigger.migrations
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def revisions_note(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each game of a table the revision that its game has."""
    revisions = apps.get_model("games", "Game").objects.filter(pk=OuterRef("game")).values("revision")
    corrections = apps.get_model("league", "TableGame").objects.filter(game__revision__gt=1)
    corrections.update(revision=Subquery(revisions))


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_open_games'),
        ('league', '0024_audit_progress'),
    ]

    operations = [
        migrations.CreateModel(
            name='TableDevice',
            fields=[
                ('device', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='table_device', serialize=False, to='games.device')),
            ],
        ),
        migrations.CreateModel(
            name='TableOpenGame',
            fields=[
                ('open_game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='table_open_game', serialize=False, to='games.opengame')),
                ('number', models.PositiveSmallIntegerField()),
                ('edition', models.PositiveSmallIntegerField(default=1)),
            ],
            options={
                'ordering': ['table', 'number', 'edition'],
            },
        ),
        migrations.CreateModel(
            name='PlayerOpenSeat',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('games.openseat',),
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='tablegame',
            name='sealed',
        ),
        migrations.AddField(
            model_name='tablegame',
            name='revision',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.RunPython(revisions_note, migrations.RunPython.noop),
        pgtrigger.migrations.AddTrigger(
            model_name='tablegame',
            trigger=pgtrigger.compiler.Trigger(name='sealed', sql=games.models.fact.GuardSql(func="RAISE EXCEPTION '% on % is refused: its rows are facts', TG_OP, TG_TABLE_NAME;", hash='e53586d7773be27b24d13e11c6e1ddcaeeb42f66', level='STATEMENT', operation='DELETE OR TRUNCATE OR UPDATE OF "game_id", "table_id", "number", "revision"', pgid='pgtrigger_sealed_8fc4a', table='league_tablegame', when='BEFORE')),
        ),
        migrations.AlterField(
            model_name='tablegame',
            name='table',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='table_games', to='league.table'),
        ),
        migrations.AddConstraint(
            model_name='tablegame',
            constraint=models.UniqueConstraint(fields=('table', 'number', 'revision'), name='table_game_once'),
        ),
        migrations.AddField(
            model_name='tabledevice',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to='league.table'),
        ),
        migrations.AddField(
            model_name='tableopengame',
            name='table',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='open_games', to='league.table'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='playeropenseat',
            trigger=pgtrigger.compiler.Trigger(name='erased_seat', sql=games.models.fact.GuardSql(func="\n        IF NOT EXISTS (\n            SELECT FROM games_opengame game\n            JOIN league_handle named\n                ON 'club:' || named.club_id = game.source AND lower(named.handle) = lower(OLD.handle)\n            JOIN league_player player ON player.id = named.player_id\n            WHERE game.id = OLD.open_game_id AND NEW.handle = 'player-' || player.public_id AND EXISTS (\n            SELECT FROM league_logentry entry\n            WHERE entry.club_id = player.club_id AND entry.subject = player.public_id AND entry.action = 'player.erased'\n                AND pg_xact_status(\n                    (pg_current_xact_id()::text::bigint >> 32 << 32 | entry.xmin::text::bigint)::text::xid8\n                ) = 'in progress'\n        )\n        ) THEN\n            RAISE EXCEPTION 'seat % of game % takes no pseudonym but that of its player, whom the log calls erased',\n                OLD.number, OLD.open_game_id;\n        END IF;\n        RETURN NEW;\n    ", hash='6fd46f29a1b33380eb20fc8b01ad82a983f14aab', operation='UPDATE', pgid='pgtrigger_erased_seat_880ea', table='games_openseat', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='tableopengame',
            constraint=models.UniqueConstraint(fields=('table', 'number', 'edition'), name='open_game_of_table_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableopengame',
            trigger=pgtrigger.compiler.Trigger(name='sealed', sql=games.models.fact.GuardSql(func="RAISE EXCEPTION '% on % is refused: its rows are facts', TG_OP, TG_TABLE_NAME;", hash='8d7dd9d969e4c0529b83be4dc44eb8cdcaa87a48', level='STATEMENT', operation='DELETE OR TRUNCATE OR UPDATE OF "open_game_id", "table_id", "number", "edition"', pgid='pgtrigger_sealed_a8b53', table='league_tableopengame', when='BEFORE')),
        ),
    ]
