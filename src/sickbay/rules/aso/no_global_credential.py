from sickbay.model.aso import CREDENTIAL_FROM, OPERATOR_OF, AsoObject
from sickbay.model.aso_credential import CREDENTIAL, OPERATOR_NAMESPACE, SETTINGS
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def no_secret_holds_a_credential(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if not thing.is_of_aso or thing.is_ready:
        return None
    operator = thing.annotations.get(OPERATOR_OF) or OPERATOR_NAMESPACE
    places = ((thing.namespace, CREDENTIAL), (operator, SETTINGS))
    if CREDENTIAL_FROM in thing.annotations:
        return Clear(f"{thing.name} has a credential of its own")
    for space, name in places:
        if snapshot.find(kube("Secret", space, name)) is not None:
            return Clear(f"the secret {space}/{name} exists")
        if not snapshot.has_seen("Secret", space):
            raise UnseenError(
                Gap(
                    "Secret",
                    f"secret {space}/{name}",
                    to_open=f"kubectl get secret {name} -n {space}",
                )
            )
    return Match(
        f"neither {places[0][0]}/{places[0][1]} nor {places[1][0]}/{places[1][1]} exists, and {thing.object_kind} {thing.name} names no secret of its own",
        cites=(thing.cite("metadata.annotations", "no credential-from"),),
    )


RULE = Rule(
    title="ASO has no credential for this namespace: neither global, namespaced nor per resource",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        no_secret_holds_a_credential,
        Signature(
            pattern=r"global credential not configured, you must use either namespaced or per-resource credentials",
            says="no credential applies to the object",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: global credential not configured, you must use either namespaced or per-resource credentials" logger="resources_resourcegroup" name="rg1" namespace="default"',
            near_miss="global credential configured; namespaced and per-resource credentials override it",
        ),
    ),
    why="ASO looks for a credential in the annotation credential-from, then in the secret aso-credential of the namespace, then in the global secret aso-controller-settings. None of the three exists, so it cannot sign in to Azure at all.",
    remedy=(
        Step(
            "See whether the namespace has a credential.",
            run=(
                "kubectl",
                "get",
                "secret",
                "aso-credential",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the secret aso-credential in the namespace with AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID, or a global one named aso-controller-settings in the namespace of the operator.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/",
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get secret aso-credential -n {namespace}",
)
