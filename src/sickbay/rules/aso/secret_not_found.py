from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import secrets_of, writer_of
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
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


@each(AsoObject)
def secret_does_not_exist(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if thing.is_ready or not thing.is_of_aso:
        return None
    needs = list(secrets_of(thing.wanted))
    if not needs:
        return None
    for need in needs:
        if snapshot.find(kube("Secret", thing.namespace, need.name)) is not None:
            continue
        if not snapshot.has_seen("Secret", thing.namespace):
            raise UnseenError(
                Gap(
                    "Secret",
                    f"secret {need.name}",
                    to_open=f"kubectl get secret {need.name} -n {thing.namespace}",
                )
            )
        writer = writer_of(need.name, "Secret", thing.namespace, snapshot)
        source = f"; {writer} is to write it" if writer else ""
        return Match(
            f"{thing.object_kind} {thing.name} reads {need.key} from secret {need.name}, which does not exist in namespace {thing.namespace}{source}",
            facts={"secret": need.name},
            cites=(thing.cite(need.path, f"{need.name}.{need.key}"),),
            weight=None if thing.trouble and thing.trouble.reason == "SecretNotFound" else TYPICAL,
        )
    names = ", ".join(need.name for need in needs)
    return Clear(f"every secret that {thing.name} names exists: {names}")


RULE = Rule(
    title="A Kubernetes secret that an ASO object refers to does not exist (SecretNotFound)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        secret_does_not_exist,
        Signature(
            pattern=r"failed resolving secret references?: .{0,400}?Secret \"(?:[\w.-]+/)?(?P<secret>[\w.-]+)\" not found|couldn\'{1,2}t resolve secret reference .{0,400}?Secret \"(?:[\w.-]+/)?(?P<other>[\w.-]+)\" not found",
            says="the secret {secret} does not exist",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: SecretNotFound, Severity: Warning, RetryClassification: RetryFast, Cause: failed resolving secret references: couldn\'t resolve secret reference default/pg-admin.password: default/pg-admin does not exist (Secret \\"pg-admin\\" not found)" logger="dbforpostgresql_flexibleserver" name="pg1" namespace="default"',
            near_miss='failed resolving secret references: default/pg-admin does not exist (Secret "default/pg-admin" does not contain key "password")',
            passes=True,
        ),
        Signature(
            pattern=r"(?:\bFalse [WE]\w+ |\b[Rr]eason(?::| =) \"?)SecretNotFound\b(?P<secret>)|failed to look up \.spec\.(?P<field>[\w.]+)",
            says="a secret that the object refers to is not there",
            sample="user1 False Warning SecretNotFound failed to look up .spec.localUser.ServerAdminPassword",
            near_miss="user1 True Succeeded",
            weight=TYPICAL,
            unless=r"does not contain key|credential",
            passes=True,
        ),
    ),
    why="ASO reads passwords and keys from the secret named in the spec, in the namespace of the object, before it sends anything to Azure. Without the secret it sends nothing and looks again every few seconds.",
    remedy=(
        Step(
            "See which secrets the namespace has.",
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
            "Create the secret {secret} with the key that the spec names, in the namespace of the object, or correct the reference. If another ASO object writes it (operatorSpec.secrets), that object must become Ready first.",
            verify="kubectl get secret {secret} -n {namespace} finds it; the object becomes Ready within a minute",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/secrets/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get secret {secret} -n {namespace}",
)
