"""A headless Chromium to look at pages with, driven through a pipe by its own protocol; it needs no other library."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ..waiting import until

_ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe")
# The browser reads from 3 and writes to 4.
_STARTER = """
import os, sys
ends = [os.dup(int(end)) for end in sys.argv[1:3]]
for number, end in ((3, ends[0]), (4, os.dup(ends[1]))):
    os.dup2(end, number)
    os.set_inheritable(number, True)
os.execv(sys.argv[3], sys.argv[3:])
"""

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find() -> str:
    """The program; the test is skipped where there is none."""
    path = next((path for name in NAMES if (path := shutil.which(name))), None)
    return path or pytest.skip(f"there is no {', '.join(NAMES)}")


class Browser:
    """A browser without a window."""

    def __init__(self, program: str, folder: Path) -> None:
        read_by_it, self._write = os.pipe()
        self._read, written_by_it = os.pipe()
        ends = (str(read_by_it), str(written_by_it))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _STARTER, *ends, program, *_ARGUMENTS, f"--user-data-dir={folder}"],
            pass_fds=(read_by_it, written_by_it),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_by_it)
        os.close(written_by_it)
        self._rest, self._number = b"", 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        """End the browser."""
        os.close(self._write)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """What the browser answers; what else it says meanwhile joins the events."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 16)
            assert piece, "the browser ended"
            self._rest += piece
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message


class Page:
    """One page in a browser."""

    def __init__(self, browser: Browser, path: Path, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        self.browser, self.url = browser, path.as_uri()
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=self.url)
        until(lambda: self.run("document.readyState") == "complete" and self.run("location.href") != "about:blank")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask this page."""
        return self.browser.call(method, self._session, **parameters)

    def run(self, script: str) -> Any:
        """The value of an expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def said(self, *methods: str) -> list[dict[str, Any]]:
        """Events of these kinds."""
        mine = (event for event in self.browser.events if event.get("sessionId") == self._session)
        return [event["params"] for event in mine if event["method"] in methods]

    def complaints(self) -> list[Any]:
        """Errors and warnings in the console."""
        said = self.said("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [one for one in said if one.get("entry", {}).get("level") != "verbose"]

    def requests(self) -> list[str]:
        """What was asked for beside the page itself and what it holds."""
        urls = [event["request"]["url"] for event in self.said("Network.requestWillBeSent")]
        return [url for url in urls if url != self.url and not url.startswith("data:")]

    def picture(self, path: Path) -> None:
        """The whole page as a PNG file."""
        height = self.run("document.documentElement.scrollHeight")
        width = self.run("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(image))

    def pdf(self) -> bytes:
        """The page on paper."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
