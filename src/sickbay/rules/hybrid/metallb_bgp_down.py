from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="MetalLB cannot hold its BGP session: addresses of load balancers are not announced",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)%ADJCHANGE: neighbor (?P<peer>[\w.:]+)\S{0,60}?(?: in vrf \S+)? Down (?P<reason>[\w ]{2,60})",
            says="the session with {peer} went down: {reason}",
            sample="BGP: [M59KS-A3ZXZ] %ADJCHANGE: neighbor 10.20.0.1(Unknown) in vrf default Down Hold Timer Expired",
            near_miss="BGP: [M59KS-A3ZXZ] %ADJCHANGE: neighbor 10.20.0.1(Unknown) in vrf default Up",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?i)(?:metallb|speaker|\bfrr\b).{0,200}?(?:BGP session (?:is )?(?:down|closed|lost)|failed to connect.{0,20}?peer|hold timer expired|failed to dial)(?P<peer>)(?P<reason>)|(?:failed to connect to (?:BGP )?peer|BGP session (?:is )?(?:down|closed|lost)).{0,240}?(?:metallb|speaker|hold timer expired)",
            says="a speaker of MetalLB has no BGP session",
            sample='{"caller":"native.go:105","error":"dial \\"10.20.0.1:179\\" failed to dial: timed out","level":"error","msg":"failed to connect to peer","component":"metallb-speaker"} metallb speaker: BGP session down',
            near_miss='{"caller":"native.go:105","level":"info","msg":"BGP session established","component":"metallb-speaker"}',
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?i)\b(?:localASN|peerASN|myASN)\b.{0,300}?(?:failed to connect to peer|sessionFailed|session (?:closed|down|failed))|(?:failed to connect to peer|sessionFailed)\b.{0,300}?\b(?:localASN|peerASN|myASN)\b(?P<peer>)(?P<reason>)",
            says="a BGP session of MetalLB fails",
            sample='{"caller":"native.go:63","level":"error","localASN":65501,"peer":"10.20.0.2:179","peerASN":65048,"msg":"failed to connect to peer"}',
            near_miss='{"caller":"bgp.go:63","level":"info","localASN":65501,"peer":"10.20.0.2:179","peerASN":65048,"msg":"BGP session established"}',
            weight=TYPICAL,
        ),
    ),
    why="In BGP mode the speakers of MetalLB announce the addresses of load balancer services to the top-of-rack routers. Without a session nobody outside knows the way: the peer address, ASN or password does not fit, the router is not configured, or FRR mode does not work in this network.",
    remedy=(
        Step(
            "Compare the peers with the configuration of the router.",
            run=("kubectl", "get", "bgppeers.metallb.io", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "See the announcements and pools.",
            run=("kubectl", "get", "bgpadvertisements,ipaddresspools", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "If both fit, turn FRR mode off in the extension arcnetworking: az k8s-extension update --name arcnetworking --config metallb.speaker.frr.enabled=false.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs -n kube-system -l component=speaker wants a session that is established",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/connectivity-troubleshoot",),
    leads_to=("kubernetes.load_balancer_pending",),
    ask="kubectl get bgppeers.metallb.io -A -o yaml",
)
