"""The JSON Schemas of `sickbay status` and `sickbay activity`."""

from typing import Final

from sickbay.report.schema_parts import (
    COUNT,
    DRAFT,
    GAP,
    SUBJECT,
    TARGET,
    TEXT,
    TIME,
    Schema,
    defined,
    list_of,
    object_of,
)

_STANDINGS: Final = ("healthy", "off", "changing", "unseen", "unknown", "unhealthy")
_STANDING: Final[Schema] = {"enum": list(_STANDINGS)}
_MAYBE: Final[Schema] = {"type": ["object", "null"]}
_ERROR: Final[Schema] = {
    **object_of(
        {
            "text": {"type": "string", "description": "the innermost error, in a line"},
            "code": TEXT,
            "carriers": {**list_of(TEXT), "description": "codes around it, outermost first"},
        }
    ),
    **_MAYBE,
}
_STATE: Final = object_of(
    {
        "state": {"type": "string", "description": "provisioning, power, connectivity, …"},
        "value": {"type": "string", "description": "Azure's own word"},
        "standing": _STANDING,
    }
)
_BRANCH: Final = object_of(
    {
        "subject": defined("subject"),
        "standing": {**_STANDING, "description": "by its own states"},
        "below": {**_STANDING, "description": "the worst of it and of all below it"},
        "states": list_of(defined("state")),
        "since": TIME,
        "changed": {**TIME, "description": "when the resource was last written"},
        "error": defined("error"),
        "children": list_of(defined("branch")),
    }
)

STATUS: Final[Schema] = {
    "$schema": DRAFT,
    "$id": "urn:sickbay:status:v1",
    "title": "The states that `sickbay status` gives with -o json",
    **object_of(
        {
            "schema": {"const": "sickbay.status/v1"},
            "version": TEXT,
            "health": {"enum": ["healthy", "sick", "unknown"]},
            "target": TARGET,
            "counts": object_of(dict.fromkeys(_STANDINGS, COUNT)),
            "trees": {**list_of(defined("branch")), "description": "one for each target"},
            "beside": {**list_of(defined("branch")), "description": "in evidence, below no target"},
            "gaps": list_of(defined("gap")),
            "next": {"type": "string", "description": "the command that finds out why"},
        }
    ),
    "$defs": {
        "subject": SUBJECT,
        "state": _STATE,
        "error": _ERROR,
        "branch": _BRANCH,
        "gap": GAP,
    },
}

_OUTCOMES: Final = ("succeeded", "failed", "canceled", "running", "reported", "unknown")
_OPERATION: Final = object_of(
    {
        "name": {"type": "string", "description": "Azure's name of what was done"},
        "outcome": {"enum": list(_OUTCOMES)},
        "status": {"type": "string", "description": "Azure's last word for it"},
        "statuses": {**list_of(TEXT), "description": "its words in order"},
        "resource": TEXT,
        "group": TEXT,
        "caller": TEXT,
        "category": TEXT,
        "level": TEXT,
        "correlation": TEXT,
        "begun": TIME,
        "ended": TIME,
        "seconds": {"type": ["number", "null"], "minimum": 0},
        "error": defined("error"),
        "events": {**list_of(TEXT), "description": "the ids of its events, in order"},
        "children": {**list_of(defined("operation")), "description": "of the same correlation"},
    }
)
_EVENT: Final = object_of(
    {
        "id": TEXT,
        "at": TIME,
        "submitted": TIME,
        "name": TEXT,
        "status": TEXT,
        "resource": TEXT,
        "caller": TEXT,
        "correlation": TEXT,
        "error": defined("error"),
        "layers": list_of(object_of({"code": TEXT, "message": TEXT})),
        "raw": {"type": "object", "description": "the event, without claims and addresses"},
    }
)

ACTIVITY: Final[Schema] = {
    "$schema": DRAFT,
    "$id": "urn:sickbay:activity:v1",
    "title": "The activity log that `sickbay activity` gives with -o json",
    **object_of(
        {
            "schema": {"const": "sickbay.activity/v1"},
            "version": TEXT,
            "source": {"type": "string", "description": "what was asked, or the saved files"},
            "since": TIME,
            "until": TIME,
            "filters": {"type": "object", "additionalProperties": TEXT},
            "counts": object_of(
                {"events": COUNT, "operations": COUNT, **dict.fromkeys(_OUTCOMES, COUNT)}
            ),
            "operations": {**list_of(defined("operation")), "description": "the newest first"},
            "events": {**list_of(defined("event")), "description": "in full, where asked for"},
            "gaps": list_of(defined("gap")),
        }
    ),
    "$defs": {"operation": _OPERATION, "event": _EVENT, "error": _ERROR, "gap": GAP},
}

OPERATION: Final[Schema] = {
    "$schema": DRAFT,
    "$id": "urn:sickbay:operation:v1",
    "title": "The operation that `sickbay activity --operation URL` gives with -o json",
    **object_of(
        {
            "schema": {"const": "sickbay.operation/v1"},
            "version": TEXT,
            "url": {"type": "string", "description": "without what it is signed with"},
            "name": TEXT,
            "resource": TEXT,
            "status": TEXT,
            "outcome": {"enum": list(_OUTCOMES)},
            "begun": TIME,
            "ended": TIME,
            "percent": {"type": ["number", "null"]},
            "error": {**defined("error"), "description": "while it runs: only the last seen"},
            "history": list_of(object_of({"at": TIME, "status": TEXT})),
            "gaps": list_of(defined("gap")),
        }
    ),
    "$defs": {"error": _ERROR, "gap": GAP},
}
