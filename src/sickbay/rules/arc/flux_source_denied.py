from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux may not read its Git repository, bucket or chart: the credential is missing, wrong or expired",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:unable to (?:clone|list remote)|failed to checkout and determine revision|git repository|GitRepository\b|HelmRepository\b|OCIRepository\b).{0,300}?(?:authentication required|authorization failed|invalid credentials|permission denied|Permission denied \(publickey\)|unable to authenticate|401 Unauthorized|403 Forbidden|repository not found)|(?:flux|git-ssh|component=\w+|caller=\w+\.go).{0,400}?fatal: Could not read from remote repository|GitLab: The project you were looking for could not be found|invalid 'ssh' auth option: 'identity' is required|auth secret error: Secret \"?(?P<secret>[\w.-]+)\"? not found|failed to get secret '(?P<other>[\w./-]+)': .{0,80}?not found|failed to confirm existence of '[^']{1,80}' bucket: (?:Access Denied|.{0,80}?(?:403|Forbidden|InvalidAccessKey|SignatureDoesNotMatch))",
            says="the source refuses Flux",
            sample="failed to checkout and determine revision: unable to clone 'https://github.com/contoso/apps': authentication required",
            near_miss="stored artifact for revision 'main@sha1:0a1b2c3d' from 'https://github.com/contoso/apps'",
        ),
    ),
    why="The source controller signs in to the repository with the secret of the configuration. A private repository without one, an expired token, a key without read access, a secret that is missing in the namespace, or a URL that does not exist for this account (repository not found) all end here.",
    remedy=(
        Step(
            "Read what the source says.",
            run=(
                "kubectl",
                "get",
                "gitrepository",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the configuration a valid user and token, or a key with read access.",
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
                "--https-user",
                "<user>",
                "--https-key",
                "<token>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get gitrepository -A wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/tutorial-use-gitops-flux2",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",
    ),
    leads_to=("arc.flux_source_unready",),
    ask="kubectl get gitrepository -A",
)
