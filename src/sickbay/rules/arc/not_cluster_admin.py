from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The user of the kubeconfig is no cluster admin, which onboarding to Arc needs",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0207\b|credentials? (?:doesn't|does not|don't|do not) have permission to create clusterrolebindings|Unable to create ClusterRoleBindings?|cannot create Kubernetes ClusterRoleBindings",
            says="the user may not create cluster role bindings",
            sample="Your credentials doesn't have permission to create clusterrolebindings on this kubernetes cluster. Please check your permissions.",
            near_miss="Your credentials have permission to create clusterrolebindings on this kubernetes cluster.",
        ),
        Signature(
            pattern=r"(?i)(?:connectedk8s|AZK8S0[25]\d\d|helm release|azure-arc|failed to list|list: failed).{0,300}?(?:(?:secrets|nodes|namespaces|configmaps) is forbidden: User \"?(?P<user>[^\" ]{1,120})\"? cannot list resource|(?:clusterrole(?:binding)?s[\w.]* \"[\w.-]{1,80}\"|could not get information about the resource:? [\w. \"-]{1,160}) is forbidden: User \"?(?P<other>[^\" ]{1,120})\"? cannot (?:list|get|create) resource)",
            says="{user} may not list secrets",
            sample='Unable to install helm release: Error: list: failed to list: secrets is forbidden: User "myuser" cannot list resource "secrets" in API group "" at the cluster scope',
            near_miss='secrets is forbidden: User "system:serviceaccount:web:app" cannot list resource "secrets" in API group "" in the namespace "web"',
            # A program in a cluster, and not the person who connects it.
            unless=r"User \"?system:serviceaccount:",
        ),
        Signature(
            pattern=r"(?i)user does not have (?:the )?required privileges (?:on the kubernetes cluster to deploy Azure Arc|to update the 'container-azm-ms-agentconfig')|Failed to pre-create onboarding private key secret.{0,300}?(?:Forbidden|cannot create)",
            says="the user lacks rights in the cluster",
            sample="The user does not have required privileges on the kubernetes cluster to deploy Azure Arc enabled Kubernetes agents. Please ensure you have cluster admin privileges on the cluster to onboard.",
            near_miss="The user has the required privileges",
        ),
    ),
    why="az connectedk8s connect installs a Helm release with cluster roles. The user of the kubeconfig has to be cluster-admin: to list secrets (where Helm keeps its releases) and to create ClusterRoleBindings.",
    remedy=(
        Step(
            "See what the user may do.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "*",
                "*",
                "--all-namespaces",
            ),
            risk=Risk.READ,
            verify="the answer wants yes",
        ),
        Step(
            "Use a kubeconfig of a cluster admin, or let one bind the role.",
            run=(
                "kubectl",
                "create",
                "clusterrolebinding",
                "arc-onboarding",
                "--clusterrole",
                "cluster-admin",
                "--user",
                "<user>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=(
        "arc.kube_api_unverified",
        "kubernetes.rbac_forbidden_cluster",
        "kubernetes.rbac_forbidden",
        "arc.prechecks_failed",
    ),
    ask="kubectl auth can-i * * --all-namespaces",
)
