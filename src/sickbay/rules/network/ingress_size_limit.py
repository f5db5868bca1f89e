from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A request or an answer is larger than the ingress controller takes (413, too big header)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"client intended to send too large body: (?P<bytes>\d+) bytes|413 Request Entity Too Large|431 Request Header Fields|HTTP 431|413 Payload Too Large|upstream sent too big header while reading|client sent too (?:long|large) (?:URI|header|request)|400 Request Header Or Cookie Too Large",
            says="a body or header is larger than the ingress allows",
            sample='2026/03/04 10:02:03 [error] 34#34: *1289 client intended to send too large body: 2097952 bytes, client: 10.240.0.5, server: shop.contoso.com, request: "POST /upload HTTP/1.1"',
            near_miss="a client request body is buffered to a temporary file /tmp/nginx/client-body/0000000001",
            common=True,
        ),
    ),
    why="NGINX takes bodies of 1 MB and headers of 4 to 8 KB unless told otherwise: a larger upload is refused with 413, and an answer with larger headers (cookies and tokens of a sign-in) becomes a 502.",
    remedy=(
        Step(
            "For uploads, raise the limit of this ingress.",
            run=(
                "kubectl",
                "annotate",
                "ingress",
                "<ingress>",
                "-n",
                "{namespace}",
                "nginx.ingress.kubernetes.io/proxy-body-size=50m",
                "--overwrite",
            ),
        ),
        Step(
            "For headers, raise nginx.ingress.kubernetes.io/proxy-buffer-size (16k) at the ingress, or large-client-header-buffers in the settings of the controller.",
            verify="the same request is answered",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl get ingress -n {namespace} -o yaml",
)
