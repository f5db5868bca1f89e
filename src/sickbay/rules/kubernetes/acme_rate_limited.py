from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ACME server refuses further certificates for a while (rateLimited, 429)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"urn:ietf:params:acme:error:rateLimited|(?i:too many (?:certificates|failed authorizations|new orders|currently pending authorizations) (?:already issued|recently|\(\d+\)))",
            says="the ACME server limits this account or domain",
            sample="Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: Error creating new order :: too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s",
            near_miss="Order completed successfully",
        ),
    ),
    why="Let's Encrypt issues a limited number of certificates for a domain and for one set of names in a week, and takes few failed attempts in an hour; loops of deleted secrets and failing challenges use them up.",
    remedy=(
        Step(
            "Stop what asks again and again (a deleted secret, a failing challenge), and test against the staging server.",
            run=(
                "kubectl",
                "get",
                "certificaterequests",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until the time that the message names; meanwhile use another issuer.",
            verify="kubectl get certificate -n {namespace} wants READY True",
        ),
    ),
    docs=("https://letsencrypt.org/docs/rate-limits/",),
    leads_to=("kubernetes.certificate_not_issued",),
    ask="kubectl get orders -A -o json",
)
