from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux cannot build or apply what its repository holds",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)kustomize build failed: (?P<error>[^\n]{3,200})|Kustomization/\S{1,120} dry-run failed|error decrypting env sources: |no kustomization file found|apply failed: error: no objects passed to apply",
            says="the manifests could not be built or applied",
            sample="kustomize build failed: accumulating resources: accumulation err='accumulating resources from 'deploy.yaml': open /tmp/k/deploy.yaml: no such file or directory'",
            near_miss="Applied revision: main@sha1:0a1b2c3d",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Kustomization reconciliation failed|toolkit\.fluxcd\.io\S{0,4} is invalid: status\.storedVersions|\b[A-Z]\w{2,40}/[\w.-]{1,80} namespace not specified\b",
            says="Flux could not apply",
            sample="Kustomization reconciliation failed: CustomResourceDefinition/kustomizations.kustomize.toolkit.fluxcd.io dry-run failed, reason: Invalid",
            near_miss="Kustomization reconciliation completed",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)post build failed for|envsubst error|variable substitution failed",
            says="Flux could not substitute variables",
            sample="post build failed for 'app': envsubst error: variable substitution failed: missing closing brace",
            near_miss="post build variables substituted",
            weight=TYPICAL,
        ),
    ),
    why="The source was fetched, but the kustomization names a file that is not there or not valid, an object states no namespace (namespace not specified), or the API server or Helm refused an object. The message names the file or the object.",
    remedy=(
        Step(
            "Read the message.",
            run=(
                "kubectl",
                "get",
                "kustomization,helmrelease",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the file in the repository, and let Flux read it again.",
            run=(
                "kubectl",
                "annotate",
                "--overwrite",
                "kustomization",
                "-n",
                "<namespace>",
                "<name>",
                "reconcile.fluxcd.io/requestedAt=now",
            ),
            risk=Risk.SAFE,
            verify="kubectl get kustomization -A wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/tutorial-use-gitops-flux2",),
    leads_to=("arc.flux_source_unready",),
    ask="kubectl get kustomization,helmrelease -A",
)
