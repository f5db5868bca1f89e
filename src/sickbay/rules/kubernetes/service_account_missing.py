from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod names a service account that does not exist, so it is not created",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r'error looking up service account (?P<where>[\w.-]+)/(?P<account>[\w.-]+): serviceaccounts? "[\w.-]+" not found',
            says="service account {account} does not exist in namespace {where}",
            sample='Error creating: pods "cart-1" is forbidden: error looking up service account shop/cart: serviceaccount "cart" not found',
            near_miss='serviceaccounts "cart" is forbidden: User "dev" cannot get resource "serviceaccounts" in API group "" in the namespace "shop"',
        ),
    ),
    why="The API server admits a pod only when the service account that it names exists in its own namespace; a misspelled name, another namespace, or a chart that was told not to create the account leaves the workload without a single pod.",
    remedy=(
        Step(
            "See the service accounts of the namespace.",
            run=("kubectl", "get", "serviceaccounts", "-n", "{where}"),
            risk=Risk.READ,
        ),
        Step(
            "Create the account with the rights that its program needs, or correct serviceAccountName in the workload; the controller then creates the pods by itself.",
            run=("kubectl", "create", "serviceaccount", "{account}", "-n", "{where}"),
            verify="kubectl get pods -n {where} shows the pods of the workload",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",),
    leads_to=("kubernetes.pods_not_created", "kubernetes.rollout_stuck"),
    ask="kubectl get serviceaccounts -n {namespace}",
)
