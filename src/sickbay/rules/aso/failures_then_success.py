from collections import Counter

from sickbay.model.aso import Attempt
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each

_FEWEST = 2
# Codes that no waiting ends: somebody has to grant, register, approve or make room.
_EXTERNAL = frozenset(
    {
        "AllocationFailed",
        "AuthorizationFailed",
        "LinkedAuthorizationFailed",
        "MissingSubscriptionRegistration",
        "OperationNotAllowed",
        "QuotaExceeded",
        "RequestDisallowedByPolicy",
        "ResourceQuotaExceeded",
        "ScopeLocked",
        "SkuNotAvailable",
        "SubscriptionNotRegistered",
    }
)
_MEET = "Meet the precondition before the next deployment (quota, role, registration, policy, approval): ASO needs nothing else."
_WAIT = "Nothing is broken. Refer to the dependency by group, kind and name instead of armId, so that ASO waits for it by itself."


@each(Attempt)
def succeeded_after_failures(attempt: Attempt, snapshot: Snapshot) -> Match | Clear | None:
    if attempt.has_failed:
        return None
    tries = snapshot.grouped(Attempt, "series", attempt.series)
    first = next(number for number, one in enumerate(tries) if not one.has_failed)
    failures = tries[:first]
    count = sum(one.times for one in failures)
    if tries[first] != attempt:
        return None
    if count < _FEWEST:
        return Clear(f"{count} failures before {attempt.target_ref.name} succeeded")
    codes: Counter[str] = Counter()
    for one in failures:
        codes[one.code] += one.times
    told = ", ".join(f"{code} x{times}" for code, times in codes.items())
    outside = sorted(_EXTERNAL & codes.keys())
    kind = f"external ({', '.join(outside)})" if outside else "a matter of order"
    advice = _MEET if outside else _WAIT
    return Match(
        f"{attempt.verb} of {attempt.target_ref.name} failed {count} times ({told}) and then succeeded: "
        f"the precondition was {kind}",
        facts={"codes": ", ".join(codes), "advice": advice},
        cites=tuple(
            Cite(one.ref, "", f"{one.code}: {one.message}".rstrip(": ")) for one in failures[:3]
        ),
        subject=attempt.target_ref,
    )


RULE = Rule(
    title="Repeated failures were followed by success: a precondition was not met when ASO first tried",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(succeeded_after_failures,),
    why="A row of near-identical failures that ends in an eventual success means that the request was right and came too early: something had to be true first. Either the precondition is external (quota, a permission, a policy, an approval) and somebody met it, or it is a matter of order, and ASO has no precondition check for this type that would make it wait.",
    remedy=(
        Step(
            "See what became ready or was granted shortly before the success: the activity log of the group has both.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-group",
                "{resource_group}",
                "--offset",
                "7d",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step("{advice}"),
        Step(
            "Where only the order was wrong, ask the ASO project for a precondition check of this type (PreReconcileCheck), with {codes} and the recorded sequence."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://github.com/Azure/azure-service-operator/issues",
    ),
    leads_to=(
        "aso.referenced_resource_missing",
        "aso.dependency_not_provisioned",
        "aso.server_not_ready",
        "aso.operation_conflict",
        "aso.failed_identity_operation",
        "aso.fleet_empty",
        "aso.sql_defender_disabled",
        "aso.front_door_incomplete",
        "aso.delete_blocked_by_dependents",
        "aks.service_principal_missing",
        "aks.invalid_resource_reference",
        "aks.resource_not_found",
        "aks.operation_in_progress",
        "aks.delete_blocked",
        "aks.quota_exceeded",
        "aks.authorization_failed",
        "aks.policy_denies",
        "aks.resource_locked",
        "aks.provider_unregistered",
        "aks.request_throttled",
        "aks.allocation_failed",
        "aks.vm_size_unavailable",
        "aks.platform_error",
    ),
)
