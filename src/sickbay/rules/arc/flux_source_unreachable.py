from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux cannot reach its Git server, chart repository or bucket: the way out of the cluster is blocked",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:failed to (?:fetch Helm repository index|cache index|checkout and determine revision|download chart|pull artifact|determine artifact digest)|unable to (?:clone|list remote)|(?:Git|Helm|OCI)Repository[/ ]\S{1,120}|git ls-remote).{0,500}?(?:dial tcp \S{3,80} (?:i/o timeout|connect: |connectex)|i/o timeout|connection refused|connection reset|context deadline exceeded|TLS handshake timeout|no route to host|network is unreachable|proxyconnect)",
            says="the source is not reached",
            sample="failed to checkout and determine revision: unable to clone 'https://github.com/contoso/gitops': Get \"https://github.com/contoso/gitops/info/refs?service=git-upload-pack\": dial tcp 140.82.121.4:443: i/o timeout",
            near_miss="failed to checkout and determine revision: unable to clone 'https://github.com/contoso/gitops': authentication required",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The source controller of Flux fetches repositories, charts and buckets from inside the cluster. The server does not answer from there: a firewall, a missing proxy setting of the extension or a network policy stands between, or the server is down.",
    remedy=(
        Step(
            "Try it from a pod of the cluster.",
            run=(
                "kubectl",
                "run",
                "reach",
                "--rm",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "-n",
                "flux-system",
                "--",
                "curl",
                "-sv",
                "<url-of-the-source>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the server on 443 (or 22 for SSH), or give the extension the proxy of the cluster.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/conceptual-gitops-flux2",),
    leads_to=(
        "arc.flux_source_unready",
        "network.connection_times_out",
        "network.connection_cut",
        "network.connection_refused",
    ),
    ask="kubectl get gitrepositories,helmrepositories,buckets -A",
)
