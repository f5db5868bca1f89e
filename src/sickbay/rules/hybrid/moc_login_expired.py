from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Tokens or certificates of the MOC tools (mocctl, kvactl, KMS plug-in) have expired",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:azurestackhci session|mocctl|kvactl|wssd|generic_non_zero ?1).{0,200}?Certificate has expired|desc = Valid Token Required",
            says="the login of the tool to the cloud agent has expired",
            sample="Error: failed to get new provider: failed to create azurestackhci session: Certificate has expired: Expired",
            near_miss="Info: created azurestackhci session, the certificate was renewed",
        ),
        Signature(
            pattern=r"(?i)dial unix \S{0,60}?kms-?plugin\S{0,40}?\.sock:? connect: (?:no such file|connection refused)",
            says="the KMS plug-in of the cluster does not run",
            sample="transport: Error while dialing dial unix /var/run/moc-kms-plugin/kmsPlugin.sock: connect: no such file or directory",
            near_miss="listening on unix socket /var/run/moc-kms-plugin/kmsPlugin.sock",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?:azurestackhci\w*|mocctl|kvactl|wssd\w*|cloud ?agent|caph\b\S*)\b.{0,300}?(?:Token is expired|token (?:has |is )?expired|code = Unauthenticated)",
            says="a token for the cloud agent has expired",
            sample="Reconciler error: failed to create azurestackhci session: rpc error: code = Unauthenticated desc = Token is expired",
            near_miss="created azurestackhci session",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i:\b(?:mocctl|kvactl|wssd\w*|moc)\b).{0,240}?rpc error: code = \w+ desc = (?:.{0,120}?: )?(?P<state>Expired|Revoked|InvalidToken)(?: ?\]| ?\W{0,3}$)",
            says="MOC answers that the login is {state}",
            sample="mocctl.exe cloud node list: Error: rpc error: code = Unknown desc = Expired",
            near_miss="mocctl.exe cloud node list: Error: rpc error: code = Unknown desc = Not Found",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bKMS ?-?plug-?in\b.{0,160}?(?:connection refused|no such file|not running|unavailable|invalid token)",
            says="the KMS plug-in does not answer",
            sample="kube-apiserver failed: failed to connect to KMS plugin unix:///var/run/kms.sock: connection refused",
            near_miss="kube-apiserver connected to KMS plugin",
            unless=r"(?i)managedClusters|azure-?kms|azurekms|vault\.azure",
            weight=TYPICAL,
        ),
    ),
    why="The tools and the KMS plug-in log in to the MOC cloud agent with certificates and tokens that live 60 days (workload clusters that were off for more than four days lose theirs as well). When nothing was run or updated in that time nobody renewed them: the tools are refused, and without the KMS plug-in the API server cannot read its secrets.",
    remedy=(
        Step(
            "Log the tools in again.",
            run=(
                "powershell",
                "-Command",
                "Repair-MocLogin",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Renew the certificates of the management cluster.",
            run=(
                "powershell",
                "-Command",
                "Update-AksHciCertificates",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-AksHciCluster lists the clusters",
        ),
        Step(
            "Renew those of a workload cluster that does not answer.",
            run=(
                "powershell",
                "-Command",
                "Update-AksHciClusterCertificates",
                "-Name",
                "<cluster>",
                "-fixKubeletCredentials",
                "-fixCloudCredentials",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If kvactl still says Expired, delete its cached login under .wssd\\kvactl\\cloudconfig of this user and repeat.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-security",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-workload-clusters",
    ),
    ask="powershell -Command Get-MocNode -location MocLocation",
)
