"""A server on this machine that answers as Resource Manager does, and fails on any write."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from aiohttp import web
from azure.core.credentials import AccessToken

from sickbay.collect.clouds import Cloud
from sickbay.collect.transport import Transport

Document = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Token:
    """A credential that never asks anybody."""

    async def get_token(self, *scopes: str, **options: Any) -> AccessToken:  # noqa: ARG002
        return AccessToken("secret-token", int(time.time()) + 3600)

    async def close(self) -> None:
        pass

    async def __aenter__(self) -> "Token":
        return self

    async def __aexit__(self, *args: object) -> None:
        pass


class Server:
    """Resources by their ids; lists are made of what lies below a path."""

    def __init__(self, *documents: Document, page: int = 100) -> None:
        self.documents = {one["id"].casefold(): one for one in documents}
        self.page = page
        self.asked: list[str] = []
        self.writes: list[str] = []
        self.special: dict[str, Handler] = {}
        self.endpoint = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        if request.method not in ("GET", "HEAD"):
            self.writes.append(f"{request.method} {request.path}")
        key = request.path.casefold()
        if key in self.special:
            return await self.special[key](request)
        if key in self.documents:
            return web.json_response(self.documents[key])
        return self._listed(request, key)

    def _listed(self, request: web.Request, key: str) -> web.StreamResponse:
        found = [
            one
            for id, one in sorted(self.documents.items())
            if id.rpartition("/")[0] == key.rstrip("/")
        ]
        if not found and "/providers/" in key.rpartition("/")[0] and key.count("/") % 2 == 0:
            missing = {"error": {"code": "ResourceNotFound", "message": "There is no such thing."}}
            return web.json_response(missing, status=404)
        start = int(request.query.get("$skiptoken", "0"))
        body: Document = {"value": found[start : start + self.page]}
        if start + self.page < len(found):
            link = f"{self.endpoint}{request.path}?api-version=1&$skiptoken={start + self.page}"
            body["nextLink"] = link
        return web.json_response(body)


def serve(
    server: Server, work: Callable[[Transport], Coroutine[Any, Any, Any]], seconds: float = 20.0
) -> Any:
    """Run some work against the server."""

    async def both() -> Any:
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", server.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        server.endpoint = f"http://127.0.0.1:{port}"
        cloud = Cloud("test", server.endpoint, server.endpoint)
        transport = Transport(cloud, Token(), seconds=seconds)
        try:
            return await work(transport)
        finally:
            await transport.close()
            await runner.cleanup()

    return asyncio.run(both())
