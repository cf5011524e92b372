"""Settings; `league/environment/declaration.py` lists the variables that they are read from."""

import sys
from pathlib import Path
from typing import Any

import structlog
from csp.constants import NONE, SELF
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _
from redis.backoff import NoBackoff
from redis.retry import Retry

from engine import __version__
from engine.record.lines import Limits
from league.core.frame.outages import outage_marked
from league.core.frame.secrecy import keys_hidden
from league.environment import declaration as env
from league.environment.check import environment_check
from league.environment.derived import database, local_secret, push_secret
from league.queues import QUEUED, QUEUES, ROUTES, SCHEDULE
from league.up import embedded, heartbeat
from league.up.network import is_loopback, is_loopback_origin, served_hosts

BASE_DIR = Path(__file__).resolve().parent.parent

environment_check()

# A checkout runs by itself, also with other servers; a service has collected static files, and
# needs a secret that its processes share. Without DATABASE_URL the log is for people at a terminal.
LOCAL = not env.DATABASE_URL.is_given()
DEBUG = env.DEBUG.read()
STATIC_COLLECTED = env.STATIC_COLLECTED.read()
SECRET_IS_SET = env.SECRET_KEY.is_given()
SECRET_KEY = env.SECRET_KEY.read() or local_secret()
SECRET_KEY_FALLBACKS = env.SECRET_KEY_FALLBACKS.read() or []  # former ones: their links still work
HOST = env.HOST.read()
NAMED_HOSTS = env.ALLOWED_HOSTS.read()
# Without ALLOWED_HOSTS there is no proxy either: browsers use our own port, with this machine's
# names.
DIRECT = not NAMED_HOSTS
ALLOWED_HOSTS = NAMED_HOSTS or served_hosts(HOST)
CSRF_TRUSTED_ORIGINS = env.CSRF_TRUSTED_ORIGINS.read() or []
HTTPS = env.HTTPS.read()
# Without a proxy, `manage.py up` speaks HTTPS itself, with a certificate that it makes
# (league/up/certificate.py).
OWN_CERTIFICATE = HTTPS and DIRECT


def _own_origin() -> str:
    scheme = "https" if HTTPS else "http"
    port = f":{env.PORT.read()}" if LOCAL or DIRECT else ""
    host = ALLOWED_HOSTS[0].removeprefix(".")
    return f"{scheme}://{host}{port}"


# The origin in emails and QR codes.
NAMED_ORIGINS = [origin for origin in CSRF_TRUSTED_ORIGINS if "*" not in origin]
PUBLIC_ORIGIN = env.PUBLIC_ORIGIN.read() or next(iter(NAMED_ORIGINS), "") or _own_origin()
# No other machine can reach the service, so published secrets, such as the demo's password, are
# safe.
ONLY_HERE = is_loopback(HOST) and is_loopback_origin(PUBLIC_ORIGIN)
DEMO = env.DEMO.read()

# The operator's pages in the foot of every page: the imprint, and the privacy policy.
IMPRINT_URL = env.IMPRINT_URL.read()
PRIVACY_URL = env.PRIVACY_URL.read()
# The contact in /.well-known/security.txt.
SECURITY_CONTACT = env.SECURITY_CONTACT.read()

# For those who watch the service: the token that Prometheus sends, without which there is no
# /metrics, the port at which hosts without web processes answer, and a line for each request.
METRICS_TOKEN = env.METRICS_TOKEN.read() or ""
METRICS_PORT = env.METRICS_PORT.read()
ACCESS_LOG = env.ACCESS_LOG.read()
# Errors are reported to Sentry if it is set (league/core/frame/error_reports.py).
SENTRY_DSN = env.SENTRY_DSN.read()

# Everything runs as the role of DATABASE_URL, which can't rewrite facts; only migrations run as
# that of DATABASE_OWNER_URL.
DATABASE_URL = env.DATABASE_URL.read() or embedded.database_url()
DATABASE_OWNER_URL = (
    embedded.database_url(embedded.OWNER)
    if LOCAL
    else env.DATABASE_OWNER_URL.read() or DATABASE_URL
)
# The public ids of erased people, which a restored backup doesn't have. Keep this file apart from the
# database, and for good.
ERASURES_FILE = env.ERASURES_FILE.read() or embedded.var_dir() / "erased.txt"
REDIS_URL = env.REDIS_URL.read() or embedded.redis_url()
DATABASES = {"default": database(DATABASE_URL)}
REDIS_SECONDS = 0.5  # Redis answers within a millisecond; pages don't wait for one that hangs
CACHES: dict[str, Any] = {
    "default": {
        "BACKEND": "league.core.frame.cache.Cache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {
            "socket_timeout": REDIS_SECONDS,
            "socket_connect_timeout": REDIS_SECONDS,
            "retry": Retry(NoBackoff(), 1),  # for a Redis that was restarted
        },
    },
    # Parts of pages that many readers share, some 30 kB each; in the process, so never from older
    # code.
    "drawn": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 600},
    },
    # Public pages, some 10 kB each (league/core/frame/rendering.py).
    "renderings": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "renderings",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}

INSTALLED_APPS = [
    "league",
    "games",
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "axes",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pgtrigger",
    "rest_framework",
    "rules.apps.AutodiscoverRulesConfig",
]

# The length of a compressed page can reveal secrets (BREACH) to somebody who makes a victim's
# browser load it thousands of times with guesses in the address. Our pages' secrets are CSRF
# tokens, which Django masks differently on every page, and a live page's address, signed again each
# second: nothing constant to guess. The compression also adds up to 100 random bytes to each
# answer. No page shows both a key and something of its address.
MIDDLEWARE = [
    "league.site.health.web.health.HealthMiddleware",
    "league.site.metrics.web.scrape.MetricsMiddleware",
    "league.core.frame.errors.RequestIdMiddleware",
    "league.site.metrics.web.requests.RequestsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "league.core.frame.rendering.RenderingMiddleware",
    "league.core.frame.compression.CompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "league.core.account.web.administration.administration",
    "axes.middleware.AxesMiddleware",
    "league.core.frame.limits.LimitMiddleware",
    "league.core.account.web.sign_in.SignInMiddleware",
    "league.core.account.web.second_factor.OperatorMiddleware",
    "league.core.frame.errors.ErrorMiddleware",
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {
                "arbiters": "league.disputes.arbiter.tags",
                "calibration": "league.standings.rating.tags",
                "calls": "league.disputes.call.tags",
                "cases": "league.disputes.case.tags",
                "corrections": "league.disputes.correction.tags",
                "course": "league.records.analysis.tags",
                "disputes": "league.disputes.ruling.tags",
                "evening": "league.floor.event_page.tags",
                "objections": "league.disputes.objection.tags",
                "people": "league.core.player.tags",
                "play": "league.play.online_table.tags",
                "rounds": "league.records.round.tags",
                "stages": "league.stages.stage.tags",
                "standings": "league.standings.standing.tags",
                "statements": "league.disputes.statement.tags",
                "watching": "league.sheets.watching.tags",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# Accounts
AUTH_USER_MODEL = "league.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "rules.permissions.ObjectPermissionBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "league.core.account.domain.password.NotOnesName"},
    {"NAME": "league.core.account.domain.password.LongEnough", "OPTIONS": {"min_length": 10}},
    {"NAME": "league.core.account.domain.password.NotEverybodys"},
]
ACCOUNT_ADAPTER = "league.core.account.web.account.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# A new address replaces the old one once its owner has opened a link: nobody can claim another's.
ACCOUNT_CHANGE_EMAIL = True
# axes locks one account for one address; this limit stops tries of many accounts from one address,
# and league.core.account.web.sign_in slows tries of one account from many addresses.
ACCOUNT_RATE_LIMITS = {"login_failed": "20/m/ip", "reset_password": "20/m/ip"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Cups Up] "
ACCOUNT_FORMS = {
    "login": "league.core.account.web.account_form.SignInForm",
    "change_password": "league.core.account.web.account_form.ChangePasswordForm",
    "reset_password": "league.core.account.web.account_form.ForgottenPasswordForm",
    "reset_password_from_key": "league.core.account.web.account_form.NewPasswordForm",
    "reauthenticate": "league.core.account.web.account_form.PasswordAgainForm",
    "add_email": "league.core.account.web.account_form.NewAddressForm",
}
# Second factors. An account's address counts as confirmed, so there is none to verify first.
MFA_ADAPTER = "league.core.account.web.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Cups Up"
MFA_TOTP_TOLERANCE = 1  # phones' clocks are off by seconds, and people type slowly
MFA_FORMS = {
    "authenticate": "league.core.account.web.second_factor_form.FactorCodeForm",
    "reauthenticate": "league.core.account.web.second_factor_form.CodeAgainForm",
    "activate_totp": "league.core.account.web.second_factor_form.AppForm",
    "login_webauthn": "league.core.account.web.second_factor_form.PasskeySignInForm",
    "authenticate_webauthn": "league.core.account.web.second_factor_form.PasskeyCodeForm",
    "reauthenticate_webauthn": "league.core.account.web.second_factor_form.PasskeyAgainForm",
    "add_webauthn": "league.core.account.web.second_factor_form.PasskeyForm",
    "edit_webauthn": "league.core.account.web.second_factor_form.PasskeyNameForm",
}
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = reverse_lazy("home")
ACCOUNT_LOGOUT_REDIRECT_URL = reverse_lazy("home")
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_WHITELIST_CALLABLE = "league.core.account.web.sign_in.is_known_browser"
AXES_USERNAME_CALLABLE = "league.core.account.web.sign_in.account_tried"
AXES_CLIENT_IP_CALLABLE = "league.core.frame.client_address.client_address"
AXES_LOCKOUT_CALLABLE = "league.core.frame.errors.locked"
AXES_VERBOSE = False
AXES_DISABLE_ACCESS_LOG = True  # nobody needs to know who has signed in when, and from where

# Emails are stored first (`Letter`). A job hands them to the carrier: a mail server, or without one
# a private file for each. Then pages say that nobody gets them (MAIL_LEAVES), and links are handed
# on by people who may see them.
EMAIL_BACKEND = "league.core.delivery.services.letter.LetterBox"
EMAIL_HOST = env.EMAIL_HOST.read() or ""
EMAIL_PORT = env.EMAIL_PORT.read()
EMAIL_HOST_USER = env.EMAIL_HOST_USER.read() or ""
EMAIL_HOST_PASSWORD = env.EMAIL_HOST_PASSWORD.read() or ""
EMAIL_USE_TLS = env.EMAIL_USE_TLS.read()
DEFAULT_FROM_EMAIL = env.DEFAULT_FROM_EMAIL.read()
EMAIL_TIMEOUT = 10  # seconds for each answer of the server; its queue limits the whole email
MAIL_LEAVES = bool(EMAIL_HOST)
EMAIL_CARRIER = (
    "django.core.mail.backends.smtp.EmailBackend"
    if MAIL_LEAVES
    else "league.core.frame.secrecy.PrivateFiles"
)
EMAIL_FILE_PATH = embedded.var_dir() / "mail"

# Pushed notices: our key, and the push services of browsers. No other host is ever contacted.
VAPID_PRIVATE_KEY = env.VAPID_PRIVATE_KEY.read() or push_secret(SECRET_KEY)
PUSH_SERVICES = env.PUSH_SERVICES.read()

# Languages and times
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("nl", "Nederlands")]
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
TIME_ZONE = "UTC"
USE_THOUSAND_SEPARATOR = True
FORMAT_MODULE_PATH = ["league.formats"]

# Files
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "static-root"
# the files of a checkout may change while it runs
WHITENOISE_USE_FINDERS = not STATIC_COLLECTED
WHITENOISE_AUTOREFRESH = not STATIC_COLLECTED
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "league.static_files.HashedFiles"
        if STATIC_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Uploads: a season of 180 games is 0.2 MB; a club's ten years fit well into this.
IMPORT_MAX_BYTES = env.IMPORT_MAX_BYTES.read()
# How much of a file is read, however well it is packed; a game in the notation has some thirty
# lines. Bad games are listed up to the first thousand, and counted up to IMPORT_MAX_BAD, where a
# file is given up.
IMPORT_LIMITS = Limits(unpacked=16 * IMPORT_MAX_BYTES, lines=200_000, blank=10_000)
IMPORT_MAX_BAD = 10_000
IMPORT_SECONDS = QUEUES["imports"]
DATA_UPLOAD_MAX_MEMORY_SIZE = IMPORT_MAX_BYTES + 1024 * 1024

# Days until the photo of a game's sheet is deleted; its digest stays in the log.
PHOTO_DAYS = env.PHOTO_DAYS.read()

# Limits: the number of requests in so many seconds, from an account that is signed in, from an API
# key, or otherwise from an address. `account` counts the wrong passwords for one account, from any
# address; beyond it each address still has its `first_tries`, and each browser that has signed in
# before its own tries. `second_factor` counts the wrong codes of one account.
RATES = {
    "read": (600, 60),
    "card": (120, 60),  # drawn by the server; a chat asks once for each address that is shared
    "enter": (120, 60),
    "write": (300, 60),  # of a phone at a table, which sends at once what it wrote offline
    "export": (30, 60),
    "replay": (120, 60),  # stepping through a game by arrow keys asks once a second or two
    "upload": (30, 600),
    "enter_event": (30, 3600),
    "codes": (20, 600),  # of helpers, which are short
    # a whole hall scans its slips behind one address; there are 31 ** 8 codes
    "claims": (600, 600),
    "ask_claim": (60, 600),  # of phones without the code of the wall
    "open_table": (30, 3600),
    "seat": (120, 60),  # of one seat at an online table, from any account or address
    "play_address": (2400, 60),  # of all programs behind one address
    "play": (240, 60),  # acts at online tables and in practice; a club's evening has one address
    # taps at online tables, one a second at most for each; refused ones do no harm
    "unsent": (1200, 60),
    "practice": (60, 600),
    "letters": (5, 24 * 3600),  # to one address, for each requester
    "sign_in": (30, 60),
    "subscribe": (30, 60),
    "account": (60, 3600),
    "first_tries": (3, 3600),
    "known_browser": (10, 900),
    "second_factor": (10, 3600),
}
RATE_LIMITS = RATES if env.RATE_LIMITS.read() else {}
# The limit of each page that has one, by method and name. Views of the API name theirs.
LIMITED_PAGES = {
    "POST replay": "replay",
    "GET replayed": "replay",
    "POST game-correct": "replay",
    "POST import": "upload",
    "POST desk-entry-list": "upload",
    "POST event-enter": "enter_event",
    "POST entry-by-mail": "enter_event",
    "POST helper-code": "codes",
    "POST practice": "practice",
    "POST practice-game": "play",
    "POST online-table-new": "open_table",
    "POST online-table-again": "open_table",
    "POST online-table-sit": "play",
    "POST online-table-automatic": "play",
    "POST online-table-act": "play",
    "POST online-table-unsent": "unsent",
    "POST online-table-say": "play",
    "POST online-table-time-up": "play",
    "POST online-table-more-time": "play",
    "POST standing-order-give": "play",
    "POST standing-order-withdraw": "play",
    "POST online-table-erase": "play",
    "POST chat-say": "play",
    "POST chat-mute": "play",
    "POST chat-report": "play",
    "GET online-table-seat": "codes",
    "GET arbiter-invitation": "codes",
    "POST arbiter-invitation": "codes",
    "GET arbiter-account": "codes",
    "POST arbiter-account": "codes",
    "GET claim": "claims",
    "POST claim": "claims",
    "GET claim-player": "claims",
    "POST claim-player": "claims",
    "POST event-claim": "ask_claim",
    "GET event-wall": "claims",
    "POST event-wall": "claims",
    "POST push-subscribe": "subscribe",
    "POST push-unsubscribe": "subscribe",
    "POST notices-stop": "subscribe",
    "POST event-letters-stop": "subscribe",
    "GET season-card": "card",
    "GET event-card": "card",
    "GET game-card": "card",
    "GET player-card": "card",
    "GET sitemap": "export",
    "GET sitemap-part": "export",
    "GET season-table": "export",
    "GET season-heads": "export",
    "GET season-handles": "export",
    "GET season-seats": "export",
    "GET season-adjustments": "export",
    "GET desk-entries-file": "export",
    "GET desk-fees-file": "export",
    "GET club-log-export": "export",
    "GET club-calendar": "export",
    "GET event-calendar": "export",
    "GET own-calendar": "export",
    "GET game-record": "export",
    "GET game-notation": "export",
    "POST account_login": "sign_in",
    "POST account_reset_password": "sign_in",
    "POST mfa_authenticate": "sign_in",
    "POST mfa_login_webauthn": "sign_in",
    "GET account-data": "export",
}
# Trusted proxies, whose X-Forwarded-For counts (league/core/frame/client_address.py): addresses or
# networks.
TRUSTED_PROXIES = env.TRUSTED_PROXIES.read()

# Security. With our own certificate browsers get no lasting HTTPS rules: these would lock people
# out of a laptop that serves plain HTTP the next evening, as a page can't replace a cookie that
# HTTPS has set.
BEHIND_HTTPS = HTTPS and not OWN_CERTIFICATE
SECURE_SSL_REDIRECT = BEHIND_HTTPS
SESSION_COOKIE_SECURE = BEHIND_HTTPS
CSRF_COOKIE_SECURE = BEHIND_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_HTTPS else None
# Browsers ignore it on untrustworthy origins, and complain on the console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS or ONLY_HERE else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "league.core.frame.errors.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# Jobs
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A call that the broker doesn't take at once is given up: the sweep finds its row.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 2.0,  # a worker waits a second for the next job
    "socket_connect_timeout": REDIS_SECONDS,
    "retry_on_timeout": False,
    "health_check_interval": 10,
    "max_retries": 0,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "league.celery_app:Scheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = heartbeat.SECONDS
CELERY_DB_REUSE_MAX = sys.maxsize  # league/celery_app.py sees to the connection
CELERY_TASK_DEFAULT_QUEUE = "counting"
CELERY_TASK_ROUTES = ROUTES
CELERY_TASK_SOFT_TIME_LIMIT = QUEUES[CELERY_TASK_DEFAULT_QUEUE]
CELERY_TASK_TIME_LIMIT = CELERY_TASK_SOFT_TIME_LIMIT + 60
CELERY_TASK_ANNOTATIONS = {
    job: {"soft_time_limit": QUEUES[queue], "time_limit": QUEUES[queue] + 60}
    for job, queue in QUEUED.items()
}
CELERY_BEAT_SCHEDULE = SCHEDULE

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.core.key.api.KeyAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["league.core.frame.api.access.Closed"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "league.core.frame.api.pagination.Pagination",
    "DEFAULT_SCHEMA_CLASS": "league.core.frame.api.operation.Description",
    "EXCEPTION_HANDLER": "league.core.frame.api.problems.problem_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Cups Up",
    "DESCRIPTION": (
        "Clubs, seasons, standings, ratings, players, games and events of dice-bluffing leagues."
    ),
    "VERSION": __version__,
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v[0-9]",
    "ENUM_NAME_OVERRIDES": {
        "Ended": ["ended"],
        "GameEnum": "games.models.Kind",
        "EntryStatus": "league.events.entry.models.Entry.Status",
        "EventStatus": "league.events.event.models.Event.Status",
        "RoundStatus": "league.stages.round.models.StageRound.Status",
        "StageStatus": "league.stages.stage.models.Stage.Status",
        "TimetableStatus": "league.floor.timetable.models.Timetable.Status",
        "OnlineTableStatus": "league.play.online_table.models.OnlineTable.Status",
        "OnlineEntryAct": [
            "bid",
            "challenge",
            "roll",
            "announce",
            "answer",
            "leave",
            "timeout",
            "reveal",
        ],
        "ActEnum": ["opener", "note", "close", "undo", "amend"],
        "SheetActEnum": ["opener", "note", "close", "undo", "amend", "take_over"],
        "BluffAct": ["bid", "challenge", "leave"],
        "KniffelAct": ["roll", "announce", "believe", "doubt", "leave"],
        "Publication": ["published", "taken_back"],
        "Scoring": "league.standings.ranking.models.Scoring",
        "StageScoring": "league.stages.stage.models.StageScoring",
        "TieBreak": "league.standings.ranking.models.TieBreak",
        "StageTieBreak": "engine.scoring.stage.rules.StageTieBreak",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "league.site.openapi.api.described_as_it_is",
    ],
}

# Pages of other hosts may read public answers of the API, without anybody's session or key.
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "HEAD"]
CORS_ALLOW_HEADERS = ["if-none-match"]
CORS_EXPOSE_HEADERS = ["ETag", "X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After"]

UNFOLD = {
    "SITE_TITLE": "Cups Up",
    "SITE_HEADER": "Cups Up",
    "SITE_SUBHEADER": _("Administration"),
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
}

# Logs: one line an event, readable on a terminal, JSON for a service. Bodies of requests and values
# of variables are never logged: they could contain a hidden die. Keys in addresses are hidden: they
# could set a password.
LOG_CHAIN: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
    outage_marked,
    structlog.processors.format_exc_info,
    keys_hidden,
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processor": structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            )
            if LOCAL
            else structlog.processors.JSONRenderer(),
            "foreign_pre_chain": LOG_CHAIN,
        }
    },
    "filters": {"outages": {"()": "league.core.frame.outages.OutageFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["outages"],
        }
    },
    "root": {"handlers": ["console"], "level": env.LOG_LEVEL.read()},
    # A line for each call of a sweep, and two for its job, would be 30 MB a day without activity.
    "loggers": {
        name: {"level": "WARNING"}
        for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace")
    },
}
structlog.configure(
    processors=[*LOG_CHAIN, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
