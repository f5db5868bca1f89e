from sickbay.model.federation import (
    account_of,
    credentials_for,
    has_label,
    identity_of,
    issuer_of,
    subject_of,
)
from sickbay.model.kubernetes import Pod
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


@each(Pod, TYPICAL)
def no_credential_fits(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    account = account_of(pod, snapshot) if has_label(pod) else None
    # Of a pod that says nothing the identity must be known, with all that it accepts.
    if account is None or not (pod.crashing or identity_of(account, snapshot)):
        return None
    subject, found = subject_of(account), credentials_for(account, snapshot)
    if not (pod.crashing or (found and all(one.subject for one in found))):
        return None
    ours, issuer = [one for one in found if one.subject == subject], issuer_of(snapshot)
    if any(not issuer or (one.issuer or "").rstrip("/").casefold() == issuer for one in ours):
        return Clear(f"a federated credential is for {subject}")
    return Match(
        f"{pod.namespace}/{pod.name} signs in as {subject}, and "
        + (
            "the credential for it is of another issuer"
            if ours
            else f"none of {len(found)} credentials is for it"
        ),
        facts={"account": account.name, "subject": subject},
        cites=tuple(one.cite("properties.subject", one.subject) for one in found[:3]),
    )


RULE = Rule(
    title="Workload identity: no federated identity credential matches the service account",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        no_credential_fits,
        Signature(
            pattern=r"AADSTS7002(?:1|5|11|13|221|12|23|24)\b|(?i:has no configured federated identity credentials)|(?i:No matching federated identity record found)(?:.{0,200}?subject '?(?P<subject_asked>[\w:./-]+))?",
            says="no federated credential matches the token",
            # A credential that was just made takes a while to be known, and the next try succeeds.
            ended_by=r"acquired a token",
            sample="AADSTS700211: No matching federated identity record found for presented assertion issuer 'https://westeurope.oic.prod-aks.azure.com/t/i/'.",
            near_miss="federated identity record found for presented assertion subject 'system:serviceaccount:shop:cart'",
        ),
    ),
    why="With workload identity a pod shows the token of its service account, and Entra ID looks for a federated credential with the same issuer, subject and audience. None fits: the issuer is of another cluster, the namespace or account is spelled otherwise, or the pod lacks the label azure.workload.identity/use.",
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
            "See what the identity accepts.",
            run=(
                "az",
                "identity",
                "federated-credential",
                "list",
                "-g",
                "<group>",
                "--identity-name",
                "<identity>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the credential with exactly that issuer and subject.",
            run=(
                "az",
                "identity",
                "federated-credential",
                "create",
                "-g",
                "<group>",
                "--identity-name",
                "<identity>",
                "-n",
                "<name>",
                "--issuer",
                "<issuer>",
                "--subject",
                "system:serviceaccount:{namespace}:{account}",
                "--audience",
                "api://AzureADTokenExchange",
            ),
            risk=Risk.SAFE,
            verify="the pod wants to get a token after a restart",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/workload-identity-overview",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=("aks.app_gateway_missing", "kubernetes.program_fails", "kubernetes.crash_loop"),
    ask="az identity federated-credential list -g <group> --identity-name <identity> -o json",
)
