from sickbay.model.federation import account_of, has_label
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
def lacks_label(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not pod.crashing:
        return None
    if has_label(pod):
        return Clear(f"{pod.namespace}/{pod.name} carries the label of workload identity")
    account = account_of(pod, snapshot)
    if account is None:
        return None
    return Match(
        f"{pod.namespace}/{pod.name} runs as {account.name}, which stands for an Azure identity, and lacks the label azure.workload.identity/use",
        cites=(account.cite("metadata.annotations", account.azure_client),),
    )


RULE = Rule(
    title="A pod has no Azure identity: nothing of workload identity was injected into it, and no other credential is set",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        lacks_label,
        Signature(
            pattern=r"no (?:token file|client ID|tenant ID) specified\. Check pod configuration|EnvironmentCredential: incomplete environment variable configuration|WorkloadIdentityCredential(?: authentication)?:? (?:is )?unavailable|AZURE_FEDERATED_TOKEN_FILE\b.{0,60}?(?i:not (?:set|found|specified)|missing|empty|undefined)|missing environment variables for workload identity|federatedTokenFilePath are required|no credentials provided for Azure API|missing (?:service account )?annotation:? azure\.workload\.identity/(?P<annotation>[\w-]+)|error reading service account token - open ?:|(?i:missing environment variable AZURE_(?:CLIENT|TENANT)_ID)|(?i:workload options are not fully configured)|the Authority(?:\(\S{0,200}\))? does not appear to use https",
            says="no token, client id or tenant id of an identity is in the pod",
            sample="DefaultAzureCredential: failed to acquire a token. Attempted credentials: EnvironmentCredential: missing environment variable AZURE_TENANT_ID WorkloadIdentityCredential: no client ID specified. Check pod configuration or set ClientID in the options",
            near_miss="WorkloadIdentityCredential: token acquired",
            unless=r"AADSTS\d|(?i:keda)",
            ended_by=r"acquired a token",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:DefaultAzureCredential|ChainedTokenCredential|AzureServiceTokenProviderException)\b.{0,400}?(?:failed to (?:retrieve|acquire) a token|authentication failed|none of them worked)|No underlying credential could be used|CredentialUnavailable(?:Exception|Error): EnvironmentCredential",
            says="none of the credentials that the program tries is there",
            sample="Azure.Identity.CredentialUnavailableException: DefaultAzureCredential failed to retrieve a token from the included credentials. See the troubleshooting guide for more information.",
            near_miss="DefaultAzureCredential acquired a token from WorkloadIdentityCredential",
            unless=r"AADSTS\d|(?i:identity not found|has not been assigned|isn't assigned|multiple user assigned|keda|169\.254\.169\.254|unable to resolve an endpoint|dial tcp|context deadline exceeded)",
            ended_by=r"acquired a token",
            weight=TYPICAL,
        ),
    ),
    why='The webhook of workload identity puts token file, client id and tenant id into a pod only if the pod carries the label `azure.workload.identity/use: "true"` when it is created, its service account the annotation `azure.workload.identity/client-id`, and the cluster has both the OIDC issuer and workload identity enabled. Without them the library finds no credential at all.',
    remedy=(
        Step(
            "See whether the pod has AZURE_FEDERATED_TOKEN_FILE and the label, and its account the annotation.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "See whether the cluster has the feature.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "[oidcIssuerProfile,securityProfile.workloadIdentity]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put label and annotation into the templates, and create the pods anew: the webhook changes no pod that runs.",
            run=("kubectl", "rollout", "restart", "deployment", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe pod lists AZURE_FEDERATED_TOKEN_FILE",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/workload-identity-overview",),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
        "aso.not_ready",
        "aks.keda_scaler_fails",
        "aks.node_metadata_unreachable",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
