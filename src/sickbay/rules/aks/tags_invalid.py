from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The tags of the request are refused: too many, a reserved character, or a reserved name",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:(?:Invalid|TooMany|Duplicate|Reserved|Ambiguous)Tag\w*|TagNameInvalid|TagsNotValid|TagCountExceeded\w*)\b|(?i:\btag (?:names?|keys?|values?)\b.{0,100}?(?:reserved|invalid|not allowed|too long|exceeds?|longer|character|cannot|must))|(?i:\btags?\b.{0,60}?(?:exceeds? the (?:maximum|limit)|too many|more than \d+ tags|maximum (?:number|of)))|(?i:\btag count \d+)",
            says="the tags are refused",
            sample="InvalidTagNameCharacters: The tag names 'team/owner' have reserved characters '<,>,*,%,&,:,?,/,+' or control characters.",
            near_miss="tags: owner=shop, env=prod",
            weight=TYPICAL,
            unless=r"(?i)image tag|manifest|\bpolic|disallowed|Cores quota|aks-managed-|vlan|docker|git ",
        ),
    ),
    why="A resource takes 50 tags; names are up to 512 characters without < > % & \\\\ ? / and values up to 256, and the prefixes microsoft, azure, windows and aks-managed are reserved. AKS hands the tags of a cluster on to its machines, disks and balancers, some of which are stricter, so that a tag can be refused there.",
    remedy=(
        Step(
            "See the tags of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "tags",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Rename or remove the tag that the message names, in the command, template or policy that adds it, and send the request again."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-tags",),
    leads_to=(
        "aks.request_refused",
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query tags -o json",
)
