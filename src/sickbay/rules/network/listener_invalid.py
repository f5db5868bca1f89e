from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A listener of a Gateway is not valid: protocol, port, kind or conflict with another",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\b(?:UnsupportedProtocol|PortUnavailable|InvalidRouteKinds|HostnameConflict|ProtocolConflict|ListenersNotValid|UnsupportedAddress|AddressNotUsable|TooManyListeners)\b",
            says="a listener of the Gateway is refused",
            sample='reason: UnsupportedProtocol status: "False" type: Accepted',
            near_miss='reason: Accepted status: "True" type: Accepted',
        ),
    ),
    why="A Gateway listener is accepted only if its controller knows protocol and kinds, the port is free, and no other listener has the same port with other protocol or host. An invalid listener serves nothing, and its routes are not attached.",
    remedy=(
        Step(
            "Read the conditions of the listeners.",
            run=(
                "kubectl",
                "get",
                "gateways",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct protocol, port, host or address of the listener.",
            verify="the listener is Accepted and Programmed",
        ),
    ),
    leads_to=("network.route_not_attached",),
    docs=("https://gateway-api.sigs.k8s.io/reference/spec/",),
    ask="kubectl get gateways -A -o yaml",
)
