from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client is redirected in a circle (ERR_TOO_MANY_REDIRECTS): TLS ends before an ingress that asks for it",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bERR_TOO_MANY_REDIRECTS\b|Maximum \(\d+\) redirects followed|TooManyRedirects|\btoo many redirects\b|redirect(?:ed|s)? (?:in a |you )?(?:loop|too many times)|stopped after \d+ redirects",
            says="the client is sent in a circle",
            sample="curl: (47) Maximum (50) redirects followed",
            near_miss="redirected to https://shop.contoso.com/",
            weight=TYPICAL,
        ),
    ),
    why="A gateway in front (Application Gateway, Front Door, load balancer) ends TLS and speaks plain HTTP to the ingress controller, which redirects plain requests to HTTPS: the circle never ends. X-Forwarded-Proto that is not trusted, or a program with a redirect of its own, does the same.",
    remedy=(
        Step(
            "Follow the redirects.",
            run=("curl", "-sSIL", "--max-redirs", "3", "https://<host>/"),
            risk=Risk.READ,
        ),
        Step(
            'Let the front speak HTTPS to the ingress, or switch its redirect off (`nginx.ingress.kubernetes.io/ssl-redirect: "false"`), or let it trust the forwarded headers (`use-forwarded-headers: "true"`).',
            verify="curl -I answers without a further redirect",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="curl -sSIL --max-redirs 5 https://<host>/",
)
