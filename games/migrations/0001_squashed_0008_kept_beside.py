"""Create the tables of games in place of the migrations 0001 to 0008, which stay for version 0.3.0."""

from django.conf import settings
from django.db import migrations, models
from pgtrigger.compiler import Trigger
from pgtrigger.migrations import AddTrigger

from games.models.fact import GuardSql
from games.models.public_id import PublicIdField

REFUSED = "RAISE EXCEPTION '% on % is refused: its rows are facts', TG_OP, TG_TABLE_NAME;"


class Migration(migrations.Migration):
    replaces = [
        ("games", "0001_games"),
        ("games", "0002_committed_reasons"),
        ("games", "0003_void"),
        ("games", "0004_open_games"),
        ("games", "0005_sheet_follows"),
        ("games", "0006_branches"),
        ("games", "0007_opening_device"),
        ("games", "0008_kept_beside"),
    ]

    initial = True

    dependencies = [("league", "0001_user")]

    operations = [
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "source",
                    models.CharField(
                        db_collation="C", max_length=80, verbose_name="source of the record"
                    ),
                ),
                (
                    "external_id",
                    models.CharField(
                        db_collation="C", max_length=64, verbose_name="id of the record"
                    ),
                ),
                ("revision", models.PositiveSmallIntegerField(default=1, verbose_name="revision")),
                (
                    "reason",
                    models.CharField(blank=True, default="", max_length=500, verbose_name="reason"),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("bluff", "Bluff"), ("luegen-kniffel", "Lügen-Kniffel")],
                        max_length=16,
                        verbose_name="game",
                    ),
                ),
                ("header", models.TextField(verbose_name="header of the record")),
                ("digest", models.BinaryField(max_length=32)),
                ("proof", models.JSONField(blank=True, editable=False, null=True)),
                (
                    "played_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="played at"),
                ),
                (
                    "event",
                    models.CharField(blank=True, default="", max_length=64, verbose_name="event"),
                ),
                (
                    "table",
                    models.CharField(
                        blank=True, default="", max_length=64, verbose_name="name of the table"
                    ),
                ),
                ("entered_at", models.DateTimeField(editable=False, verbose_name="entered at")),
                (
                    "entered_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="entered by",
                    ),
                ),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="corrections",
                        to="games.game",
                        verbose_name="corrects",
                    ),
                ),
                ("reason_salt", models.BinaryField(default=b"", max_length=16)),
            ],
            options={
                "verbose_name": "sealed game",
                "verbose_name_plural": "sealed games",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("source", "external_id", "revision"), name="game_once_per_source"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("replaces__isnull", False)),
                        fields=("replaces",),
                        name="game_is_replaced_once",
                    ),
                ],
            },
        ),
        AddTrigger(
            model_name="game",
            trigger=Trigger(
                name="removal",
                sql=GuardSql(
                    func="""
            IF (NEW.reason <> OLD.reason AND NEW.reason <> '') OR (NEW.reason_salt <> OLD.reason_salt AND NEW.reason_salt <> '') THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
                    hash="156bc5b6521cb48342654b01c7a71b99257982f8",
                    operation="UPDATE",
                    pgid="pgtrigger_removal_02023",
                    table="games_game",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="game",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="d19b119634ff0bc72801017e36157e80d30d853b",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "public_id", "source", '
                    '"external_id", "revision", "replaces_id", "kind", "header", '
                    '"digest", "proof", "played_at", "event", "table", "entered_at", '
                    '"entered_by_id"',
                    pgid="pgtrigger_sealed_d4fa4",
                    table="games_game",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("ends_game", models.BooleanField()),
                ("body", models.BinaryField()),
                ("digest", models.BinaryField(max_length=32)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="rounds",
                        to="games.game",
                    ),
                ),
            ],
            options={"ordering": ["game", "number"]},
        ),
        AddTrigger(
            model_name="round",
            trigger=Trigger(
                name="next_round",
                sql=GuardSql(
                    declare="DECLARE last RECORD;",
                    func="""
        SELECT number, ends_game INTO last FROM games_round
            WHERE game_id = NEW.game_id ORDER BY number DESC LIMIT 1;
        IF last.ends_game THEN
            RAISE EXCEPTION 'game % is over', NEW.game_id;
        END IF;
        IF NEW.number <> COALESCE(last.number + 1, 0) THEN
            RAISE EXCEPTION 'round % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="efae2c3ebb2b2ba17ca1c5f6d8a992d68aad0f70",
                    operation="INSERT",
                    pgid="pgtrigger_next_round_bf1d5",
                    table="games_round",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="round",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="ea2bdb664e29a36489e331b2fe4bdc1abe70f395",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "game_id", "number", "ends_game", "body", "digest"',
                    pgid="pgtrigger_sealed_fce9c",
                    table="games_round",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("handle", models.CharField(max_length=64)),
                ("seal", models.BinaryField(max_length=32)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="seats",
                        to="games.game",
                    ),
                ),
            ],
            options={"ordering": ["game", "number"]},
        ),
        AddTrigger(
            model_name="seat",
            trigger=Trigger(
                name="erasure",
                sql=GuardSql(
                    func="""
        IF NEW.seal <> (CASE length(OLD.seal) WHEN 32 THEN OLD.seal ELSE sha256(
            convert_to('cups-up/name/1', 'UTF8') || '\\x0a' || OLD.seal || convert_to(OLD.handle, 'UTF8')
        ) END) THEN
            RAISE EXCEPTION 'a handle can only give way to a pseudonym, under the same commitment';
        END IF;
        RETURN NEW;
    """,
                    hash="b8b47e4356378eda180f40c91a625da60814b64c",
                    operation="UPDATE",
                    pgid="pgtrigger_erasure_1cd37",
                    table="games_seat",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="seat",
            trigger=Trigger(
                name="seat_order",
                sql=GuardSql(
                    func="""
        IF NEW.number <> (SELECT count(*) FROM games_seat WHERE game_id = NEW.game_id)
            OR EXISTS (SELECT 1 FROM games_round WHERE game_id = NEW.game_id) THEN
            RAISE EXCEPTION 'seat % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="1441c616fcd151a15ff7f67dc3f44a97e0b850b8",
                    operation="INSERT",
                    pgid="pgtrigger_seat_order_998ca",
                    table="games_seat",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="seat",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="d6c5513cab2654cd6102ecacdb7d1ebf9c409aef",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "game_id", "number"',
                    pgid="pgtrigger_sealed_894e4",
                    table="games_seat",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Void",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("stands", models.BooleanField()),
                ("reason", models.CharField(max_length=500, verbose_name="reason")),
                ("role", models.CharField(max_length=16)),
                ("made_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="voids",
                        to="games.game",
                    ),
                ),
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
            ],
            options={
                "ordering": ["game", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="void_once")
                ],
            },
        ),
        AddTrigger(
            model_name="void",
            trigger=Trigger(
                name="removal",
                sql=GuardSql(
                    func="""
            IF (NEW.reason <> OLD.reason AND NEW.reason <> '') THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
                    hash="f12f3eecdac88843cae06e4e47112ec103cbdc69",
                    operation="UPDATE",
                    pgid="pgtrigger_removal_9300b",
                    table="games_void",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="void",
            trigger=Trigger(
                name="next_void",
                sql=GuardSql(
                    declare="DECLARE voids INTEGER := (SELECT count(*) FROM games_void WHERE game_id = NEW.game_id);",
                    func="""
        IF NEW.number <> voids + 1 OR NEW.stands <> (voids % 2 = 0) THEN
            RAISE EXCEPTION 'void % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        IF EXISTS (SELECT 1 FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="bd7ac3d00938dde4e30516e8e4d71a2529c5f43d",
                    operation="INSERT",
                    pgid="pgtrigger_next_void_ec9b5",
                    table="games_void",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="void",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="b71dfb142fd38f8a3af35ec0592f50af9c63551d",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "game_id", "number", '
                    '"stands", "role", "made_at", "made_by_id"',
                    pgid="pgtrigger_sealed_73583",
                    table="games_void",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("key_digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("made_at", models.DateTimeField(editable=False)),
                ("ends_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
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
            ],
        ),
        migrations.CreateModel(
            name="OpenGame",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                (
                    "source",
                    models.CharField(
                        db_collation="C", max_length=80, verbose_name="source of the record"
                    ),
                ),
                (
                    "external_id",
                    models.CharField(
                        db_collation="C", max_length=64, verbose_name="id of the record"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("bluff", "Bluff"), ("luegen-kniffel", "Lügen-Kniffel")],
                        max_length=16,
                        verbose_name="game",
                    ),
                ),
                ("header", models.TextField(verbose_name="header of the record")),
                ("digest", models.BinaryField(max_length=32)),
                ("opened_at", models.DateTimeField(editable=False)),
                (
                    "opened_by",
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
                    "device",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to="games.device",
                    ),
                ),
            ],
            options={
                "verbose_name": "open game",
                "verbose_name_plural": "open games",
                "constraints": [
                    models.UniqueConstraint(fields=("source", "external_id"), name="open_game_once")
                ],
            },
        ),
        AddTrigger(
            model_name="opengame",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="639af11fd3be1c845f55d039bf136c592aeb278b",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "public_id", "source", '
                    '"external_id", "kind", "header", "digest", "opened_at", '
                    '"opened_by_id", "device_id"',
                    pgid="pgtrigger_sealed_d346e",
                    table="games_opengame",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="OpenSeat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "open_game",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("handle", models.CharField(max_length=64)),
                ("seal", models.BinaryField(max_length=32)),
                (
                    "open_game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="seats",
                        to="games.opengame",
                    ),
                ),
            ],
            options={"ordering": ["open_game", "number"]},
        ),
        AddTrigger(
            model_name="openseat",
            trigger=Trigger(
                name="erasure",
                sql=GuardSql(
                    func="""
        IF NEW.seal <> (CASE length(OLD.seal) WHEN 32 THEN OLD.seal ELSE sha256(
            convert_to('cups-up/name/1', 'UTF8') || '\\x0a' || OLD.seal || convert_to(OLD.handle, 'UTF8')
        ) END) THEN
            RAISE EXCEPTION 'a handle can only give way to a pseudonym, under the same commitment';
        END IF;
        RETURN NEW;
    """,
                    hash="c94312d8f24db6476c29c0eec7ae5c68394bdbbd",
                    operation="UPDATE",
                    pgid="pgtrigger_erasure_091ac",
                    table="games_openseat",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="openseat",
            trigger=Trigger(
                name="open_seat_order",
                sql=GuardSql(
                    func="""
        IF NEW.number <> (SELECT count(*) FROM games_openseat WHERE open_game_id = NEW.open_game_id)
            OR EXISTS (SELECT 1 FROM games_opensheet WHERE open_game_id = NEW.open_game_id) THEN
            RAISE EXCEPTION 'seat % of open game % comes out of turn', NEW.number, NEW.open_game_id;
        END IF;
        RETURN NEW;
    """,
                    hash="f46650a0e4c257766dbbf59244bef4aa0d294c1b",
                    operation="INSERT",
                    pgid="pgtrigger_open_seat_order_511f8",
                    table="games_openseat",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="openseat",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="38b2242012e08d763240988f41a563653784f355",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "open_game_id", "number"',
                    pgid="pgtrigger_sealed_c87c4",
                    table="games_openseat",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="OpenSheet",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("length", models.PositiveIntegerField(default=0)),
                ("link", models.BinaryField(max_length=32)),
                ("state", models.JSONField()),
                ("over", models.BooleanField(default=False)),
                ("heard_at", models.DateTimeField(null=True)),
                (
                    "open_game",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="sheet", to="games.opengame"
                    ),
                ),
            ],
        ),
        AddTrigger(
            model_name="opensheet",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="54e6536651b668a052d7d220243a746cfa4c6751",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "open_game_id"',
                    pgid="pgtrigger_sealed_52aaf",
                    table="games_opensheet",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="opensheet",
            trigger=Trigger(
                name="sheet_follows",
                sql=GuardSql(
                    func="""
        IF NEW.length <> (SELECT max(number) + 1 FROM games_sheetentry WHERE sheet_id = NEW.id) OR NOT EXISTS (
            SELECT FROM games_sheetentry WHERE sheet_id = NEW.id AND number = NEW.length - 1 AND link = NEW.link
        ) THEN
            RAISE EXCEPTION 'sheet % says something else of its entries than they are', NEW.id;
        END IF;
        RETURN NEW;
    """,
                    hash="8cfbb08a6dc6983427c64f6950f61cb816fcfa91",
                    operation="UPDATE",
                    pgid="pgtrigger_sheet_follows_2a9eb",
                    table="games_opensheet",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="SealedSheet",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="sealed_sheet",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("length", models.PositiveIntegerField()),
                ("link", models.BinaryField(max_length=32)),
                (
                    "sheet",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="sealed", to="games.opensheet"
                    ),
                ),
            ],
        ),
        AddTrigger(
            model_name="sealedsheet",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="d4b199161c8a1b95977c483852b5049c511f9883",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "game_id", "sheet_id", "length", "link"',
                    pgid="pgtrigger_sealed_86034",
                    table="games_sealedsheet",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="SheetEntry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "sheet",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("act", models.CharField(max_length=8)),
                ("value", models.TextField()),
                ("automatic", models.CharField(blank=True, default="", max_length=16)),
                ("key", models.UUIDField()),
                ("device_at", models.DateTimeField(null=True)),
                ("made_at", models.DateTimeField()),
                ("link", models.BinaryField(max_length=32)),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="games.device",
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="games.opensheet",
                    ),
                ),
            ],
            options={
                "ordering": ["sheet", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("sheet", "key"), name="sheet_entry_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("account__isnull", False),
                                ("automatic", ""),
                                ("device__isnull", True),
                            ),
                            models.Q(
                                ("account__isnull", True),
                                ("automatic", ""),
                                ("device__isnull", False),
                            ),
                            models.Q(
                                ("account__isnull", True),
                                ("device__isnull", True),
                                models.Q(("automatic", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="entry_has_one_writer",
                    ),
                ],
            },
        ),
        AddTrigger(
            model_name="sheetentry",
            trigger=Trigger(
                name="next_entry",
                sql=GuardSql(
                    func="""
        IF NEW.number <> COALESCE((SELECT max(number) + 1 FROM games_sheetentry WHERE sheet_id = NEW.sheet_id), 0) THEN
            RAISE EXCEPTION 'entry % of sheet % comes out of turn', NEW.number, NEW.sheet_id;
        END IF;
        IF EXISTS (SELECT 1 FROM games_sealedsheet WHERE sheet_id = NEW.sheet_id) THEN
            RAISE EXCEPTION 'sheet % is sealed', NEW.sheet_id;
        END IF;
        RETURN NEW;
    """,
                    hash="a0f86c66bcd4832fdac387f7faf552feaeee6e42",
                    operation="INSERT",
                    pgid="pgtrigger_next_entry_af1d9",
                    table="games_sheetentry",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="sheetentry",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="0adbd914e68db6f65bc1ce6a43acb3420aecb039",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "sheet_id", "number", "act", '
                    '"value", "account_id", "device_id", "automatic", "key", '
                    '"device_at", "made_at", "link"',
                    pgid="pgtrigger_sealed_d20a7",
                    table="games_sheetentry",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.CreateModel(
            name="SheetBranch",
            fields=[
                (
                    "id",
                    models.AutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", PublicIdField()),
                ("after", models.PositiveIntegerField()),
                ("entries", models.TextField()),
                ("key", models.UUIDField()),
                ("made_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="branches",
                        to="games.device",
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="branches",
                        to="games.opensheet",
                    ),
                ),
                ("waits_until", models.DateTimeField(null=True)),
            ],
            options={
                "verbose_name": "branch of a sheet",
                "verbose_name_plural": "branches of sheets",
                "ordering": ["sheet", "made_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("sheet", "key"), name="sheet_branch_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("account__isnull", False), ("device__isnull", True)),
                            models.Q(("account__isnull", True), ("device__isnull", False)),
                            _connector="OR",
                        ),
                        name="branch_has_one_writer",
                    ),
                ],
            },
        ),
        AddTrigger(
            model_name="sheetbranch",
            trigger=Trigger(
                name="sealed",
                sql=GuardSql(
                    func=REFUSED,
                    hash="35bc18b967d76b269fb0627869910305f34554e8",
                    level="STATEMENT",
                    operation='DELETE OR TRUNCATE OR UPDATE OF "id", "public_id", "sheet_id", '
                    '"after", "entries", "account_id", "device_id", "key", "made_at", '
                    '"waits_until"',
                    pgid="pgtrigger_sealed_aab86",
                    table="games_sheetbranch",
                    when="BEFORE",
                ),
            ),
        ),
    ]
