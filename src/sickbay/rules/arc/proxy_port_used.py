from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The port of az connectedk8s proxy is already in use (47010, 47011)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0801\b|proxy port is already in use|Port \d+ is already in use\. (?:Please select a different port with --port|This is an internal port that proxy uses)|Proxy uses port 4701\d internally|(?:address already in use|Only one usage of each socket address).{0,120}?4701[01]|4701[01].{0,60}?address already in use",
            says="the proxy port is taken",
            sample="The proxy port is already in use, potentially by another proxy instance.",
            near_miss="The proxy port is free",
        ),
    ),
    why="The client proxy listens on 47011 and uses 47010 internally. Another proxy instance or program holds the port.",
    remedy=(
        Step(
            "End the other proxy, or choose a free port.",
            run=(
                "az",
                "connectedk8s",
                "proxy",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--port",
                "<free-port>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",),
)
