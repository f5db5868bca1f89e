"""The JSON Schema of what scripts rely on; fields may be added, so unknown ones are allowed."""

import json
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
from sickbay.report.schema_states import ACTIVITY, OPERATION, STATUS

_EVIDENCE: Final = object_of(
    {
        "source": {"type": "string", "description": "the file, or the part of the world"},
        "locator": {"type": "string", "description": "line N, or a JSON path"},
        "text": TEXT,
    }
)
_EFFECT: Final = object_of(
    {"rule": TEXT, "subject": defined("subject"), "says": TEXT},
    {"depth": {"type": "integer", "minimum": 0, "description": "steps from the cause"}},
)
_STEP: Final = object_of(
    {
        "text": TEXT,
        "run": {"type": "array", "items": TEXT, "description": "an argv; empty: by hand"},
        "risk": {"enum": ["read", "safe", "disruptive", "destructive"]},
        "verify": TEXT,
    }
)
_CAUSE: Final = object_of(
    {
        "rule": {"type": "string", "pattern": r"^[\w-]+(\.[\w-]+)+$"},
        "title": TEXT,
        "severity": {"enum": ["error", "warning", "info"]},
        "certainty": {"enum": ["proven", "likely", "possible"]},
        "subject": defined("subject"),
        "says": {"type": "string", "description": "what happened here, with this case's names"},
        "why": TEXT,
        "evidence": list_of(defined("evidence")),
        "explains": list_of(defined("effect")),
        "ruled_out": list_of(object_of({"rule": TEXT, "because": TEXT})),
        "ask": {"type": "string", "description": "the one look that would settle it"},
        "remedy": list_of(defined("step")),
        "docs": list_of({"type": "string", "format": "uri"}),
        "first_seen": TIME,
        "count": {"type": "integer", "minimum": 1},
    },
    {
        "target": defined("target"),
        "last_seen": TIME,
        "also": list_of(defined("subject")),
        "carriers": list_of(TEXT),
        "stands_in": {
            "type": "boolean",
            "description": "a symptom for which no cause is in sight",
        },
    },
)
_MOMENT: Final = object_of(
    {"at": TEXT, "source": TEXT, "subject": defined("subject"), "says": TEXT}
)

SCHEMA: Final[Schema] = {
    "$schema": DRAFT,
    "$id": "urn:sickbay:diagnosis:v1",
    "title": "The diagnosis that `sickbay explain` and `sickbay diagnose` give with -o json",
    **object_of(
        {
            "schema": {"const": "sickbay.diagnosis/v1"},
            "version": TEXT,
            "health": {"enum": ["healthy", "sick", "unknown"]},
            "target": defined("target"),
            "causes": {**list_of(defined("cause")), "description": "the one to fix first on top"},
            "unexplained": list_of(defined("effect")),
            "gaps": list_of(defined("gap")),
            "timeline": list_of(defined("moment")),
        },
        {
            "crashed": {**list_of(TEXT), "description": "rules of ours that failed"},
            "looked": object_of(
                {"files": COUNT, "not_understood": COUNT, "entities": COUNT, "texts": COUNT}
            ),
        },
    ),
    "$defs": {
        "target": TARGET,
        "subject": SUBJECT,
        "evidence": _EVIDENCE,
        "effect": _EFFECT,
        "step": _STEP,
        "cause": _CAUSE,
        "gap": GAP,
        "moment": _MOMENT,
    },
}

_DECIDER: Final = object_of({"kind": TEXT, "name": TEXT, "says": TEXT})
_VERDICT: Final[Schema] = {"enum": ["allowed", "blocked", "unknown"]}

REACH: Final[Schema] = {
    "$schema": DRAFT,
    "$id": "urn:sickbay:reach:v1",
    "title": "The answer that `sickbay reach` gives with -o json",
    **object_of(
        {
            "schema": {"const": "sickbay.reach/v1"},
            "verdict": _VERDICT,
            "by": {**list_of(defined("decider")), "description": "the objects that decide"},
            "path": {**list_of(TEXT), "description": "the layers on the way, in order"},
            "gaps": list_of(defined("gap")),
        },
        {
            "version": TEXT,
            "from": TEXT,
            "to": TEXT,
            "traffic": TEXT,
            "considered": list_of(object_of({"layer": TEXT, "rules": list_of(defined("decider"))})),
        },
    ),
    "$defs": {"decider": _DECIDER, "gap": GAP},
}
_CELL: Final = object_of(
    {
        "from": TEXT,
        "to": TEXT,
        "protocol": {"enum": ["tcp", "udp", "sctp", "icmp"]},
        "port": {"type": ["integer", "null"], "description": "null: see ports"},
        "verdict": _VERDICT,
        "by": {"type": "string", "description": "the objects that decide, by kind and name"},
    },
    {
        "ports": {"type": "string", "description": "a stretch of ports, or every port"},
        "on_one_node": {**_VERDICT, "description": "between two on the same node"},
    },
)
REACH_MATRIX: Final[Schema] = {
    "$schema": DRAFT,
    "$id": "urn:sickbay:reach-matrix:v1",
    "title": "The table that `sickbay reach --matrix` gives with -o json",
    **object_of(
        {
            "schema": {"const": "sickbay.reach-matrix/v1"},
            "rows": {**list_of(TEXT), "description": "every pod, as pod/NAMESPACE/NAME"},
            "cells": list_of(defined("cell")),
            "gaps": list_of(defined("gap")),
        },
        {
            "version": TEXT,
            "groups": {
                "type": "object",
                "additionalProperties": list_of(TEXT),
                "description": "where pairs would be too many: the pod that stands for a group in "
                "the cells, and the members of that group",
            },
        },
    ),
    "$defs": {"cell": _CELL, "gap": GAP},
}

SCHEMAS: Final[dict[str, Schema]] = {
    "diagnosis.v1": SCHEMA,
    "reach.v1": REACH,
    "reach-matrix.v1": REACH_MATRIX,
    "status.v1": STATUS,
    "activity.v1": ACTIVITY,
    "operation.v1": OPERATION,
}


def published() -> dict[str, str]:
    """The schemas as files: name and content."""
    return {
        f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in SCHEMAS.items()
    }
