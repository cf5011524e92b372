"""All addresses of the service: each noun lists its own in its `urls.py`."""

from importlib import import_module

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import URLPattern, include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from league.site.openapi.api import Nothing
from league.wings import noun_modules

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


def listed(name: str) -> list[URLPattern]:
    """Return the addresses in all nouns' lists of this name: `pages`, `desk`, `account_pages` or
    `api`."""
    modules = [import_module(module) for module in noun_modules("urls")]
    return [address for module in modules for address in getattr(module, name, [])]


pages = [*listed("pages"), *listed("desk")]
api = listed("api")

urlpatterns = [
    path("", include(pages)),
    path("api/", include([*api, re_path("", Nothing.as_view())])),
    path("accounts/", include(listed("account_pages"))),
    # set_language is exempt: otherwise every page would have a CSRF token
    path("i18n/setlang/", csrf_exempt(set_language), name="set_language"),
    path("admin/", admin.site.urls),
]

handler400 = "league.core.frame.errors.bad_request"
handler403 = "league.core.frame.errors.permission_denied"
handler404 = "league.core.frame.errors.page_not_found"
handler429 = "league.core.frame.errors.too_many_requests"  # allauth's
handler500 = "league.core.frame.errors.server_error"
