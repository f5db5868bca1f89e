from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node image could not be stored on a host: the MOC node agent does not answer on port 45000",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)dial tcp \[?(?P<host>[\w.:-]+?)\]?:45000: (?P<error>[\w /]{2,80})",
            says="the node agent at {host} does not answer: {error}",
            sample="ImageProvisionError: rpc error: code = Unavailable desc = dial tcp 192.168.1.21:45000: connect: connection refused",
            near_miss="ImageProvisioned: connected to 192.168.1.21:45000",
        ),
    ),
    why="The cloud agent of MOC hands a gallery image to the node agent (wssdagent) of every host over TCP 45000. When an agent is stopped or the port is closed, the image ends in ImageProvisionError, and the Kubernetes version stays not ready.",
    remedy=(
        Step(
            "Try the port from the host of the cloud agent.",
            run=("Test-NetConnection", "{host}", "-Port", "45000"),
            risk=Risk.READ,
        ),
        Step(
            "On that host, see whether the agent runs, and start it.",
            run=("powershell", "Get-Service", "wssdagent"),
            risk=Risk.READ,
            verify="Get-Service wssdagent wants Running",
        ),
        Step("Open 45000 between the hosts, and update Azure Local to 2507 or later."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/gallery-image-not-usable",),
    leads_to=(
        "arc.kubernetes_version_unready",
        "arc.node_image_missing",
        "hybrid.version_image_unready",
        "hybrid.gallery_image_degraded",
    ),
    ask="Test-NetConnection <host> -Port 45000",
)
