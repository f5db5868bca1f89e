"""The JSON Schema of what scripts rely on; fields may be added, so unknown ones are allowed."""

import json
from typing import Any, Final

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_TIME: Final[Schema] = {"type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
    }


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _defined(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


_TARGET: Final = _object(
    {"kind": _TEXT, "id": _TEXT},
    {"portal": {"type": "string", "description": "where the target is in the Azure portal"}},
)
_SUBJECT: Final = _object(
    {
        "kind": {
            "type": "string",
            "description": "an ARM type, a Kubernetes kind, or one of our own",
        },
        "id": {"type": "string", "description": "an ARM id, or kind/namespace/name"},
        "name": _TEXT,
    }
)
_EVIDENCE: Final = _object(
    {
        "source": {"type": "string", "description": "the file, or the part of the world"},
        "locator": {"type": "string", "description": "line N, or a JSON path"},
        "text": _TEXT,
    }
)
_EFFECT: Final = _object(
    {"rule": _TEXT, "subject": _defined("subject"), "says": _TEXT},
    {"depth": {"type": "integer", "minimum": 0, "description": "steps from the cause"}},
)
_STEP: Final = _object(
    {
        "text": _TEXT,
        "run": {"type": "array", "items": _TEXT, "description": "an argv; empty: by hand"},
        "risk": {"enum": ["read", "safe", "disruptive", "destructive"]},
        "verify": _TEXT,
    }
)
_CAUSE: Final = _object(
    {
        "rule": {"type": "string", "pattern": r"^[\w-]+(\.[\w-]+)+$"},
        "title": _TEXT,
        "severity": {"enum": ["error", "warning", "info"]},
        "certainty": {"enum": ["proven", "likely", "possible"]},
        "subject": _defined("subject"),
        "says": {"type": "string", "description": "what happened here, with this case's names"},
        "why": _TEXT,
        "evidence": _list(_defined("evidence")),
        "explains": _list(_defined("effect")),
        "ruled_out": _list(_object({"rule": _TEXT, "because": _TEXT})),
        "ask": {"type": "string", "description": "the one look that would settle it"},
        "remedy": _list(_defined("step")),
        "docs": _list({"type": "string", "format": "uri"}),
        "first_seen": _TIME,
        "count": {"type": "integer", "minimum": 1},
    },
    {
        "target": _defined("target"),
        "last_seen": _TIME,
        "also": _list(_defined("subject")),
        "carriers": _list(_TEXT),
        "stands_in": {
            "type": "boolean",
            "description": "a symptom for which no cause is in sight",
        },
    },
)
_GAP: Final = _object(
    {
        "source": _TEXT,
        "what": _TEXT,
        "reason": {
            "type": "string",
            "description": "forbidden, unreachable, malformed, truncated, not-understood, "
            "not-collected, refused, contradicted; others may come",
        },
        "to_open": _TEXT,
    },
    {"asked_for": {"type": "boolean"}},
)
_MOMENT: Final = _object(
    {"at": _TEXT, "source": _TEXT, "subject": _defined("subject"), "says": _TEXT}
)

SCHEMA: Final[Schema] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:sickbay:diagnosis:v1",
    "title": "The diagnosis that `sickbay explain` and `sickbay diagnose` give with -o json",
    **_object(
        {
            "schema": {"const": "sickbay.diagnosis/v1"},
            "version": _TEXT,
            "health": {"enum": ["healthy", "sick", "unknown"]},
            "target": _defined("target"),
            "causes": {**_list(_defined("cause")), "description": "the one to fix first on top"},
            "unexplained": _list(_defined("effect")),
            "gaps": _list(_defined("gap")),
            "timeline": _list(_defined("moment")),
        },
        {
            "crashed": {**_list(_TEXT), "description": "rules of ours that failed"},
            "looked": _object(
                {"files": _COUNT, "not_understood": _COUNT, "entities": _COUNT, "texts": _COUNT}
            ),
        },
    ),
    "$defs": {
        "target": _TARGET,
        "subject": _SUBJECT,
        "evidence": _EVIDENCE,
        "effect": _EFFECT,
        "step": _STEP,
        "cause": _CAUSE,
        "gap": _GAP,
        "moment": _MOMENT,
    },
}

_DECIDER: Final = _object({"kind": _TEXT, "name": _TEXT, "says": _TEXT})
_VERDICT: Final[Schema] = {"enum": ["allowed", "blocked", "unknown"]}

REACH: Final[Schema] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:sickbay:reach:v1",
    "title": "The answer that `sickbay reach` gives with -o json",
    **_object(
        {
            "schema": {"const": "sickbay.reach/v1"},
            "verdict": _VERDICT,
            "by": {**_list(_defined("decider")), "description": "the objects that decide"},
            "path": {**_list(_TEXT), "description": "the layers on the way, in order"},
            "gaps": _list(_defined("gap")),
        },
        {
            "version": _TEXT,
            "from": _TEXT,
            "to": _TEXT,
            "traffic": _TEXT,
            "considered": _list(_object({"layer": _TEXT, "rules": _list(_defined("decider"))})),
        },
    ),
    "$defs": {"decider": _DECIDER, "gap": _GAP},
}
_CELL: Final = _object(
    {
        "from": _TEXT,
        "to": _TEXT,
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
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:sickbay:reach-matrix:v1",
    "title": "The table that `sickbay reach --matrix` gives with -o json",
    **_object(
        {
            "schema": {"const": "sickbay.reach-matrix/v1"},
            "rows": {**_list(_TEXT), "description": "every pod, as pod/NAMESPACE/NAME"},
            "cells": _list(_defined("cell")),
            "gaps": _list(_defined("gap")),
        },
        {
            "version": _TEXT,
            "groups": {
                "type": "object",
                "additionalProperties": _list(_TEXT),
                "description": "where pairs would be too many: the pod that stands for a group in "
                "the cells, and the members of that group",
            },
        },
    ),
    "$defs": {"cell": _CELL, "gap": _GAP},
}

SCHEMAS: Final[dict[str, Schema]] = {
    "diagnosis.v1": SCHEMA,
    "reach.v1": REACH,
    "reach-matrix.v1": REACH_MATRIX,
}


def published() -> dict[str, str]:
    """The schemas as files: name and content."""
    return {
        f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in SCHEMAS.items()
    }
