from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A revision of a container app did not come up: image, probe, secret or start (ContainerAppOperationError)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"Failed to provision revision for container app '(?P<app>[\w-]+)|\bContainerApp(?:OperationError|SecretRefNotFound|SecretInvalid|ImageRequired|ProbeInvalid\w*)\b|Field 'template\.containers\.(?P<container>[\w-]+)\.\w+' is invalid with details|(?i:revision .{0,80}?(?:did not (?:become|reach)|failed to (?:start|provision)|is not (?:ready|healthy)))",
            says="a revision of the container app {app} failed",
            sample="ContainerAppOperationError: Failed to provision revision for container app 'shop'. Error details: Operation expired.",
            near_miss="Revision shop--1 of the container app is ready",
            unless=r"(?i)knative|deployment\\.kubernetes\\.io",
        ),
    ),
    why="Azure accepted the container app and tried to start the revision; it did not become healthy in time (Operation expired), its image cannot be pulled by the identity or password that the spec names, a secret or Key Vault reference is missing, or the container ends or fails its probe.",
    remedy=(
        Step(
            "See why the revision does not start.",
            run=(
                "az",
                "containerapp",
                "logs",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{app}",
                "--type",
                "system",
                "--tail",
                "50",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend image, registry identity (AcrPull), target port, probes or secrets in the spec.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/container-apps/troubleshoot-container-start-failures",
    ),
    leads_to=("aks.parameter_invalid", "aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="az containerapp logs show -g {resource_group} -n {app} --type system --tail 50",
)
