"""Create the tables of the league in place of the migrations 0002 to 0046, which stay for version 0.3.0.

The first migration isn't among them: accounts have to be there before games, and games before the rest of the league.
"""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models
from django.db.models.constraints import Deferrable
from django.db.models.functions.datetime import Now
from django.db.models.functions.text import Lower
from pgtrigger.compiler import Trigger
from pgtrigger.migrations import AddTrigger

from games.models.fact import GuardSql
from games.models.public_id import PublicIdField
from league.core.account.models import account_name_valid
from league.core.club.models import are_websites, is_timezone
from league.core.delivery.models.preference import mailed_at_first, pushed_at_first
from league.events.calendar.models import new_calendar_secret
from league.core.frame.name_key import Folded, FoldedWords, NameKey
from league.core.frame.names import all_seen
from league.standings.ranking.models import default_tie_breaks
from league.standings.season.models import new_link_token
from league.stages.stage.models import new_secret

REFUSED = "RAISE EXCEPTION '% on % is refused: its rows are facts', TG_OP, TG_TABLE_NAME;"


class Migration(migrations.Migration):
    replaces = [
        ("league", "0002_rooms"),
        ("league", "0003_limits"),
        ("league", "0004_labels"),
        ("league", "0005_handles"),
        ("league", "0006_stated"),
        ("league", "0007_letter_links"),
        ("league", "0008_rebuilds_asked"),
        ("league", "0009_secrets"),
        ("league", "0010_committed_reasons"),
        ("league", "0011_stated"),
        ("league", "0012_at_once"),
        ("league", "0013_voided"),
        ("league", "0014_counts_for"),
        ("league", "0015_helpers_and_fees"),
        ("league", "0016_notes"),
        ("league", "0017_notices_of_games"),
        ("league", "0018_claims"),
        ("league", "0019_rounds_ahead"),
        ("league", "0020_claim_keys"),
        ("league", "0021_ranks_looked_at"),
        ("league", "0022_game_count"),
        ("league", "0023_rating_changes"),
        ("league", "0024_audit_progress"),
        ("league", "0025_open_games"),
        ("league", "0026_websites"),
        ("league", "0027_photos"),
        ("league", "0028_confirmation"),
        ("league", "0029_objections"),
        ("league", "0030_notice_of_objection"),
        ("league", "0031_double_entry"),
        ("league", "0032_agreements"),
        ("league", "0033_confirmation_by_time"),
        ("league", "0034_free_tables"),
        ("league", "0035_labels"),
        ("league", "0036_meetings_first"),
        ("league", "0037_by_division"),
        ("league", "0038_stage_by_totals"),
        ("league", "0039_season_open_games"),
        ("league", "0040_smaller_seats"),
        ("league", "0041_seat_keys"),
        ("league", "0042_walls"),
        ("league", "0043_account_names"),
        ("league", "0044_ties_averaged"),
        ("league", "0045_adjusted"),
        ("league", "0046_name_keys"),
    ]

    dependencies = [("games", "0001_squashed_0008_kept_beside"), ("league", "0001_user")]

    operations = [
        migrations.AlterModelOptions(
            name="user", options={"verbose_name": "account", "verbose_name_plural": "accounts"}
        ),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={
                    "unique": "Another account has this name. Add something to yours, such as your club."
                },
                max_length=150,
                unique=True,
                validators=[account_name_valid],
                verbose_name="name",
            ),
        ),
        migrations.RemoveConstraint(model_name="user", name="user_email_once"),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                Lower("email"),
                condition=models.Q(("email", ""), _negated=True),
                name="user_email_once",
            ),
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "slug",
                    models.SlugField(
                        error_messages={"unique": "Another club has this address."},
                        max_length=64,
                        unique=True,
                        verbose_name="address",
                    ),
                ),
                (
                    "name",
                    models.CharField(max_length=120, validators=[all_seen], verbose_name="name"),
                ),
                (
                    "about",
                    models.TextField(blank=True, default="", max_length=4000, verbose_name="about"),
                ),
                (
                    "timezone",
                    models.CharField(
                        default="Europe/Berlin",
                        max_length=64,
                        validators=[is_timezone],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("de", "Deutsch"), ("nl", "Nederlands")],
                        default="en",
                        max_length=8,
                        verbose_name="language",
                    ),
                ),
                (
                    "listed",
                    models.BooleanField(default=True, verbose_name="listed among the clubs"),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "currency",
                    models.CharField(
                        choices=[
                            ("EUR", "Euro"),
                            ("CHF", "Swiss franc"),
                            ("GBP", "Pound sterling"),
                            ("USD", "US dollar"),
                            ("DKK", "Danish krone"),
                            ("NOK", "Norwegian krone"),
                            ("SEK", "Swedish krona"),
                            ("PLN", "Polish złoty"),
                            ("CZK", "Czech koruna"),
                        ],
                        default="EUR",
                        max_length=3,
                        verbose_name="currency",
                    ),
                ),
                (
                    "websites",
                    models.TextField(
                        blank=True,
                        db_default="",
                        default="",
                        max_length=2000,
                        validators=[are_websites],
                        verbose_name="websites",
                    ),
                ),
            ],
            options={"verbose_name": "club", "verbose_name_plural": "clubs", "ordering": ["name"]},
        ),
        migrations.CreateModel(
            name="GameStyle",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("seats", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="NoticePreference",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="notice_preference",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mail",
                    ArrayField(
                        base_field=models.CharField(
                            choices=[
                                (
                                    "place",
                                    "My place: entered, on the waiting list, moved up, withdrawn",
                                ),
                                (
                                    "date",
                                    "An event of mine: another time, another place, cancelled",
                                ),
                                ("table", "My table in each round"),
                                ("result", "The end of a stage or an event of mine"),
                                ("message", "Messages of the organisers"),
                            ],
                            max_length=16,
                        ),
                        default=mailed_at_first,
                        size=None,
                    ),
                ),
                (
                    "push",
                    ArrayField(
                        base_field=models.CharField(
                            choices=[
                                (
                                    "place",
                                    "My place: entered, on the waiting list, moved up, withdrawn",
                                ),
                                (
                                    "date",
                                    "An event of mine: another time, another place, cancelled",
                                ),
                                ("table", "My table in each round"),
                                ("result", "The end of a stage or an event of mine"),
                                ("message", "Messages of the organisers"),
                            ],
                            max_length=16,
                        ),
                        default=pushed_at_first,
                        size=None,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LogHead",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="league.club",
                    ),
                ),
                ("position", models.PositiveIntegerField(default=0)),
                ("digest", models.BinaryField(default=b"", max_length=32)),
                ("stated", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("label", models.CharField(max_length=80, verbose_name="label")),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=Now(), editable=False, verbose_name="made at"),
                ),
                (
                    "last_used_at",
                    models.DateTimeField(
                        blank=True, editable=False, null=True, verbose_name="last used at"
                    ),
                ),
                (
                    "revoked_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="revoked at"),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="api_keys",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="api_keys",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "API key",
                "verbose_name_plural": "API keys",
                "ordering": ["club", "label"],
            },
        ),
        migrations.CreateModel(
            name="Audit",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField(db_default=Now())),
                ("ended_at", models.DateTimeField(null=True)),
                ("found", models.PositiveIntegerField(null=True)),
                ("differences", models.JSONField(default=list)),
                ("error", models.TextField(blank=True, default="")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="audits", to="league.club"
                    ),
                ),
                ("styles", models.BooleanField(db_default=True, default=True)),
                ("progress", models.JSONField(db_default={}, default=dict)),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("resumed", models.PositiveSmallIntegerField(db_default=0, default=0)),
            ],
            options={"ordering": ["-started_at"]},
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("email", models.EmailField(max_length=254)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organiser", "Organiser"),
                            ("scorer", "Scorer"),
                            ("arbiter", "Arbiter"),
                            ("player", "Player"),
                        ],
                        max_length=16,
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="invitations", to="league.club"
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"ordering": ["created_at", "pk"]},
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("to", models.EmailField(max_length=254)),
                ("subject", models.TextField()),
                ("body", models.TextField()),
                ("unsubscribe", models.TextField(default="")),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("sent", "sent"), ("failed", "given up")],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("error", models.CharField(default="", max_length=64)),
                ("written_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("due_at", models.DateTimeField(db_default=Now())),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["due_at"],
                        name="letter_due",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "club",
                        "position",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("action", models.CharField(max_length=20)),
                ("subject", models.CharField(blank=True, db_collation="C", max_length=10)),
                ("payload", models.TextField()),
                ("names", models.JSONField(blank=True, null=True)),
                ("request_id", models.CharField(blank=True, max_length=36)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                ("digest", models.BinaryField(max_length=32)),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="log",
                        to="league.club",
                    ),
                ),
            ],
            options={
                "ordering": ["club", "position"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("subject", ""), _negated=True),
                        fields=["club", "subject"],
                        name="log_of_subject",
                    )
                ],
            },
        ),
        AddTrigger(
            model_name="logentry",
            trigger=Trigger(
                name="next_entry",
                sql=GuardSql(
                    func="""
        IF NEW.position <> 1 + COALESCE(
            (SELECT max(position) FROM league_logentry WHERE club_id = NEW.club_id), 0
        ) THEN
            RAISE EXCEPTION 'entry % of club % comes out of turn', NEW.position, NEW.club_id;
        END IF;
        RETURN NEW;
    """,
                    hash="66bcf32261543f91a4233f15e58e823630c57b1a",
                    operation="INSERT",
                    pgid="pgtrigger_next_entry_8f44d",
                    table="league_logentry",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="logentry",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="3a575931601a3b6b36500a9d4068acf9c0b891b0",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "club_id", "position", "action", '
                    '"subject", "payload", "actor_id", "request_id", "reason", "at", '
                    '"digest"',
                    pgid="pgtrigger_sealed_5d314",
                    table="league_logentry",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="logentry",
            trigger=Trigger(
                name="forgetting",
                sql=GuardSql(
                    func="""
        IF NEW.names IS NOT NULL AND (NEW.names IN ('{}', COALESCE(OLD.names, '{}')) OR EXISTS (
            SELECT FROM jsonb_each(NEW.names) word WHERE OLD.names -> word.key IS DISTINCT FROM word.value
        )) THEN
            RAISE EXCEPTION 'the names beside an entry can only be forgotten';
        END IF;
        RETURN NEW;
    """,
                    hash="3d89413001c15e56fefbb3a67ececb38777b7d06",
                    operation="UPDATE",
                    pgid="pgtrigger_forgetting_2313e",
                    table="league_logentry",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organiser", "Organiser"),
                            ("scorer", "Scorer"),
                            ("arbiter", "Arbiter"),
                            ("player", "Player"),
                        ],
                        max_length=16,
                        verbose_name="role",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="memberships",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "role of a member",
                "verbose_name_plural": "roles of members",
                "constraints": [
                    models.UniqueConstraint(fields=("club", "user", "role"), name="membership_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Part",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("host", models.CharField(max_length=255)),
                ("name", models.CharField(max_length=64)),
                ("beat_at", models.DateTimeField()),
                ("deaths", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["host", "name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("host", "name"), name="one_part_a_name_and_host"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("handle", models.CharField(max_length=64, verbose_name="handle")),
                ("name", models.CharField(max_length=120, verbose_name="display name")),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="players",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="merged",
                        to="league.player",
                    ),
                ),
                (
                    "same_as",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        editable=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "name_key",
                    models.GeneratedField(
                        db_persist=True,
                        expression=NameKey("name"),
                        output_field=models.TextField(db_collation="C"),
                    ),
                ),
                (
                    "search_text",
                    models.GeneratedField(
                        db_persist=True,
                        expression=Folded("name", "handle"),
                        output_field=models.TextField(db_collation="C"),
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
                "ordering": ["name_key"],
                "indexes": [
                    GinIndex(
                        FoldedWords("search_text"), fastupdate=False, name="player_by_search_words"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("merged_into__isnull", True), ("same_as__isnull", True)),
                            models.Q(("merged_into__isnull", False), ("same_as__isnull", False)),
                            _connector="OR",
                        ),
                        name="player_is_merged_or_not",
                    )
                ],
            },
        ),
        AddTrigger(
            model_name="player",
            trigger=Trigger(
                name="same_identity",
                sql=GuardSql(
                    func="""
        IF (NEW.public_id, NEW.club_id) <> (OLD.public_id, OLD.club_id) THEN
            RAISE EXCEPTION 'player % stays who it is', OLD.public_id;
        END IF;
        RETURN NEW;
    """,
                    hash="987de0600e5cc26d7ad8f87a4f230994c95907f8",
                    operation="UPDATE",
                    pgid="pgtrigger_same_identity_1a1af",
                    table="league_player",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Handle",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("handle", models.CharField(max_length=64, null=True, verbose_name="handle")),
                ("since", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="+", to="league.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="handles", to="league.player"
                    ),
                ),
            ],
            options={
                "ordering": ["-since", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("club"), Lower("handle"), name="handle_once_per_club"
                    )
                ],
            },
        ),
        AddTrigger(
            model_name="handle",
            trigger=Trigger(
                name="kept_handle",
                sql=GuardSql(
                    func="""
        IF NOT EXISTS (SELECT FROM league_player WHERE id = NEW.player_id AND club_id = NEW.club_id) THEN
            RAISE EXCEPTION 'a handle finds a player of its own club';
        ELSIF TG_OP = 'UPDATE' AND lower(NEW.handle) IS DISTINCT FROM lower(OLD.handle) AND NOT (
            NEW.handle IS NULL AND EXISTS (SELECT FROM league_player player WHERE id = NEW.player_id AND EXISTS (
            SELECT FROM league_logentry entry
            WHERE entry.club_id = player.club_id AND entry.subject = player.public_id AND entry.action = 'player.erased'
                AND pg_xact_status(
                    (pg_current_xact_id()::text::bigint >> 32 << 32 | entry.xmin::text::bigint)::text::xid8
                ) = 'in progress'
        ))
        ) THEN
            RAISE EXCEPTION 'a handle can only be forgotten, with a player whom the log calls erased';
        END IF;
        RETURN NEW;
    """,
                    hash="424c157c9dbe3fd17374373e7a9aa03c47eda1cb",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_kept_handle_e856b",
                    table="league_handle",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="handle",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="c37e4d7b9ac58199b47d58307daac7871a21c4b6",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "club_id", "player_id", "since"',
                    pgid="pgtrigger_sealed_f57be",
                    table="league_handle",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("endpoint", models.CharField(db_collation="C", max_length=1000)),
                ("p256dh", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=40)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="push_subscriptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "pk"],
                "constraints": [models.UniqueConstraint(fields=("endpoint",), name="device_once")],
            },
        ),
        migrations.CreateModel(
            name="Ranking",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "scoring",
                    models.CharField(
                        choices=[
                            ("cntdice", "cntdice: dice that had left the game when you went out"),
                            ("placement", "placement: one point for each seat left behind"),
                            ("totals", "totals: the points of the score sheet"),
                        ],
                        default="cntdice",
                        max_length=16,
                        verbose_name="scoring",
                    ),
                ),
                (
                    "tie_breaks",
                    ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("points", "points"),
                                ("wins", "wins"),
                                ("points_per_game", "points per game"),
                                ("average_rank", "average rank"),
                                ("best_game", "best game"),
                                ("games", "more games"),
                            ],
                            max_length=32,
                        ),
                        default=default_tie_breaks,
                        size=None,
                        verbose_name="tie-breaks",
                    ),
                ),
                ("rated", models.BooleanField(default=True, verbose_name="with ratings")),
                ("version", models.PositiveIntegerField(default=0, editable=False)),
                ("computed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("last_day", models.DateField(blank=True, editable=False, null=True)),
                ("last_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "last_id",
                    models.CharField(
                        blank=True, db_collation="C", default="", editable=False, max_length=192
                    ),
                ),
                ("rated_from", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "rated_from_id",
                    models.CharField(
                        blank=True, db_collation="C", default="", editable=False, max_length=192
                    ),
                ),
                ("rebuilt_to", models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ("rebuilt_player", models.IntegerField(blank=True, editable=False, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="rankings", to="league.club"
                    ),
                ),
                ("rebuilds_asked", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "rebuilt_until",
                    models.PositiveIntegerField(blank=True, editable=False, null=True),
                ),
                ("seats_counted", models.BooleanField(default=True, editable=False)),
                ("game_count", models.IntegerField(db_default=0, default=0, editable=False)),
                ("ties_averaged", models.BooleanField(default=True, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="RankedGame",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking",
                        "game",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("played_at", models.DateTimeField()),
                ("natural_id", models.CharField(db_collation="C", max_length=192)),
                (
                    "event",
                    models.CharField(blank=True, db_collation="C", default="", max_length=64),
                ),
                ("over", models.BooleanField()),
                ("only_end", models.BooleanField()),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="ranked_games",
                        to="games.game",
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="ranked_games",
                        to="league.ranking",
                    ),
                ),
                ("voided", models.BooleanField(db_default=False, default=False)),
            ],
            options={
                "ordering": ["ranking", "played_at", "natural_id"],
                "indexes": [
                    models.Index(
                        fields=["ranking", "played_at", "natural_id"], name="order_of_play"
                    ),
                    models.Index(
                        condition=models.Q(("event__gt", "")),
                        fields=["ranking", "event", "played_at", "natural_id"],
                        name="order_of_play_at_event",
                    ),
                    models.Index(
                        condition=models.Q(("only_end", True)),
                        fields=["ranking"],
                        name="only_end_in_ranking",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Appearance",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking",
                        "game",
                        "seat",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("rank", models.PositiveSmallIntegerField(null=True)),
                ("points", models.SmallIntegerField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="appearances",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="appearances",
                        to="league.player",
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="appearances",
                        to="league.ranking",
                    ),
                ),
                (
                    "counts_for",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["player", "ranking"], name="appearances_of_player"),
                    models.Index(fields=["counts_for", "ranking"], name="appearances_counting"),
                    models.Index(
                        condition=models.Q(
                            ("counts_for", None),
                            models.Q(("counts_for", models.F("player")), _negated=True),
                            _connector="OR",
                        ),
                        fields=["ranking"],
                        name="appearances_for_others",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking",
                        "player",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("recent", ArrayField(base_field=models.FloatField(), default=list, size=None)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="ratings", to="league.player"
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="ratings",
                        to="league.ranking",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["ranking", "-mu"], name="rating_by_mu")]},
        ),
        migrations.CreateModel(
            name="Reader",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "club",
                        "name",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(db_collation="C", max_length=32)),
                ("position", models.PositiveIntegerField(default=0)),
                ("read_at", models.DateTimeField(db_default=Now())),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="+", to="league.club"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("slug", models.SlugField(db_index=False, max_length=64, verbose_name="address")),
                (
                    "name",
                    models.CharField(max_length=120, validators=[all_seen], verbose_name="name"),
                ),
                ("starts_on", models.DateField(verbose_name="starts on")),
                ("ends_on", models.DateField(blank=True, null=True, verbose_name="ends on")),
                (
                    "kind",
                    models.CharField(
                        choices=[("bluff", "Bluff"), ("luegen-kniffel", "Lügen-Kniffel")],
                        default="bluff",
                        max_length=16,
                        verbose_name="game",
                    ),
                ),
                ("rules", models.JSONField(blank=True, default=dict, verbose_name="rules")),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "everybody"),
                            ("link", "who has the link"),
                            ("members", "members of the club"),
                        ],
                        default="public",
                        max_length=16,
                        verbose_name="who may see it",
                    ),
                ),
                (
                    "link_token",
                    models.CharField(default=new_link_token, editable=False, max_length=32),
                ),
                ("archived", models.BooleanField(default=False, verbose_name="archived")),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="seasons",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "ranking",
                    models.OneToOneField(
                        editable=False,
                        on_delete=models.PROTECT,
                        related_name="season",
                        to="league.ranking",
                    ),
                ),
                (
                    "notes",
                    models.CharField(
                        choices=[
                            ("places", "who finished where"),
                            (
                                "points",
                                "the points, too: dice as they leave, or what the sheets say",
                            ),
                            ("rounds", "every round"),
                        ],
                        default="places",
                        max_length=8,
                        verbose_name="what you write down",
                    ),
                ),
            ],
            options={
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
                "ordering": ["-starts_on", "name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "slug"), name="season_slug_once_per_club"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ends_on__isnull", True),
                            ("ends_on__gte", models.F("starts_on")),
                            _connector="OR",
                        ),
                        name="season_ends_after_it_starts",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportJob",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "uploaded_at",
                    models.DateTimeField(
                        db_default=Now(), editable=False, verbose_name="uploaded at"
                    ),
                ),
                ("file_name", models.CharField(max_length=255, verbose_name="name of the file")),
                ("content", models.BinaryField()),
                ("size", models.PositiveIntegerField(verbose_name="size in bytes")),
                (
                    "create_players",
                    models.BooleanField(default=True, verbose_name="create unknown players"),
                ),
                (
                    "all_or_nothing",
                    models.BooleanField(
                        default=False, verbose_name="refuse the file if one game is bad"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("uploaded", "waiting for the preview"),
                            ("previewed", "waiting for you"),
                            ("confirmed", "waiting to run"),
                            ("done", "done"),
                            ("refused", "refused, nothing was imported"),
                            ("failed", "failed"),
                            ("dropped", "dropped"),
                        ],
                        default="uploaded",
                        max_length=16,
                        verbose_name="state",
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                (
                    "failure",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("error", "an error in the service"),
                            ("time", "it took too long"),
                            ("killed", "it could not be finished"),
                            ("collided", "other changes got in its way"),
                        ],
                        default="",
                        max_length=16,
                        verbose_name="why it failed",
                    ),
                ),
                ("bytes_read", models.PositiveIntegerField(default=0, verbose_name="bytes read")),
                ("report", models.JSONField(blank=True, default=dict, verbose_name="report")),
                (
                    "finished_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="finished at"),
                ),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="uploaded by",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="import_jobs",
                        to="league.season",
                        verbose_name="season",
                    ),
                ),
            ],
            options={
                "verbose_name": "uploaded file",
                "verbose_name_plural": "uploaded files",
                "ordering": ["-uploaded_at"],
            },
        ),
        migrations.CreateModel(
            name="SeasonGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="season_game",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="season_games", to="league.season"
                    ),
                ),
            ],
        ),
        AddTrigger(
            model_name="seasongame",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="20b939781bf2cee24b514aea22c5bc7dcb251715",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "game_id", "season_id"',
                    pgid="pgtrigger_sealed_2ec49",
                    table="league_seasongame",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="SetAside",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reader", models.CharField(db_collation="C", max_length=32)),
                ("position", models.PositiveIntegerField()),
                ("attempts", models.PositiveSmallIntegerField(default=1)),
                ("error", models.TextField()),
                ("due_at", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="+", to="league.club"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "reader", "position"), name="set_aside_once"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking",
                        "player",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("games", models.PositiveIntegerField()),
                ("wins", models.PositiveIntegerField()),
                ("points", models.IntegerField()),
                ("rank_sum", models.PositiveIntegerField()),
                ("best", models.IntegerField()),
                ("key", ArrayField(base_field=models.BigIntegerField(), size=None)),
                ("day", models.DateField(null=True)),
                ("before", ArrayField(base_field=models.IntegerField(), size=5)),
                (
                    "key_before",
                    ArrayField(base_field=models.BigIntegerField(), null=True, size=None),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="standings", to="league.player"
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="standings",
                        to="league.ranking",
                    ),
                ),
                ("public_id", models.CharField(db_collation="C", max_length=10)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["ranking", "-key", "public_id"], name="standing_by_key")
                ]
            },
        ),
        migrations.CreateModel(
            name="Style",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking",
                        "player",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("bids", models.PositiveIntegerField()),
                ("bluffs", models.PositiveIntegerField()),
                ("unsupported", models.PositiveIntegerField()),
                ("stood", models.PositiveIntegerField()),
                ("lucky", models.PositiveIntegerField()),
                ("caught", models.PositiveIntegerField()),
                ("decisions", models.PositiveIntegerField()),
                ("cost", models.BigIntegerField()),
                ("rolls", models.PositiveIntegerField()),
                ("luck", models.BigIntegerField()),
                ("luck_variance", models.PositiveBigIntegerField()),
                ("challenges", ArrayField(base_field=models.PositiveIntegerField(), size=10)),
                ("stated", ArrayField(base_field=models.BigIntegerField(), size=10)),
                ("right", ArrayField(base_field=models.PositiveIntegerField(), size=10)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="styles", to="league.player"
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="styles",
                        to="league.ranking",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AllTime",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="all_time",
                        serialize=False,
                        to="league.club",
                    ),
                ),
                (
                    "ranking",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="all_time", to="league.ranking"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, verbose_name="key of the request")),
                (
                    "request_digest",
                    models.CharField(max_length=64, verbose_name="digest of the request"),
                ),
                ("status", models.PositiveSmallIntegerField(verbose_name="status")),
                ("answer", models.JSONField(verbose_name="answer")),
                (
                    "created_at",
                    models.DateTimeField(db_default=Now(), editable=False, verbose_name="made at"),
                ),
                (
                    "api_key",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="+",
                        to="league.apikey",
                        verbose_name="API key",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer to a request",
                "verbose_name_plural": "answers to requests",
                "constraints": [
                    models.UniqueConstraint(fields=("api_key", "key"), name="idempotency_key_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="CalendarAddress",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="calendar_address",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "secret",
                    models.CharField(default=new_calendar_secret, max_length=32, unique=True),
                ),
                ("made_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="EventCounting",
            fields=[
                (
                    "season",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="event_counting",
                        serialize=False,
                        to="league.season",
                    ),
                ),
                (
                    "per",
                    models.CharField(
                        choices=[
                            ("event", "the final rank at each event"),
                            ("game", "what the games of each event brought"),
                        ],
                        default="event",
                        max_length=8,
                        verbose_name="an event counts by",
                    ),
                ),
                (
                    "best",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(200)],
                        verbose_name="best events",
                    ),
                ),
                (
                    "points_table",
                    ArrayField(
                        base_field=models.PositiveSmallIntegerField(),
                        blank=True,
                        null=True,
                        size=None,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Division",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "name",
                    models.CharField(max_length=80, validators=[all_seen], verbose_name="name"),
                ),
                (
                    "up",
                    models.PositiveSmallIntegerField(
                        default=0, validators=[MaxValueValidator(50)], verbose_name="go up"
                    ),
                ),
                (
                    "down",
                    models.PositiveSmallIntegerField(
                        default=0, validators=[MaxValueValidator(50)], verbose_name="go down"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="divisions",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "ordering": ["season", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("season", "number"), name="division_number_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DivisionPlayer",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "season",
                        "player",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="players", to="league.division"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="league.season",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Series",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "name",
                    models.CharField(max_length=120, validators=[all_seen], verbose_name="name"),
                ),
                ("rule", models.CharField(max_length=200)),
                ("starts_at", models.CharField(max_length=19, verbose_name="first date")),
                ("without", ArrayField(base_field=models.DateField(), default=list, size=None)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="series", to="league.club"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("alone", models.BooleanField(default=False, editable=False)),
                ("slug", models.SlugField(db_index=False, max_length=64, verbose_name="address")),
                (
                    "name",
                    models.CharField(max_length=120, validators=[all_seen], verbose_name="name"),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("open", "open for entries"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="draft",
                        max_length=16,
                        verbose_name="status",
                    ),
                ),
                ("starts_at", models.DateTimeField(verbose_name="begins")),
                ("ends_at", models.DateTimeField(blank=True, null=True, verbose_name="ends")),
                (
                    "venue",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        validators=[all_seen],
                        verbose_name="place",
                    ),
                ),
                (
                    "capacity",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(2)],
                        verbose_name="places",
                    ),
                ),
                (
                    "price_note",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=120,
                        validators=[all_seen],
                        verbose_name="price",
                    ),
                ),
                (
                    "description",
                    models.TextField(
                        blank=True, default="", max_length=4000, verbose_name="description"
                    ),
                ),
                (
                    "entries_until",
                    models.DateTimeField(blank=True, null=True, verbose_name="entries until"),
                ),
                (
                    "check_in_until",
                    models.DateTimeField(blank=True, null=True, verbose_name="check-in until"),
                ),
                (
                    "self_entry",
                    models.BooleanField(default=True, verbose_name="players may enter themselves"),
                ),
                ("opened", models.BooleanField(default=False, editable=False)),
                ("changes", models.PositiveIntegerField(default=0, editable=False)),
                ("changed_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="events",
                        to="league.club",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="events", to="league.season"
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="events",
                        to="league.series",
                    ),
                ),
                (
                    "fee",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(1000000)],
                        verbose_name="fee",
                    ),
                ),
                (
                    "confirmation",
                    models.CharField(
                        choices=[
                            ("alone", "whoever writes it down, alone"),
                            ("seat", "somebody else at the table, on another phone or signed in"),
                            ("double", "two who write it down unseen, if they agree"),
                            ("arbiter", "an arbiter or organiser"),
                        ],
                        default="alone",
                        max_length=8,
                        verbose_name="who confirms a game that is written down",
                    ),
                ),
                (
                    "players_enter",
                    models.BooleanField(
                        default=True,
                        verbose_name="players may enter the result of their table alone",
                    ),
                ),
                (
                    "objection_hours",
                    models.PositiveSmallIntegerField(
                        default=24,
                        validators=[MaxValueValidator(336)],
                        verbose_name="hours for objections",
                    ),
                ),
                (
                    "confirmation_minutes",
                    models.PositiveSmallIntegerField(
                        default=0,
                        validators=[MaxValueValidator(10080)],
                        verbose_name="minutes until a game counts that nobody confirms",
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "ordering": ["starts_at", "name"],
                "indexes": [
                    models.Index(fields=["club", "starts_at"], name="events_of_club"),
                    models.Index(
                        condition=models.Q(("status", "finished"), _negated=True),
                        fields=["club", "starts_at"],
                        name="events_unfinished",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "slug"), name="event_slug_once_per_club"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ends_at__isnull", True),
                            ("ends_at__gte", models.F("starts_at")),
                            _connector="OR",
                        ),
                        name="event_ends_after_it_begins",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("number", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("entered", "entered"),
                            ("waiting", "on the waiting list"),
                            ("withdrawn", "withdrawn"),
                            ("no_show", "did not come"),
                        ],
                        max_length=16,
                    ),
                ),
                ("guest", models.BooleanField(default=False)),
                ("checked_in_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="entries", to="league.player"
                    ),
                ),
                (
                    "substitutes",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="league.event",
                    ),
                ),
                (
                    "fee",
                    models.CharField(
                        choices=[
                            ("open", "not paid"),
                            ("paid", "paid"),
                            ("free", "free of charge"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("payment", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "label",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=40,
                        validators=[all_seen],
                        verbose_name="Club or town",
                    ),
                ),
            ],
            options={
                "ordering": ["event", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "player"), name="entry_once"),
                    models.UniqueConstraint(fields=("event", "number"), name="entry_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("fee", "paid"), ("payment__isnull", False)),
                            models.Q(models.Q(("fee", "paid"), _negated=True), ("payment", None)),
                            _connector="OR",
                        ),
                        name="entry_paid_an_amount",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EntryByMail",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=64)),
                ("email", models.EmailField(max_length=254)),
                ("mailbox", models.EmailField(editable=False, max_length=254)),
                ("asked_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("silent", models.BooleanField(default=False)),
                (
                    "entry",
                    models.OneToOneField(
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="by_mail",
                        to="league.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="by_mail",
                        to="league.event",
                    ),
                ),
                (
                    "digests",
                    ArrayField(
                        base_field=models.CharField(max_length=64), editable=False, size=None
                    ),
                ),
            ],
            options={
                "indexes": [
                    GinIndex(fastupdate=False, fields=["digests"], name="entry_by_mail_of_link")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "mailbox"), name="entry_by_mail_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Apart",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("must", models.BooleanField(default=False)),
                (
                    "first",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="+",
                        to="league.entry",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="+",
                        to="league.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="apart",
                        to="league.event",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("event", "first", "second"), name="apart_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))), name="apart_in_order"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="EventMessage",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("subject", models.CharField(max_length=120, validators=[all_seen])),
                ("text", models.TextField(max_length=2000)),
                ("sent_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="event_messages", to="league.event"
                    ),
                ),
                (
                    "sent_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["event", "-sent_at", "-pk"]},
        ),
        migrations.CreateModel(
            name="FinalRank",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "event",
                        "entry",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("rank", models.PositiveSmallIntegerField()),
                ("points", models.IntegerField()),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="final_rank", to="league.entry"
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="final_ranks",
                        to="league.event",
                    ),
                ),
            ],
            options={"ordering": ["event", "rank"]},
        ),
        migrations.CreateModel(
            name="HallPlace",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        validators=[MinValueValidator(1), MaxValueValidator(9999)],
                        verbose_name="number",
                    ),
                ),
                (
                    "room",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=30,
                        validators=[all_seen],
                        verbose_name="room",
                    ),
                ),
                (
                    "size",
                    models.PositiveSmallIntegerField(
                        validators=[MinValueValidator(2), MaxValueValidator(20)],
                        verbose_name="seats",
                    ),
                ),
                (
                    "closed",
                    ArrayField(
                        base_field=models.IntegerField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="hall_places",
                        to="league.event",
                    ),
                ),
            ],
            options={
                "ordering": ["event", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("event", "number"), name="hall_place_number_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("position", models.PositiveIntegerField()),
                ("subject", models.CharField(db_collation="C", max_length=10)),
                (
                    "occasion",
                    models.CharField(
                        choices=[
                            ("entered", "entered"),
                            ("waiting", "on the waiting list"),
                            ("moved_up", "moved up"),
                            ("withdrawn", "withdrawn"),
                            ("changed", "changed"),
                            ("cancelled", "cancelled"),
                            ("table", "table"),
                            ("taken_back", "taken back"),
                            ("stage_finished", "stage finished"),
                            ("finished", "finished"),
                            ("message", "message"),
                            ("moved", "table moved"),
                            ("corrected", "game corrected"),
                            ("replaced", "another place in the end"),
                            ("voided", "game voided"),
                            ("restored", "voided game restored"),
                            ("objected", "objection to a result"),
                            ("unconfirmed", "game that waits for confirmation"),
                            ("proposed", "correction proposed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("parameters", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("seen_at", models.DateTimeField(null=True)),
                (
                    "by_mail",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="notices",
                        to="league.entrybymail",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="league.club"),
                ),
                (
                    "event",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="notices",
                        to="league.event",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "indexes": [
                    models.Index(fields=["user", "-created_at"], name="notices_of_account")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "club", "position", "occasion", "subject"),
                        name="notice_once",
                    ),
                    models.UniqueConstraint(
                        fields=("by_mail", "club", "position", "occasion", "subject"),
                        name="notice_by_mail_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("by_mail__isnull", True), ("user__isnull", False)),
                            models.Q(("by_mail__isnull", False), ("user__isnull", True)),
                            _connector="OR",
                        ),
                        name="notice_for_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NoticeSending",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "channel",
                    models.CharField(choices=[("mail", "Mail"), ("push", "Push")], max_length=8),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sent", "Sent"),
                            ("failed", "Failed"),
                            ("unwanted", "Unwanted"),
                            ("gone", "Gone"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("error", models.CharField(default="", max_length=64)),
                ("due_at", models.DateTimeField(db_default=Now())),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="sendings", to="league.notice"
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="+",
                        to="league.pushsubscription",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["due_at"],
                        name="sending_due",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("starts_at", models.DateTimeField(verbose_name="begins")),
                ("ends_at", models.DateTimeField(verbose_name="ends")),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="slots",
                        to="league.event",
                    ),
                ),
            ],
            options={
                "ordering": ["event", "starts_at"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "starts_at"), name="slot_once"),
                    models.CheckConstraint(
                        condition=models.Q(("ends_at__gt", models.F("starts_at"))),
                        name="slot_ends_after_it_begins",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Away",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "entry",
                        "slot",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("must", models.BooleanField(default=True)),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="away",
                        to="league.entry",
                    ),
                ),
                (
                    "slot",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="league.slot"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=80, validators=[all_seen])),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("swiss", "Swiss: who has about as many points meets"),
                            ("round_robin", "round robin: everybody meets everybody"),
                            ("pods", "rotating tables: as many different opponents as can be"),
                            ("single", "single elimination"),
                            ("double", "double elimination"),
                            ("final", "final table"),
                            ("ladder", "ladder: who beats somebody above takes the place"),
                            ("strikes", "three strikes: who is last at a table three times is out"),
                            ("free", "free tables: who is there sits down together"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("planned", "planned"),
                            ("running", "running"),
                            ("finished", "finished"),
                        ],
                        default="planned",
                        editable=False,
                        max_length=16,
                    ),
                ),
                ("sizes", ArrayField(base_field=models.PositiveSmallIntegerField(), size=None)),
                (
                    "rounds",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(40)],
                    ),
                ),
                (
                    "groups",
                    models.PositiveSmallIntegerField(
                        default=1, validators=[MinValueValidator(1), MaxValueValidator(64)]
                    ),
                ),
                (
                    "advance",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[MinValueValidator(1), MaxValueValidator(5)],
                        verbose_name="go on from a table",
                    ),
                ),
                (
                    "third",
                    models.BooleanField(default=False, verbose_name="a table for the third place"),
                ),
                (
                    "takes",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(1000)],
                        verbose_name="come from each group",
                    ),
                ),
                ("carry", models.BooleanField(default=False, verbose_name="points count on")),
                (
                    "games",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[MinValueValidator(1), MaxValueValidator(9)],
                        verbose_name="games a table",
                    ),
                ),
                (
                    "scoring",
                    models.CharField(
                        choices=[
                            ("cntdice", "dice score of every game"),
                            ("totals", "total of every game"),
                            ("placement", "points for the place"),
                            ("win_draw_loss", "2 for a win, 1 for a draw"),
                            ("best_of", "who wins most games of a table wins it"),
                            (
                                "strikes",
                                "a strike for who is last at a table, 1 point for all others",
                            ),
                        ],
                        max_length=16,
                    ),
                ),
                ("tie_breaks", ArrayField(base_field=models.CharField(max_length=32), size=None)),
                (
                    "seeding",
                    models.CharField(
                        choices=[
                            ("lots", "by lot"),
                            ("rating", "by rating"),
                            ("ranking", "by the season’s table"),
                            ("stage", "by the stage before"),
                            ("hand", "by hand"),
                        ],
                        default="lots",
                        max_length=16,
                    ),
                ),
                ("seed", models.CharField(blank=True, default="", editable=False, max_length=64)),
                (
                    "gone",
                    ArrayField(
                        base_field=models.IntegerField(), default=list, editable=False, size=None
                    ),
                ),
                ("kept", models.CharField(blank=True, default="", editable=False, max_length=64)),
                ("version", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="stages",
                        to="league.event",
                    ),
                ),
                (
                    "secret",
                    models.CharField(blank=True, default=new_secret, editable=False, max_length=64),
                ),
                (
                    "seeding_seed",
                    models.CharField(blank=True, default="", editable=False, max_length=64),
                ),
                (
                    "separation",
                    models.CharField(
                        blank=True,
                        choices=[("lots", "by lots"), ("game", "by another game")],
                        default="lots",
                        max_length=8,
                    ),
                ),
                (
                    "label_best",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(100)],
                    ),
                ),
                ("label_must", models.BooleanField(default=False)),
                (
                    "label_rounds",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(40)],
                    ),
                ),
                ("meetings_first", models.BooleanField(default=False)),
                ("by_division", models.BooleanField(default=False)),
                ("adjusted", models.BooleanField(default=True)),
            ],
            options={
                "ordering": ["event", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "number"), name="stage_number_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Group",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(blank=True, default="", max_length=80)),
                (
                    "stage",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="group_set",
                        to="league.stage",
                    ),
                ),
            ],
            options={
                "ordering": ["stage", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "number"), name="group_number_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Participant",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "stage",
                        "entry",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("seed", models.PositiveSmallIntegerField()),
                ("carried", models.IntegerField(default=0)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="participations", to="league.entry"
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="participants", to="league.group"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="participants",
                        to="league.stage",
                    ),
                ),
            ],
            options={"ordering": ["stage", "seed"]},
        ),
        migrations.CreateModel(
            name="StageRound",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("asked", "being drawn"),
                            ("failed", "could not be drawn"),
                            ("drawn", "drawn, not yet published"),
                            ("published", "published"),
                            ("finished", "finished"),
                            ("taken_back", "taken back"),
                        ],
                        default="asked",
                        max_length=16,
                    ),
                ),
                ("failure", models.JSONField(blank=True, null=True)),
                ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="begins")),
                (
                    "minutes",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(1440)],
                    ),
                ),
                ("clock_started_at", models.DateTimeField(blank=True, null=True)),
                ("clock_stopped_at", models.DateTimeField(blank=True, null=True)),
                ("kept", models.CharField(blank=True, default="", editable=False, max_length=64)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("asked_at", models.DateTimeField(db_default=Now())),
                (
                    "stage",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="stage_rounds",
                        to="league.stage",
                    ),
                ),
                ("edition", models.PositiveSmallIntegerField(default=1, editable=False)),
                ("at_once", models.BooleanField(default=False, editable=False)),
                ("ahead", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "ordering": ["stage", "number", "pk"],
                "indexes": [models.Index(fields=["stage", "number"], name="rounds_of_stage")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["taken_back", "failed"]), _negated=True),
                        fields=("stage", "number"),
                        name="round_drawn_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Draw",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("revision", models.PositiveSmallIntegerField(default=1)),
                ("input", models.TextField()),
                ("answer", models.TextField()),
                ("by_hand", models.BooleanField(default=False)),
                ("reason", models.CharField(blank=True, default="", max_length=500)),
                ("made_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="draws",
                        to="league.group",
                    ),
                ),
                (
                    "stage_round",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="draws",
                        to="league.stageround",
                    ),
                ),
            ],
            options={
                "ordering": ["stage_round", "group", "revision"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("stage_round", "group", "revision"), name="draw_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("revision", 1), ("by_hand", True), _connector="OR"),
                        name="draw_again_by_hand_alone",
                    ),
                ],
            },
        ),
        AddTrigger(
            model_name="draw",
            trigger=Trigger(
                name="removal",
                sql=GuardSql(
                    func="""
            IF (NEW.reason <> OLD.reason AND NEW.reason <> '') THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
                    hash="76155efe536098dd6d366c6e8598a1e4aa3adf51",
                    operation="UPDATE",
                    pgid="pgtrigger_removal_837dc",
                    table="league_draw",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="draw",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="bb41126b0e8c975b7e6602c8d9cf4f8bacb0878d",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "public_id", '
                    '"stage_round_id", "group_id", "revision", "input", "answer", '
                    '"by_hand", "made_at", "made_by_id"',
                    pgid="pgtrigger_sealed_5c47f",
                    table="league_draw",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("number", models.PositiveSmallIntegerField()),
                ("label", models.CharField(blank=True, default="", max_length=40)),
                ("place", models.CharField(blank=True, default="", max_length=40)),
                ("starts_at", models.DateTimeField(blank=True, null=True)),
                ("finished", models.BooleanField(default=False)),
                (
                    "group",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="tables",
                        to="league.group",
                    ),
                ),
                (
                    "stage_round",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="tables",
                        to="league.stageround",
                    ),
                ),
            ],
            options={
                "ordering": ["stage_round", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        deferrable=Deferrable["DEFERRED"],
                        fields=("stage_round", "number"),
                        name="table_number_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TableGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="table_game",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="table_games",
                        to="league.table",
                    ),
                ),
                ("revision", models.PositiveSmallIntegerField(default=1)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "number", "revision"), name="table_game_once"
                    )
                ]
            },
        ),
        AddTrigger(
            model_name="tablegame",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="e53586d7773be27b24d13e11c6e1ddcaeeb42f66",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "game_id", "table_id", "number", "revision"',
                    pgid="pgtrigger_sealed_8fc4a",
                    table="league_tablegame",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="TableScore",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("entries", ArrayField(base_field=models.IntegerField(), size=None)),
                (
                    "ranks",
                    ArrayField(base_field=models.PositiveSmallIntegerField(), null=True, size=None),
                ),
                ("points", ArrayField(base_field=models.IntegerField(), null=True, size=None)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="+", to="games.game"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="results",
                        to="league.table",
                    ),
                ),
            ],
            options={"ordering": ["table", "number"]},
        ),
        migrations.CreateModel(
            name="TableSeat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table",
                        "seat",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="seats", to="league.entry"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="seats",
                        to="league.table",
                    ),
                ),
            ],
            options={"ordering": ["table", "seat"]},
        ),
        migrations.CreateModel(
            name="Walkover",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveSmallIntegerField()),
                ("stands", models.BooleanField()),
                ("absent", ArrayField(base_field=models.IntegerField(), size=None)),
                ("reason", models.CharField(max_length=500)),
                ("made_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="walkovers",
                        to="league.table",
                    ),
                ),
            ],
            options={
                "ordering": ["table", "revision"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "revision"), name="walkover_once")
                ],
            },
        ),
        AddTrigger(
            model_name="walkover",
            trigger=Trigger(
                name="removal",
                sql=GuardSql(
                    func="""
            IF (NEW.reason <> OLD.reason AND NEW.reason <> '') THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
                    hash="47407007519b4a4600215f21c1944c8c24c0b37b",
                    operation="UPDATE",
                    pgid="pgtrigger_removal_0afd0",
                    table="league_walkover",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="walkover",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="91ef4e36f44bf78d678924274721334b77a1820c",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "table_id", "revision", '
                    '"stands", "absent", "made_at", "made_by_id"',
                    pgid="pgtrigger_sealed_4be17",
                    table="league_walkover",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Timetable",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("asked", "being made"),
                            ("failed", "could not be made"),
                            ("ready", "not published"),
                            ("published", "published"),
                            ("dropped", "dropped"),
                        ],
                        default="asked",
                        max_length=16,
                    ),
                ),
                ("ahead", models.BooleanField(default=True)),
                ("input", models.TextField()),
                ("failure", models.JSONField(blank=True, null=True)),
                ("cost", models.JSONField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=0)),
                ("asked_at", models.DateTimeField(db_default=Now())),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="timetables",
                        to="league.event",
                    ),
                ),
            ],
            options={
                "ordering": ["event", "pk"],
                "indexes": [models.Index(fields=["event"], name="timetables_of_event")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["asked", "ready"])),
                        fields=("event",),
                        name="timetable_made_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "published")),
                        fields=("event",),
                        name="timetable_published_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TimetableTable",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "place",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="+", to="league.hallplace"
                    ),
                ),
                (
                    "slot",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.slot"),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="+",
                        to="league.stage",
                    ),
                ),
                (
                    "timetable",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="tables",
                        to="league.timetable",
                    ),
                ),
            ],
            options={
                "ordering": ["timetable", "stage", "round", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("timetable", "stage", "round", "number"),
                        name="timetable_table_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerSeat",
            fields=[],
            options={"proxy": True, "default_permissions": ()},
            bases=("games.seat",),
        ),
        AddTrigger(
            model_name="playerseat",
            trigger=Trigger(
                name="erased_seat",
                sql=GuardSql(
                    func="""
        IF NOT EXISTS (
            SELECT FROM games_game game
            JOIN league_handle named
                ON 'club:' || named.club_id = game.source AND lower(named.handle) = lower(OLD.handle)
            JOIN league_player player ON player.id = named.player_id
            WHERE game.id = OLD.game_id AND NEW.handle = 'player-' || player.public_id AND EXISTS (
            SELECT FROM league_logentry entry
            WHERE entry.club_id = player.club_id AND entry.subject = player.public_id AND entry.action = 'player.erased'
                AND pg_xact_status(
                    (pg_current_xact_id()::text::bigint >> 32 << 32 | entry.xmin::text::bigint)::text::xid8
                ) = 'in progress'
        )
        ) THEN
            RAISE EXCEPTION 'seat % of game % takes no pseudonym but that of its player, whom the log calls erased',
                OLD.number, OLD.game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="c963cfab79c155da1ead40ba27e8c01d51699972",
                    operation="UPDATE",
                    pgid="pgtrigger_erased_seat_ff265",
                    table="games_seat",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Helper",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("scorer", "Scorer"),
                            ("organiser", "Organiser"),
                            ("arbiter", "Arbiter"),
                        ],
                        max_length=16,
                        verbose_name="role",
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "event",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="helpers",
                        to="league.event",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="helper_roles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("event", "user", "role"), name="helper_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="HelperInvitation",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("scorer", "Scorer"),
                            ("organiser", "Organiser"),
                            ("arbiter", "Arbiter"),
                        ],
                        max_length=16,
                        verbose_name="role",
                    ),
                ),
                ("email", models.EmailField(blank=True, default="", max_length=254)),
                ("digest", models.CharField(editable=False, max_length=64, null=True, unique=True)),
                ("code", models.CharField(editable=False, max_length=8, null=True, unique=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="helper_invitations",
                        to="league.event",
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("code__isnull", False), ("digest", None), ("email", "")),
                            models.Q(
                                models.Q(("email", ""), _negated=True),
                                ("code", None),
                                ("digest__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="helper_invitation_by_link_or_code",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("code", "by a code"),
                            ("list", "by an event’s list, checked in"),
                            ("mail", "by a letter’s link"),
                            ("asked", "by an organiser’s tap"),
                        ],
                        max_length=8,
                    ),
                ),
                ("claimed_at", models.DateTimeField(editable=False)),
                ("ended_at", models.DateTimeField(editable=False, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="claims", to="league.player"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="claims",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("key", models.CharField(default="", editable=False, max_length=64)),
            ],
            options={
                "ordering": ["-claimed_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("player"),
                        condition=models.Q(("ended_at", None)),
                        name="claim_of_player_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ClaimCode",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="claim_code",
                        serialize=False,
                        to="league.player",
                    ),
                ),
                ("code", models.CharField(max_length=8, unique=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking",
                        "game",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="rating_changes",
                        to="league.ranking",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="rating_changes",
                        to="games.game",
                    ),
                ),
                (
                    "seats",
                    ArrayField(
                        base_field=ArrayField(base_field=models.FloatField(), size=4), size=None
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TableDevice",
            fields=[
                (
                    "device",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="table_device",
                        serialize=False,
                        to="games.device",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="devices", to="league.table"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TableOpenGame",
            fields=[
                (
                    "open_game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="table_open_game",
                        serialize=False,
                        to="games.opengame",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("edition", models.PositiveSmallIntegerField(default=1)),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="open_games",
                        to="league.table",
                    ),
                ),
                ("concealed", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["table", "number", "edition"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "number", "edition"), name="open_game_of_table_once"
                    )
                ],
            },
        ),
        AddTrigger(
            model_name="tableopengame",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="8d7dd9d969e4c0529b83be4dc44eb8cdcaa87a48",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "open_game_id", "table_id", "number", "edition"',
                    pgid="pgtrigger_sealed_a8b53",
                    table="league_tableopengame",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="tableopengame",
            trigger=Trigger(
                name="uncovering",
                sql=GuardSql(
                    func="""
        IF NEW.concealed AND NOT OLD.concealed THEN
            RAISE EXCEPTION 'open game % was seen already', NEW.open_game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="da58edb8433749a1842ebd8e5075c496846f9bc7",
                    operation="UPDATE",
                    pgid="pgtrigger_uncovering_a0f82",
                    table="league_tableopengame",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="PlayerOpenSeat",
            fields=[],
            options={"proxy": True, "default_permissions": ()},
            bases=("games.openseat",),
        ),
        AddTrigger(
            model_name="playeropenseat",
            trigger=Trigger(
                name="erased_seat",
                sql=GuardSql(
                    func="""
        IF NOT EXISTS (
            SELECT FROM games_opengame game
            JOIN league_handle named
                ON 'club:' || named.club_id = game.source AND lower(named.handle) = lower(OLD.handle)
            JOIN league_player player ON player.id = named.player_id
            WHERE game.id = OLD.open_game_id AND NEW.handle = 'player-' || player.public_id AND EXISTS (
            SELECT FROM league_logentry entry
            WHERE entry.club_id = player.club_id AND entry.subject = player.public_id AND entry.action = 'player.erased'
                AND pg_xact_status(
                    (pg_current_xact_id()::text::bigint >> 32 << 32 | entry.xmin::text::bigint)::text::xid8
                ) = 'in progress'
        )
        ) THEN
            RAISE EXCEPTION 'seat % of game % takes no pseudonym but that of its player, whom the log calls erased',
                OLD.number, OLD.open_game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="6fd46f29a1b33380eb20fc8b01ad82a983f14aab",
                    operation="UPDATE",
                    pgid="pgtrigger_erased_seat_880ea",
                    table="games_openseat",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Photo",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("added_at", models.DateTimeField(db_index=True)),
                ("digest", models.BinaryField(max_length=32)),
                ("content", models.BinaryField()),
                (
                    "added_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="photos",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "verbose_name": "photo",
                "verbose_name_plural": "photos",
                "ordering": ["game", "added_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "digest"), name="photo_once")
                ],
            },
        ),
        AddTrigger(
            model_name="photo",
            trigger=Trigger(
                name="removal",
                sql=GuardSql(
                    func="""
            IF (NEW.content <> OLD.content AND NEW.content <> '') THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
                    hash="b067543e5b5e0a2411eadd95e2547b66529f23e8",
                    operation="UPDATE",
                    pgid="pgtrigger_removal_20337",
                    table="league_photo",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="photo",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="2ab4810373c8e7951ef41d818ec7809d7c87fd97",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "public_id", "game_id", '
                    '"added_by_id", "added_at", "digest"',
                    pgid="pgtrigger_sealed_59085",
                    table="league_photo",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Objection",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                ("word", models.CharField(max_length=500, verbose_name="word")),
                ("role", models.CharField(max_length=16)),
                ("raised_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="objections",
                        to="games.game",
                    ),
                ),
                (
                    "raised_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["raised_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "seat", "number"), name="objection_of_seat_once"
                    )
                ],
            },
        ),
        AddTrigger(
            model_name="objection",
            trigger=Trigger(
                name="removal",
                sql=GuardSql(
                    func="""
            IF (NEW.word <> OLD.word AND NEW.word <> '') THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
                    hash="6d776f43d3c680dfa2bf601d1e787299d8c72408",
                    operation="UPDATE",
                    pgid="pgtrigger_removal_1ca0a",
                    table="league_objection",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="objection",
            trigger=Trigger(
                name="next_objection",
                sql=GuardSql(
                    declare="""DECLARE ended BOOLEAN[] := ARRAY(
                SELECT EXISTS (SELECT FROM league_objectionend WHERE objection_id = objection.id)
                FROM league_objection objection WHERE game_id = NEW.game_id AND seat = NEW.seat
            );""",
                    func="""
        IF NEW.number <> 1 + cardinality(ended) OR false = ANY(ended) THEN
            RAISE EXCEPTION 'objection % of seat % in game % comes out of turn', NEW.number, NEW.seat, NEW.game_id;
        END IF;
        IF NOT EXISTS (SELECT FROM games_seat WHERE game_id = NEW.game_id AND number = NEW.seat) THEN
            RAISE EXCEPTION 'game % has no seat %', NEW.game_id, NEW.seat;
        END IF;
        IF EXISTS (SELECT FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="07e66cad04680e037cd150b1d1b6f2a420ce6ed6",
                    operation="INSERT",
                    pgid="pgtrigger_next_objection_9d5c0",
                    table="league_objection",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="objection",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="508d3725de8fc9522df0b639b63356ee5e9013fb",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "public_id", "game_id", '
                    '"seat", "number", "role", "raised_at", "raised_by_id"',
                    pgid="pgtrigger_sealed_ab24e",
                    table="league_objection",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="ObjectionEnd",
            fields=[
                (
                    "objection",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="end",
                        serialize=False,
                        to="league.objection",
                    ),
                ),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("withdrawn", "the objection was withdrawn"),
                            ("stands", "the result stands"),
                            ("corrected", "the game was corrected"),
                            ("voided", "the game was voided"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "reason",
                    models.CharField(blank=True, default="", max_length=500, verbose_name="reason"),
                ),
                ("role", models.CharField(max_length=16)),
                ("ended_at", models.DateTimeField()),
                (
                    "ended_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        AddTrigger(
            model_name="objectionend",
            trigger=Trigger(
                name="removal",
                sql=GuardSql(
                    func="""
            IF (NEW.reason <> OLD.reason AND NEW.reason <> '') THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
                    hash="c25d7afe3f19eb20446f9dedc838b0f89a2872d0",
                    operation="UPDATE",
                    pgid="pgtrigger_removal_dd571",
                    table="league_objectionend",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="objectionend",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="dfda13299946487984918ef8db81afdd3357700b",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "objection_id", "way", "role", "ended_at", "ended_by_id"',
                    pgid="pgtrigger_sealed_277e8",
                    table="league_objectionend",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="SheetSubmission",
            fields=[
                (
                    "table_open_game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="submission",
                        serialize=False,
                        to="league.tableopengame",
                    ),
                ),
                ("length", models.PositiveIntegerField()),
                ("link", models.BinaryField(max_length=32)),
                ("made_at", models.DateTimeField()),
            ],
        ),
        AddTrigger(
            model_name="sheetsubmission",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="14e3798130492fb15d2dc33b330b847f243c1568",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "table_open_game_id", "length", "link", "made_at"',
                    pgid="pgtrigger_sealed_9b39a",
                    table="league_sheetsubmission",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("content", models.TextField()),
                ("made_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="proposals", to="games.game"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        AddTrigger(
            model_name="proposal",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="7e58237cd15363ed272709725ebb491d49851d5f",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "public_id", "game_id", "content", "made_at"',
                    pgid="pgtrigger_sealed_ba7d9",
                    table="league_proposal",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Agreement",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("role", models.CharField(max_length=16)),
                ("agreed_at", models.DateTimeField()),
                (
                    "agreed_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="agreements",
                        to="league.proposal",
                    ),
                ),
            ],
            options={
                "ordering": ["seat"],
                "constraints": [
                    models.UniqueConstraint(fields=("proposal", "seat"), name="seat_agrees_once")
                ],
            },
        ),
        AddTrigger(
            model_name="agreement",
            trigger=Trigger(
                name="seated_agreement",
                sql=GuardSql(
                    func="""
        IF NOT EXISTS (
            SELECT FROM league_proposal proposal JOIN games_seat seat USING (game_id)
            WHERE proposal.id = NEW.proposal_id AND seat.number = NEW.seat
            AND NOT EXISTS (SELECT FROM games_game WHERE replaces_id = proposal.game_id)
        ) THEN
            RAISE EXCEPTION 'seat % can''t agree with proposal %', NEW.seat, NEW.proposal_id;
        END IF;
        RETURN NEW;
    """,
                    hash="c8044ce81902df790f193f8fb5438f8d6b82a916",
                    operation="INSERT",
                    pgid="pgtrigger_seated_agreement_c488c",
                    table="league_agreement",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="agreement",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="d443c6fc6208db037e38d9bed906939056cde7f1",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "proposal_id", "seat", '
                    '"role", "agreed_at", "agreed_by_id"',
                    pgid="pgtrigger_sealed_b6eae",
                    table="league_agreement",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="SeasonOpenGame",
            fields=[
                (
                    "open_game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="season_open_game",
                        serialize=False,
                        to="games.opengame",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="open_games", to="league.season"
                    ),
                ),
            ],
        ),
        AddTrigger(
            model_name="seasonopengame",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="186ddd86068516516498b6c5884429491f2d6005",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "open_game_id", "season_id"',
                    pgid="pgtrigger_sealed_43f39",
                    table="league_seasonopengame",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="GameDevice",
            fields=[
                (
                    "device",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="game_device",
                        serialize=False,
                        to="games.device",
                    ),
                ),
                (
                    "open_game",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="devices", to="league.seasonopengame"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="league.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BranchAgreement",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("made_at", models.DateTimeField()),
                (
                    "branch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="agreements",
                        to="games.sheetbranch",
                    ),
                ),
            ],
            options={
                "ordering": ["branch", "seat"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("branch", "seat"), name="seat_agrees_with_branch_once"
                    )
                ],
            },
        ),
        AddTrigger(
            model_name="branchagreement",
            trigger=Trigger(
                name="waiting_branch",
                sql=GuardSql(
                    func="""
        IF NOT EXISTS (
            SELECT FROM games_sheetbranch branch
            JOIN games_opensheet sheet ON sheet.id = branch.sheet_id
            JOIN games_openseat seat ON seat.open_game_id = sheet.open_game_id
            WHERE branch.id = NEW.branch_id AND seat.number = NEW.seat AND NEW.made_at < branch.waits_until
        ) THEN
            RAISE EXCEPTION 'seat % can''t agree with branch %', NEW.seat, NEW.branch_id;
        END IF;
        RETURN NEW;
    """,
                    hash="29020a5e812d5a10776b40c7e166f15053b2d506",
                    operation="INSERT",
                    pgid="pgtrigger_waiting_branch_b1c5b",
                    table="league_branchagreement",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="branchagreement",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="3d034c6d1328a59c611b422ab3a4ecfe8eb8bc7c",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "branch_id", "seat", "made_at"',
                    pgid="pgtrigger_sealed_ffeac",
                    table="league_branchagreement",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="WallCode",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="wall_code",
                        serialize=False,
                        to="league.event",
                    ),
                ),
                ("code", models.CharField(max_length=8, unique=True)),
                ("made_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="ClaimRequest",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("sign", models.CharField(max_length=3)),
                ("key", models.CharField(editable=False, max_length=64, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("approved", "approved"),
                            ("refused", "refused"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("asked_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="claim_requests", to="league.entry"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["asked_at", "pk"]},
        ),
    ]
