"""A login over SSH with a key, for commands that only read; the only door to the SSH library.

A host key that nobody knows yet is taken and noted: the address was named by the user's own files,
and nothing secret is sent over the connection.
"""

import asyncio
import logging
from typing import TYPE_CHECKING, Final, Self

from sickbay.collect.host_told import Told
from sickbay.model.probe import Result
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    import asyncssh

CONNECT_SECONDS: Final = 15.0
_MOST_OUTPUT: Final = 8_000_000
# A server lets ten sessions share a connection, and a busy VM is not made busier.
_AT_ONCE: Final = 5
_TIMED_OUT: Final = 124


class Output(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: bytes
    errors: str = ""


class LoginError(Exception):
    """The login did not come about."""

    def __init__(self, told: Told) -> None:
        super().__init__(told.result)
        self.told = told


class Login(NamedTuple):
    """Who logs in, where, and with which key."""

    address: str
    user: str
    key_file: str
    port: int = 22


class Shell:
    """A machine that we are logged in to."""

    def __init__(self, connection: "asyncssh.SSHClientConnection") -> None:
        self._connection = connection
        self._limit = asyncio.Semaphore(_AT_ONCE)

    @classmethod
    async def open(cls, login: Login) -> Self:
        """Log in, or raise LoginError with the reason."""
        # Slow to import; only an appliance is logged in to.
        import asyncssh  # noqa: PLC0415

        # Its own log would repeat what the user sees as a gap.
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        try:
            keys = [asyncssh.read_private_key(login.key_file)]
        except FileNotFoundError:
            raise LoginError(Told(Result.KEY_MISSING, login.key_file)) from None
        except (OSError, ValueError) as error:
            raise LoginError(Told(Result.KEY_UNREADABLE, _reason(error))) from None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                connection = await asyncssh.connect(
                    login.address,
                    login.port,
                    username=login.user,
                    client_keys=keys,
                    known_hosts=None,
                    agent_path=None,
                    config=None,
                    preferred_auth="publickey",
                    keepalive_interval=10,
                )
        except asyncssh.PermissionDenied:
            raise LoginError(Told(Result.KEY_REFUSED, f"as {login.user}")) from None
        except (OSError, asyncssh.Error, TimeoutError) as error:
            raise LoginError(Told(Result.NO_SSH, _reason(error))) from None
        return cls(connection)

    @property
    def host_key(self) -> str:
        """The fingerprint of the key by which the machine showed itself."""
        key = self._connection.get_server_host_key()
        return str(key.get_fingerprint()) if key else ""

    @property
    def own_address(self) -> str:
        """The address from which we came."""
        return str(self._connection.get_extra_info("sockname")[0])

    async def run(self, command: str, seconds: float, given: bytes = b"") -> Output:
        """Run a command of plain shell; what takes too long is let go."""
        import asyncssh  # noqa: PLC0415 - loaded by whoever opened this

        async with self._limit:
            try:
                async with asyncio.timeout(seconds):
                    done = await self._connection.run(command, encoding=None, input=given)
            except TimeoutError:
                return Output(_TIMED_OUT, b"")
            except (OSError, asyncssh.Error) as error:
                return Output(_TIMED_OUT, b"", _reason(error))
        out, errors = _octets(done.stdout), _octets(done.stderr)
        code = done.exit_status if done.exit_status is not None else _TIMED_OUT
        return Output(code, out[:_MOST_OUTPUT], errors[:4096].decode("utf-8", "replace"))

    async def close(self) -> None:
        self._connection.abort()
        await self._connection.wait_closed()


def _octets(printed: bytes | str | None) -> bytes:
    return printed.encode() if isinstance(printed, str) else printed or b""


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error)
