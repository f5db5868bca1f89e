from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The browser refuses an answer from another origin: CORS headers are missing (Access-Control-Allow-Origin)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)blocked by CORS policy|No 'Access-Control-Allow-Origin' header|CORS header '?Access-Control-Allow-Origin'? (?:missing|does not match)|CORS preflight (?:channel )?did not succeed|Response to preflight request doesn't pass access control check",
            says="the browser refused the answer",
            sample="Access to XMLHttpRequest at 'https://api.contoso.com' from origin 'https://app.contoso.com' has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present on the requested resource.",
            near_miss="Access-Control-Allow-Origin: https://app.contoso.com",
        ),
    ),
    why="A page of one origin (scheme, host, port) may read another only when that answers with CORS headers, also to the preflight OPTIONS. Neither the program nor the ingress in front sends them; an error page of the proxy (502, 403) has none either, and hides the true error.",
    remedy=(
        Step(
            "See what the preflight gets.",
            run=(
                "curl",
                "-sSi",
                "-X",
                "OPTIONS",
                "-H",
                "Origin: https://<page>",
                "-H",
                "Access-Control-Request-Method: GET",
                "https://<api>/",
            ),
            risk=Risk.READ,
        ),
        Step(
            'Send the headers from the program, or from the ingress (`nginx.ingress.kubernetes.io/enable-cors: "true"`, `cors-allow-origin`); mend the error behind it where the answer is no 2xx.',
            verify="the preflight answers 204 with Access-Control-Allow-Origin",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask='curl -sSi -X OPTIONS -H "Origin: https://<page>" https://<api>/',
)
