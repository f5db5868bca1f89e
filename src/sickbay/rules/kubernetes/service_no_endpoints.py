from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A service has no endpoints, so nothing answers behind it",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r'(?i)service "?(?P<service>[\w./-]+)"? does not have any active endpoint|no (?:active )?endpoints available for service "?(?P<backend>[\w./:-]+)"?|\bno endpoints found for service\b',
            says="a service has no endpoint",
            sample='W0112 10:11:12.131415 7 controller.go:1162] Service "shop/cart" does not have any active Endpoint.',
            near_miss='Service "shop/cart" has 3 active endpoints',
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\bEndpoints: (?:<none>|<unset>)?(?: Session| Events|$)",
            says="the description of the service lists no endpoint",
            sample="Name: cart\nNamespace: shop\nType: ClusterIP\nTargetPort: 8080/TCP\nEndpoints:         <none>\nSession Affinity:  None",
            near_miss="Name: cart\nNamespace: shop\nEndpoints:         10.244.1.7:8080\nSession Affinity:  None",
            weight=SYMPTOM,
        ),
    ),
    why="A service forwards only to pods that its selector picks and that are ready; without one of them every connection to it is refused or answered with 503.",
    remedy=(
        Step(
            "Compare the selector with the labels of the pods.",
            run=("kubectl", "get", "endpointslices", "-n", "{namespace}", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the selector, or make the pods behind it ready.",
            verify="kubectl get endpointslices -n {namespace} wants addresses",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
    ),
    leads_to=("network.connection_times_out",),
)
