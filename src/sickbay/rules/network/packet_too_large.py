from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Large packets do not pass: the MTU on the way is smaller than the sender's",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Frag(?:mentation)? needed(?: and DF set)?(?: ?\(mtu ?=? ?(?P<mtu>\d+)\))?|message too long, mtu ?=? ?(?P<local>\d+)|Packet needs to be fragmented but DF set|(?:sendmsg|sendto|write): message too long|ICMP .{0,80}? unreachable - need to frag",
            says="a packet was too large for the way ({mtu})",
            sample="From 10.0.0.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)",
            near_miss="PING 10.0.0.1 (10.0.0.1) 1400(1428) bytes of data. 1408 bytes from 10.0.0.1: icmp_seq=1 ttl=63",
            weight=TYPICAL,
        ),
    ),
    why="A VPN, ExpressRoute, tunnel or overlay on the way carries smaller packets (MTU) than the sender makes, and the messages that would tell it so are blocked or ignored. Small packets pass, so that connections open; the first large one is lost: TLS handshakes, image pulls and large answers hang.",
    remedy=(
        Step(
            "Find the largest packet that passes.",
            run=("ping", "-M", "do", "-s", "1372", "<target>"),
            risk=Risk.READ,
        ),
        Step(
            "Lower the MTU (or clamp the TCP MSS) on the tunnel or VPN device to that, and let ICMP type 3 code 4 pass.",
            risk=Risk.DISRUPTIVE,
            verify="ping -M do -s 1372 <target> gets answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/virtual-network-tcpip-performance-tuning",
        "https://learn.microsoft.com/azure/vpn-gateway/vpn-gateway-about-vpn-devices",
    ),
    leads_to=(
        "network.connection_times_out",
        "network.api_handshake_stalls",
    ),
    ask="ping -M do -s 1372 <target>",
)
