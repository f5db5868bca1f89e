from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The extension cannot be installed at this scope or on this type of cluster",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Invalid (?:cluster type|scope) .{0,60}?This extension can (?:only )?be installed|extension (?:type )?'?(?P<type>[\w.-]{0,80})'? (?:does not|doesn't) support (?:the )?(?:cluster|namespace) scope|extension .{0,80}?is not supported (?:for|on) cluster ?type",
            says="the extension does not take this scope or cluster type",
            sample="Invalid scope 'namespace'. This extension can be installed only at 'cluster' scope.",
            near_miss="az k8s-extension create --scope cluster",
        ),
        Signature(
            pattern=r"(?i)User \W{0,2}system:serviceaccount:azure-arc:ext-installer-(?P<type>[\w.-]{1,80})\W{0,3} cannot \w+ resou",
            says="the installer of {type} has rights in one namespace only",
            sample='customresourcedefinitions.apiextensions.k8s.io is forbidden: User "system:serviceaccount:azure-arc:ext-installer-gateway" cannot list resource "customresourcedefinitions" in API group "apiextensions.k8s.io" at the cluster scope',
            near_miss='User "system:serviceaccount:azure-arc:ext-installer-gateway" can list resource "customresourcedefinitions" in API group "apiextensions.k8s.io" at the cluster scope',
            weight=TYPICAL,
        ),
    ),
    why="Each extension type is made for the scope cluster or namespace, and for connected clusters (Arc), managed clusters (AKS), provisioned clusters or appliances. az k8s-extension refuses the others before it asks Azure; a chart that needs objects of the whole cluster fails under the namespace scope, whose installer has rights in one namespace only.",
    remedy=(
        Step(
            "Install it with the scope and cluster type that the message names.",
            run=(
                "az",
                "k8s-extension",
                "create",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "<name>",
                "--extension-type",
                "<type>",
                "--scope",
                "cluster",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions",),
    leads_to=("arc.extension_failed", "kubernetes.account_forbidden_cluster"),
    ask="az k8s-extension create --help",
)
