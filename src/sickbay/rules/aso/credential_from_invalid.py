from sickbay.model.aso import CREDENTIAL_FROM, AsoObject
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def names_no_secret_of_its_namespace(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    named = thing.annotations.get(CREDENTIAL_FROM)
    if not named:
        return None
    cite = thing.cite(f"metadata.annotations.{CREDENTIAL_FROM}", named)
    if "/" in named:
        return Match(
            f"{thing.object_kind} {thing.name} asks for the credential {named}, which is no plain name of a secret in namespace {thing.namespace}",
            facts={"secret": named.rpartition("/")[2], "kind": thing.object_kind.casefold()},
            cites=(cite,),
        )
    if snapshot.find(kube("Secret", thing.namespace, named)) is not None:
        return Clear(f"the secret {named} exists in namespace {thing.namespace}")
    if thing.is_ready or not snapshot.has_seen("Secret", thing.namespace):
        return None
    return Match(
        f"{thing.object_kind} {thing.name} asks for the credential {named}, and namespace {thing.namespace} has no such secret",
        facts={"secret": named, "kind": thing.object_kind.casefold()},
        cites=(cite,),
    )


RULE = Rule(
    title="The annotation credential-from names no secret in the namespace of the ASO object",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        names_no_secret_of_its_namespace,
        Signature(
            pattern=r'credential[ -]?(?:from|(?i:secret)).{0,80}?"?(?P<secret>[\w.-]+/[\w.-]+)"?.{0,40}?(?:is invalid|must be the name|not found|cannot be found)(?P<kind>)|(?P<other>[\w.-]+/[\w.-]+) does not exist \(credential secret not found|credential-from cannot contain \W/\W',
            says="the credential {secret} cannot be used",
            sample='Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: credential secret "shop/team-credential" not found',
            near_miss='Using credential from "shop/team-credential"',
        ),
    ),
    why="serviceoperator.azure.com/credential-from holds the plain name of a secret in the same namespace. A name with a slash, a secret of another namespace, or one that was never created leaves ASO without a credential for this object; it does not fall back to another.",
    remedy=(
        Step(
            "See the secrets of the namespace.",
            run=("kubectl", "get", "secrets", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Name a secret of this namespace, or create it there.",
            run=(
                "kubectl",
                "annotate",
                "{kind}",
                "{name}",
                "-n",
                "{namespace}",
                "serviceoperator.azure.com/credential-from={secret}",
                "--overwrite",
            ),
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get secrets -n {namespace}",
)
