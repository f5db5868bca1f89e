"""The report as YAML: the same data as in JSON."""

from typing import Any

import yaml

Document = dict[str, Any]


class _Plain(yaml.SafeDumper):
    """Writes each value where it stands, without anchors."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        # Unquoted and single-quoted, some line separators would come back as spaces.
        style = None if data.isprintable() else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)


_Plain.add_representer(str, _Plain.represent_str)


def render(data: Document) -> str:
    """Return a diagnosis as YAML."""
    text: str = yaml.dump(data, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
    return text
