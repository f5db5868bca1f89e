from sickbay.model.aso import AsoObject
from sickbay.model.aso_credential import credential_of
from sickbay.model.ids import arm_part
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def credential_is_of_another_subscription(thing: AsoObject, snapshot: Snapshot) -> Match | None:
    trouble = thing.trouble
    if trouble is None or trouble.reason != "SubscriptionMismatch":
        return None
    found = arm_part(thing.resource_id, "subscriptions") or "<subscription>"
    return Match(
        f"{thing.object_kind} {thing.name} was created in subscription {found}, and its credential is for another: {credential_of(thing, snapshot).says}",
        facts={"resource_subscription": found, "credential_subscription": "another"},
        cites=(
            thing.cite(
                "metadata.annotations.serviceoperator.azure.com/resource-id", thing.resource_id
            ),
        ),
    )


RULE = Rule(
    title="The ASO credential belongs to another subscription than the resource (SubscriptionMismatch)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        credential_is_of_another_subscription,
        Signature(
            pattern=r'SubscriptionID "(?P<resource_subscription>[\w-]+)" for "(?P<resource>[^"]{1,500})" resource does not match with Client Credential: "(?P<credential_subscription>[\w-]+)"',
            says="the resource is in subscription {resource_subscription}, the credential is for {credential_subscription}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: SubscriptionMismatch, Severity: Error, RetryClassification: RetryFast, Cause: SubscriptionID \\"11111111-1111-1111-1111-111111111111\\" for \\"/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg1/providers/Microsoft.Storage/storageAccounts/sa1\\" resource does not match with Client Credential: \\"22222222-2222-2222-2222-222222222222\\"" logger="storage_storageaccount" name="sa1" namespace="default"',
            near_miss='SubscriptionID "11111111-1111-1111-1111-111111111111" resource matches with Client Credential',
        ),
    ),
    why="The ARM id of an object is fixed with its first PUT. When the credential of the object, its namespace or the operator is later set to another subscription, ASO refuses to go on, with severity Error, rather than create a second resource.",
    remedy=(
        Step(
            "See which credential the namespace has; the order is: annotation credential-from, secret aso-credential of the namespace, global.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set AZURE_SUBSCRIPTION_ID of that credential back to the subscription of the resource, or delete the object with the annotation reconcile-policy: detach-on-delete and create it anew under the other subscription.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -n {namespace} -o yaml",
)
