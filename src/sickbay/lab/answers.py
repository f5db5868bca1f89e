"""What is asked of a simulated Azure, what it answers, and its errors in their recorded shapes."""

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from sickbay.lab.place import guid
from sickbay.model.ids import arm, arm_type
from sickbay.record import NamedTuple

_GATEWAY: Final = {"x-ms-failure-cause": "gateway"}
_SERVICE: Final = {"x-ms-failure-cause": "service"}
_FIX: Final = "For more details please go to https://aka.ms/ARMResourceNotFoundFix"
HTML: Final = (
    "<!DOCTYPE html><html><head><title>503 Service Unavailable</title></head><body>"
    "<h2>Our services aren't available right now</h2><p>We're working to restore all services as "
    "soon as possible. Please check back soon.</p></body></html>"
)


class Asked(NamedTuple):
    """One request: a path without its query, and the names of the query in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Any = None
    headers: Mapping[str, str] = {}
    origin: str = ""

    @property
    def id(self) -> str:
        return self.path.rstrip("/")

    @property
    def key(self) -> str:
        return self.id.casefold()

    @property
    def version(self) -> str:
        return self.query.get("api-version", "")


class Reply(NamedTuple):
    """One response; a body that is bytes is sent as it is, None is an empty one."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}
    is_html: bool = False

    @property
    def content(self) -> bytes:
        if self.body is None:
            return b""
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if self.is_html else msgspec.json.encode(self.body)


class Problem(NamedTuple):
    """An error with its status; the service of AKS writes its own flat, without an envelope."""

    status: int
    code: str
    message: str
    more: Mapping[str, Any] = {}
    is_flat: bool = False
    headers: Mapping[str, str] = _GATEWAY

    @property
    def error(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, **self.more}

    def reply(self) -> Reply:
        flat = {"code": self.code, "details": None, "message": self.message, "subcode": ""}
        body = {**flat, **self.more} if self.is_flat else {"error": self.error}
        return Reply(self.status, body, self.headers)


def not_found(id: str) -> Problem:
    """Gone, or never made; the message names what is missing, by type and group."""
    ref = arm(id)
    if not ref.group:
        return Problem(404, "ResourceNotFound", f"The resource '{id}' was not found. {_FIX}")
    what = id[id.casefold().rfind("/providers/") + len("/providers/") :]
    message = f"The Resource '{what}' under resource group '{ref.group}' was not found. {_FIX}"
    return Problem(404, "ResourceNotFound", message)


def group_not_found(group: str) -> Problem:
    message = f"Resource group '{group}' could not be found."
    return Problem(404, "ResourceGroupNotFound", message)


def parent_not_found(id: str) -> Problem:
    parent = id.rsplit("/", 2)[0]
    message = f"Failed to perform 'write' on resource(s) of type '{_inner(id)}', because the parent"
    message += f" resource '{parent}' could not be found."
    return Problem(404, "ParentResourceNotFound", message)


def unauthenticated(origin: str, tenant: str) -> Problem:
    message = "Authentication failed. The 'Authorization' header is missing."
    way = f'Bearer authorization_uri="{origin}/{tenant}", error="invalid_token"'
    return Problem(401, "AuthenticationFailed", message, headers={"WWW-Authenticate": way})


def forbidden(id: str, action: str) -> Problem:
    message = (
        f"The client 'sickbay-lab' with object id '{guid('client')}' does not have authorization "
        f"to perform action '{action}' over scope '{id}' or the scope is invalid. If access was "
        "recently granted, please refresh your credentials."
    )
    return Problem(403, "AuthorizationFailed", message)


def locked(id: str, verb: str, scope: str) -> Problem:
    message = (
        f"The scope '{id}' cannot perform {verb} operation because following scope(s) are locked: "
        f"'{scope}'. Please remove the lock and try again."
    )
    return Problem(409, "ScopeLocked", message)


def unregistered(namespace: str) -> Problem:
    message = f"The subscription is not registered to use namespace '{namespace}'. See "
    message += "https://aka.ms/rps-not-found for how to register subscriptions."
    inner = {
        "code": "MissingSubscriptionRegistration",
        "target": namespace,
        "message": message,
    }
    return Problem(409, "MissingSubscriptionRegistration", message, {"details": [inner]})


def disallowed(id: str, assignment: Mapping[str, Any]) -> Problem:
    """A refusal by a policy, with all that says why."""
    properties, name = assignment.get("properties", {}), id.rpartition("/")[2]
    definition = str(properties.get("policyDefinitionId", ""))
    shown = str(properties.get("displayName") or assignment.get("name", ""))
    both = {
        "policyAssignment": {"name": shown, "id": assignment.get("id", "")},
        "policyDefinition": {"name": shown, "id": definition, "version": "1.0.0"},
    }
    info = {
        "evaluationDetails": {
            "evaluatedExpressions": [
                {
                    "result": "True",
                    "expressionKind": "Field",
                    "expression": "type",
                    "path": "type",
                    "expressionValue": arm_type(id),
                    "targetValue": arm_type(id),
                    "operator": "Equals",
                }
            ]
        },
        "policyDefinitionId": definition,
        "policyDefinitionName": definition.rpartition("/")[2],
        "policyDefinitionDisplayName": shown,
        "policyDefinitionVersion": "1.0.0",
        "policyDefinitionEffect": "Deny",
        "policyAssignmentId": assignment.get("id", ""),
        "policyAssignmentName": assignment.get("name", ""),
        "policyAssignmentDisplayName": shown,
        "policyAssignmentScope": properties.get("scope", ""),
        "policyAssignmentParameters": {},
        "policyExemptionIds": [],
        "policyEnrollmentIds": [],
    }
    found = json.dumps([both], separators=(",", ":"))
    message = f"Resource '{name}' was disallowed by policy. Policy identifiers: '{found}'."
    more = {"target": name, "additionalInfo": [{"type": "PolicyViolation", "info": info}]}
    return Problem(403, "RequestDisallowedByPolicy", message, more)


def throttled(asked: Asked, subscription: str, after: int | None) -> Problem:
    operation = f"{asked.method}{'/'.join(_collections(asked.id))}/".upper()
    message = (
        f"Number of requests for subscription '{subscription}' and operation '{operation}' "
        f"exceeded the backend storage limit. Please try again after '{after or 6}' seconds."
    )
    headers = {"Retry-After": str(after)} if after is not None else {}
    return Problem(429, "SubscriptionRequestsThrottled", message, headers=headers)


def not_provisioned(id: str, used: str) -> Problem:
    """What a network answers while something that it stands on is still being changed."""
    message = (
        f"Cannot proceed with operation because resource {used} used by resource {id} is not in "
        "Succeeded state. Resource is in Updating state and the last operation that updated/is "
        "updating the resource is PutSubnetOperation."
    )
    inner = {"code": "ReferencedResourceNotProvisioned", "message": message}
    more = {"details": [inner]}
    return Problem(429, "RetryableError", "A retryable error occurred.", more, headers=_SERVICE)


def bad_gateway(id: str) -> Problem:
    namespace = arm_type(id).partition("/")[0]
    message = f"The network connectivity issue encountered for '{namespace}'; cannot fulfill the"
    return Problem(502, "BadGatewayConnection", f"{message} request.", headers=_SERVICE)


def no_version() -> Problem:
    message = "The api-version query parameter (?api-version=) is required for all requests."
    return Problem(400, "MissingApiVersionParameter", message)


def wrong_version(id: str, version: str, known: tuple[str, ...], location: str) -> Problem:
    listed = ", ".join(known)
    message = (
        f"No registered resource provider found for location '{location}' and API version "
        f"'{version}' for type '{_inner(id)}'. The supported api-versions are '{listed}'. The "
        f"supported locations are '{location}'."
    )
    return Problem(400, "NoRegisteredProviderFound", message)


def bad_version(version: str, known: tuple[str, ...]) -> Problem:
    message = f"The api-version '{version}' is invalid. The supported versions are "
    return Problem(400, "InvalidApiVersionParameter", f"{message}'{','.join(known)}'.")


def not_allowed(method: str) -> Problem:
    message = f"The requested resource does not support http method '{method}'."
    return Problem(405, "HttpMethodNotAllowed", message)


def _inner(id: str) -> str:
    return arm_type(id).partition("/")[2]


def _collections(id: str) -> list[str]:
    parts = id.split("/")
    return [parts[0], *parts[1::2]]
