from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Terraform provider has no cluster to talk to: its host or credential is empty, or not known yet",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)cannot create (?:REST|discovery|dynamic) client: no client config|Failed to (?:construct REST|get RESTMapper|construct dynamic|get discovery) client|failed to create kubernetes rest client for \w+ of resource: (?:Get|Post) \"?https?://(?:localhost|127\.0\.0\.1)(?::80)?/|(?:Error: |Plan: ).{0,80}?(?:Get|Post|Put|Patch|Delete) \"?http://(?:localhost|127\.0\.0\.1)(?::80)?/apis?\S{0,200}: dial tcp|provider not configured: you must configure a path to your kubeconfig|'?config_path'? refers to an invalid path",
            says="the provider asks no cluster, or the machine itself",
            sample='Error: Post "http://localhost/api/v1/namespaces": dial tcp [::1]:80: connect: connection refused with kubernetes_namespace.shop',
            near_miss='Error: Post "https://shop.hcp.westeurope.azmk8s.io:443/api/v1/namespaces": dial tcp 20.1.2.3:443: i/o timeout',
        ),
        Signature(
            pattern=r"Invalid index.{0,400}?kube_(?:admin_)?config(?:\[0\]|\.0)|kube_(?:admin_)?config (?:is|are) empty (?:list|tuple)",
            says="the cluster gives Terraform an empty list of credentials",
            sample='Error: Invalid index on providers.tf line 19, in provider "kubernetes": 19: client_certificate = base64decode(data.azurerm_kubernetes_cluster.aks.kube_admin_config[0].client_certificate)',
            near_miss="Error: Invalid index on network.tf line 19: 19: subnet_id = azurerm_subnet.nodes[3].id",
            weight=TYPICAL,
        ),
    ),
    why="The providers kubernetes, helm and kubectl take host and credential from another resource. While that one is still to be made or replaced, its values are unknown, and the provider falls back to http://localhost. `kube_admin_config` stays empty where local accounts are disabled or the identity may not list the admin credential.",
    remedy=(
        Step(
            "See what the cluster resource holds by now.",
            run=("terraform", "state", "show", "azurerm_kubernetes_cluster.<name>"),
            risk=Risk.READ,
        ),
        Step(
            "Make the cluster in a configuration of its own, and read it by a data source in the one that deploys into it; or apply the cluster first.",
            run=("terraform", "apply", "-target=azurerm_kubernetes_cluster.<name>"),
            risk=Risk.DISRUPTIVE,
            verify="terraform plan asks the address of the cluster",
        ),
        Step(
            "Where local accounts are disabled, sign in by an exec block with kubelogin in place of kube_admin_config."
        ),
    ),
    leads_to=(
        "kubernetes.kubeconfig_missing",
        "network.connection_refused",
    ),
    docs=(
        "https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs#stacking-with-managed-kubernetes-cluster-resources",
    ),
    ask="terraform state list",
)
