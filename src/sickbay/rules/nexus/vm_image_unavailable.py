from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image of a Nexus virtual machine cannot be pulled from its registry: credentials, name or reach are wrong",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:vmImage\w*|virtual ?machines?|VNF)\b.{0,200}?(?:(?:unable|failed|cannot|could not|not able) (?:to )?(?:pull|download|import|fetch|access)\b.{0,60}?\bimage|image\b.{0,60}?(?:pull|import|download)\w* (?:failed|error|denied)|ImagePullBackOff|ErrImagePull)|vmImageRepositoryCredentials\b.{0,160}?(?:invalid|expired|unauthori[sz]ed|denied|incorrect|not (?:valid|accepted)|40[13])",
            says="the image of the machine was not pulled",
            sample="VirtualMachine vnf1 provisioning failed: unable to pull image reg1.azurecr.io/vnf:1.2: 401 Unauthorized (vmImageRepositoryCredentials)",
            near_miss="VirtualMachine vnf1: image reg1.azurecr.io/vnf:1.2 pulled",
            unless=r"(?i)azureStackHCI|gallery ?image|\bkubelet\b|\bpod/",
            weight=TYPICAL,
        ),
    ),
    why="A virtual machine of Nexus is made from a container image in a registry (vmImage) that the site pulls with vmImageRepositoryCredentials through the cloud services network. Wrong or expired credentials, a tag that is not there, or a registry that the network does not let out to, stop the creation.",
    remedy=(
        Step(
            "See image and registry of the machine.",
            run=(
                "az",
                "networkcloud",
                "virtualmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "{image:vmImage,registry:vmImageRepositoryCredentials.registryUrl,status:detailedStatusMessage}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Test the same credentials and tag with docker login and docker manifest inspect, add the registry to the egress endpoints of the cloud services network, and create the machine again.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud virtualmachine show -g {resource_group} -n {name} wants detailedStatus Available or Running",
        ),
    ),
    leads_to=("kubernetes.registry_unauthorised",),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-virtual-machine-image",),
    ask="az networkcloud virtualmachine show -g {resource_group} -n {name} --query detailedStatusMessage",
)
