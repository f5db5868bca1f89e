from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A parameter of the request has a value that Azure does not accept (InvalidParameter)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bErrorCodeEnable\w+|--[\w-]{4,60} (?:is not a valid Azure resource ID|not in the correct format\. It should match)|\b(?:InvalidParameterConflictingProperties|ConflictingUserInput|CidrStringParseError|IP(?:Prefix)?ParseError|HTTPProxy(?:WrongUrl|ConfigInput|ConfigCADecode)Error|AddonInvalid|InvalidAvailabilityZoneFormat|EphemeralOSAndBYOKNotSupported|DockerBridgeCidrInvalid|VnetCIDRInvalid)\b|The value of parameter (?P<parameter>[\w.\[\]-]+) is invalid|\bInvalidParameter\b.{0,600}?\bTarget: ?\"?(?P<target>\w[\w.\[\]-]{2,80})|\bHttpRequestPayloadAPISpecValidationFailed\b|UnmarshalEntity encountered error|\b400 (?:BadRequest|Bad Request)\W{1,3}UnmarshalError\b|(?:^\(?|[Cc]ode\"?[:=] ?\"?)UnmarshalError\b|cannot unmarshal \w+ into Go struct field (?P<field>\w[\w.]{2,80})|(?:^\(?|[Cc]ode\"?[:=] ?\"?)InvalidParameter\b",
            says="a parameter has a value that is refused",
            sample="(InvalidParameter) The value of parameter networkProfile.podCidr is invalid. Error details: 10.244.0.0 is not a CIDR. Code: InvalidParameter Target: networkProfile.podCidr",
            near_miss="The value of parameter networkProfile.podCidr is valid",
            weight=TYPICAL,
            unless=r"(?i)imageReference\.version|(?:orchestrator|kubernetes)Version is invalid|managed cluster name is invalid|(?:name|prefix)\W{0,3} (?:is|was) invalid.{0,300}?aks-naming-rules|VM size|auto-?repair|Node(?:Reboot|Reimage|Redeploy)Error|Ephemeral|instanceId|appliance|arcappliance|commandOutputSettings|NetworkCloud|ManagedNetworkFabric|vmSkuName|HybridContainerService|cannot be handled as an? \w|unable to decode \S",
        ),
    ),
    why="`InvalidParameter` comes when a value passes the first validation and is refused by the provider that has to make the resource: a principal, subnet, prefix, version or count. The target of the error is the property.",
    remedy=(
        Step(
            "Read the property that the error names as its target, and the reason after it.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{resource_group}",
                "--status",
                "Failed",
                "--offset",
                "7d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step("Correct it in the command or template, and send the request again."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/invalidparameter-error",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
        "kubernetes.mount_failed",
        "kubernetes.webhook_denied",
    ),
    vague=True,
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
