from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

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
    ),
    why="Each extension type is made for the scope cluster or namespace, and for connected clusters (Arc), managed clusters (AKS), provisioned clusters or appliances. az k8s-extension refuses the others before it asks Azure.",
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
    ask="az k8s-extension create --help",
)
