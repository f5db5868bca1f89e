"""The report as one self-contained page. The only place that imports the template engine.

The page runs no script and loads nothing. What evidence holds is escaped by the templates, and what
a browser would obey or hide is made visible before.
"""

import os
from functools import cache
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from sickbay.report.columns import shorten, visible
from sickbay.report.drawing import WIDTH, draw_chain, draw_timeline
from sickbay.report.labels import counted, label, moment
from sickbay.report.looks import parted
from sickbay.report.outline import explained, extent, first_step, outline, times_of, to_collect
from sickbay.report.shell import join

Document = dict[str, Any]

_TEMPLATES: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")  # noqa: PTH100, PTH118, PTH120 - the package's own folder
_MOST_CAUSES: Final = 60
_MOST_TEXT: Final = 4_000


def render(data: Document) -> str:
    """Return a diagnosis as an HTML page."""
    order = outline(data)
    page = _environment().get_template("report.html")
    return page.render(
        data=data,
        entries=order.entries[:_MOST_CAUSES],
        hidden=max(len(order.entries) - _MOST_CAUSES, 0),
        notes=order.notes,
        is_settled=bool(order.entries) and order.is_proven,
        chains=[draw_chain(one.cause, times_of(data)) for one in order.entries[:_MOST_CAUSES]],
        timeline=draw_timeline(data),
        explained=explained(order.entries),
        to_collect=to_collect(data),
        width=WIDTH,
    )


def page(template: str, **values: Any) -> str:
    """Return a page of another kind."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters.update(
        argv=join,
        counted=counted,
        extent=extent,
        first_step=first_step,
        label=label,
        moment=moment,
        lines=_lines,
        parted=parted,
        shorten=shorten,
    )
    environment.tests.update(link=_is_link)
    return environment


def _shown(value: object) -> object:
    """Everything that a template prints passes here; its own markup is of another type."""
    return visible(value) if type(value) is str else value


def _lines(text: str) -> list[str]:
    """The lines of a quotation, cut when it is endless."""
    cut = text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]} …"
    return cut.splitlines() or [""]


def _is_link(url: str) -> bool:
    return url.startswith("https://")
