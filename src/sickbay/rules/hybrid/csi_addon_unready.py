from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="New clusters time out on their CSI driver after Azure Local was upgraded from 2510",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bAddonNotReady\b.{0,40}?ProviderCSIDriver|ProviderCSIDriver:? add-?on (?:is )?not ready",
            says="the CSI driver of the new cluster does not become ready",
            sample="AddonNotReady: ProviderCSIDriver: AddOn not ready",
            near_miss="AddonReady: ProviderCSIDriver: AddOn ready",
        ),
    ),
    why="The extension hybridaksextension in versions 4.0.x before 4.0.92 breaks the creation of clusters once Azure Local came from 2510 to 2511 or 2512: the storage add-on (ProviderCSIDriver, AddonNotReady) never gets ready, and the creation times out.",
    remedy=(
        Step(
            "See the version of the extension on the resource bridge.",
            run=(
                "az",
                "k8s-extension",
                "show",
                "-g",
                "{resource_group}",
                "-c",
                "<resource-bridge>",
                "--cluster-type",
                "appliances",
                "--name",
                "hybridaksextension",
                "--query",
                "{version:version,current:currentVersion}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run the hotfix of the support module, which brings it to 4.0.92 or later.",
            run=("powershell", "Invoke-SupportAksArcRemediation_HotFix_2511_2512CreateCluster"),
            risk=Risk.DISRUPTIVE,
            verify="az k8s-extension show wants version 4.0.92 or later",
        ),
        Step("Delete the cluster that timed out, and create it again."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/cluster-create-fails-after-azure-local-upgrade",
    ),
    leads_to=("hybrid.cluster_failed",),
    ask="az k8s-extension show -g {resource_group} -c <resource-bridge> --cluster-type appliances --name hybridaksextension --query version",
)
