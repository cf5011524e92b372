"""Settings, all from the environment. Each variable NAME can also be given as NAME_FILE, the path of a file that
holds the value (a secret of Docker or systemd). `docker/.env.example` lists them all."""

import os
import secrets
import sys
from pathlib import Path
from typing import Any

import structlog
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _
from psycopg.conninfo import conninfo_to_dict

from league.up import embedded

BASE_DIR = Path(__file__).resolve().parent.parent


def env(name: str, default: str | None = None) -> str:
    """The value of an environment variable, or of the file that `<name>_FILE` names."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text().strip()
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"Set the environment variable {name} (or {name}_FILE).")
    return value


def env_flag(name: str, default: bool) -> bool:
    """A switch: true, 1, yes or on; false, 0, no or off."""
    value = env(name, str(default)).lower()
    if value in {"true", "1", "yes", "on"}:
        return True
    if value in {"false", "0", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}; it can be true or false.")


def env_list(name: str, default: str) -> list[str]:
    """Values with commas between them."""
    return [part.strip() for part in env(name, default).split(",") if part.strip()]


def database(url: str) -> dict[str, Any]:
    """Django's settings for a connection URI of libpq (`postgresql://user:password@host:port/name?option=…`)."""
    info = conninfo_to_dict(url)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": info.pop("dbname", "cupsup"),
        "USER": info.pop("user", ""),
        "PASSWORD": info.pop("password", ""),
        "HOST": info.pop("host", ""),
        "PORT": info.pop("port", ""),
        "OPTIONS": {key: value for key, value in info.items() if value is not None},
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }


def local_secret() -> str:
    """The secret of a checkout, made once and kept in its `var/`."""
    path = embedded.var_dir() / "secret-key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:
            pass
    return path.read_text()


# A checkout runs by itself, also with servers of its own; where static files are collected it is a service, whose
# processes must share a secret that somebody sets. Without DATABASE_URL its log is for the eyes of one machine.
LOCAL = "DATABASE_URL" not in os.environ and "DATABASE_URL_FILE" not in os.environ
DEBUG = env_flag("DEBUG", default=False)
STATIC_COLLECTED = env_flag("STATIC_COLLECTED", default=False)  # set it where `manage.py collectstatic` is run
SECRET_IS_SET = bool({"SECRET_KEY", "SECRET_KEY_FILE"} & os.environ.keys())
SECRET_KEY = env("SECRET_KEY") if SECRET_IS_SET or STATIC_COLLECTED else local_secret()
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS", "")
HTTPS = env_flag("HTTPS", default=False)

# All runs as the role of DATABASE_URL, which can rewrite no fact; only migrations as that of DATABASE_OWNER_URL.
DATABASE_URL = env("DATABASE_URL", embedded.database_url())
DATABASE_OWNER_URL = embedded.database_url(embedded.OWNER) if LOCAL else env("DATABASE_OWNER_URL", DATABASE_URL)
REDIS_URL = env("REDIS_URL", embedded.redis_url())
DATABASES = {"default": database(DATABASE_URL)}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

INSTALLED_APPS = [
    "league",
    "games",
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "axes",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pgtrigger",
    "rest_framework",
    "rules.apps.AutodiscoverRulesConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "league.frame.request_id.RequestIdMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "league.clubs.web.times.administration_times",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["league.template_loader.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
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
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "league.clubs.web.account.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# One account is axes' to lock; this one stops whoever tries many accounts from one address.
ACCOUNT_RATE_LIMITS = {"login_failed": "20/m/ip"}
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = reverse_lazy("home")
ACCOUNT_LOGOUT_REDIRECT_URL = reverse_lazy("home")
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "league.clubs.web.account.account_tried"
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_VERBOSE = False

# Mail: for passwords that were forgotten, and for invitations. Without a server the former goes to the log, and an
# invitation's link is handed on by who invites.
EMAIL_HOST = env("EMAIL_HOST", "")
EMAIL_PORT = int(env("EMAIL_PORT", "587"))
EMAIL_HOST_USER = env("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env_flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", "Cups Up <cups-up@localhost>")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"

# Languages and times
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("nl", "Nederlands")]
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
USE_THOUSAND_SEPARATOR = True
FORMAT_MODULE_PATH = ["league.formats"]

# Files
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "static-root"
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not STATIC_COLLECTED  # a checkout whose files may change as it runs
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Uploads: a season of 180 games is 0.2 MB; a club's ten years fit well into this.
IMPORT_MAX_BYTES = int(env("IMPORT_MAX_BYTES", str(16 * 1024 * 1024)))
DATA_UPLOAD_MAX_MEMORY_SIZE = IMPORT_MAX_BYTES + 1024 * 1024

# Security
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "league.frame.errors.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": ["/admin/"],
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
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_TIME_LIMIT = 15 * 60
CELERY_DB_REUSE_MAX = sys.maxsize  # league/celery_app.py sees to the connection
CELERY_BEAT_SCHEDULE = {
    "sweep-rankings": {"task": "league.rankings.tasks.sweep_rankings", "schedule": 10.0, "options": {"expires": 10.0}},
    "sweep-imports": {"task": "league.imports.tasks.sweep_imports", "schedule": 10.0, "options": {"expires": 10.0}},
    "audit-clubs": {"task": "league.rankings.tasks.audit_clubs", "schedule": crontab(hour=3, minute=30)},
    "forget-keys": {"task": "league.clubs.tasks.forget_keys", "schedule": 24 * 3600.0},
    "forget-invitations": {"task": "league.clubs.tasks.forget_invitations", "schedule": 24 * 3600.0},
}

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.clubs.api.authentication.KeyAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "league.frame.api.pagination.Pagination",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "league.frame.api.problems.problem_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Cups Up",
    "DESCRIPTION": "Clubs, seasons, standings, ratings, players and games of dice-bluffing leagues.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v[0-9]",
}

UNFOLD = {
    "SITE_TITLE": "Cups Up",
    "SITE_HEADER": "Cups Up",
    "SITE_SUBHEADER": _("Administration"),
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
}

# Logs: one line an event, readable on a terminal, JSON for a service. Bodies of requests and values of variables are
# never logged: a hidden die could be among them.
LOG_CHAIN: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.processors.format_exc_info,
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processor": structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
            if LOCAL
            else structlog.processors.JSONRenderer(),
            "foreign_pre_chain": LOG_CHAIN,
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", "INFO")},
}
structlog.configure(
    processors=[*LOG_CHAIN, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
