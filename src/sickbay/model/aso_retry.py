"""Whether and when ASO tries again after an error, which changed with its versions."""

import re
from enum import StrEnum
from typing import Final

Version = tuple[int, int]

# Since this version an error 400 that nobody classified is tried again, seldom.
SINCE_RETRIES: Final[Version] = (2, 18)
_SINCE_LOCKS: Final[Version] = (2, 13)
_OWN_FAST: Final = frozenset(
    "ConfigMapNotFound ReferenceNotFound SecretNotFound WaitingForOwner".split()
)
_SLOW: Final = frozenset(
    "AnotherOperationInProgress AuthorizationFailed AllocationFailed Conflict "
    "FailedIdentityOperation InvalidResourceReference InvalidSubscriptionRegistrationState "
    "LinkedAuthorizationFailed MissingRegistrationForLocation MissingSubscriptionRegistration "
    "NoRegisteredProviderFound NotFound ParentResourceNotFound PrincipalNotFound "
    "ResourceGroupNotFound ResourceNotFound ResourceQuotaExceeded RequestDisallowedByPolicy "
    "SubscriptionNotRegistered".split()
)
_VERY_SLOW: Final = frozenset(
    "BadRequestFormat BadRequest InvalidResourceGroupLocation InvalidParameter "
    "InvalidParameterValue MethodNotAllowed ReservedResourceName RegionIsOfferRestricted "
    "ScopeLocked SkuNotAvailable SubscriptionNotFound".split()
)
_ALWAYS_FATAL: Final = frozenset(
    "PublicIpForGatewayIsRequired InvalidResourceType InvalidRequestContent InvalidTemplate "
    "InvalidValuesForRequestParameters InvalidGatewaySkuProvidedForGatewayVpnType "
    "InvalidGatewaySize K8sVersionNotSupported LocationRequired MissingRequiredParameter "
    "PasswordTooLong PasswordNotComplex PrivateIPAddressInReservedRange "
    "PrivateIPAddressNotInSubnet PropertyChangeNotAllowed ServiceUnavailable".split()
)
# Reasons of ASO itself, which no version has tried again.
_OWN_FATAL: Final = frozenset(
    "Failed FailedWritingAdditionalKubernetesObjects ReconciliationFailedPermanently "
    "SubscriptionMismatch".split()
)
# Only another spec ends these, and another spec is tried at once.
_IN_SPEC: Final = frozenset(
    "AccountNameInvalid BadRequestFormat InvalidParameter InvalidParameterValue "
    "InvalidPrincipalId InvalidResourceGroupLocation LocationNotAvailableForResourceGroup "
    "ReservedResourceName".split()
)


class Retry(StrEnum):
    """When the next attempt comes."""

    NEVER = "ASO does not try again until the spec or an ASO annotation changes"
    FAST = "ASO tries again by itself, every 30 s at the latest"
    SLOW = "ASO tries again by itself, every 3 minutes at the latest"
    AT_SYNC = "ASO tries again by itself, but only at the next sync (AZURE_SYNC_PERIOD, 1 h)"
    UNTOLD = "ASO tries again by itself, within 3 minutes or, after an HTTP 400, at the next sync"


def retry_of(code: str, severity: str) -> Retry:
    """What a condition means for the next attempt: its severity decides, the code says when."""
    if severity == "Error":
        return Retry.NEVER
    if code in _OWN_FAST:
        return Retry.FAST
    if code in _VERY_SLOW:
        return Retry.AT_SYNC
    is_slow = code in _SLOW or code in {"Failed", "UnknownError", "ReconciliationBlocked"}
    return Retry.SLOW if is_slow else Retry.UNTOLD


def is_given_up(code: str, severity: str, version: Version | None) -> bool | None:
    """Whether ASO gave up on an error that newer versions try again; None when it may be.

    Errors that only another spec can end are left out: there is nothing to wait for.
    """
    if severity != "Error" or code in _ALWAYS_FATAL | _OWN_FATAL | _IN_SPEC:
        return False
    if version is not None:
        since = _SINCE_LOCKS if code == "ScopeLocked" else SINCE_RETRIES
        return version < since
    # Of these codes no newer version makes an end.
    return True if code in _SLOW | _VERY_SLOW else None


def version_in(text: str) -> Version | None:
    """The version in a label or in the tag of an image: `v2.13.0` is (2, 13)."""
    found = re.search(r"(?:^|[:@ ])v?(\d{1,3})\.(\d{1,4})(?:\.\d|$|-)", text)
    return (int(found[1]), int(found[2])) if found else None
