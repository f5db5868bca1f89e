from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO is upgraded over a release that must not be skipped: its CRDs lack the helm keep policy of beta.5",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"CRD '(?P<crd>[\w.-]+)' does not have annotation for helm keep policy|Make sure the upgrade is from beta\.5",
            says="the CRD {crd} would be deleted by this upgrade",
            sample="CRD 'storageaccounts.storage.azure.com' does not have annotation for helm keep policy. Make sure the upgrade is from beta.5",
            near_miss="CRD 'storageaccounts.storage.azure.com' has the annotation helm.sh/resource-policy: keep",
        ),
    ),
    why="From v2.0.0 on the controller manages the CRDs instead of helm. An upgrade from a release before beta.5 would let helm delete the CRDs, and with them every object and its resource in Azure; therefore the pre-upgrade hook of the chart stops it.",
    remedy=(
        Step(
            "See which release made the CRDs, and back the objects up.",
            run=("kubectl", "get", "crd", "{crd}", "-o", "jsonpath={.metadata.annotations}"),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade step by step: first to v2.0.0-beta.5, run asoctl clean crds, then go on release by release as the notes say.",
            verify="helm list -n azureserviceoperator-system shows deployed",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/upgrading/",
        "https://azure.github.io/azure-service-operator/tools/asoctl/",
    ),
    leads_to=("kubernetes.job_failed", "kubernetes.release_gave_up"),
    ask="kubectl get crd -l app.kubernetes.io/name=azure-service-operator",
)
