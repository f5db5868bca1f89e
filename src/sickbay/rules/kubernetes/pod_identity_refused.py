from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Pod-managed identity (NMI) gives a pod no token, and it is retired",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"localhost:2579/host/token|nmi response failed with status code:? ?(?P<status>\d+)?|no AzureAssignedIdentity found|failed to get matching identities for pod|(?i:no azure identity found for (?:pod|request))|identity assigned to pod .{0,200}? not found|getting assigned identities for pod .{0,200}? failed",
            says="pod identity gave no token",
            sample='MountVolume.SetUp failed for volume "secrets-store-inline" : rpc error: code = Unknown desc = failed to mount objects, error: failed to get keyvault client: failed to get key vault token: nmi response failed with status code: 404, err: <nil>',
            near_miss="failed to get key vault token: context deadline exceeded",
            # The agents of extensions need an exception from it, not a binding.
            unless=r"(?i)getting auth header|azure-arc|AzureBackupRG|(?:config|extension)-?(?:agent|manager)|msi-adapter",
        ),
        Signature(
            pattern=r"(?i)pod identity addon is not enabled for this managed cluster",
            says="the cluster has no pod-managed identity",
            sample="The pod identity addon is not enabled for this managed cluster yet. To enable, run az aks update --enable-pod-identity",
            near_miss="The pod identity addon is enabled for this managed cluster.",
            weight=TYPICAL,
        ),
    ),
    why="The NMI of aad-pod-identity answers for pods whose label aadpodidbinding matches an AzureIdentityBinding; 404 means that none does, or that the identity is not assigned to the nodes. Pod-managed identity is retired in favour of workload identity.",
    remedy=(
        Step(
            "See the bindings and the label of the pod.",
            run=(
                "kubectl",
                "get",
                "azureidentity,azureidentitybinding,azureassignedidentity",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Move to workload identity: annotate the service account, label the pod azure.workload.identity/use=true, and make a federated credential.",
            run=(
                "az",
                "identity",
                "federated-credential",
                "create",
                "-g",
                "{resource_group}",
                "--identity-name",
                "<identity>",
                "-n",
                "<name>",
                "--issuer",
                "<oidc-issuer>",
                "--subject",
                "system:serviceaccount:{namespace}:<account>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
        "https://learn.microsoft.com/azure/aks/workload-identity-migrate-from-pod-identity",
    ),
    leads_to=("kubernetes.mount_failed", "aks.app_gateway_missing"),
    ask="kubectl get azureidentitybinding -A -o json",
)
