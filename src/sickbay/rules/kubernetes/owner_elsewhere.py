from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object names an owner in another namespace (ownerReferences), so garbage collection deletes it",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"OwnerRefInvalidNamespace|ownerRef \[(?P<owner>[^\]]{3,300})\] does not exist in namespace \"?(?P<namespace>[\w-]+)|cross-namespace owner references are disallowed|cluster-scoped resource must not have a namespace-scoped owner",
            says="an owner is not in the namespace of what it owns[: {owner}]",
            sample='Warning  OwnerRefInvalidNamespace  4m  garbage-collector-controller  ownerRef [apps/v1/Deployment, namespace: shop, name: cart, uid: 9f3e] does not exist in namespace "shop"',
            near_miss="Normal  SuccessfulDelete  4m  replicaset-controller  Deleted pod: cart-6f9",
        ),
    ),
    why="An owner must live in the namespace of what it owns, or be of the whole cluster. The garbage collector takes an owner that it does not find there for gone and deletes the object, so that it vanishes soon after it was made; controllers refuse such a reference at once.",
    remedy=(
        Step(
            "Find the references that lead nowhere.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "reason=OwnerRefInvalidNamespace",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the operator or script that makes the object set no owner, or one in the same namespace: copied objects must lose their ownerReferences.",
            risk=Risk.SAFE,
            verify="no new event of OwnerRefInvalidNamespace",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/",
        "https://kubernetes.io/docs/concepts/architecture/garbage-collection/",
    ),
)
