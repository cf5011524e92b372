"""Addresses of accounts."""

from django.urls import path

from league.core.account.web.password_link import password_link_page

pages = [
    path("service/password/", password_link_page, name="password-link"),
]
