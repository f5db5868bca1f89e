from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An admission webhook does not support dry run, so Flux cannot apply",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"admission webhook \"?(?P<webhook>[\w.<>-]+)\"? does not support dry\b",
            says="the webhook {webhook} does not support dry run",
            sample='dry-run failed, error: admission webhook "validate.contoso.com" does not support dry run',
            near_miss='dry-run succeeded for admission webhook "validate.contoso.com"',
        ),
    ),
    why="Flux applies with a server-side dry run first. A webhook that does not declare sideEffects None or NoneOnDryRun is refused for dry runs.",
    remedy=(
        Step(
            "See the webhooks.",
            run=(
                "kubectl",
                "get",
                "validatingwebhookconfigurations,mutatingwebhookconfigurations",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set sideEffects of the webhook {webhook} to None or NoneOnDryRun.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
    ),
)
