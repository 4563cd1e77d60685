"""Films the home page's stage, for README: a hand drags the old response past the new one.

Usage: film.py STAGE OUTPUT_FOLDER

STAGE is a page of `--player` for search-as-you-type. For each theme, this writes a moving picture in
WebP. Its name says which runs it shows, so a check can tell whether it's stale.
"""

import hashlib
import io
import re
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

# The opening address of the home page: the old response still comes first.
OPENING = "?brief&theme={theme}#part=1&flag=without-switch&move=GET+/search?q%3Dsw+to+800ms"
WIDTH, HEIGHT = 720, 560
# How long frames stay, in milliseconds.
START, STEP, WRONG, RIGHT = 1500, 140, 2600, 2600
STEPS = 14

# A hand on the handle that moves.
HAND = """
document.querySelector('.hand')?.remove();
const box = arguments[0].getBoundingClientRect();
const hand = document.createElement('div');
hand.className = 'hand';
hand.style = 'position: absolute; z-index: 9; pointer-events: none;'
  + `left: ${box.left + 3}px; top: ${box.top + 3}px`;
hand.innerHTML = '<svg width="22" height="26" viewBox="0 0 22 26"><path d="M2 2v18l5-4 3 8 4-2-3-7h7z"'
  + ' fill="#111" stroke="#fff" stroke-width="1.6"/></svg>';
document.body.append(hand);
"""


def fingerprint(page):
    """What identifies the runs of a page."""
    text = Path(page).read_text(encoding="utf-8")
    runs = re.search(r'<script[^>]* id="runs"[^>]*>(.*?)</script>', text, re.DOTALL).group(1)
    return hashlib.sha256(runs.encode()).hexdigest()[:12]


def film(driver, page, theme):
    """The frames of a film, each with its duration."""
    driver.get("about:blank")
    driver.get(page.as_uri() + OPENING.format(theme=theme))
    driver.execute_script("document.documentElement.classList.add('touched')")
    handle = driver.find_element("css selector", ".handle.moved")
    ghost = driver.find_element("css selector", ".ghost")
    way = ghost.rect["x"] + ghost.rect["width"] / 2 - handle.rect["x"] - handle.rect["width"] / 2

    def frame(duration):
        image = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
        frames.append((image, duration))

    def drag(actions):
        actions.perform()
        driver.execute_script(HAND, handle)

    frames = []
    drag(ActionChains(driver).click_and_hold(handle))
    frame(START)
    for step in range(STEPS):
        part = round(way * (step + 1) / STEPS) - round(way * step / STEPS)
        drag(ActionChains(driver).move_by_offset(part, 0))
        frame(STEP)
    drag(ActionChains(driver).release())
    frame(WRONG)
    driver.execute_script("document.querySelector('.hand').remove()")
    driver.find_element("css selector", "#mend button").click()
    driver.execute_script("document.activeElement.blur()")
    frame(RIGHT)
    return frames


def main():
    page, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="film-", ignore_cleanup_errors=True) as profile:
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                         "--hide-scrollbars", f"--user-data-dir={profile}"):
            options.add_argument(argument)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})
            for theme in ("light", "dark"):
                frames = film(driver, page, theme)
                first, *rest = [image for image, _ in frames]
                file = folder / f"drag-{theme}.webp"
                first.save(
                    file, save_all=True, append_images=rest, loop=0, lossless=True, method=6,
                    duration=[duration for _, duration in frames], xmp=fingerprint(page).encode())
                print(f"{file}: {len(frames)} frames, {file.stat().st_size // 1000} KB")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
