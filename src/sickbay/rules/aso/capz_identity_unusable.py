from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The AzureClusterIdentity of a Cluster API cluster is missing, or not allowed in its namespace",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"AzureClusterIdentity\.infrastructure\.cluster\.x-k8s\.io \W{0,3}(?P<identity>[\w.-]+)\W{0,3} not found|failed to (?:retrieve|get) AzureClusterIdentity external object (?P<reference>[^:]{3,120})|(?:AzureCluster|cluster) identity.{0,80}?Secret \W{0,3}(?:[\w.-]+/)?(?P<secret>[\w.-]+)\W{0,3} not found|failed to (?:get|find|retrieve) (?:the )?(?:client )?secret.{0,120}?AzureClusterIdentity|AzureClusterIdentity.{0,200}?[Ss]ecret.{0,80}?not found|\bNamespaceNotAllowedByIdentity\b|AzureClusterIdentity list of allowed namespaces doesn't include",
            says="the identity that the cluster names cannot be used",
            sample='failed to create scope: failed to retrieve AzureClusterIdentity external object "dev"/"cluster-identity": AzureClusterIdentity.infrastructure.cluster.x-k8s.io "cluster-identity" not found',
            near_miss="azureclusteridentity.infrastructure.cluster.x-k8s.io/cluster-identity created",
        ),
    ),
    why="Cluster API for Azure (CAPZ) signs in with the AzureClusterIdentity that the cluster names in identityRef. It must exist in the namespace of the reference, and its allowedNamespaces must name the namespace of the cluster; otherwise neither CAPZ nor the ASO inside it gets a credential.",
    remedy=(
        Step(
            "See the identities and their allowed namespaces.",
            run=("kubectl", "get", "azureclusteridentities", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Create the identity under that name, correct identityRef, or add the namespace to allowedNamespaces.",
            verify="kubectl get azurecluster,azuremanagedcontrolplane -A wants READY True",
        ),
    ),
    docs=("https://capz.sigs.k8s.io/topics/identities",),
    leads_to=("aso.capz_not_ready", "aso.not_ready"),
    ask="kubectl get azureclusteridentities -A -o yaml",
)
