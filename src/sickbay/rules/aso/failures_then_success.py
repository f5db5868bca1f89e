from collections import Counter

from sickbay.model.aso import AsoObject, Attempt
from sickbay.model.aso_precondition import precondition
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each

_FEWEST = 2
_MEET = "Meet it before the next deployment: ASO needs nothing else and went on by itself this time. What is not yours to give (quota, a failing service) the product group of the resource can give: send it the whole error, the time in UTC and the resource id."
_WAIT = "Nothing is broken: ASO tried too early. Apply the manifests in order, or refer to the dependency by group, kind and name instead of armId, so that ASO waits for it by itself."
_UNTOLD = "Read the message of the failures: it names what changed between the last failure and the success."

# What Azure refuses for a while, and what fires on the texts of that time.
_REFUSALS = tuple(
    """
    aso.account_name_invalid aso.azure_operation_failed aso.azure_resource_absent
    aso.backup_extension_unhealthy aso.backup_policy_invalid aso.backup_protection_failed
    aso.backup_roles_missing aso.client_secret_invalid aso.cosmos_region_full
    aso.credential_from_invalid aso.credential_secret_incomplete
    aso.delete_blocked_by_dependents aso.deletion_not_supported aso.dependency_not_provisioned
    aso.entra_admin_missing aso.failed_identity_operation aso.fleet_empty
    aso.front_door_incomplete aso.invalid_value aso.kubelet_identity_unassignable
    aso.linked_scope_refused aso.location_unavailable aso.managedcluster_acr_needs_owner
    aso.name_taken aso.no_global_credential aso.not_ready aso.operation_conflict
    aso.operation_not_offered aso.principal_id_invalid aso.principal_not_replicated
    aso.private_endpoint_unapproved aso.provider_registering aso.quota_exceeded
    aso.referenced_resource_missing aso.registration_incomplete aso.request_refused
    aso.requests_throttled aso.server_not_ready aso.sign_in_unreachable
    aso.sql_defender_disabled aso.subscription_not_found aso.workload_identity_mismatch
    aso.wrong_identity_or_permission aks.allocation_failed aks.authorization_failed
    aks.credential_expired aks.delete_blocked aks.identity_operator_missing
    aks.invalid_resource_reference aks.network_not_ready aks.network_role_missing
    aks.operation_in_progress aks.parameter_invalid aks.platform_error aks.policy_denies
    aks.provider_unregistered aks.quota_exceeded aks.regional_quota_exceeded
    aks.request_throttled aks.resource_locked aks.resource_not_found
    aks.role_assignment_refused aks.service_principal_missing aks.vm_size_unavailable
    """.split()
)


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
    if because := _is_not_over(attempt, failures, snapshot):
        return Clear(because)
    return _told(attempt, failures, count)


def _is_not_over(attempt: Attempt, failures: tuple[Attempt, ...], snapshot: Snapshot) -> str:
    """Why the success is not the end: the object fails again, or others fail in the same way."""
    thing = snapshot.find(attempt.target_ref)
    if isinstance(thing, AsoObject) and thing.trouble:
        return f"{attempt.target_ref.name} was accepted, and is not Ready now"
    if attempt.target.startswith("/"):
        return ""
    failing = snapshot.once(_failing)
    marks = [(attempt.place.partition("#")[0], one.code) for one in failures]
    left = sorted(failing[mark] for mark in marks if mark in failing)
    return f"{left[0]} still fails in the same way" if left else ""


def _failing(snapshot: Snapshot) -> dict[tuple[str, str], str]:
    """For each log and code, an object that had failed with it when the log ended."""
    ended = {one.series: one for one in snapshot.some(Attempt)}
    return {
        (one.place.partition("#")[0], one.code): one.target for one in ended.values() if one.code
    }


def _told(attempt: Attempt, failures: tuple[Attempt, ...], count: int) -> Match:
    codes: Counter[str] = Counter()
    for one in failures:
        codes[one.code] += one.times
    told = ", ".join(f"{code} x{times}" for code, times in codes.items())
    known = [p for one in failures if (p := precondition(one.code, one.message))]
    what = next((p for p in known if p.is_external), known[0] if known else None)
    kind = "external" if what and what.is_external else "a matter of order"
    name = f"{what.what}, which is {kind}" if what else "not told by its code"
    start, end = failures[0].first, failures[-1].last
    span = f" from {start} to {end}" if start and end != start else ""
    return Match(
        f"{attempt.verb} of {attempt.target_ref.name} failed {count} times{span} ({told}) and then "
        f"succeeded: the precondition was {name}",
        facts={
            "codes": ", ".join(codes),
            "advice": (_MEET if what.is_external else _WAIT) if what else _UNTOLD,
            "precondition": what.what if what else "the precondition",
        },
        cites=tuple(
            Cite(one.ref, "", f"{one.code}: {one.message}".rstrip(": ")) for one in failures[:3]
        ),
        at=failures[0].first,
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
            "Compare the attempts: what changed between the last failure ({codes}) and the success is the precondition.",
            run=("kubectl", "get", "events", "-n", "{namespace}", "--sort-by=.lastTimestamp"),
            risk=Risk.READ,
        ),
        Step("{advice}", verify="the next creation of {name} succeeds at the first attempt"),
        Step(
            "If ASO should wait for {precondition} by itself, contribute a check (PreReconciliationChecker, as managed clusters have one) or request it from the ASO team in a GitHub issue: give the type, the codes {codes}, and the state that must be reached first."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
        "https://azure.github.io/azure-service-operator/contributing/",
    ),
    leads_to=_REFUSALS,
)
