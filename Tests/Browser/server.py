"""Tests the server of `make play`: what it builds, when, for whom, and how it ends."""

import http.client
import json
import os
import pty
import re
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from run import check, expect
from websocket import create_connection

# What a search comes to when the last value comes too late for `d` to be skipped.
CRASH = '.sink { if $0 == "d" { fatalError("oops") };'
LOOP = '.sink { while $0 == "d" {};'


def port_of(play):
    return int(re.search(r":(\d+)/", play.address)[1])


def path_of(play):
    return re.search(r":\d+(/.*)", play.address)[1]


def status(play, path, host, **headers):
    """The status of a request that names a host, whatever the port of the server is."""
    connection = http.client.HTTPConnection("127.0.0.1", port_of(play), timeout=5)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in {"Host": host, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse().status
    connection.close()
    return answer


class Socket:
    """A page's connection, without the page."""

    def __init__(self, play):
        self.connection = create_connection(
            play.address.replace("http", "ws") + "live", timeout=60,
            origin=re.match(r"http://[^/]+", play.address)[0])

    def ask(self, **request):
        self.connection.send(json.dumps({"id": 1, "part": 1, **request}))

    def until(self, condition):
        """The messages up to the first one that's as it should be."""
        messages = []
        while not messages or not condition(messages[-1]):
            messages.append(json.loads(self.connection.recv()))
        return messages

    def close(self):
        self.connection.close()


def the_steps_of_a_build_are_shown(play):
    play.open()
    page = Socket(play)
    # A new file needs the package manager, which says what it does.
    extra = play.main.parent / "Extra.swift"
    extra.write_text("let extra = 1\n", encoding="utf-8")
    try:
        page.until(lambda message: re.fullmatch(
            r"\[\d+/\d+\]|compiling \w+", message.get("step") or ""))
        page.until(lambda message: message.get("state") == "running")
    finally:
        extra.unlink()
    page.until(lambda message: message.get("state") == "building")
    page.until(lambda message: message.get("state") == "running")
    page.close()
    play.save("on screen", "shown")
    play.until(lambda state: "shown" in state["screen"], "the new run isn't shown")
    play.save("", "")
    play.until(lambda state: "on screen" in state["screen"], "the first code doesn't come back")
    expect(play.browser.find("#step").text, "", "the step after the build")


def a_change_with_an_old_date_is_seen(play):
    play.open()
    before = play.main.stat()
    # Of the same length, and an hour older.
    play.save("on screen", "my screen")
    os.utime(play.main, (before.st_atime - 3600, before.st_mtime - 3600))
    play.until(lambda state: "my screen" in state["screen"], "the change isn't seen")
    old = play.main.with_name("old.swift")
    old.write_text("func +(a: String, b: Int) -> String {\n", encoding="utf-8")
    os.utime(old, (0, 0))
    play.until(lambda state: "old.swift" in state["problem"], "an old file isn't seen")
    old.unlink()
    play.until(lambda state: not state["problem"], "that it's gone isn't seen")
    play.save("", "")
    play.until(lambda state: "on screen" in state["screen"], "the first code doesn't come back")


def only_this_machine_is_served(play):
    upgrade = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    own = port_of(play)
    for host in f"127.0.0.1:{own}", f"localhost:{own}", "localhost:9999", "[::1]:80", "localhost":
        expect(status(play, path_of(play), host), 200, f"the page at {host}")
        live = status(play, path_of(play) + "live", host, **upgrade, Origin=f"http://{host}")
        expect(live, 101, f"the socket at {host}")
    # A name that its owner makes point to this machine.
    for host in f"example.com:{own}", f"localhost.example.com:{own}", f"127.0.0.1.example.com", "":
        expect(status(play, path_of(play), host), 403, f"the page at {host}")
        live = status(play, path_of(play) + "live", host, **upgrade, Origin=f"http://{host}")
        expect(live, 403, f"the socket at {host}")
    for origin in f"http://localhost:{own + 1}", f"https://localhost:{own}", "null", "":
        live = status(
            play, path_of(play) + "live", f"localhost:{own}", **upgrade, Origin=origin)
        expect(live, 403, f"the socket for {origin}")
    expect(status(play, "/", f"localhost:{own}"), 404, "without the token")


def a_page_at_localhost_is_live(play):
    address = play.address
    play.address = address.replace("127.0.0.1", "localhost")
    play.open()
    play.address = address


def what_a_search_crashes_is_an_ending(play):
    for code, words in (CRASH, "the program crashes: "), (LOOP, "the program doesn't end"):
        play.open()
        page = Socket(play)
        play.save(".sink {", code)
        page.until(lambda message: message.get("state") == "building")
        page.until(lambda message: message.get("parts"))
        page.ask(wants="endings")
        endings = page.until(lambda message: message.get("endings"))[-1]["endings"]
        bad = [ending for ending in endings if ending["outcome"][0].startswith(words)]
        expect(len(bad), 1, f"endings that say {words}")
        check(bad[0]["moves"], f"what leads to it: {bad[0]}")
        # The search goes on after it.
        check(any("is refused" in ending["title"] or ending["outcome"] != bad[0]["outcome"]
                  for ending in endings), f"other endings: {endings}")
        play.save("", "")
        page.until(lambda message: message.get("state") == "building")
        page.until(lambda message: message.get("state") == "running")
        page.close()


def a_build_ends_with_the_server(play):
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        play.open()
        play.main.touch()
        other = play.start()
        wait(lambda: builds_of(other.pid), "no build")
        build = builds_of(other.pid)
        other.send_signal(number)
        expect(other.wait(20), 128 + number, f"the status after {number.name}")
        wait(lambda: not any(is_running(id) for id in build),
             f"a build goes on after {number.name}")


def mistakes_are_one_line(play):
    with tempfile.TemporaryDirectory() as folder, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, line in (
                (["playground", "--package", folder], f"{folder} has no Package.swift. "),
                (["playground", "--watch", "nowhere"], "there's no folder nowhere to watch"),
                (["playground", "--port", port], f"port {port} is in use. "),
                (["nothing"], "has no executable product 'nothing'"),
                (["Streams"], "has no executable product 'Streams'")):
            result = subprocess.run(
                [play.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, timeout=300, check=False)
            expect(result.returncode, 1, f"the status of {arguments}")
            check(re.fullmatch(f"Error: .*{re.escape(line)}.*\n", result.stderr),
                  f"{arguments}: {result.stderr}")


def a_folder_that_is_gone_may_come_back(play):
    play.open()
    folder = play.main.parent
    away = folder.with_name("away")
    folder.rename(away)
    state = play.until(lambda state: state["problem"], "nothing says that it's gone")
    check(re.fullmatch(r"The folder \S+ is gone\. .*", state["problem"]), state["problem"])
    check(state["marks"], "the last good run is gone")
    away.rename(folder)
    play.until(lambda state: not state["problem"] and not state["building"], "it isn't back")


def a_terminal_shows_the_build_and_opens_a_browser(play):
    with tempfile.TemporaryDirectory() as folder:
        browser, opened = Path(folder, "browser"), Path(folder, "opened")
        browser.write_text(f'#!/bin/sh\necho "$1" >{opened}\n', encoding="utf-8")
        browser.chmod(0o755)
        for arguments, variables, opens in (
                ([], {}, True), (["--no-open"], {}, False), ([], {"CI": "true"}, False)):
            opened.unlink(missing_ok=True)
            play.main.touch()
            text = on_a_terminal(
                [play.program, "playground", "--watch", str(play.main.parent), *arguments],
                {"BROWSER": str(browser), **variables})
            word = "Opened" if opens else "Open"
            address = re.match(rf"{word} (http://127\S+/) in a browser\. Ctrl-C ends it\.", text)
            check(address, text)
            check(re.search(r"building… \[\d+/\d+\]", text), text)
            check(re.search(r"built in \d+\.?\d* s", text), text)
            if opens:
                wait(opened.exists, "no browser is opened")
                expect(opened.read_text(encoding="utf-8").strip(), address[1], "the address")
            check(opens or not opened.exists(), "a browser is opened")


def on_a_terminal(command, variables):
    """What a program writes on a terminal until it has built."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    main, side = pty.openpty()
    process = subprocess.Popen(
        command, stdin=side, stdout=side, stderr=side, env={**environment, **variables})
    os.close(side)
    text = ""
    while "built in" not in text:
        text += os.read(main, 10_000).decode(errors="replace")
    process.terminate()
    process.wait()
    os.close(main)
    return text


def builds_of(server):
    """The processes of package managers that a server has started."""
    return subprocess.run(
        ["pgrep", "-P", str(server), "swift-build"], stdout=subprocess.PIPE, text=True,
        check=False).stdout.split()


def is_running(process):
    """Whether a process hasn't ended, even if its parent hasn't noticed."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes() != b""
    except FileNotFoundError:
        return False


def wait(condition, about, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, about)
        time.sleep(0.01)


# The place of the value that `measure` moves, in the picture of what has run.
PLACE = """
return [...document.querySelectorAll("#stage svg .mark")]
  .find((mark) => mark.querySelector(".words")?.textContent === "b").getBoundingClientRect().x;
"""


def measure(play, edits, moves):
    """Prints how long it takes from saving, and from moving, to the picture."""
    play.open()
    saved = []
    for number in range(edits):
        start = time.monotonic()
        play.save("on screen", f"screen {number}")
        play.until(lambda state: f"screen {number}" in state["screen"], "the new run isn't shown")
        saved.append(time.monotonic() - start)
    play.save("", "")
    play.until(lambda state: "on screen" in state["screen"], "the first code doesn't come back")
    play.browser.driver.set_script_timeout(120)
    moved = play.browser.driver.execute_async_script("""
      const [count, done] = arguments;
      const handle = [...document.querySelectorAll(".handle")]
        .find((one) => one.getAttribute("aria-label").includes("value 2"));
      const place = () => { %s };
      const times = [];
      const next = () => {
        if (times.length === count) return done(times);
        const start = performance.now();
        const before = place();
        handle.dispatchEvent(new KeyboardEvent("keydown",
          { key: times.length %% 2 ? "ArrowLeft" : "ArrowRight", bubbles: true }));
        const look = () => {
          if (place() === before) return setTimeout(look);
          times.push(performance.now() - start);
          setTimeout(next, 3);
        };
        look();
      };
      next();
    """ % PLACE, moves)
    print(f"play: {statistics.median(saved) * 1000:.0f} ms from saving to the picture, "
          f"{statistics.median(moved):.0f} ms from a move to the picture "
          f"(medians of {edits} and {moves})")


TESTS = [
    the_steps_of_a_build_are_shown, a_change_with_an_old_date_is_seen,
    only_this_machine_is_served, a_page_at_localhost_is_live, what_a_search_crashes_is_an_ending,
    a_build_ends_with_the_server, mistakes_are_one_line, a_folder_that_is_gone_may_come_back,
    a_terminal_shows_the_build_and_opens_a_browser]
