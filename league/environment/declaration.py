"""Every setting of the service, in the order of the manual's page of settings, which is made from
this list."""

from __future__ import annotations

from typing import Final

from league.environment.kinds import (
    PORT_NUMBER,
    ByteSize,
    CommaSeparated,
    ContactAddress,
    DatabaseAddress,
    FilePath,
    Flag,
    Folder,
    HostName,
    LogLevel,
    NetworkAddress,
    ProjectAddress,
    PushKey,
    RandomSecret,
    RedisAddress,
    Sender,
    ServedName,
    SingleLine,
    TrustedOrigin,
    WebOrigin,
    WebPage,
    WholeNumber,
    _,
)
from league.environment.variable import AnyVariable, OptionalVariable, Variable, VariableGroup

RUN: Final = VariableGroup("run", _("How it runs"))
STATIC_COLLECTED = RUN.add(
    Variable(
        "STATIC_COLLECTED",
        Flag(),
        _(
            "Whether this is a service for others, with static files from `manage.py "
            "collectstatic`; the Docker image sets it."
        ),
        default="false",
    )
)
WEB_PROCESSES = RUN.add(
    OptionalVariable(
        "WEB_PROCESSES",
        WholeNumber(1, 1000),
        _("How many web processes answer."),
        otherwise=_("one; one for each core where `manage.py up web` runs alone"),
    )
)
DEBUG = RUN.add(
    Variable(
        "DEBUG",
        Flag(),
        _("Whether errors are shown with their source; never set it where others have access."),
        default="false",
    )
)
DEMO = RUN.add(
    Variable(
        "DEMO",
        Flag(),
        _("Whether pages offer the demo’s logins; `manage.py up --demo` sets it."),
        default="false",
    )
)

SECRET: Final = VariableGroup("secret", _("The secret"))
SECRET_KEY = SECRET.add(
    OptionalVariable(
        "SECRET_KEY",
        RandomSecret(),
        _("Signs sessions and links in emails; the same for all processes."),
        secret=True,
        needed_with=(STATIC_COLLECTED,),
        otherwise=_("a checkout makes one, and keeps it in the folder of `CUPS_UP_VAR`"),
    )
)
SECRET_KEY_FALLBACKS = SECRET.add(
    OptionalVariable(
        "SECRET_KEY_FALLBACKS",
        CommaSeparated(RandomSecret()),
        _("Former values of `SECRET_KEY`: anything they signed is still accepted."),
        secret=True,
        otherwise=_("none"),
    )
)

SERVERS: Final = VariableGroup("servers", _("Database and Redis"))
DATABASE_URL = SERVERS.add(
    OptionalVariable(
        "DATABASE_URL",
        DatabaseAddress(),
        _("The database, with the service’s role, which can’t rewrite facts."),
        secret=True,
        needed_with=(STATIC_COLLECTED,),
        otherwise=_("the PostgreSQL that `manage.py up` starts"),
    )
)
DATABASE_OWNER_URL = SERVERS.add(
    OptionalVariable(
        "DATABASE_OWNER_URL",
        DatabaseAddress(),
        _("The same database with the role that owns the tables; only migrations need it."),
        secret=True,
        otherwise=_("the same as `DATABASE_URL`"),
    )
)
REDIS_URL = SERVERS.add(
    OptionalVariable(
        "REDIS_URL",
        RedisAddress(),
        _("The Redis or Valkey that passes on jobs and keeps copies of pages."),
        secret=True,
        needed_with=(STATIC_COLLECTED, DATABASE_URL),
        otherwise=_("the Valkey that `manage.py up` starts"),
    )
)

ADDRESS: Final = VariableGroup("address", _("Where people reach it"))
HOST = ADDRESS.add(
    Variable(
        "HOST",
        HostName(),
        _("The address to listen on; `0.0.0.0` lets other machines in."),
        default="127.0.0.1",
    )
)
PORT = ADDRESS.add(
    Variable(
        "PORT",
        PORT_NUMBER,
        _("The port to listen on; with Docker, the port on the host."),
        default="8000",
    )
)
HTTPS = ADDRESS.add(
    Variable(
        "HTTPS",
        Flag(),
        _(
            "Whether people reach it by HTTPS: through a proxy, or without `ALLOWED_HOSTS` by a "
            "certificate of its own."
        ),
        default="false",
    )
)
ALLOWED_HOSTS = ADDRESS.add(
    OptionalVariable(
        "ALLOWED_HOSTS",
        CommaSeparated(ServedName()),
        _("The host names that people use."),
        needed_with=(STATIC_COLLECTED,),
        otherwise=_("in a checkout the names and addresses of this machine"),
    )
)
CSRF_TRUSTED_ORIGINS = ADDRESS.add(
    OptionalVariable(
        "CSRF_TRUSTED_ORIGINS",
        CommaSeparated(TrustedOrigin()),
        _("The origins of these host names, for forms behind a proxy."),
        otherwise=_("none"),
    )
)
PUBLIC_ORIGIN = ADDRESS.add(
    OptionalVariable(
        "PUBLIC_ORIGIN",
        WebOrigin(),
        _("How links in emails and QR codes begin."),
        otherwise=_("the first of `CSRF_TRUSTED_ORIGINS`, or the address it listens on"),
    )
)
TRUSTED_PROXIES = ADDRESS.add(
    Variable(
        "TRUSTED_PROXIES",
        CommaSeparated(NetworkAddress()),
        _("The proxies in front of it, whose `X-Forwarded-For` says who is asking."),
        default="127.0.0.1,::1",
    )
)

MAIL: Final = VariableGroup("mail", _("Emails"))
EMAIL_HOST = MAIL.add(
    OptionalVariable(
        "EMAIL_HOST",
        HostName(),
        _("The name of the mail server."),
        otherwise=_("no email is sent"),
    )
)
EMAIL_PORT = MAIL.add(Variable("EMAIL_PORT", PORT_NUMBER, _("Its port."), default="587"))
EMAIL_HOST_USER = MAIL.add(
    OptionalVariable(
        "EMAIL_HOST_USER", SingleLine(), _("The account there."), otherwise=_("no account")
    )
)
EMAIL_HOST_PASSWORD = MAIL.add(
    OptionalVariable(
        "EMAIL_HOST_PASSWORD",
        SingleLine(),
        _("The password of that account."),
        secret=True,
        otherwise=_("no password"),
    )
)
EMAIL_USE_TLS = MAIL.add(
    Variable(
        "EMAIL_USE_TLS",
        Flag(),
        _("Whether the connection to the mail server is encrypted by STARTTLS."),
        default="true",
    )
)
DEFAULT_FROM_EMAIL = MAIL.add(
    Variable(
        "DEFAULT_FROM_EMAIL",
        Sender(),
        _("The sender of emails; many servers accept only your own address."),
        default="Cups Up <cups-up@localhost>",
    )
)

PUSH: Final = VariableGroup("push", _("Notifications to devices"))
VAPID_PRIVATE_KEY = PUSH.add(
    OptionalVariable(
        "VAPID_PRIVATE_KEY",
        PushKey(),
        _(
            "The key that identifies the service to push services; with another key, devices have "
            "to be added again."
        ),
        secret=True,
        otherwise=_("derived from `SECRET_KEY`"),
    )
)
PUSH_SERVICES = PUSH.add(
    Variable(
        "PUSH_SERVICES",
        CommaSeparated(HostName()),
        _("The hosts that notifications may be sent to, and their subdomains."),
        default=("fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com"),
    )
)

OPERATOR: Final = VariableGroup("operator", _("Who runs it"))
IMPRINT_URL = OPERATOR.add(
    OptionalVariable(
        "IMPRINT_URL",
        WebPage(),
        _("Your page on who runs the service, linked at the bottom of every page."),
        otherwise=_("no link"),
    )
)
PRIVACY_URL = OPERATOR.add(
    OptionalVariable(
        "PRIVACY_URL",
        WebPage(),
        _("Your page on the personal data that is kept, linked at the bottom of every page."),
        otherwise=_("no link"),
    )
)
SECURITY_CONTACT = OPERATOR.add(
    OptionalVariable(
        "SECURITY_CONTACT",
        ContactAddress(),
        _("Where to report a vulnerability, in `/.well-known/security.txt`."),
        otherwise=_("no such file"),
    )
)

WATCH: Final = VariableGroup("watch", _("Watching it"))
LOG_LEVEL = WATCH.add(
    Variable(
        "LOG_LEVEL",
        LogLevel(),
        _("The least important lines that the log holds."),
        default="INFO",
    )
)
ACCESS_LOG = WATCH.add(
    Variable(
        "ACCESS_LOG",
        Flag(),
        _("Whether the log has a line for each request, without its address."),
        default="false",
    )
)
METRICS_TOKEN = WATCH.add(
    OptionalVariable(
        "METRICS_TOKEN",
        RandomSecret(),
        _("The token with which Prometheus asks for `/metrics`."),
        secret=True,
        otherwise=_("no such address"),
    )
)
METRICS_PORT = WATCH.add(
    OptionalVariable(
        "METRICS_PORT",
        PORT_NUMBER,
        _("The port at which a host without web processes tells Prometheus of its jobs."),
        otherwise=_("such a host tells nothing; 9100 in containers"),
    )
)
SENTRY_DSN = WATCH.add(
    OptionalVariable(
        "SENTRY_DSN",
        ProjectAddress(),
        _("Where errors are reported, without what people have entered."),
        otherwise=_("errors are only logged"),
    )
)

DATA: Final = VariableGroup("data", _("Data and limits"))
CUPS_UP_VAR = DATA.add(
    Variable(
        "CUPS_UP_VAR",
        Folder(),
        _("The folder of this installation’s own data, relative to the checkout."),
        default="var",
    )
)
ERASURES_FILE = DATA.add(
    OptionalVariable(
        "ERASURES_FILE",
        FilePath(),
        _(
            "The file with the public ids of erased players, which restoring a backup needs; keep "
            "it for good."
        ),
        otherwise=_("`erased.txt` in the folder of `CUPS_UP_VAR`"),
    )
)
IMPORT_MAX_BYTES = DATA.add(
    Variable(
        "IMPORT_MAX_BYTES",
        ByteSize("1KiB", "1GiB"),
        _("The largest file of games that can be uploaded."),
        default="16MiB",
    )
)
PHOTO_DAYS = DATA.add(
    Variable(
        "PHOTO_DAYS",
        WholeNumber(1, 36_500),
        _("Days until the photo of a paper sheet is deleted."),
        default="60",
    )
)
RATE_LIMITS = DATA.add(
    Variable(
        "RATE_LIMITS",
        Flag(),
        _("Whether requests are limited by account and address."),
        default="true",
    )
)

GROUPS: Final = (RUN, SECRET, SERVERS, ADDRESS, MAIL, PUSH, OPERATOR, WATCH, DATA)
VARIABLES: Final[list[AnyVariable]] = [variable for group in GROUPS for variable in group.variables]
