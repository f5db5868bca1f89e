from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod violates the Pod Security level of its namespace",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"violates PodSecurity \"(?P<level>[\w.:-]+)\"|unable to validate against any (?:security context constraint|pod security policy)|PodSecurityPolicy: unable to (?:admit|validate) pod",
            says="the pod violates the Pod Security level {level}",
            sample='Error creating: pods "cart-1" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)',
            near_miss="Warning: would violate restricted level in audit mode",
        ),
    ),
    why="The namespace enforces a Pod Security level (baseline or restricted) by its labels, and the pod asks for something that the level forbids: privilege, host access, root, or a missing securityContext.",
    remedy=(
        Step(
            "See the level of the namespace.",
            run=("kubectl", "get", "namespace", "{namespace}", "--show-labels"),
            risk=Risk.READ,
        ),
        Step(
            "Set the securityContext fields that the message lists.",
            risk=Risk.DISRUPTIVE,
            verify="the pods are created",
        ),
        Step(
            "Or lower the level, if the workload needs the privilege.",
            run=(
                "kubectl",
                "label",
                "namespace",
                "{namespace}",
                "pod-security.kubernetes.io/enforce=baseline",
                "--overwrite",
            ),
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/security/pod-security-standards/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get namespace {namespace} --show-labels",
)
