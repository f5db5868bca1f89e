from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A feature gate of Cluster API is off that the object needs (MachinePool, ClusterTopology)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"can be set only if the (?:Cluster API |CAPZ )?\W{0,2}(?P<gate>\w+)\W{0,2} feature flag is enabled|can be set only if the (?P<topology>ClusterTopology|RuntimeSDK) feature flag",
            says="the feature flag {gate}{topology} is not enabled",
            sample="Error from server (spec: Forbidden: can be set only if the Cluster API 'MachinePool' feature flag is enabled): error when creating \"cluster.yaml\"",
            near_miss="the feature flag MachinePool is enabled",
        ),
    ),
    why="Cluster API and its provider for Azure (CAPZ) keep some kinds behind feature gates, which are set when the controllers are installed (EXP_MACHINE_POOL, CLUSTER_TOPOLOGY). The webhook refuses the object while the feature flag is off, and an update of the providers without the variable switches it off again.",
    remedy=(
        Step(
            "See which gates the controllers were started with: both Cluster API and CAPZ must have it.",
            run=(
                "kubectl",
                "get",
                "deployments",
                "-A",
                "-l",
                "cluster.x-k8s.io/provider",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set the variable (EXP_MACHINE_POOL=true, CLUSTER_TOPOLOGY=true) and run clusterctl init or clusterctl upgrade apply again, or add the gate to --feature-gates of both deployments.",
            verify="kubectl apply --dry-run=server accepts the manifest",
        ),
    ),
    docs=(
        "https://cluster-api.sigs.k8s.io/tasks/experimental-features/experimental-features",
        "https://capz.sigs.k8s.io/managed/managedcluster",
    ),
    leads_to=("aso.capz_not_ready", "kubernetes.webhook_denied"),
    ask="kubectl get deployments -A -l cluster.x-k8s.io/provider -o yaml",
)
