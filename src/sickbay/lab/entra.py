"""The answers that a sign-in needs: discovery, tokens, and those of a managed identity.

No signature is made and none is checked: nothing that these tokens open exists.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qsl

from sickbay.lab.answers import Asked, Reply
from sickbay.lab.place import Place, guid

_HOUR: Final = 3600
_IDENTITY: Final = "/metadata/identity/oauth2/token"


Refusals = Sequence[Mapping[str, Any]]


def signs_in(asked: Asked, place: Place, now: datetime, refusals: Refusals) -> Reply | None:
    """The answer if this is about signing in, else nothing."""
    path = asked.path.rstrip("/")
    if path.endswith("/discovery/instance"):
        return Reply(200, _instance(asked, place))
    if path.endswith("/.well-known/openid-configuration"):
        return Reply(200, _configuration(asked.origin, path.split("/")[1]))
    if path.endswith(("/oauth2/v2.0/token", "/oauth2/token")) and asked.method == "POST":
        return _token(asked, place, now, refusals)
    if path == _IDENTITY:
        return _identity(asked, place, now)
    if path == "/metadata/endpoints":
        return Reply(200, _endpoints(asked))
    return None


def _instance(asked: Asked, place: Place) -> dict[str, Any]:
    host = asked.origin.partition("://")[2]
    known = {"preferred_network": host, "preferred_cache": host, "aliases": [host]}
    where = f"{asked.origin}/{place.tenant}/v2.0/.well-known/openid-configuration"
    return {"tenant_discovery_endpoint": where, "api-version": "1.1", "metadata": [known]}


def _configuration(origin: str, tenant: str) -> dict[str, Any]:
    base = f"{origin}/{tenant}"
    return {
        "issuer": f"{base}/v2.0",
        "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
        "token_endpoint": f"{base}/oauth2/v2.0/token",
        "device_authorization_endpoint": f"{base}/oauth2/v2.0/devicecode",
        "jwks_uri": f"{base}/discovery/v2.0/keys",
        "tenant_region_scope": None,
    }


def _token(asked: Asked, place: Place, now: datetime, refusals: Refusals) -> Reply:
    form = dict(parse_qsl(asked.body if isinstance(asked.body, str) else ""))
    shown = {
        "tenant": asked.path.split("/")[1],
        "client": form.get("client_id", ""),
        "secret": form.get("client_secret", ""),
    }
    for refusal in refusals:
        if all(refusal.get(name, value) == value for name, value in shown.items()):
            return _turned_away(refusal, shown, now)
    wanted = form.get("scope", "").split() or [form.get("resource", asked.origin)]
    token = _signed(wanted[0].removesuffix("/.default"), place, now)
    lives = {"expires_in": _HOUR - 1, "ext_expires_in": _HOUR - 1}
    return Reply(200, {"token_type": "Bearer", **lives, "access_token": token})


def _turned_away(refusal: Mapping[str, Any], shown: Mapping[str, str], now: datetime) -> Reply:
    """The refusal of Entra ID, with the lines that it adds to each."""
    code = int(refusal["code"])
    says = str(refusal["message"]).format(**shown)
    at = f"{now:%Y-%m-%d %H:%M:%SZ}"
    ids = f"Trace ID: {guid('trace')} Correlation ID: {guid('correlation')} Timestamp: {at}"
    body = {
        "error": str(refusal.get("error", "invalid_client")),
        "error_description": f"AADSTS{code}: {says} {ids}",
        "error_codes": [code],
        "timestamp": at,
        "trace_id": guid("trace"),
        "correlation_id": guid("correlation"),
    }
    return Reply(int(refusal.get("status", 401)), body)


def _identity(asked: Asked, place: Place, now: datetime) -> Reply:
    """What a machine in Azure is told about itself at 169.254.169.254."""
    if asked.headers.get("metadata", "").casefold() != "true":
        message = "Required metadata header not specified"
        return Reply(400, {"error": "bad_request_102", "error_description": message})
    resource = asked.query.get("resource", asked.origin)
    lives = str(int((now + timedelta(seconds=_HOUR)).timestamp()))
    return Reply(
        200,
        {
            "access_token": _signed(resource, place, now),
            "client_id": guid("client"),
            "expires_in": str(_HOUR - 1),
            "expires_on": lives,
            "ext_expires_in": str(_HOUR - 1),
            "not_before": str(int(now.timestamp())),
            "resource": resource,
            "token_type": "Bearer",
        },
    )


def _endpoints(asked: Asked) -> Any:
    """What `az cloud register` and others learn of a cloud from its endpoint."""
    origin = asked.origin
    cloud = {
        "name": "SickbayLab",
        "portal": origin,
        "authentication": {
            "loginEndpoint": origin,
            "audiences": [f"{origin}/"],
            "tenant": "common",
            "identityProvider": "AAD",
        },
        "resourceManager": origin,
        "graph": f"{origin}/",
        "graphAudience": f"{origin}/",
        "microsoftGraphResourceId": f"{origin}/",
        "media": origin,
        "batch": origin,
        "activeDirectoryDataLake": origin,
        "sqlManagement": origin,
        "gallery": origin,
        "vmImageAliasDoc": origin,
        "suffixes": {
            "storage": "core.lab.invalid",
            "keyVaultDns": "vault.lab.invalid",
            "acrLoginServer": "azurecr.lab.invalid",
        },
    }
    return [cloud] if asked.version >= "2019" else {**cloud, "galleryEndpoint": origin}


def _signed(audience: str, place: Place, now: datetime) -> str:
    begin = int(now.timestamp())
    claims = {
        "aud": audience,
        "iss": f"https://sts.windows.net/{place.tenant}/",
        "iat": begin,
        "nbf": begin,
        "exp": begin + _HOUR,
        "appid": guid("client"),
        "idtyp": "app",
        "oid": guid("principal"),
        "tid": place.tenant,
        "ver": "1.0",
        "xms_cc": ["CP1"],
    }
    return f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(claims)}.lab"


def _part(value: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def is_missing_token(asked: Asked) -> bool:
    return not asked.headers.get("authorization", "").casefold().startswith("bearer ")
