"""The families into which the error codes of Azure services fall, and where a code is written.

Every service has codes of its own, thousands in all, but they are made after a few patterns: what
does not exist ends in NotFound, what is busy in InProgress. A code that no rule knows by name still
tells its family.
"""

import re
from functools import cache
from typing import Final

MISSING: Final = r"[A-Z]\w*(?:NotFound|DoesNotExist|NotExist|DoNotExist)|SubscriptionDoesNotHave\w+"
BUSY: Final = (
    r"[A-Z]\w*(?:InProgress|IsBusy|ServiceBusy|BeingDeleted|BeingUpdated|Transitioning|Activating)"
    r"|\w*(?:Server|Service|Operation|Database|Request|Gateway|Account|Concurrency)Conflict"
    r"|Conflict\w*|RetryableError|ServiceBusy|ServiceLocked|PendingOperation\w*"
)
REFUSED_VALUE: Final = (
    r"(?:Invalid|Unsupported|Malformed|Unmatched|Missing|Empty)[A-Z]\w+"
    r"|[A-Z]\w*(?:NotSupported|NotValid|IsInvalid|Invalid|NotComplex|TooLong|TooShort|OutOfRange"
    r"|TooLarge|TooSmall|RuleConflict|IsRequired|NotSpecified|NotSupportedFor\w+|TooEarly|TooLate|TooHigh|TooLow|ZonesMismatch|SkuMismatch|InvalidPortRange)|RouteConflict"
    r"|[A-Z]\w*Must(?:Have|Be|Not|Match|Specify|Use)[A-Z]\w*"
)
UNREADY: Final = (
    r"[A-Z]\w*(?:NotProvisioned|NotSucceeded|NotReady|NotInReadyState|NotInSucceededState"
    r"|ProvisioningStateInvalid|NotActive|NotAccessible|IsStopped|StoppedError|NotRunning)|ServerStopped\w*"
)
DENIED: Final = (
    r"(?:[A-Z]\w*)?(?:Unauthorized|Forbidden\w*|AccessDenied|PermissionDenied|AuthorizationFailed"
    r"|AuthorizationPermissionMismatch|AuthenticationFailed|AuthenticationFailure|NotAuthorized|MissingPermissions?|InsufficientPermissions?)"
)
EXHAUSTED: Final = r"\w*(?:Quota|Limit|Count|Max)\w*(?:Exceeded|Reached)\w*|Insufficient\w*Quota\w*"
ELSEWHERE: Final = (
    r"\w*(?:Region|Location)\w*(?:Restricted|NotAllow\w*|DoesNotAllow\w*|NotSupported|NotAvailable"
    r"|Unavailable|Disabled|NotEnabled)|RegionDoesNotAllow\w+|Provisioning(?:Disabled|Restricted)"
    r"|\w+(?:Disabled|Unavailable|Restricted|NotAllowed)(?:For|In)(?:Region|Location)"
    r"|RequestDisallowedByAzure|\w*NotSupported(?:For|In)(?:Region|Location)|\w+NotAvailableIn(?:Region|Location)"
)
THROTTLED: Final = r"\w*Throttl(?:ed|ing)\w*|TooManyRequests\w*|\w*RateLimit\w*"
TAKEN: Final = (
    r"[A-Z]\w*(?:AlreadyExists|AlreadyTaken|NameInUse|NameNotAvailable|NameUnavailable"
    r"|NameNotUnique)\w*"
)
IN_USE: Final = (
    r"[A-Z]\w*(?:CannotBeDeleted|NotEmpty|StillInUse|HasDependents?|HasDependencies|HasChildren)"
    r"|CannotDelete\w*"
)
IMMUTABLE: Final = (
    r"[A-Z]\w*(?:CannotBeUpdated|CannotBeChanged|CannotBeModified|IsImmutable|Immutable"
    r"|ChangeNotAllowed|UpdateNotAllowed|NotUpdatable|NotModifiable)"
)

_CONTEXT: Final = (
    r"(?:Reconciler error|serviceoperator|\"(?:msg|error|logger)\"=|ActionError"
    r"|False (?:Warning|Error)"
    r"|Reason: \w+, Severity|[Oo]bserved ?[Gg]eneration|[Cc]reat(?:e|ing) or [Uu]pdat)"
)


def told(family: str) -> str:
    """A pattern for a code where ASO or a client of Azure writes one, and nothing else."""
    return (
        rf"\bFalse (?:Warning|Error) (?P<code>{family})\b"
        # Other programs have the same client, and their own trouble.
        rf"|{_CONTEXT}.{{0,900}}?ERROR CODE: (?P<answer>{family})(?: |$)"
        # The first ASO and Cluster API for Azure print the errors of an older client.
        rf"|Reconciler error.{{0,900}}?\bCode=\W?(?P<old>{family})\b"
        rf"|Reason: (?P<logged>{family}), Severity: (?:Warning|Error)\b"
        # The controller prints the conditions of an object when it begins.
        rf"|Reason = \"(?P<dumped>{family})\""
        # The conditions of Cluster API look alike, but do not say what they observed.
        rf"|(?i:observed ?generation: \d+ reason): (?P<reason>{family})"
        rf" (?i:severity): (?:Warning|Error)\b"
    )


# Where ASO writes the message of an answer: in a row, in a log line, or before the severity of a
# condition. General words mean something only there. Few ways, since what follows has many, and
# the filter of a pattern is made of all of them.
_ROW: Final = r"(?:\bFalse [WE]\w+ (?:[A-Z]|\d\d)\w+|\bSeverity(?:: | = \")[WE]\w+\"?, )"


def said(words: str) -> str:
    """A pattern for what a service of Azure says in its own words, whatever code it chose."""
    return (
        rf"{_ROW}.{{0,500}}?(?:{words})"
        rf"|\b[Mm]essage: .{{0,500}}?(?:{words}).{{0,900}}?\b[Ss]everity: [WE]"
    )


# How the clients of Azure print an answer, up to its message: Terraform, an SDK, `az`, the body
# itself, Service Bus. What ASO prints is like it, and known better above.
_ANSWER: Final = (
    r"(?:\b(?:with error: |ERROR CODE: )[A-Z]\w+:? |\bSubCode=\d{5}\. "
    r"|(?:\"code\": ?|\bCode=|\bStatus: )\"[A-Z]\w+\".{1,16}[Mm]essage\"?[:=] ?\""
    r"|^\(?(?:BadRequest|Conflict|OperationNotAllowed|ValidationError)\)?:? )"
)
# Programs that serve others have such codes of their own, and write them down when they answer;
# and what went well has a code, too.
OTHERS: Final = (
    r"(?i:\blevel\W{1,4}(?:info|warn|debug|trace)|\"(?:path|route|endpoint)\": ?\"/)"
    r"|\b(?:INFO|WARN|TRACE)\b|HTTP/[\d.]+\"? \d{3} \d"
    r"|(?i:code\"?[:=] ?\"(?:ok|success|succeeded)\")"
)


def answered(family: str) -> str:
    """A pattern for a code in an answer of Azure, whoever printed it.

    Other rules know many of these codes better: a signature of it is vague.
    """
    return (
        r"(?:\bwith error: |\bCode: |\bERROR CODE: |\"code\": ?\"|\bCode=\"|\bStatus: \")"
        rf"(?P<code>{family})\b"
    )


def answer_says(words: str) -> str:
    """A pattern for the words of an answer, whoever printed it; a signature of it is vague."""
    return rf"{_ANSWER}.{{0,160}}?(?:{words})"


@cache
def _pattern(family: str) -> re.Pattern[str]:
    return re.compile(family)


def is_of(family: str, code: str | None) -> bool:
    """Whether a code belongs to a family."""
    return _pattern(family).fullmatch(code or "") is not None
