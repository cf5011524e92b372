"""Addresses of standing orders."""

from django.urls import path

from league.play.online_table.urls import ONLINE_TABLE
from league.play.standing_order.web import give_order, withdraw_order

pages = [
    path(f"{ONLINE_TABLE}/orders/", give_order, name="standing-order-give"),
    path(f"{ONLINE_TABLE}/orders/withdraw/", withdraw_order, name="standing-order-withdraw"),
]
