from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux or Argo CD does not trust the host key of its Git server (known_hosts)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)knownhosts: (?P<error>key mismatch|key is unknown|illegal base64[^\n]{0,60}|[\w ]{3,60})|ssh: handshake failed: .{0,40}?(?:hostkey|host key)",
            says="the host key was not accepted",
            sample="unable to clone 'ssh://git@ssh.dev.azure.com/v3/contoso/p/r': ssh: handshake failed: knownhosts: key mismatch",
            near_miss="cloned 'ssh://git@ssh.dev.azure.com/v3/contoso/p/r'",
        ),
    ),
    why="Over SSH the source controller compares the key of the server with known_hosts of the configuration. The server is not listed, its key was changed, or the value is damaged (it must be base64 of the lines of ssh-keyscan).",
    remedy=(
        Step(
            "Read the key of the server.",
            run=(
                "ssh",
                "-o",
                "StrictHostKeyChecking=no",
                "-T",
                "git@<server>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give it to the configuration.",
            run=(
                "az",
                "k8s-configuration",
                "flux",
                "update",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-n",
                "<configuration>",
                "--known-hosts-file",
                "known_hosts",
            ),
            risk=Risk.SAFE,
            verify="kubectl get gitrepository -A wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/tutorial-use-gitops-flux2",),
    leads_to=("arc.flux_source_unready",),
    ask="kubectl get gitrepository -A",
)
