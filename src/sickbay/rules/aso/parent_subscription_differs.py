from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="An ASO object and its parent are in different subscriptions",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r'resource subscription "(?P<child_subscription>[\w-]+)" does not match parent subscription "(?P<parent_subscription>[\w-]+)"',
            says="the resource is for subscription {child_subscription}, its parent is in {parent_subscription}",
            sample='resource subscription "11111111-1111-1111-1111-111111111111" does not match parent subscription "22222222-2222-2222-2222-222222222222"',
            near_miss='resource subscription "11111111-1111-1111-1111-111111111111" matches parent subscription',
        ),
    ),
    why="A child resource lives in the subscription of its parent. The credential that ASO would use for the child is for another one, and ASO stops with severity Error.",
    remedy=(
        Step(
            "Give the object and its owner the same credential (annotation serviceoperator.azure.com/credential-from), or name an owner in subscription {child_subscription}.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -n {namespace} -o yaml",
)
