from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No ingress rule matches the host and path of a request (default backend - 404)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"default backend ?- ?404|404 default backend|response 404 \(backend NotFound\)|backend NotFound, service rules for the path non-existent",
            says="the default backend of the ingress controller answered",
            sample="$ curl http://20.1.2.3\ndefault backend - 404",
            near_miss="defaultBackend: service web port 80",
            weight=TYPICAL,
        ),
    ),
    why="The ingress controller got the request and found no ingress of its class for this host name and path, so its default backend answered 404: the host is asked by address or another name, the path or pathType does not fit, the ingress is of another class or in no namespace that the controller watches.",
    remedy=(
        Step(
            "See hosts, paths and classes of the ingresses.",
            run=(
                "kubectl",
                "get",
                "ingress",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask with the host name of the ingress, or correct its host, path, pathType or ingressClassName.",
            run=(
                "kubectl",
                "describe",
                "ingress",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
            verify="the request is answered by its service",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/services-networking/ingress/",),
    ask="kubectl get ingress -A",
)
