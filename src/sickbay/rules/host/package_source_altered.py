from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A package repository answers with something else: a proxy, sign-in page or firewall sits in between (apt)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"Clearsigned file isn't valid, got 'NO(?:SPLIT|DATA)'|does the network require authentication\?",
            says="what came is no signed list of packages",
            sample="Clearsigned file isn't valid, got 'NOSPLIT' (does the network require authentication?)",
            near_miss="Get:1 https://packages.microsoft.com/ubuntu/22.04/prod jammy InRelease [3,632 B]",
            weight=TYPICAL,
        ),
    ),
    why="apt fetches a signed list from the repository before it installs azcmagent, azure-cli or kubectl. When the answer is no such list, a proxy or firewall answered in its place (a sign-in or block page), a mirror is broken, or the repository itself served a bad file for a while.",
    remedy=(
        Step(
            "See what the repository really answers on this machine.",
            run=(
                "curl",
                "-sSI",
                "https://packages.microsoft.com/ubuntu/22.04/prod/dists/jammy/InRelease",
            ),
            risk=Risk.READ,
            verify="the answer is 200 and text/plain",
        ),
        Step(
            "Let packages.microsoft.com through the proxy or firewall, or give apt the proxy with its sign-in."
        ),
        Step(
            "Fetch the lists again with apt-get update, and repeat the installation.",
            risk=Risk.SAFE,
            verify="no line of apt-get begins with Err",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/network-requirements",),
    ask="curl -sSI https://packages.microsoft.com",
)
