from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Argo CD or git may not read a repository (credentials), or does not find it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)(?:failed to list refs|failed to fetch|testing repository connectivity|Failed to load target state|ComparisonError).{0,300}?(?:authentication required|authorization failed|repository not found|unable to authenticate|couldn't find remote ref|reference not found|invalid credentials|Permission denied \(publickey\)|remote: HTTP Basic: Access denied)",
            says="the repository of a GitOps controller could not be read",
            sample="Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required: Repository not found.",
            near_miss="stored artifact for commit 'Add web'",
            passes=True,
            unless=r"(?i)determine revision|GitRepository|knownhosts|remote ref",
        ),
        Signature(
            # As git itself says it: in git-sync, in a build, in an init container.
            pattern=r"fatal: (?:Authentication failed for|could not read (?:Username|Password) for) '(?P<repository>https?://[^']{3,200})|remote: (?:Repository not found|Invalid username or (?:password|token)|HTTP Basic: Access denied)|git@[\w.-]{3,100}: Permission denied \(publickey|fatal: Could not read from remote repository|SSH agent requested but SSH_AUTH_SOCK not-specified|error=\"?authentication required\"? grpc\.code=\w+ grpc\.method=\w+ grpc\.service=repository\.|FATA\[\d+\] .{0,160}?ssh: handshake failed: ssh: unable to authenticate",
            says="the repository could not be read[: {repository}]",
            sample="fatal: Authentication failed for 'https://dev.azure.com/contoso/shop/_git/dags/'",
            near_miss="Cloning into '/tmp/git'...",
            unless=r"GitRepository|failed to checkout and determine|(?i:flux)|component=\w+|caller=\w+\.go",
            passes=True,
        ),
    ),
    why="Before anything is applied, the controller fetches the repository. Its deploy key or token is missing, expired or lacks access, the host key of the server is unknown or changed, or the address, branch or path does not exist; until then the cluster stays at the last state that was fetched.",
    remedy=(
        Step(
            "See the state of the sources.",
            run=("kubectl", "get", "gitrepositories,applications", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the address and branch, or renew the secret of the source: key and known_hosts for SSH, user and token for HTTPS.",
            verify="the source reports a fetched revision",
        ),
    ),
    docs=(
        "https://fluxcd.io/flux/components/source/gitrepositories/",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",
    ),
    ask="kubectl get gitrepositories,applications -A",
)
