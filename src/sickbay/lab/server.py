"""The door to aiohttp: a simulated Azure as a https server on this machine.

`Lab` serves a world inside a running event loop, `running` beside a test in a thread.
"""

import asyncio
import json
import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from aiohttp import web

from sickbay.errors import SickbayError
from sickbay.lab.answers import Asked, Reply
from sickbay.lab.azure import Simulated
from sickbay.lab.certificates import certificates
from sickbay.lab.place import Clock, now
from sickbay.lab.world import World, load

_LARGEST: Final = 16 << 20


class Lab:
    """A world as a server; `async with Lab("aks-quota") as lab:` serves it at `lab.endpoint`.

    * `world`: the name of one that comes along, the path of a YAML file, or a `World`.
    * `clock`: where it takes the time from. Pass a function of your own to let hours go by:
      operations end, states change and the log fills up as that clock says.
    * `speed`: how much faster than Azure operations end; 60 makes a minute a second.
    * `port`: 0 takes a free one. `folder`: where the certificates go; without it, one that is
      removed at the end.

    Clients trust `lab.ca_file`. Any bearer token opens it; `lab.endpoint` is also the authority
    that hands out tokens, to a service principal of any name with any secret. `lab.estate.store`
    holds the resources, and `lab.asked` what was asked so far, as lines `METHOD path`.
    """

    def __init__(
        self,
        world: str | World,
        *,
        clock: Clock = now,
        speed: float = 60.0,
        port: int = 0,
        folder: str = "",
    ) -> None:
        self.simulated = Simulated(load(world) if isinstance(world, str) else world, clock, speed)
        self.estate = self.simulated.estate
        self.asked: list[str] = []
        self.endpoint = ""
        self.ca_file = ""
        self._port = port
        self._folder = folder
        self._own: tempfile.TemporaryDirectory[str] | None = None
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        if not self._folder:
            self._own = tempfile.TemporaryDirectory(prefix="sickbay-lab-")
        found = certificates(Path(self._own.name if self._own else self._folder))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(found.certificate, found.key)
        app = web.Application(client_max_size=_LARGEST)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, ssl_context=context)
        try:
            await site.start()
        except OSError as error:
            await self.__aexit__()
            hint = error.strerror or str(error)
            raise SickbayError(f"port {self._port} cannot be used", hint) from None
        port = self._runner.addresses[0][1]
        self.endpoint, self.ca_file = f"https://localhost:{port}", str(found.ca)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            # Whoever is still connected is not waited for: a farewell can take half a minute.
            for one in self._runner.server.connections if self._runner.server else ():
                if one.transport is not None:
                    one.transport.abort()
            await self._runner.cleanup()
            await asyncio.sleep(0)
        if self._own is not None:
            self._own.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        asked = Asked(
            request.method,
            request.path,
            {name.casefold(): value for name, value in request.query.items()},
            await _body(request),
            {name.casefold(): value for name, value in request.headers.items()},
            f"https://{request.host}",
        )
        self.asked.append(f"{asked.method} {asked.path}")
        reply = self.simulated.answer(asked)
        if "x-lab-cut" in reply.headers:
            return await _cut_off(request, reply)
        kind = "text/html" if reply.is_html else "application/json; charset=utf-8"
        headers = {**reply.headers, "Content-Type": kind}
        return web.Response(status=reply.status, body=reply.content, headers=headers)


async def _body(request: web.Request) -> Any:
    """The body of a request: JSON where it is JSON, else its text."""
    text = await request.text() if request.can_read_body else ""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


async def _cut_off(request: web.Request, reply: Reply) -> web.StreamResponse:
    """Promise more than is sent, and hang up."""
    response = web.StreamResponse(status=reply.status)
    response.content_length = len(reply.content) * 2
    await response.prepare(request)
    await response.write(reply.content)
    if request.transport is not None:
        request.transport.close()
    return response


@contextmanager
def running(world: str | World, **options: Any) -> Iterator[Lab]:
    """Serve a world in a thread while a test runs.

    Use it as `with running("aks-quota") as lab:`; it takes the same options as `Lab`. Tests run
    without sockets here, so mark them with `pytest.mark.allow_hosts(["127.0.0.1", "::1"])`.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="sickbay-lab", daemon=True)
    thread.start()
    lab = Lab(world, **options)
    try:
        asyncio.run_coroutine_threadsafe(lab.__aenter__(), loop).result()
        yield lab
    finally:
        asyncio.run_coroutine_threadsafe(lab.__aexit__(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
