from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The chart, its version or its repository does not exist where Helm looks for it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?i)chart "(?P<chart>[^"]{1,120})" (?:version "[^"]{1,60}" |matching \S{1,60} )?not found in \S{1,200}|no chart (?:version|name) found(?: for (?P<name>\S{1,100}))?|failed to download "(?P<ref>[^"]{1,200})"|Error: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?repo (?P<repo>[\w.-]+) not found|is not a valid chart repository or cannot be reached|failed to fetch \S{3,300}?\.tgz ?: 404|no cached repo found|\bError: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?(?P<oci>[\w-]+(?:\.[\w-]+)+/[\w./-]{1,200}:[\w.+-]{1,128}): not found|no repositories (?:found|configured|to show)|invalid chart reference|does not appear to be a gzipped archive|non-absolute URLs should be in form of repo_name|Error: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?(?:path \S{1,200} not found|Chart\.yaml file is missing)',
            says="Helm does not find the chart",
            sample="Error: INSTALLATION FAILED: chart \"nginx\" matching 99.1 not found in bitnami index. (try 'helm repo update'): no chart version found for nginx-99.1",
            near_miss='Successfully got an update from the "bitnami" chart repository',
            unless=r"(?i)HelmChart|fetch failed|x509|dial tcp|no such host|i/o timeout|context deadline|read tcp|connection reset|\b40[137] |\b429\b",
        ),
    ),
    why="Before anything is rendered, Helm looks the chart up in the index of its repository. The name or version is misspelled or was withdrawn, the repository was not added or its index is old, or its address answers with something that is no index.",
    remedy=(
        Step(
            "Bring the index up to date.",
            run=(
                "helm",
                "repo",
                "update",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "See which versions there are.",
            run=(
                "helm",
                "search",
                "repo",
                "<chart>",
                "--versions",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct repository, name or version.",
            risk=Risk.SAFE,
            verify="helm pull of the chart succeeds",
        ),
    ),
    docs=(
        "https://helm.sh/docs/helm/helm_repo/",
        "https://helm.sh/docs/helm/helm_search_repo/",
    ),
    leads_to=("kubernetes.release_gave_up", "arc.extension_failed"),
    ask="helm search repo <chart> --versions",
)
