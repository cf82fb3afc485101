"""A headless Chromium, driven over its own protocol: real clicks, keys and addresses."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
WAIT_S = 120


class Page:
    """One tab. `errors` holds what the page wrote to the console as an error, or threw."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.errors: list[str] = []

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol and its answer."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            message = await self._socket.receive_json(timeout=WAIT_S)
            if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                entry = message["params"].get("entry", {"level": "error"})
                if entry["level"] == "error":
                    self.errors.append(json.dumps(message["params"]))
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    async def open(self, address: str) -> None:
        """Go to an address and wait until the page stands."""
        await self.send("Page.navigate", url=address)
        await self.until("document.readyState === 'complete'")

    async def value(self, expression: str) -> Any:
        """What a JavaScript expression gives."""
        done = await self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    async def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        async with asyncio.timeout(WAIT_S):
            while not await self.value(expression):
                await asyncio.sleep(0.05)

    async def key(self, name: str, code: int, text: str = "") -> None:
        """Press and release one key."""
        both = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        await self.send("Input.dispatchKeyEvent", **both, **down)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **both)


@contextlib.asynccontextmanager
async def browser(profile: Path) -> AsyncIterator[Page]:
    """A browser with one empty tab, ended at the end."""
    command = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "about:blank"]
    command += [f"--user-data-dir={profile}", "--remote-debugging-port=0"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port_file = profile / "DevToolsActivePort"
        async with asyncio.timeout(WAIT_S):
            while not (port_file.is_file() and port_file.read_text(encoding="utf-8").strip()):
                await asyncio.sleep(0.05)
        port = port_file.read_text(encoding="utf-8").split()[0]
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                tabs = [tab for tab in await answer.json() if tab["type"] == "page"]
            address = tabs[0]["webSocketDebuggerUrl"]
            async with session.ws_connect(address, max_msg_size=0) as socket:
                page = Page(socket)
                for domain in ("Page", "Runtime", "Log"):
                    await page.send(f"{domain}.enable")
                yield page
    finally:
        process.terminate()
        process.wait(timeout=WAIT_S)
