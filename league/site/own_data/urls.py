"""Addresses of all that is stored about an account, and of deleting it."""

from django.urls import path

from league.site.own_data.web import account_delete_page, own_data_file

account_pages = [
    path("data/", own_data_file, name="account-data"),
    path("delete/", account_delete_page, name="account-delete"),
]
