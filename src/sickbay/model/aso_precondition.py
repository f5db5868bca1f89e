"""What had to be true before Azure would take a request, by the code and words of its refusals."""

import re
from typing import Final, NamedTuple

from sickbay.model.aso_refusal import refused

_ID: Final = r"(/subscriptions/[\w.()/-]{1,400}\w)"
_LONGEST: Final = 1_000


class Precondition(NamedTuple):
    """What was missing; external is what no waiting brings, because somebody has to give it."""

    what: str
    is_external: bool


# The first that fits; code and message are looked at as one text.
_KNOWN: Final[tuple[tuple[str, str, bool], ...]] = (
    (r"(?i)quota|InsufficientVCPU|Limit(?:Exceeded|Reached)", "quota in the subscription", True),
    (
        r"AuthorizationFailed|MissingPermission|MissingMSIPermissions|\bForbidden\b|LinkedAccessCheck",
        "a role for the action",
        True,
    ),
    (r"(?i)approv(?:al|ed)|PostReconciliationFailure", "approval of the connection", True),
    (r"DisallowedByPolicy", "an Azure policy that allows it", True),
    (r"ScopeLocked", "removal of the lock", True),
    (
        r"Registration|NotRegistered|registering Resource Provider",
        "registration of the provider",
        True,
    ),
    (
        r"AllocationFailed|SkuNotAvailable|RegionIsOfferRestricted|high demand",
        "capacity in the region",
        True,
    ),
    (
        r"AADSTS|[Cc]redential|SubscriptionNotFound",
        "a credential that works for the subscription",
        True,
    ),
    (
        r"Invalid(?:Parameter|Request|Template|Values|PrincipalId)|BadRequestFormat|NameInvalid",
        "a corrected spec",
        True,
    ),
    (
        r"PrincipalNotFound|does not exist in the directory|found in the AAD tenant",
        "the principal in Entra ID (replication)",
        False,
    ),
    (r"FailedIdentityOperation", "the managed identity", False),
    (r"ManagedEnvironmentNot", "the container apps environment, provisioned", False),
    (r"Storage\w*Not(?:Provisioned|Succeeded)", "the storage account, Succeeded", False),
    (r"VirtualEndpointOwnerServer|AadAuthOperationCannot", "the server, in state Ready", False),
    (r"TargetingEmptyFleet", "a member in the fleet", False),
    (r"VulnerabilityAssessmentADS", "the security alert policy of the server", False),
    (r"originGroup|AFDX profile", "the origin group with an enabled origin", False),
    (
        r"CannotDelete|CannotBeDeleted|linked servers|still associated with",
        "deletion of what depends on it",
        False,
    ),
    (
        r"TooManyRequests|Throttl|\b429\b",
        "requests below the limit of Azure",
        False,
    ),
    (
        r"AnotherOperation|Conflict|IsBusy|\bbusy\b|InProgress|Retryable|OperationNotAllowed",
        "the end of another operation on it or on its parent",
        False,
    ),
    (
        r"NotProvisioned|not in Succeeded state",
        "the resource that it refers to, Succeeded",
        False,
    ),
    (
        r"NotFound|InvalidResourceReference|not found|does not exist|Endpoint validation",
        "the resource that it refers to",
        False,
    ),
    (
        r"InternalServerError|ServiceUnavailable|GatewayTimeout|\b50[0-9]\b",
        "a service that answers",
        True,
    ),
)


def precondition(code: str, message: str) -> Precondition | None:
    """What a refusal waited for, with the id that the message names; None if it does not tell."""
    text = f"{code}: {message[:_LONGEST]}"
    for pattern, what, is_external in _KNOWN:
        if re.search(pattern, text):
            detail = _role(message) if "role" in what else _named(message, what)
            return Precondition(f"{what}{detail}", is_external)
    return None


def _role(message: str) -> str:
    facts = refused(message)
    return f" {facts['action']} on {facts['scope']}" if facts["action"] and facts["scope"] else ""


def _named(message: str, what: str) -> str:
    found = re.search(_ID, message) if "refers to" in what else None
    return f" ({found[1]})" if found else ""
