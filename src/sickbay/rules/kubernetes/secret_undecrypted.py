from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A secret from Git cannot be decrypted: the key is missing or not allowed (SOPS, Sealed Secrets)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)sops data key|failed to decrypt (?:and format )?.{0,160}?\bsops\b|decryption failed for '(?P<object>[^']{1,200})'|sops metadata not found|error decrypting sops tree|error getting data key: 0 successful groups|data key required to decrypt the SOPS file|no key could decrypt secret|ErrUnsealFailed|no identity matched any of the recipients|sops: error|cannot get secret '[^']{1,120}' for (?:sops )?decryption|decryption secret error",
            says="a secret could not be decrypted[: {object}]",
            sample="kustomize build failed: failed to decrypt and format 'secrets.yaml': cannot get sops data key: error getting data key: 0 successful groups required, got 0",
            near_miss="SealedSecret unsealed successfully",
        ),
    ),
    why="The repository holds the secret encrypted, and a controller in the cluster decrypts it. Its private key (age, PGP) is not in the secret that the configuration names, its identity may not use the key in the Key Vault, the file was encrypted for other keys, or the cluster was made anew and has new keys.",
    remedy=(
        Step(
            "See which secret or identity the configuration decrypts with.",
            run=(
                "kubectl",
                "get",
                "kustomizations.kustomize.toolkit.fluxcd.io",
                "-A",
                "-o",
                "custom-columns=NS:.metadata.namespace,NAME:.metadata.name,BY:.spec.decryption",
            ),
            risk=Risk.READ,
        ),
        Step(
            "With a key in the Key Vault, let the identity of the controller decrypt with it.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "Key Vault Crypto User",
                "--assignee",
                "<client id of the controller>",
                "--scope",
                "<id of the Key Vault>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Otherwise put the private key into the secret that is named, or encrypt the files anew for the key of this cluster (sops updatekeys, kubeseal).",
            risk=Risk.SAFE,
            verify="the configuration reconciles",
        ),
    ),
    docs=(
        "https://fluxcd.io/flux/guides/mozilla-sops/",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/tutorial-use-gitops-flux2",
    ),
    leads_to=("arc.flux_build_fails", "arc.flux_source_unready", "kubernetes.chart_render_failed"),
    ask="kubectl get kustomizations.kustomize.toolkit.fluxcd.io -A -o json",
)
