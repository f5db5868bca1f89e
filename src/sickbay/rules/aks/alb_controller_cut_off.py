from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The controller of Application Gateway for Containers (ALB) cannot open its stream to Azure",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Unable to create stream for (?:endpoints?|config(?:uration)?) update|\balb-?controller\b.{0,400}?(?i:failed to (?:create|open) stream)|(?i:dial(?:ing)?|lookup)\W.{0,120}?\btrafficcontroller\.azure\.com\b",
            says="the stream to the Azure service cannot be opened",
            sample='{"level":"error","error":"rpc error: code = Unavailable desc = connection error: desc = transport: authentication handshake failed: EOF","message":"Unable to create stream for endpoints update"}',
            near_miss='{"level":"debug","message":"Creating endpoint update stream"}',
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The ALB controller pushes configuration and endpoints to Azure over a gRPC stream on port 443. The stream is refused or cut: a firewall, proxy or mesh sidecar on the way, or an outage of the service. Old routes stay, new pods are not known, and users see upstream errors.",
    remedy=(
        Step(
            "See how long it has gone on.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "azure-alb-system",
                "deployment/alb-controller",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the pods of azure-alb-system out to *.trafficcontroller.azure.com on port 443 without TLS inspection, and keep sidecars of a mesh out of that namespace."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/for-containers/troubleshooting-guide",
    ),
    ask="kubectl logs -n azure-alb-system deployment/alb-controller",
)
