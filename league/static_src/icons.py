"""Draws the icons for devices from `favicon.svg`: `.venv/bin/python league/static_src/icons.py`,
after it has changed.

It needs the packages of the tests, and Chromium.
"""

import io
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parents[1] / "static" / "league"
PAPER = "#f9f1e1"
SIZES = {"icon-192.png": 192, "icon-512.png": 512}
TOUCH = {"icon-touch.png": 180, "icon-maskable.png": 512}
"""On paper and with a margin: a device cuts them to the form of its own icons."""
FAVICON = (16, 32, 48)


def main() -> None:
    """Draw all of them."""
    svg = (FOLDER / "favicon.svg").read_text()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = chromium.new_page(viewport={"width": 512, "height": 512})
        page.set_content(
            f"<style>body {{ margin: 0 }} svg {{ width: 100vw; height: 100vh }}</style>{svg}"
        )
        drawing = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
        chromium.close()
    for name, side in SIZES.items():
        drawing.resize((side, side), Image.Resampling.LANCZOS).save(FOLDER / name, optimize=True)
    for name, side in TOUCH.items():
        icon = Image.new("RGB", (side, side), PAPER)
        inner = drawing.resize((side * 7 // 10,) * 2, Image.Resampling.LANCZOS)
        icon.paste(inner, (side * 3 // 20,) * 2, inner)
        icon.save(FOLDER / name, optimize=True)
    drawing.save(FOLDER / "favicon.ico", sizes=[(side, side) for side in FAVICON])


if __name__ == "__main__":
    main()
