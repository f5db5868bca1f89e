from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The controller of ASO or CAPZ cannot reach Azure: Entra ID (login.microsoftonline.com) or management.azure.com",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?:Credential: unable to resolve an endpoint|(?:ClientSecret|WorkloadIdentity|ManagedIdentity|ClientCertificate)Credential(?: authentication failed)?).{0,600}?(?:Get|Post|dial|lookup).{0,300}?(?P<login>login\.microsoftonline\.\w+|login\.microsoftonline\.com|sts\.windows\.net|169\.254\.169\.254).{0,400}?(?:context deadline exceeded|i/o timeout|no such host|connection refused|connection reset|EOF|certificate signed by unknown authority)",
            says="the controller cannot reach {login}",
            sample='Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: ClientSecretCredential: unable to resolve an endpoint: server response error: Get "https://login.microsoftonline.com/t/v2.0/.well-known/openid-configuration": context deadline exceeded',
            near_miss="ClientSecretCredential authentication failed. AADSTS7000215: Invalid client secret provided.",
            passes=True,
        ),
        Signature(
            pattern=r"Credential: unable to resolve an endpoint:? ?(?:server response error:? ?)?(?:context deadline exceeded|EOF)",
            says="the controller cannot reach the endpoint of Entra ID",
            sample="ClientSecretCredential: unable to resolve an endpoint: server response error: context deadline exceeded",
            near_miss="ClientSecretCredential: resolved the endpoint of the tenant",
        ),
        Signature(
            pattern=r"(?:\bFalse [WE]\w+ [A-Z]\w+|Severity: [WE]\w+, |[Rr]econcil|azureserviceoperator).{0,600}?https://management\.(?P<login>[\w.]+)/\S{0,400}? (?:dial tcp|context deadline|net/http|read tcp|proxyconnect|EOF|lookup).{0,120}",
            says="the controller cannot reach Azure Resource Manager",
            sample='rg1 False Warning UnknownError Put "https://management.azure.com/subscriptions/0/resourcegroups/rg1?api-version=2020-06-01": dial tcp 4.150.240.10:443: i/o timeout',
            near_miss='rg1 True Succeeded Put "https://management.azure.com/subscriptions/0/resourcegroups/rg1"',
            weight=TYPICAL,
            unless=r"RESPONSE \d",
            passes=True,
        ),
        Signature(
            pattern=r"azure\.microsoft\.com.{0,300}?error occurred:\W{0,12}context deadline exceeded(?P<login>)",
            says="the controller did not get an answer from Azure",
            sample='Reconciler error {"reconciler group": "azure.microsoft.com", "reconciler kind": "MySQLServer", "error": "1 error occurred: * context deadline exceeded "}',
            near_miss='Reconciler error {"reconciler group": "azure.microsoft.com", "reconciler kind": "MySQLServer", "error": "none"}',
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            # Whoever only reads gets no answer; a write that takes too long is another matter.
            pattern=r"\b(?:network|compute|resources|containerservice|privatedns|msi|authorization)\.\w+Client#(?:Get|List)\w*: Failure sending request: StatusCode=0 -- Original Error: context deadline exceeded(?P<login>)",
            says="a question to Azure Resource Manager was not answered in time",
            sample="failed to get existing NAT rules: network.InboundNatRulesClient#List: Failure sending request: StatusCode=0 -- Original Error: context deadline exceeded",
            near_miss="compute.VirtualMachinesClient#CreateOrUpdate: Failure sending request: StatusCode=0 -- Original Error: context deadline exceeded",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Before each request ASO asks Entra ID for a token. Its pod does not reach that endpoint, or the one of Azure Resource Manager (management.azure.com): a NetworkPolicy of its namespace, a firewall, a proxy that is not set for the pod, or DNS stands between. The credential itself was not even looked at.",
    remedy=(
        Step(
            "See whether a NetworkPolicy holds the traffic of the controller.",
            run=(
                "kubectl",
                "get",
                "networkpolicies",
                "-n",
                "azureserviceoperator-system",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask whether the pod may leave.",
            run=(
                "sickbay",
                "reach",
                "ip:<controller-pod-ip>",
                "login.microsoftonline.com",
                "--port",
                "443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow HTTPS from namespace azureserviceoperator-system to login.microsoftonline.com and management.azure.com, or give the pod the proxy of the network.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=(
        "aks.jwt_issuer_unreachable",
        "aso.capz_not_ready",
        "aso.not_ready",
        "network.connection_times_out",
        "network.name_resolution_fails",
    ),
    ask="kubectl get networkpolicies -n azureserviceoperator-system -o yaml",
)
