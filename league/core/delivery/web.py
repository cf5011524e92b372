"""Choosing notices, and the devices that show them."""

from __future__ import annotations

from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.delivery.models.preference import NoticeTopic
from league.core.delivery.queries.preference import device_of, devices_of, preference_of
from league.core.delivery.services.preference import preference_set, stop_token_read, topic_stop
from league.core.delivery.services.push import push_key
from league.core.delivery.services.subscription import subscription_drop, subscription_save
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import posted
from league.core.viewer.web.viewer import or_404, signed_in

WORKER = settings.BASE_DIR / "league" / "static" / "league" / "sw.js"


class PreferenceForm(forms.Form):
    """The topics for each channel."""

    mail = forms.MultipleChoiceField(
        label=gettext_lazy("By email"),
        choices=NoticeTopic.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    push = forms.MultipleChoiceField(
        label=gettext_lazy("On my devices"),
        choices=NoticeTopic.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices_page(request: HttpRequest) -> HttpResponse:
    """Choose topics, and add or remove devices."""
    user = signed_in(request)
    form = PreferenceForm(
        posted(request), initial=model_to_dict(preference_of(user), ["mail", "push"])
    )
    if form.is_valid():
        preference_set(user=user, mail=form.cleaned_data["mail"], push=form.cleaned_data["push"])
        return redirect_saying(request, gettext("Your settings have been saved."), "notices")
    devices = [(device, urlsplit(device.endpoint).hostname) for device in devices_of(user)]
    return render(
        request, "account/notices.html", {"form": form, "devices": devices, "key": push_key()}
    )


@login_required
@require_POST
def device_remove(request: HttpRequest, device: str) -> HttpResponse:
    """Stop a device from showing notices."""
    user = signed_in(request)
    subscription_drop(user=user, endpoint=or_404(device_of, user, device).endpoint)
    return redirect_saying(
        request, gettext("This device no longer shows notifications."), "notices"
    )


@login_required
@require_POST
def push_subscribe(request: HttpRequest) -> HttpResponse:
    """Let the requesting browser show notices; answer 400 with the reason if its address or keys
    are invalid."""
    fields = request.POST
    try:
        subscription_save(
            user=signed_in(request),
            endpoint=fields.get("endpoint", ""),
            p256dh=fields.get("p256dh", ""),
            auth=fields.get("auth", ""),
        )
    except ValidationError as error:
        return HttpResponse(error.messages[0], status=400, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


@login_required
@require_POST
def push_unsubscribe(request: HttpRequest) -> HttpResponse:
    """Stop the requesting browser from showing notices."""
    subscription_drop(user=signed_in(request), endpoint=request.POST.get("endpoint", ""))
    return HttpResponse(status=204)


# a mail program sends it for its reader (RFC 8058), and the address holds all that is needed
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notices_stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop emails on a topic, at an address from one of them. Only a POST changes anything."""
    user, topic = or_404(stop_token_read, token)
    if request.method == "POST":
        topic_stop(user=user, topic=topic)
    return render(
        request,
        "account/notices_stop.html",
        {"topic": topic.label, "stopped": request.method == "POST"},
    )


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the script with which a browser shows pushed notices. It is at the root, so that its
    scope is the whole service; browsers check for a new one each time."""
    return worker_script(WORKER.read_bytes())


def worker_script(content: bytes) -> HttpResponse:
    """Return a service worker's script; browsers check for a new one each time."""
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(content, content_type="text/javascript; charset=utf-8", headers=headers)
