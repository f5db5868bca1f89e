from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A setting of the application routing gateway is missing or invalid",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)KeyVault Cert URI provided, but the required ServiceAccount option was not|ServiceAccount for WorkloadIdentity provided, but KeyVault Cert URI was not|all items must (?:be either 'gateway' or 'ingress'|have the same (?:subscription ID|resource group)|be of the same resource type)|gatewayLabels in body should match|clientID is required when type is managedIdentity|serviceAccount is required when type is workloadIdentity|(?:invalid|unable to parse) (?:KeyVault )?(?:secret|cert(?:ificate)?) URI",
            says="a setting of the gateway was refused",
            sample="KeyVault Cert URI provided, but the required ServiceAccount option was not.",
            near_miss="KeyVault Cert URI and ServiceAccount option were provided",
        ),
    ),
    why="Application routing checks the TLS options of a Gateway (certificate URI in Key Vault together with a service account that has a workload identity) and the resources that ExternalDNS is given (zones of one subscription, group and type; resource types gateway or ingress; a label filter as key=value; the client id of the identity). The message names the one that is missing or not of the same kind.",
    remedy=(
        Step(
            "See the gateway and its conditions.",
            run=("kubectl", "get", "gateway", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the option that the message names.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe gateway wants Programmed: True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/app-routing-gateway-api",),
    ask="kubectl get gateway -A -o json",
)
