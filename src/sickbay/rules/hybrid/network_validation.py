from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A network check of Azure Local fails: addresses in use, overlaps, gateway, DNS, adapter (AzStackHci_Network)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Az(?:StackHci|ureLocal)_Network\w*?_Test_?(?P<check>\w+)\b.{0,999}?Status\W{1,6}(?:FAILURE|CRITICAL|1)\b",
            says="the check {check} failed",
            sample='"Name": "AzStackHci_Network_Test_Management_IP_No_Active_Hosts", "AdditionalData": {"Detail": "Ping:True, 5986:False, 5985:True, 22:False", "Status": "FAILURE"}',
            near_miss='"Name": "AzStackHci_Network_Test_Management_IP_No_Active_Hosts", "AdditionalData": {"Status": "SUCCESS"}',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Ip Pools have duplicates or do not fall in subnet|IP range [\d.]+ - [\d.]+ is not in the management subnet|Management IP range size must be between|Found \d+ pools\. Expected 1 or 2 pools|\bConnection from [\d.]+ (?:\([^)]{1,40}\) )?to (?:gateway [\d.]+ failed|(?:https?://\S{1,200}|DNS server port 53) failed after \d+ attempts)|\bRDMA settings? on adapters are invalid(?P<check>)",
            says="the management range is refused",
            sample="Management IP range size must be between 6 and 255",
            near_miss="Management IP range size is 12",
        ),
        Signature(
            pattern=r"(?i)\bNetwork requirements not met\b(?:.{0,300}?AzStackHci_Network_Test_(?P<check>\w{3,90}))?",
            says="the network check failed[: {check}]",
            sample="Network requirements not met. Review output and remediate: Rule: HealthCheckSource : Deployment Name : AzStackHci_Network_Test_NetAdapter_Symmetry_Bandwidth",
            near_miss="Network requirements are met",
            weight=TYPICAL,
        ),
    ),
    why="The network validator of Azure Local looks at the management range (free, six addresses or more, in one subnet, not in the ranges of AKS), at gateway and DNS, at adapters and their intents, and at the way from the infrastructure addresses to Azure. A critical result blocks deployment, update or the adding of a node; its Detail names address, range or adapter.",
    remedy=(
        Step(
            "Read the failed results on the machine.",
            run=(
                "powershell",
                "-Command",
                "Get-WinEvent -LogName AzStackHciEnvironmentChecker -MaxEvents 50 | Select-Object -ExpandProperty Message",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what Detail names - free addresses, another range, gateway or adapter setting - and validate again.",
            run=(
                "powershell",
                "-Command",
                "Invoke-AzStackHciNetworkValidation",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the validator wants Status SUCCESS",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/use-environment-checker",),
    ask="powershell -Command Invoke-AzStackHciNetworkValidation",
    leads_to=("hybrid.deployment_validation", "hybrid.update_step_failed"),
)
