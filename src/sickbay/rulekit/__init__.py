"""The whole vocabulary of a rule file."""

from sickbay.model.finding import Cite, Clear, Match, Severity, Weight
from sickbay.rulekit.check import Check, each
from sickbay.rulekit.rule import Category, Risk, Rule, Step
from sickbay.rulekit.signature import Signature

DECISIVE = Weight.DECISIVE
TYPICAL = Weight.TYPICAL
SYMPTOM = Weight.SYMPTOM

__all__ = [
    "DECISIVE",
    "SYMPTOM",
    "TYPICAL",
    "Category",
    "Check",
    "Cite",
    "Clear",
    "Match",
    "Risk",
    "Rule",
    "Severity",
    "Signature",
    "Step",
    "Weight",
    "each",
]
