"""Windows of Firefox and of WebKit, each driven by the protocol that it comes with."""

from __future__ import annotations

import json
import os
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Literal

import httpx
from server.services import DEADLINE, PATIENT, free_port, listens, require, until
from websockets.sync.client import ClientConnection, connect

WIDTH, HEIGHT = 1280, 900
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue006",
    "Left": "\ue012",
    "Up": "\ue013",
    "Right": "\ue014",
    "Down": "\ue015",
}
"""Keys by the characters that WebDriver has for them."""
Pointer = Literal["mouse", "touch"]

_NOTE_FAULTS = """() => {
  const faults = window.faults = []
  addEventListener('error', (event) => faults.push(`error: ${event.message}`))
  addEventListener('unhandledrejection', (event) => faults.push(`rejected: ${event.reason}`))
  addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.blockedURI}`))
  for (const kind of ['error', 'warn']) {
    const print = console[kind]
    console[kind] = (...all) => {
      faults.push(`console ${kind}: ${all.join(' ')}`)
      print(...all)
    }
  }
}"""
_MIDDLE = """(selector) => {
  const element = document.querySelector(selector)
  if (!element || element.disabled) return null
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const box = element.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2].map(Math.round)
  const hit = document.elementFromPoint(x, y)
  return element.contains(hit) ? [x, y] : null
}"""


class Window(ABC):
    """What somebody who plays does with a browser."""

    @abstractmethod
    def open(self, address: str) -> None:
        """Goes to an address and waits until the page is loaded."""

    @abstractmethod
    def ask(self, expression: str) -> Any:
        """Returns the value of an expression in the page."""

    @abstractmethod
    def _perform(self, sources: list[dict[str, Any]]) -> None:
        """Performs actions as WebDriver describes them, which is the same in all its versions."""

    def wait(self, expression: str) -> Any:
        """Returns the value of an expression as soon as it is true."""
        return until(lambda: self.ask(expression))

    def click(self, selector: str, pointer: Pointer = "mouse") -> None:
        """Clicks the first element that is found, once it is enabled and nothing lies over it.

        WebKit's driver takes a finger for a mouse.
        """
        x, y = self.wait(f"({_MIDDLE})({json.dumps(selector)})")
        actions = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        kind = {"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}}
        self._perform([kind | {"actions": actions}])

    def press(self, key: str) -> None:
        """Presses a key and releases it."""
        actions = [{"type": f"key{way}", "value": KEYS[key]} for way in ("Down", "Up")]
        self._perform([{"type": "key", "id": "keyboard", "actions": actions}])

    def faults(self) -> list[str]:
        """What went wrong in the page or was written into its console as an error or a warning."""
        return list(self.ask("faults"))


class _FirefoxWindow(Window):
    """A window that is driven by WebDriver BiDi, which Playwright wants from newer versions."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._numbers = count()
        self._tell("session.new", capabilities={})
        self._tell("script.addPreloadScript", functionDeclaration=_NOTE_FAULTS)
        # The tab that is there from the start does not get the focus: Enter would press no button.
        self._tab = self._tell("browsingContext.create", type="tab")["context"]
        size = {"width": WIDTH, "height": HEIGHT}
        self._tell("browsingContext.setViewport", context=self._tab, viewport=size)

    def _tell(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        answer = json.loads(self._line.recv(DEADLINE))
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, address: str) -> None:
        self._tell("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def ask(self, expression: str) -> Any:
        answer = self._tell(
            "script.evaluate",
            expression=f"JSON.stringify({expression} ?? null)",
            target={"context": self._tab},
            awaitPromise=False,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def _perform(self, sources: list[dict[str, Any]]) -> None:
        self._tell("input.performActions", context=self._tab, actions=sources)


class _WebKitWindow(Window):
    """A window that is driven by the classic WebDriver.

    It does not hear what goes wrong before a page is loaded.
    """

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._session = "session"
        self._session = f"session/{self._tell('', capabilities={})['sessionId']}"
        self._tell("/window/rect", width=WIDTH, height=HEIGHT)

    def _tell(self, command: str, **body: Any) -> Any:
        answer = self._http.post(self._session + command, json=body)
        assert answer.is_success, answer.text
        return answer.json()["value"]

    def open(self, address: str) -> None:
        self._tell("/url", url=address)
        self.ask(f"({_NOTE_FAULTS})()")

    def ask(self, expression: str) -> Any:
        return self._tell("/execute/sync", script=f"return {expression}", args=[])

    def _perform(self, sources: list[dict[str, Any]]) -> None:
        self._tell("/actions", actions=sources)


@contextmanager
def firefox(folder: Path) -> Iterator[Window]:
    """A window of Firefox with a new profile in a folder."""
    port = free_port()
    command = [require("firefox-esr", "firefox-esr"), "--headless", "--no-remote"]
    command += ["--profile", str(folder), "--remote-debugging-port", str(port)]
    with _running(command, folder):
        until(lambda: listens(port))
        with connect(f"ws://127.0.0.1:{port}/session", max_size=None) as line:
            yield _FirefoxWindow(line)


@contextmanager
def webkit(folder: Path) -> Iterator[Window]:
    """A window of the small browser that comes with WebKitGTK; logs are in a folder."""
    port = free_port()
    driver = [require("WebKitWebDriver", "webkit2gtk-driver"), f"--port={port}"]
    with _screen(folder) as display, _running(driver, folder, env=os.environ | display):
        until(lambda: listens(port))
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", **PATIENT) as http:
            yield _WebKitWindow(http)


@contextmanager
def _screen(folder: Path) -> Iterator[dict[str, str]]:
    """The variable that names a screen which nobody sees."""
    reads, writes = os.pipe()
    command = [require("Xvfb", "xvfb"), "-displayfd", str(writes), "-nolisten", "tcp"]
    command += ["-screen", "0", f"{WIDTH}x{HEIGHT}x24"]
    with _running(command, folder, pass_fds=(writes,)), open(reads) as told:
        os.close(writes)
        yield {"DISPLAY": f":{told.readline().strip()}"}


@contextmanager
def _running(command: list[str], folder: Path, **more: Any) -> Iterator[None]:
    """A process that ends when the block does, with a log in a folder."""
    with open(folder / f"{Path(command[0]).name}.log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, **more)
    try:
        yield
    finally:
        process.terminate()
        process.wait(DEADLINE)
