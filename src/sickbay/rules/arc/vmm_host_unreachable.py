from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Virtual Machine Manager cannot reach the agent of a Hyper-V host (WinRM)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)An internal error has occurred trying to contact (?:an agent on )?the '?(?P<host>[\w.-]+)'? server|VMM (?:is unable to|cannot) complete the request\. The connection to the agent (?:on )?'?(?P<agent>[\w.-]+)'? was lost|Virtual Machine Manager agent .{0,60}?(?:is not responding|not reachable)(?P<other>)",
            says="the VMM agent of a host does not answer",
            sample="Error (2912) An internal error has occurred trying to contact the 'hv01.contoso.com' server: : WinRM: URL: [http://hv01.contoso.com:5985]. Unknown error (0x80338126)",
            near_miss="VMM contacted the agent on hv01.contoso.com",
        ),
    ),
    why="VMM carries out jobs through its agent on the host, over WinRM (5985, 5986) and BITS (443). The host is down, WinRM does not answer or does not trust the VMM server, or a firewall is between them.",
    remedy=(
        Step(
            "Ask the host over WinRM from the VMM server.",
            run=("winrm", "id", "-r:{host}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend WinRM or its firewall rules on the host, refresh the host in VMM, and repeat.",
            verify="the host shows OK in VMM",
        ),
    ),
    docs=("https://learn.microsoft.com/troubleshoot/system-center/vmm/troubleshoot-host-addition",),
    leads_to=("arc.cloud_resource_failed",),
    ask="winrm id -r:{host}",
)
