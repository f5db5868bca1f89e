"""The report as JUnit XML, for a pipeline: a cause fails, what could not be decided is skipped."""

from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sickbay.report.columns import visible
from sickbay.report.labels import label
from sickbay.report.outline import extent
from sickbay.report.shell import join

Document = dict[str, Any]

_HEADER: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MOST_TEXT: Final = 4_000


def render(data: Document) -> str:
    """Return a diagnosis as JUnit XML."""
    suites = Element("testsuites", name="sickbay")
    suite = SubElement(suites, "testsuite", name=_plain(label(data["target"])) or "sickbay")
    for cause in data["causes"]:
        _cause(suite, cause)
    for gap in data["gaps"]:
        case = _case(suite, "sickbay.not_seen", gap["source"])
        SubElement(case, "skipped", message=_plain(f"{gap['what']} ({gap['reason']})"))
    for crash in data["crashed"]:
        rule, _, error = crash.partition(": ")
        case = _case(suite, rule, "the rule itself")
        SubElement(case, "error", type="defect", message=_plain(error))
    if not len(suite):
        _case(suite, "sickbay", "nothing wrong was found")
    _count(suites, suite)
    indent(suites)
    return _HEADER + tostring(suites, encoding="unicode") + "\n"


def _cause(suite: Element, cause: Document) -> None:
    case = _case(suite, cause["rule"], f"{cause['title']}: {label(cause['subject'])}")
    if cause["severity"] == "info":
        SubElement(case, "system-out").text = _told(cause)
    elif cause["certainty"] == "possible" and not cause.get("stands_in"):
        message = f"possible; to be sure: {cause['ask']}" if cause["ask"] else "possible"
        SubElement(case, "skipped", message=_plain(message))
    else:
        kind = f"{cause['severity']}, {cause['certainty']}"
        failure = SubElement(case, "failure", type=kind, message=_plain(cause["says"]))
        failure.text = _told(cause)


def _case(suite: Element, rule: str, name: str) -> Element:
    return SubElement(suite, "testcase", classname=_plain(rule), name=_plain(name), time="0")


def _count(suites: Element, suite: Element) -> None:
    counts = {
        "tests": len(suite),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
        "skipped": len(suite.findall("testcase/skipped")),
    }
    for key, number in counts.items():
        suite.set(key, str(number))
        if key != "skipped":
            suites.set(key, str(number))


def _told(cause: Document) -> str:
    lines = [cause["says"], extent(cause), cause["why"]]
    lines += [f"{one['source']} {one['locator']}: {one['text']}" for one in cause["evidence"]]
    lines += [f"explains {label(one['subject'])}: {one['says']}" for one in cause["explains"]]
    for number, step in enumerate(cause["remedy"], 1):
        lines.append(f"{number}. {step['text']} ({step['risk']})")
        if step["run"]:
            lines.append(f"   {join(step['run'])}")
    return "\n".join(_plain(line) for line in lines if line)


def _plain(text: str) -> str:
    """Only characters that XML can hold: the others are shown by name."""
    return visible(text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]} …")
