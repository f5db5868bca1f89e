from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ACME issuer has no solver for the name or challenge type, so no challenge can be made",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"no configured challenge solvers can be used|ACME server does not allow selected challenge type or no provider is configured for domain|does not contain DNS01 configuration for provider|[Nn]o dns provider config specified for domain|no (?:http01|dns01|HTTP-?01|DNS-?01) challenge solver (?:was |is )?(?:found|configured)",
            says="no solver of the issuer fits",
            sample='Failed to create challenge: no configured challenge solvers can be used for this challenge for domain "*.contoso.com"',
            near_miss='Created Challenge resource "web-tls-1" for domain "www.contoso.com"',
        ),
    ),
    why="An issuer lists solvers, each for some names (selector) and one type of challenge. Where no selector fits the name, or a wildcard name meets only an HTTP-01 solver, cert-manager has no way to prove the ownership; wildcards need DNS-01.",
    remedy=(
        Step(
            "See the solvers of the issuers and their selectors.",
            run=(
                "kubectl",
                "get",
                "clusterissuers,issuers",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a solver that fits: DNS-01 for a wildcard, or a selector with the zone of the name.",
            risk=Risk.SAFE,
            verify="kubectl get challenges -A shows a challenge that proceeds",
        ),
    ),
    docs=("https://cert-manager.io/docs/configuration/acme/#adding-multiple-solver-types",),
    leads_to=("kubernetes.certificate_not_issued",),
    ask="kubectl describe orders,challenges -A",
)
