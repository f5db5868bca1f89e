from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import OTHERS, UNREADY, answered, is_of, said, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject, weight=TYPICAL)
def condition_says_not_ready_yet(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or not is_of(UNREADY, trouble.reason):
        return None
    return Match(
        f"what {thing.object_kind} {thing.name} depends on is not ready: {trouble.reason}",
        facts={"dependency": "<dependency>"},
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


RULE = Rule(
    title="A resource that the request depends on is not provisioned yet",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        condition_says_not_ready_yet,
        Signature(
            pattern=r"\b(?P<code>ManagedEnvironmentNotProvisioned|StorageAccountIsNotProvisioned|StorageProvisioningStateNotSucceeded)\b.{0,200}?(?P<dependency>/subscriptions/[\w.()/-]*\w)",
            says="{dependency} is not provisioned ({code})",
            sample="StorageProvisioningStateNotSucceeded: Storage account (Creating) provisioning state /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.Storage/storageAccounts/sa1 is not Succeeded.",
            near_miss="Storage account provisioning state /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.Storage/storageAccounts/sa1 is Succeeded.",
        ),
        Signature(
            pattern=r"\b(?P<code>ManagedEnvironmentNotProvisioned|StorageAccountIsNotProvisioned|StorageProvisioningStateNotSucceeded)\b(?P<dependency>)|has not been provisioned successfully",
            says="what it depends on is not provisioned ({code})",
            sample="ManagedEnvironmentNotProvisioned: The environment provided for the container app has not been provisioned successfully.",
            near_miss="The environment provided for the container app has been provisioned successfully.",
        ),
        Signature(
            pattern=r"(?:" + told(UNREADY) + r")(?P<dependency>)",
            says="what it depends on is not ready ({code})",
            sample="thing1 False Warning CacheNotReady Wait for the cache.",
            near_miss="thing1 False Info Reconciling Wait for the cache.",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?:"
            + said(
                r"(?i:is not (?:yet )?(?:online|ready|provisioned|active|available yet|running)|not in (?:a |the )?'?(?:succeeded|ready|online|running|active)'? (?:provisioning )?state|still being (?:created|provisioned|deployed))"
            )
            + r")(?P<dependency>)",
            says="something that the request needs is not ready",
            sample="sqldb1 False Warning BadRequest Database account cosmos1 is not online",
            near_miss="sqldb1 True Succeeded",
            weight=TYPICAL,
            unless=r"(?i)Owner exists|in the process of being reconciled|flexible ?server|webhook|pods?\b|node\b|server .{0,40}?(?:stopped|Ready state)|custom domain",
        ),
        Signature(
            pattern=r"(?:" + answered(UNREADY) + r")(?P<dependency>)",
            says="what it depends on is not ready ({code})",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: TeapotNotReady: Wait for the teapot.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            # What is being made itself, and not what it stands on.
            unless=OTHERS + r"|ControlPlaneNotReady",
            vague=True,
            passes=True,
        ),
    ),
    why="The referenced resource exists but is not in provisioning state Succeeded, and Azure refuses to build on it until then: ManagedEnvironmentNotProvisioned for a container apps environment, StorageAccountIsNotProvisioned and StorageProvisioningStateNotSucceeded while a storage account is being created. If the dependency failed, its own error is the cause.",
    remedy=(
        Step(
            "See the state of the dependency.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{dependency}",
                "--query",
                "properties.provisioningState",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait when it is Creating or Updating: ASO tries again. When it is Failed, repair it first.",
            verify="az resource show --ids {dependency} --query properties.provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
    ),
    leads_to=(
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.request_refused",
        "aso.invalid_value",
    ),
    ask="az resource show --ids {dependency} --query properties.provisioningState -o tsv",
)
