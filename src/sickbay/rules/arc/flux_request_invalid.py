from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Flux configuration is refused: what the request says does not fit together",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Invalid source kind match\. Config with specified source kind '(?P<kind>\w+)'|fluxConfigurations?.{0,200}?(?:ValidationFailed|BadRequest)\b.{0,200}?(?:kustomization|source ?kind|namespace|scope)",
            says="the Flux configuration is not valid",
            sample="(ValidationFailed) Invalid source kind match. Config with specified source kind 'GitRepository' must contain corresponding body specified in the properties.",
            near_miss="(Succeeded) Config with specified source kind 'GitRepository' was created.",
        ),
        Signature(
            pattern=r"(?i)Error! (?:Kustomization definition is invalid|Repository reference is invalid|Required property '[\w-]+' was not specified|Invalid (?:--url|kustomization list|--?[\w-]*(?:interval|timeout))|Cannot create a kustomization that already exists|An? --ssh-private-key cannot be used|--ssh-known-hosts cannot be used|https auth .{0,60}?cannot be used|ssh known_hosts|--ssh-private-key provided in invalid|--https-user and --https-key cannot|Unable to read key file specified|Both textual key and key filepath|Flux v1 configurations already exist)",
            says="az k8s-configuration does not accept the request",
            sample="Error! An --ssh-private-key cannot be used with an http(s) url",
            near_miss="Warning! https url is being used without https auth params",
        ),
    ),
    why="A Flux configuration names one kind of source and must bring the settings of that kind. An update that gives only kustomizations, or the settings of another kind, is refused as a whole.",
    remedy=(
        Step(
            "See the present configuration.",
            run=(
                "az",
                "k8s-configuration",
                "flux",
                "show",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-n",
                "<configuration>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Change kustomizations with their own command, or give kind, url and branch as well.",
            run=(
                "az",
                "k8s-configuration",
                "flux",
                "kustomization",
                "update",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-n",
                "<configuration>",
                "--kustomization-name",
                "<name>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/gitops-flux2-parameters",),
    leads_to=(
        "host.cli_usage",
        "aks.parameter_invalid",
    ),
)
