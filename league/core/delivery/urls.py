"""Addresses of emails and push messages."""

from django.urls import path

from league.core.delivery.web import (
    device_remove,
    notices_page,
    notices_stop,
    push_subscribe,
    push_unsubscribe,
    service_worker,
)

pages = [
    path("account/notices/", notices_page, name="notices"),
    path("account/notices/devices/<public_id:device>/remove/", device_remove, name="device-remove"),
    path("account/notices/subscribe/", push_subscribe, name="push-subscribe"),
    path("account/notices/unsubscribe/", push_unsubscribe, name="push-unsubscribe"),
    path("account/notices/stop/<str:token>/", notices_stop, name="notices-stop"),
    path("sw.js", service_worker, name="service-worker"),
]
