from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig has no such context, cluster or user (context does not exist)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r'Invalid kube-config file\. Expected (?:object with name (?P<asked>[\w@.:/-]+)|key [\w-]+) in |error: (?:no context exists with the name|context "?(?P<context>[\w@.:/-]+)"? does not exist|current-context must exist|cannot locate context|current-context is not set)|context was not found for specified context: (?P<wanted>\S{1,120})|(?:cluster|auth info|user) "(?P<part>[^"]{1,120})" does not exist|Kubernetes cluster unreachable: context "(?P<helm>[^"]{1,120})" does not exist|context "(?P<other>[^"]{1,120})" does not exist|context ["\\]{2,6}(?P<quoted>[\w@.:/-]{1,120})["\\]{2,6} does not exist',
            says="the kubeconfig lacks what was named",
            sample='error: no context exists with the name: "prod"',
            near_miss='Switched to context "prod".',
        ),
    ),
    why="kubectl and Helm choose cluster and user by a context of the kubeconfig. The name is misspelled, the file is another one (KUBECONFIG, another user or pipeline agent), or the entry was never fetched.",
    remedy=(
        Step(
            "See the contexts.",
            run=(
                "kubectl",
                "config",
                "get-contexts",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Fetch the credentials of the cluster.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="kubectl config current-context names it",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/access-application-cluster/configure-access-multiple-clusters/",
    ),
    leads_to=("arc.kube_api_unverified",),
    ask="kubectl config get-contexts",
)
