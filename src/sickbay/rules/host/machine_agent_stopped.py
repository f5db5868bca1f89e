from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service of the Connected Machine agent (himds) does not run or does not answer",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bAZCM00(?:6[1456]|70)\b|(?i:Azure Hybrid Instance Metadata Service.{0,60}?(?:stopped|not running)|\bhimds(?:d(?:\.service)?)? (?:is not running|.{0,20}?inactive|Stopped))|(?i:dial (?:unix|tcp|pipe).{0,80}?himds(?:\.sock)?.{0,60}?(?:refused|no such file|cannot find))|(?i:Service '[^']{0,80}\((?:ExtensionService|himds|GCArcService)\)'.{0,60}?cannot be started)|(?i:Cannot start service (?:ExtensionService|himds|GCArcService))",
            says="himds does not answer",
            sample="Exit Code: AZCM0070: Unable To Obtain Local Config",
            near_miss="himds is running",
            weight=TYPICAL,
        ),
    ),
    why="azcmagent talks to the local service himds. It answers nothing when the service is stopped or crashed, when azcmagent runs without administrator rights, or when the installation is damaged.",
    remedy=(
        Step("See the service.", run=("systemctl", "status", "himdsd"), risk=Risk.READ),
        Step(
            "Start it (himdsd on Linux, himds on Windows), and repeat the command as administrator or root.",
            run=("systemctl", "restart", "himdsd"),
            risk=Risk.SAFE,
            verify="azcmagent show wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    leads_to=("host.machine_agent_failed",),
    ask="systemctl status himdsd",
)
