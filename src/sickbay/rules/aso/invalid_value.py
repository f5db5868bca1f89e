from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import OTHERS, REFUSED_VALUE, answer_says, answered, is_of, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each

_CODES = frozenset(
    "BadRequestFormat InvalidGatewaySize InvalidGatewaySkuProvidedForGatewayVpnType InvalidParameter InvalidParameterValue InvalidRequestContent InvalidRequestFormat InvalidResourceType InvalidTemplate InvalidValuesForRequestParameters MissingRequiredParameter NetcfgSubnetRangeOutsideVnet PasswordNotComplex PasswordTooLong PrivateIPAddressInReservedRange PrivateIPAddressNotInSubnet PublicIpForGatewayIsRequired".split()
)


@each(AsoObject)
def condition_names_a_bad_value(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or trouble.reason not in _CODES:
        return None
    return Match(
        f"Azure rejects the spec of {thing.object_kind} {thing.name}: {trouble.reason}{f': {trouble.message}' if trouble.message else ''}",
        facts={"parameter": "what the message names"},
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


@each(AsoObject, weight=TYPICAL)
def condition_refuses_a_value(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or not is_of(REFUSED_VALUE, trouble.reason) or trouble.reason in _CODES:
        return None
    return Match(
        f"Azure does not accept the spec of {thing.object_kind} {thing.name}: {trouble.reason}",
        facts={"parameter": "what the message names"},
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


_WORDS = r"[\w'.,/ -]{0,80}? (?:is|are) (?:invalid|not (?:a )?valid|not supported|not allowed|out of range|required|too (?:long|short|small|large))|cannot be (?:empty|null|set|updated|greater|less|longer)|must (?:be|not|have|match|contain|start|end|specify)\b|(?:does|do) not (?:match|support|allow)|(?i:not) recognized|(?i:\binvalid (?:value|parameter|argument|property)\b)|requires an existing"

RULE = Rule(
    title="Azure rejects values in the request as invalid (InvalidValuesForRequestParameters)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        condition_refuses_a_value,
        condition_names_a_bad_value,
        Signature(
            pattern=r"\bInvalidValuesForRequestParameters\b(?:.{0,20}?Values for request parameters are invalid: (?P<parameter>[\w.,\[\] -]*\w))?",
            says="the value of {parameter} is invalid",
            sample="InvalidValuesForRequestParameters: Values for request parameters are invalid: keyPolicy.keyExpirationPeriodInDays.",
            near_miss="Values for request parameters are valid: keyPolicy.keyExpirationPeriodInDays.",
        ),
        Signature(
            pattern=r"\b(?P<code>InvalidManagedEnvironmentId|InvalidGatewaySize|InvalidGatewaySkuProvidedForGatewayVpnType|NetcfgSubnetRangeOutsideVnet|PasswordNotComplex|PasswordTooLong|PrivateIPAddress(?:InReservedRange|NotInSubnet)|PublicIpForGatewayIsRequired)(?:: |\W{1,6}message\W{1,6})(?P<parameter>.{0,200})",
            says="{code}: {parameter}",
            sample="PasswordTooLong: The password must not be longer than 128 characters.",
            near_miss="The password is not longer than 128 characters.",
        ),
        Signature(
            pattern=r"(?:Reason: |\bFalse (?:Warning|Error) )(?P<code>InvalidParameter(?:Value)?|InvalidRequestContent|InvalidRequestFormat|BadRequestFormat|InvalidTemplate|InvalidResourceType|MissingRequiredParameter|PasswordTooLong|PasswordNotComplex|PrivateIPAddress(?:InReservedRange|NotInSubnet)|InvalidGateway\w+|PublicIpForGatewayIsRequired|NetcfgSubnetRangeOutsideVnet)(?:,? Severity: (?:Error|Warning)(?:, RetryClassification: \w+)?(?:, Cause:)?)? (?P<parameter>[^\"]{0,200})",
            says="{code}: {parameter}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: PrivateIPAddressNotInSubnet, Severity: Error, RetryClassification: RetrySlow, Cause: Private static IP address 10.9.0.4 does not belong to the range of subnet prefix 10.0.0.0/24." logger="network_networkinterface" name="nic1" namespace="default"',
            near_miss="Reason: Reconciling, Severity: Info, RetryClassification: RetrySlow, Cause: The resource is in the process of being reconciled by the operator",
        ),
        Signature(
            pattern=r"problem found with (?P<parameter>password|username): potentially dangerous character|provided data action string \[(?P<action>[\w./*-]{0,160})\] does not correspond to any valid|(?i:subnet reference is required for ip ?configuration)",
            says="the {parameter} holds a character that ASO does not accept",
            sample="failed to create user: problem found with password: potentially dangerous character sequence found: ';' at pos: 0",
            near_miss="no problem found with password",
        ),
        Signature(
            pattern=r"^(?P<code>BadRequestFormat|InvalidParameterValue|InvalidRequestContent|InvalidRequestBody|InvalidRequestFormat|InvalidPropertyValue|InvalidResourceType|MissingRequiredParameter|UnsupportedPropertyValue): (?P<parameter>.{0,200})",
            says="{code}: {parameter}",
            sample="InvalidParameterValue: Invalid value given for parameter Login. Specify a valid parameter value.",
            near_miss="Valid value given for parameter Login.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?:\bFalse (?:Warning|Error) (?P<row>[A-Z]\w+)|ERROR CODE: BadRequest|Reason: (?P<logged>[A-Z]\w+), Severity: (?:Error|Warning)|(?i:reason: )BadRequest)\b.{0,400}?"
            + rf"(?P<parameter>{_WORDS})",
            says="Azure does not accept what the request says: {parameter}",
            sample="cosmos1 False Warning BadRequest The backup interval of the account is out of range.",
            near_miss="cosmos1 False Info Reconciling The backup interval of the account is out of range.",
            weight=TYPICAL,
            unless=r"(?i)linked servers|already exists|not ?found|does not exist|in progress|WaitingForOwner|Reconciliation|Authoriz|webhook|credential|(?:by|azure) policy|reconcile-policy|policy (?:skip|assignment)|\bFailed\b|quota|(?:no|sufficient|enough|more|available) capacity|capacity (?:restrict|constraint|is not)",
        ),
        Signature(
            pattern=r"(?:" + told(REFUSED_VALUE) + r")(?P<parameter>)",
            says="Azure does not accept what the request says ({code})",
            sample="thing1 False Warning UnsupportedEdition The edition is not offered.",
            near_miss="thing1 False Info Reconciling The edition is not offered.",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=rf"(?:{answered(REFUSED_VALUE)}|{answer_says(_WORDS)})(?P<parameter>)",
            says="Azure does not accept what the request says[ ({code})]",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: UnsupportedTeapot: The teapot is not offered.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            # aks.request_refused speaks of these.
            unless=OTHERS
            + r"|(?i:Exception|CustomResource|kubectl)|^(?:(?i:error): )?\((?:BadRequest|InvalidRequest|OperationNotAllowed|ValidationError|InvalidArgument)\) |^\(?(?:BadRequest|InvalidRequest|OperationNotAllowed|ValidationError|InvalidArgument)\)?:? .{0,300}?(?i:\bagent ?pool|\bnode ?pool|managed ?cluster|\bAKS\b|aka\.ms/aks|system pool)",
            vague=True,
            passes=True,
        ),
    ),
    why="The named parameter values are invalid or missing for this type, API version or SKU; other codes say the same, such as InvalidParameter, InvalidParameterValue, BadRequestFormat, InvalidRequestContent, InvalidTemplate, MissingRequiredParameter, PasswordTooLong or PrivateIPAddressNotInSubnet, and a password that is not complex enough or holds forbidden characters. ASO counts most of these as fatal: it does not try again until the spec changes.",
    remedy=(
        Step(
            "Correct {parameter} in the spec; the reference of the type lists the values that are allowed.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
        Step(
            "See the fields and their meaning.",
            run=("kubectl", "get", "azure", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/reference/",
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.request_refused",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
