from sickbay.model.aso import AsoObject
from sickbay.model.aso_credential import credential_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each

_CODES = ("AADSTS70021:", "AADSTS700211", "AADSTS700213", "AADSTS700016", "AADSTS90002")


@each(AsoObject)
def federation_is_refused(thing: AsoObject, snapshot: Snapshot) -> Match | None:
    code = next((code for code in _CODES if code in thing.message), "").rstrip(":")
    # With a client secret it is the application or the tenant that is wrong.
    if not code or "ClientSecretCredential" in thing.message:
        return None
    return Match(
        f"Entra ID does not accept the sign-in for {thing.object_kind} {thing.name} ({code}): ASO uses {credential_of(thing, snapshot).says}",
        cites=(thing.cite("status.conditions[type=Ready].message", thing.message),),
    )


RULE = Rule(
    title="The workload identity of ASO is not set up: no federated credential matches its service account",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        federation_is_refused,
        Signature(
            pattern=r"failed to get workload identity credential for clientID|(?:Encountered error impacting Ready condition|Reason: \w+, Severity|\bFalse (?:Warning|Error) |ActionError: ).{0,900}?AADSTS(?:7002(?:1|11|13)|700016|90002)\b|system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default.{0,200}?AADSTS7002|AADSTS7002.{0,300}?system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default",
            says="ASO cannot sign in with workload identity",
            sample='credential secret "default/aso-credential" does not contain key "AZURE_CLIENT_SECRET" and failed to get workload identity credential for clientID "1234" from "/var/run/secrets/tokens/azure-identity": no such file',
            near_miss="got workload identity credential for the client",
            # With a client secret it is the application or the tenant that is wrong.
            unless=r"ClientSecretCredential",
        ),
    ),
    why="With workload identity ASO presents the token of its service account, and Entra ID accepts it only if a federated credential of the identity has the same issuer, subject (system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default) and audience. One of them differs, the token is not mounted, or AZURE_CLIENT_ID and AZURE_TENANT_ID are of no application of that tenant (AADSTS700016, AADSTS90002).",
    remedy=(
        Step(
            "See the issuer of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "oidcIssuerProfile.issuerUrl",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity a federated credential with that issuer, the subject system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default and the audience api://AzureADTokenExchange, and set useWorkloadIdentityAuth in the Helm release.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-format/",
        "https://learn.microsoft.com/azure/aks/workload-identity-overview",
    ),
    leads_to=(
        "aks.federated_credential_missing",
        "aks.service_principal_missing",
        "aso.credential_secret_incomplete",
        "aso.not_ready",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query oidcIssuerProfile.issuerUrl -o tsv",
)
