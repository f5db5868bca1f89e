"""What the schemas of all outputs are made of."""

from typing import Any, Final

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
TIME: Final[Schema] = {"type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}


def object_of(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
    }


def list_of(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def defined(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


TARGET: Final = object_of(
    {"kind": TEXT, "id": TEXT},
    {"portal": {"type": "string", "description": "where the target is in the Azure portal"}},
)
SUBJECT: Final = object_of(
    {
        "kind": {
            "type": "string",
            "description": "an ARM type, a Kubernetes kind, or one of our own",
        },
        "id": {"type": "string", "description": "an ARM id, or kind/namespace/name"},
        "name": TEXT,
    }
)
GAP: Final = object_of(
    {
        "source": TEXT,
        "what": TEXT,
        "reason": {
            "type": "string",
            "description": "forbidden, unreachable, malformed, truncated, not-understood, "
            "not-collected, refused, contradicted; others may come",
        },
        "to_open": TEXT,
    },
    {"asked_for": {"type": "boolean"}},
)

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
