"""Chooses the rendering; each format's module is imported only when it is the one."""

from sickbay.bundle.redact import Redactor
from sickbay.model.diagnosis import Diagnosis
from sickbay.report.document import document


def render(diagnosis: Diagnosis, form: str, *, colour: bool = False) -> str:
    """Return a diagnosis in one of the output formats."""
    data = Redactor().document(document(diagnosis))
    if form == "json":
        import json  # noqa: PLC0415 - the text does without

        return json.dumps(data, indent=2, ensure_ascii=False)
    from importlib import import_module  # noqa: PLC0415

    if form == "text":
        from sickbay.report.text import text  # noqa: PLC0415

        return text(data, colour=colour)
    module = import_module(f"sickbay.report.{form}")
    rendered: str = module.render(data)
    return rendered
