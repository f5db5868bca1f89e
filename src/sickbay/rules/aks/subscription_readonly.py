from sickbay.model.azure import Subscription
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Subscription)
def is_disabled(subscription: Subscription, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    state = subscription.state or ""
    name = subscription.display_name or subscription.ref.subscription
    if state.casefold() in {"enabled", "pastdue"}:
        return Clear(f"the subscription {name} is {state}")
    if state.casefold() not in {"disabled", "warned", "deleted"}:
        return None
    return Match(
        f"the subscription {name} is {state}, which makes it read-only",
        cites=(subscription.cite("state", state),),
    )


RULE = Rule(
    title="The subscription is disabled and read-only (ReadOnlyDisabledSubscription)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        is_disabled,
        Signature(
            pattern=r"\bReadOnlyDisabledSubscription\b|(?i:subscription '?[\w<>-]*'? is disabled and therefore marked as read ?only)|\bSubscriptionNotFoundOrDisabled\b|\bDisabledSubscription\b",
            says="the subscription is disabled",
            sample="ReadOnlyDisabledSubscription: The subscription '0b1f6471' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.",
            near_miss="The subscription '0b1f6471' is enabled",
        ),
    ),
    why="A billing problem, spent credit or a policy violation disabled the subscription. Azure then refuses every write in it, so no operation on a cluster can succeed.",
    remedy=(
        Step(
            "See the state of the subscription.",
            run=("az", "account", "show", "-s", "{subscription}", "--query", "state"),
            risk=Risk.READ,
            verify="state wants Enabled",
        ),
        Step(
            "Have the account owner settle the bill, lift the spending limit or reactivate the subscription (portal: Subscriptions, Reactivate)."
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-disabled",
    ),
    leads_to=("aks.operation_failed",),
    ask="az account show -s {subscription} -o json",
    spreads=True,
)
