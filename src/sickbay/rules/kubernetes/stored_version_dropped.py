from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A new custom resource definition (CRD) lacks a version in which objects are still stored (storedVersions)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?:\"?(?P<crd>[\w-]+\.[\w.-]+)\"? is invalid: )?status\.storedVersions\[\d+\]: Invalid value: \W{0,3}(?P<version>v\d\w*)\W{1,4}must appear in spec\.versions",
            says="the definition[ {crd}] is refused: objects are stored as {version}, which it no longer has",
            sample='CustomResourceDefinition.apiextensions.k8s.io "certificates.cert-manager.io" is invalid: status.storedVersions[0]: Invalid value: "v1alpha2": must appear in spec.versions',
            near_miss='CustomResourceDefinition.apiextensions.k8s.io "certificates.cert-manager.io" configured: status.storedVersions [v1]',
            unless=r"azure\.com|toolkit\.fluxcd|20\d{6}\w{0,20}storage",
        ),
        Signature(
            pattern=r"request to convert CR from an invalid group/version: (?P<crd>[\w.-]+)/(?P<version>v\d\w*)",
            says="objects of {crd} are stored as {version}, which the definition no longer has",
            sample="Error from server: request to convert CR from an invalid group/version: acme.cert-manager.io/v1alpha2",
            near_miss="request to convert CR from acme.cert-manager.io/v1 succeeded",
            unless=r"\.azure\.com/",
        ),
    ),
    why="A CRD remembers in status.storedVersions every version in which an object was ever saved, and the API server refuses an update that drops one of them. An operator was upgraded past the release that still knew both; its objects must be saved anew in the new version first.",
    remedy=(
        Step(
            "See which versions each definition still counts as stored.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-o",
                "custom-columns=NAME:.metadata.name,STORED:.status.storedVersions",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Go back to the last release of the operator that knows both versions, and save every object once more (cert-manager: cmctl upgrade migrate-api-version).",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Then take the old version out of the list, and repeat the upgrade.",
            run=(
                "kubectl",
                "patch",
                "crd",
                "{crd}",
                "--subresource=status",
                "--type=merge",
                "-p",
                '{"status":{"storedVersions":["<new version>"]}}',
            ),
            risk=Risk.DISRUPTIVE,
            verify="the new definition is accepted",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version",
    ),
    leads_to=("kubernetes.release_gave_up", "arc.flux_build_fails"),
    ask="kubectl get crd {crd} -o json",
)
