"""The door to Azure's storage library: one blob, in the container that a signed URL names.

The only thing in this package that writes, and only where the user said; the signature of the URL
is a key and is never told to anybody.
"""

from typing import Any, Final
from urllib.parse import quote, urlsplit

from sickbay.errors import SickbayError

# The library would try for a minute and a half before it says that nobody is there.
_PATIENCE: Final[dict[str, Any]] = {"retry_total": 2, "initial_backoff": 1, "increment_base": 1}
_HINT: Final = "make one with: az storage container generate-sas --permissions cw …"


def check(url: str) -> None:
    """Hold that a URL names a container and carries a signature, before anything is read."""
    parts = urlsplit(url)
    signed = {word.partition("=")[0] for word in parts.query.split("&")}
    if parts.scheme not in ("https", "http") or not parts.hostname or not parts.path.strip("/"):
        raise SickbayError("--upload needs the URL of a container, with its signature", _HINT)
    if "sig" not in signed:
        raise SickbayError(f"the URL of {_place(url)} carries no signature", _HINT)


def upload(path: str, url: str, name: str) -> str:
    """Store a file as a new blob; return where it is, without the signature."""
    check(url)
    from azure.core.exceptions import (  # noqa: PLC0415 - only an upload pays for the library
        AzureError,
        HttpResponseError,
        ResourceExistsError,
    )
    from azure.storage.blob import ContainerClient  # noqa: PLC0415

    place = f"{_place(url)}/{quote(name)}"
    try:
        with (
            ContainerClient.from_container_url(url, **_PATIENCE) as container,
            open(path, "rb") as file,  # noqa: PTH123
        ):
            container.upload_blob(name, file, overwrite=False)
    except ResourceExistsError:
        raise SickbayError(f"{place} is there already", "choose another --to") from None
    except HttpResponseError as error:
        problem = error.error_code if hasattr(error, "error_code") else error.reason
        raise SickbayError(f"{place} was refused: {problem or error.status_code}", _HINT) from None
    except (AzureError, OSError, ValueError) as error:
        raise SickbayError(f"{place} cannot be reached", _without(url, error)) from None
    return place


def _place(url: str) -> str:
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path.rstrip('/')}"


def _without(url: str, error: Exception) -> str:
    """What went wrong, in a line that cannot hold the signature."""
    query = urlsplit(url).query
    line = str(error).partition("\n")[0]
    return line.replace(query, "…")[:200] if query and query in line else line.split("?")[0][:200]
