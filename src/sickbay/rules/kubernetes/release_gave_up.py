from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux has given up on a Helm release after several failed attempts (retries exhausted)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)(?P<what>install|upgrade) retries exhausted|RetriesExceeded.{0,40}?Failed to (?:install|upgrade) after|Failed to (?:install|upgrade) after \d+ attempt",
            says="the release failed as often as Flux was allowed to try",
            sample="HelmRelease/shop/web  False  install retries exhausted",
            near_miss="Helm install succeeded for release shop/web.v1 with chart web@1.2.3",
            weight=SYMPTOM,
        ),
    ),
    why="Retries exhausted is only the end of it: an installation or upgrade failed several times, and Flux does not try again until chart, values or the release change. The first failure is in the events and in the log of the helm-controller.",
    remedy=(
        Step(
            "See why the attempts failed.",
            run=(
                "kubectl",
                "describe",
                "helmrelease",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step("Correct that."),
        Step(
            "Let Flux try again.",
            run=(
                "kubectl",
                "annotate",
                "--overwrite",
                "helmrelease",
                "<release>",
                "-n",
                "{namespace}",
                "reconcile.fluxcd.io/requestedAt=now",
                "reconcile.fluxcd.io/resetAt=now",
            ),
            risk=Risk.SAFE,
            verify="kubectl get helmrelease -A wants READY True",
        ),
    ),
    docs=("https://fluxcd.io/flux/components/helm/helmreleases/",),
    leads_to=("arc.flux_source_unready",),
    wraps=True,
)
