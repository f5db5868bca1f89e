from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AGIC finds no port or endpoint behind an ingress, so the Application Gateway has no backend (502)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Unable to locate endpoints for service|\b(?:BackendPortTargetMatch|IngressServiceTargetMatch|PortResolutionError)\b|Unable to resolve target port for service|unable to resolve backend port for some services|does not have matching endpoint port|azure/application-gateway .{0,60}?(?:ServiceNotFound|EndpointsEmpty)|(?:ServiceNotFound|EndpointsEmpty) .{0,80}?(?:azure/)?application-gateway|Unable to get service \[?[\w-]{1,63}/[\w.-]{1,253}\]?(?:$|[^\w.:-])|more than one service-backend port binding is not allowed",
            says="the ingress leads to no backend",
            sample="Warning  BackendPortTargetMatch  azure/application-gateway  Backend target port 8080 does not have matching endpoint port",
            near_miss="Normal  ResetIngressStatus  azure/application-gateway  Reset IP for Ingress shop/web",
            weight=TYPICAL,
        ),
    ),
    why="AGIC fills the backend pool of the Application Gateway with the pods behind the service that an ingress names. When the service does not exist in the namespace of the ingress, has no such port, or no ready endpoint, the pool stays empty and the gateway answers 502 Bad Gateway.",
    remedy=(
        Step(
            "Compare the backend of the ingress with the services and their endpoints.",
            run=("kubectl", "get", "ingress,service,endpoints", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Correct name and port of the backend in the ingress, or selector and targetPort of the service.",
            verify="az network application-gateway show-backend-health lists the pods as Healthy",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/application-gateway/ingress-controller-troubleshoot",),
    leads_to=("aks.app_gateway_probe_fails",),
    ask="kubectl get ingress,service,endpoints -A -o json",
)
