from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The VPN or ExpressRoute connection is down, so what lies behind it is not reached",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i:BGP peer(?:ing)? (?:status|state)\W{1,4}(?:is )?(?:Connecting|Idle|Stopped|Unknown))|(?i:no routes (?:are )?learned)|(?i:\"?connectionStatus\"?) ?: ?\"?(?P<state>NotConnected|Connecting)\b|vpn-connection (?:show|list)\b.{0,300}?\bNotConnected\b|(?i:\"?serviceProviderProvisioningState\"?) ?: ?\"?(?P<circuit>NotProvisioned|Deprovisioning)\b|(?i:\"?circuitProvisioningState\"?) ?: ?\"?Disabled\b|(?i:IKE).{0,80}?(?:peer (?:is )?not responding|NO_PROPOSAL_CHOSEN|AUTHENTICATION_FAILED)",
            says="the connection of the gateway is down",
            sample='"connectionStatus": "NotConnected", "connectionType": "IPsec"',
            near_miss='"connectionStatus": "Connected"',
        ),
    ),
    why="The connection of the virtual network gateway is not Connected: other shared key, other proposals of IKE, no route to the peer, or a circuit that its provider has not set up.",
    remedy=(
        Step(
            "See the state of the connections.",
            run=(
                "az",
                "network",
                "vpn-connection",
                "list",
                "-g",
                "<group>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Compare shared key and IPsec policy on both ends, and ask the provider of the circuit."
        ),
    ),
    leads_to=(
        "network.connection_times_out",
        "network.dns_server_silent",
    ),
    docs=(
        "https://learn.microsoft.com/azure/vpn-gateway/vpn-gateway-troubleshoot-site-to-site-cannot-connect",
    ),
    ask="az network vpn-connection list -g <group> -o table",
)
