from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An admission webhook refuses the object as it is written",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)admission webhook \W?(?P<webhook>[\w./-]{3,200})\W? denied the request(?::? (?P<reason>.{3,200}))?",
            says="webhook {webhook} denied the request: {reason}",
            sample='Error from server (BadRequest): admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: rewrite target of ingress shop/web is not allowed here',
            near_miss='failed calling webhook "validate.nginx.ingress.kubernetes.io": connection refused',
        ),
    ),
    why="The webhook answered, and its answer is no: the operator or policy behind it checks objects of this kind before they are stored, and this one breaks one of its rules. What it said after `denied the request` is the reason; nothing was changed in the cluster.",
    remedy=(
        Step(
            "Change the object as the message asks, and try it without storing it.",
            run=("kubectl", "apply", "--dry-run=server", "-f", "<file>"),
            risk=Risk.READ,
            verify="the dry run is accepted",
        ),
        Step(
            "See who runs the webhook, and for which objects it is asked.",
            run=(
                "kubectl",
                "get",
                "validatingwebhookconfigurations,mutatingwebhookconfigurations",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
    ),
    ask="kubectl apply --dry-run=server -f <file>",
    wraps=True,
    leads_to=("kubernetes.release_gave_up",),
)
