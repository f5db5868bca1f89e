from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The admin credential is refused: local accounts are disabled on the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Getting static credential is not allowed because this cluster is set to disable local accounts|\bLocalAccounts?(?:Are|Is)?Disabled\b|listClusterAdminCredential.{0,300}?(?:disable local accounts|local accounts (?:are|have been) disabled)|cluster .{0,60}?set to disable local accounts",
            says="the cluster gives out no admin credential",
            sample="(BadRequest) Getting static credential is not allowed because this cluster is set to disable local accounts.",
            near_miss="Local accounts are enabled on this cluster",
        ),
    ),
    why="With local accounts disabled the cluster has no static administrator certificate: az aks get-credentials --admin, and tools that ask for clusterAdmin (kube_admin_config of Terraform, pipelines), get nothing. Only identities of Entra ID are let in.",
    remedy=(
        Step(
            "Fetch the credential of a user instead, and let kubelogin sign in.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--overwrite-existing",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "In a pipeline convert the kubeconfig for a service principal or workload identity: kubelogin convert-kubeconfig -l spn (or workloadidentity, azurecli); in Terraform use kube_config with an exec block."
        ),
        Step(
            "The identity needs a role on the cluster: Azure Kubernetes Service RBAC Cluster Admin, or membership in an admin group of the cluster."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/manage-local-accounts-managed-azure-ad",),
    ask="az aks show -g {resource_group} -n {cluster} --query disableLocalAccounts",
)
