from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl exec, attach or port-forward fails: a proxy before the API server drops the upgrade to a stream",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"missing upgrade headers in request|Upgrade request required|unable to upgrade connection: (?:<html|<!DOCTYPE|<h\d>|404 page not found|unexpected EOF|Forbidden$)|error upgrading connection: (?:unable to upgrade connection: )?(?:<|404|400)|unable to upgrade streaming request",
            says="the connection is not upgraded to a stream",
            sample='error: unable to upgrade connection: unable to upgrade: missing upgrade headers in request: http.Header{"Connection":[]string{"close"}}',
            near_miss='error: unable to upgrade connection: container not found ("web")',
            weight=TYPICAL,
        ),
    ),
    why="exec, attach, cp and port-forward turn the HTTP request into a stream (SPDY or WebSocket). Plain requests pass a load balancer, a web firewall, kubectl proxy or a corporate proxy that does not know upgrades, so get works and exec does not. A kubelet with its debugging handlers switched off answers 404.",
    remedy=(
        Step(
            "See which address kubectl talks to, and whether a proxy is set.",
            run=(
                "kubectl",
                "exec",
                "{pod}",
                "-n",
                "{namespace}",
                "-v=8",
                "--",
                "true",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Talk to the API server directly, put its address into NO_PROXY, or let the proxy pass the headers Connection and Upgrade.",
            risk=Risk.SAFE,
            verify="kubectl exec works",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/get-shell-running-container/",),
    ask="kubectl exec {pod} -n {namespace} -v=8 -- true",
)
