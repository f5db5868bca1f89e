from sickbay.model.aso import AsoObject
from sickbay.model.aso_credential import credential_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each

_CODES = ("AADSTS7000215", "AADSTS7000222", "AADSTS700027")


@each(AsoObject)
def sign_in_is_refused(thing: AsoObject, snapshot: Snapshot) -> Match | None:
    code = next((code for code in _CODES if code in thing.message), "")
    if not code:
        return None
    credential = credential_of(thing, snapshot)
    return Match(
        f"Entra ID rejects the client secret for {thing.object_kind} {thing.name} ({code}): ASO uses {credential.says}",
        facts={"code": code, "credential": credential.says},
        cites=(thing.cite("status.conditions[type=Ready].message", thing.message),),
    )


RULE = Rule(
    title="The client secret in the ASO credential is wrong or expired",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        sign_in_is_refused,
        Signature(
            pattern=r"(?:Encountered error impacting Ready condition|Reason: \w+, Severity|\bFalse (?:Warning|Error) |ActionError: ).{0,900}?(?P<code>AADSTS7000215|AADSTS7000222|AADSTS700027)(?P<credential>)",
            says="Entra ID rejects the client secret ({code})",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: ClientSecretCredential authentication failed. AADSTS7000222: The provided client secret keys for app \'1234\' are expired." logger="resources_resourcegroup" name="rg1" namespace="default"',
            near_miss="Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: the secret was renewed",
        ),
    ),
    why="ASO signs in with AZURE_CLIENT_ID and AZURE_CLIENT_SECRET of its credential secret, and Entra ID rejects the secret: AADSTS7000215 when it is wrong (often its id was copied instead of its value), AADSTS7000222 when it has expired, AADSTS700027 when the certificate does not fit.",
    remedy=(
        Step(
            "See when the secrets of the application end.",
            run=(
                "az",
                "ad",
                "app",
                "credential",
                "list",
                "--id",
                "<app-id>",
                "--query",
                "[].endDateTime",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Issue a new secret and put its value into the credential secret[ {credential}]; better, change to workload identity, which needs none.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-format/",
    ),
    leads_to=("aks.credential_expired", "aso.not_ready"),
    ask="kubectl get secrets -n {namespace}",
)
