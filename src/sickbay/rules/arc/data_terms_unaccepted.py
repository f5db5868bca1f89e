from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The license terms of the Azure (Arc) data tools were not accepted, so they do nothing",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)(?:Azure Data CLI|azdata|arcdata)\b.{0,120}?licen[sc]e terms have not been accepted|azdata\.acceptEula",
            says="the terms wait for an answer",
            sample="Could not connect to controller https://10.0.0.4:30080. Microsoft Privacy statement and Azure Data CLI license terms have not been accepted.",
            near_miss="Azure Data CLI license terms were accepted",
        ),
    ),
    why="azdata, az arcdata and the extensions of Azure Data Studio that call them stop before they reach the data controller until the terms are accepted once for the user. The controller itself may be well.",
    remedy=(
        Step(
            "Accept the terms: set ACCEPT_EULA=yes for this session, answer the question of the first command, or run Azure Data CLI: Accept EULA in Azure Data Studio.",
            run=("az", "arcdata", "dc", "list"),
            risk=Risk.SAFE,
        ),
        Step("Connect to the controller again.", verify="the controller is listed"),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/data/overview",),
    ask="az arcdata dc status show",
)
