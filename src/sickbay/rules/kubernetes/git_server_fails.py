from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Git server does not answer a GitOps controller, or answers with an error of its own (timeout, 5xx)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"unable to access 'https?://[^']{3,300}': The requested URL returned error: 5\d\d|unknown error: remote:|remote: Internal API (?:error|unreachable)|failed to list refs: .{0,300}?(?:status code: 5\d\d|i/o timeout|connection refused|context deadline exceeded|Client\.Timeout|TLS handshake timeout|unexpected EOF|connection reset)|\bgit (?:fetch|ls-remote|clone) .{0,160}?failed timeout after|(?:[Uu]nable to connect to repository|testing repository connectivity): .{0,200}?(?:\b5\d\d (?:Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)|status code: 5\d\d)|git-upload-pack.{0,40}? status code: 5\d\d|(?i:failed to (?:initialize repository resources|fetch default)): .{0,300}?(?:i/o timeout|context deadline exceeded|connection refused)",
            says="the Git server did not answer as it should",
            sample="rpc error: code = Unknown desc = failed to list refs: unexpected client error: unexpected requesting https://git.contoso.com/shop/deploy/info/refs?service=git-upload-pack status code: 503",
            near_miss="rpc error: code = Unknown desc = failed to list refs: authentication required",
            weight=TYPICAL,
            passes=True,
            unless=r"(?i)not found|could ?n.t find|could not be found|denied|not allowed|no such host|Could not resolve host|knownhosts|x509",
        ),
    ),
    why="The controller (Argo CD, Flux) reads the repository every few minutes, and the server was down, overloaded or in maintenance, or a proxy or firewall on the way out of the cluster cut the connection. The cluster stays at the last state that was fetched until an attempt succeeds.",
    remedy=(
        Step(
            "Ask the Git server from inside the cluster.",
            run=(
                "kubectl",
                "run",
                "git-test",
                "--rm",
                "-i",
                "--restart=Never",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "curl",
                "-sSI",
                "https://<git server>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "If it answers there, the server was down for a while: synchronise again. If not, open the way to it in firewall, proxy or network policy.",
            risk=Risk.SAFE,
            verify="the application is compared again",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/",),
    leads_to=(
        "arc.flux_source_unready",
        "network.connection_times_out",
        "network.connection_refused",
        "kubernetes.chart_render_failed",
    ),
    ask="kubectl logs -n argocd deploy/argocd-repo-server",
)
