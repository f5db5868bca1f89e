from sickbay.model.aso_codes import said
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A tag of the request breaks the rules of Azure: name or value too long, forbidden characters, or too many tags",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?P<code>InvalidTag(?:Name|Value)(?:Length|Characters|Prefix)?|InvalidTagName\w*|InvalidTagValue\w*|TagNameInvalid|TagsNotValid|InvalidTags?|ReservedTagName\w*|TooManyTags|DuplicateTag\w*|AmbiguousTagName\w*|TagCountExceeded\w*)\b",
            says="a tag is not valid[ ({code})]",
            sample="InvalidTagNameLength: Tag name cannot exceed 512 characters",
            near_miss="The tag name owner is 5 characters long.",
            unless=r"(?i)image|manifest|docker|tag .{0,40}?latest",
        ),
        Signature(
            pattern=said(
                r"(?i:\btag (?:name|value|key)s? .{0,120}?(?:cannot|exceed|invalid|reserved|must|longer)|number of tags)"
            ),
            says="a tag is not valid",
            sample="sa1 False Warning BadRequest The tag name 'app/name' contains invalid characters.",
            near_miss="sa1 True Succeeded tag name owner",
            weight=TYPICAL,
            unless=r"(?i)image|manifest|policy",
        ),
    ),
    why="A resource takes at most 50 tags; a name has up to 512 characters (128 on storage accounts), a value 256, and names may not hold < > % & \\ ? / nor begin with azure, microsoft or windows; names that differ only in case count as the same. ASO copies spec.tags as they are, often from Kubernetes labels, whose names with a slash Azure refuses.",
    remedy=(
        Step(
            "Read the condition of the object: the message names the property.",
            run=("kubectl", "get", "azure", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Correct spec.tags: no slash in a name, no reserved prefix, not more than 50.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",),
    leads_to=("aks.parameter_invalid", "aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
