from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The manifest of a push names a layer that the registry does not have (MANIFEST_BLOB_UNKNOWN, geo-replication)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\b(?:MANIFEST_)?BLOB_UNKNOWN\b|(?i:blob unknown to registry)",
            says="the registry does not know a layer of the image",
            sample="Error: PUT https://shop.azurecr.io/v2/web/manifests/1.2: MANIFEST_BLOB_UNKNOWN: blob unknown to registry; sha256:0011223344",
            near_miss="PUT https://shop.azurecr.io/v2/web/manifests/1.2: 201 Created",
            weight=TYPICAL,
        ),
    ),
    why="A push sends the layers and then the manifest. In a geo-replicated registry the name may resolve to another region between the two, which has not received the layers yet; a build that skips layers which it takes for present, or a clean-up (purge) at the same time, leaves the same gap.",
    remedy=(
        Step(
            "See the replicas of the registry.",
            run=("az", "acr", "replication", "list", "-r", "<registry>", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Push again; it goes through when the layers have arrived.",
            verify="docker push ends with a digest",
        ),
        Step(
            "If it comes back: take the replicas out of the routing while a build pushes, or build in the registry.",
            run=(
                "az",
                "acr",
                "replication",
                "update",
                "-r",
                "<registry>",
                "-n",
                "<region>",
                "--region-endpoint-enabled",
                "false",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/container-registry/container-registry-geo-replication",
    ),
    ask="az acr replication list -r <registry> -o table",
)
