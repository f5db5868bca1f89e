from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="TWAMP probes (UDP) fail on a Nexus site: NAT on the way changes their port",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bTWAMP\b.{0,160}?(?:not work\w*|no (?:UDP )?(?:answers?|repl(?:y|ies)|response)|gets no|fail\w*|timed? ?out|timeout|100% (?:packet )?loss|port (?:is )?(?:translated|rewritten|changed))",
            says="TWAMP gets no answers",
            sample="TWAMP light session from the pod to the reflector fails: no UDP response on port 862",
            near_miss="TWAMP light session from the pod to the reflector: 0% loss",
            weight=TYPICAL,
        ),
    ),
    why="TWAMP measures with UDP datagrams whose ports both ends agree on. Traffic of a pod that leaves through the address of its node is translated (NAT), and the port is not kept, so the answers of the reflector fit no session.",
    remedy=(
        Step(
            "See from which address and port the probe sends, and compare it with what a capture at the reflector shows.",
            run=("kubectl", "exec", "<pod>", "--", "ss", "-uanp"),
            risk=Risk.READ,
        ),
        Step(
            "Run the probe in the network of the host, or on a network that is attached to the pod and not translated (an L3 network through Multus, or BGP with addresses of the pods).",
            risk=Risk.DISRUPTIVE,
            verify="the probe arrives with the port that it was sent from",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-twamp-udp-not-working",),
    ask="kubectl exec <pod> -- ss -uanp",
)
