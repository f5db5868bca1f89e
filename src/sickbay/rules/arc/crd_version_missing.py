from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The custom location does not serve this resource type or API version: its CRD is not installed",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bMissingResourceVersionOnHost\b|extended location .{0,400}?does not support the resource type (?P<type>[\w./-]+)|ensure the host has the CRD (?P<crd>[\w.-]+)",
            says="the host lacks the CRD for the resource",
            sample="MissingResourceVersionOnHost: The resource /subscriptions/s/x extended location /subscriptions/s/y does not support the resource type Microsoft.IoTOperations/instances or api version 2025-04-01. Please check with the owner of the extended location to ensure the host has the CRD Instance with group iotoperations.azure.com, plural instances, and versions [v1] installed.",
            near_miss="The extended location supports the resource type",
        ),
    ),
    why="A custom location projects resources into the cluster through the CRDs of its cluster extensions. The extension for this type is missing, older or newer than the API version asked for, or not among the extensions of the custom location.",
    remedy=(
        Step(
            "See which extensions the custom location has.",
            run=(
                "az",
                "customlocation",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "<custom-location>",
                "--query",
                "clusterExtensionIds",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See which versions of the CRD the cluster has.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-o",
                "custom-columns=NAME:.metadata.name,VERSIONS:.spec.versions[*].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update the extension (or delete what is left of an earlier deployment, with az iot ops delete for IoT Operations), wait some minutes, and create the resource again.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/iot-operations/troubleshoot/troubleshoot",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",
    ),
    leads_to=("aks.deployment_failed",),
    ask="kubectl get crd",
)
