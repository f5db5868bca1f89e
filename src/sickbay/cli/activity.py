"""`sickbay activity`: what was done to resources, by whom, and how it ended."""

import argparse
from typing import TYPE_CHECKING

from sickbay.cli.azure import account_of, add_azure
from sickbay.cli.options import add_common, observer, use_colour, write
from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.engine.operations import Asked, Log
    from sickbay.report.activity import Document

_FORMATS = ("text", "json", "yaml")
_DAYS_KEPT = 90


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "times are 90m, 2h, 3d, 1d6h (ago), 2026-01-31 or 2026-01-31T10:00:00Z, in UTC.\n"
        "Events of one operation are one line; what was done on its behalf (the same\n"
        "correlation) stands below it. Events come minutes late, and stay for 90 days.\n\n"
        "examples:\n  sickbay activity -g my-group --status failed --since 3d\n"
        "  sickbay activity --resource /subscriptions/…/managedClusters/prod\n"
        "  sickbay activity --correlation-id 7d9b2a3e-5c0e-4a8e-9c57-0d0f0f6f2b11\n"
        "  sickbay activity -g my-group --event 2e301dac-e82e-4d9c-b766-4832a5446cda\n"
        "  sickbay activity --operation 'https://management.azure.com/…/operations/…'\n"
        "  sickbay activity --from activity-log.json --caller deploy@ -o json"
    )
    parser.add_argument(
        "--from", dest="path", metavar="PATH", help="saved output of az, the portal or REST"
    )
    log = parser.add_argument_group("what of the log")
    log.add_argument("--status", default="", metavar="WORD", help="how it ended: failed, …")
    log.add_argument("--since", "--start-time", default="", metavar="TIME", help="default: 1d")
    log.add_argument("--until", "--end-time", default="", metavar="TIME", help="default: now")
    log.add_argument("--offset", default="", metavar="SPAN", help="so long before --until")
    log.add_argument("--caller", default="", metavar="WHO", help="a name, or a part of it")
    log.add_argument("--category", default="", metavar="WORD", help="administrative, policy, …")
    log.add_argument("--level", default="", metavar="WORD", help="error, warning, …")
    log.add_argument(
        "--operation-name", default="", metavar="WORDS", help="agentPools/write, or a part of it"
    )
    log.add_argument("--resource", default="", metavar="ID", help="or a name; with all below it")
    log.add_argument("--correlation-id", default="", metavar="ID", help="what belongs together")
    log.add_argument("--event", default="", metavar="ID", help="one event, in full")
    log.add_argument(
        "--operation",
        default="",
        metavar="URL",
        help="follow the operation behind a URL to its end",
    )
    add_azure(parser)
    add_common(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    from sickbay.report.activity import exit_code, render

    if args.operation and args.path:
        raise SickbayError("an operation is followed live", "leave --from out")
    data = _followed(args) if args.operation else _log(args)
    write(render(data, args.output, colour=use_colour(args), is_full=args.verbose))
    return exit_code(data)


def _followed(args: argparse.Namespace) -> "Document":
    from sickbay.cli.moments import now
    from sickbay.collect.operation import Timing, checked
    from sickbay.report.activity import followed
    from sickbay.states import operation_live

    account = account_of(args)
    url, cloud = checked(args.operation, account.cloud)
    found = operation_live(account._replace(cloud=cloud), url, Timing(now), observer(args))
    return followed(found)


def _log(args: argparse.Namespace) -> "Document":
    from sickbay.report.activity import document

    log = _saved(args) if args.path else _live(args)
    if log.asked.event and not log.picked:
        hint = "look further back with --since 30d, or name its group with -g"
        raise SickbayError(
            f"there is no event {log.asked.event} in {log.source}",
            "see the ids of all with -o json" if args.path else hint,
        )
    return document(log)


def _saved(args: argparse.Namespace) -> "Log":
    from sickbay.cli.moments import moment_of, now
    from sickbay.states import activity_saved

    today = now()
    since, until = (moment_of(word, today) if word else "" for word in (args.since, args.until))
    since = moment_of(args.offset, until or today) if args.offset else since
    return activity_saved(args.path, _asked(args, since, until), observer(args))


def _live(args: argparse.Namespace) -> "Log":
    from sickbay.collect.activity_log import Question
    from sickbay.collect.target import default_subscription
    from sickbay.model.evidence import Gap, Reason
    from sickbay.model.ids import arm_part
    from sickbay.states import activity_live

    since, until, is_cut = _window(args)
    asked = _asked(args, since, until)
    resource = asked.filters.resource
    is_id = resource.startswith("/")
    known = arm_part(resource, "subscriptions") or args.subscription or default_subscription()
    if not known:
        raise SickbayError("no subscription is chosen", "az account set -s NAME, or -s ID")
    question = Question(
        known,
        since,
        until,
        args.correlation_id,
        resource if is_id else "",
        args.resource_group,
        asked.event,
    )
    log = activity_live(account_of(args), question, asked, observer(args))
    if not is_cut:
        return log
    what = f"Azure keeps the log for {_DAYS_KEPT} days; nothing before {since} was read"
    lost = Gap("activity log", what, Reason.NOT_COLLECTED, "", asked_for=True)
    return log._replace(gaps=(*log.gaps, lost))


def _window(args: argparse.Namespace) -> tuple[str, str, bool]:
    """From when to when, and whether Azure no longer has the beginning."""
    from sickbay.cli.moments import before, moment_of, now

    today = now()
    until = moment_of(args.until, today) if args.until else today
    # A correlation is found by itself; everything else is looked for in the last day.
    days = _DAYS_KEPT - 1 if args.correlation_id else 7 if args.event else 1
    since = before(until, days=days)
    if args.offset or args.since:
        since = moment_of(args.offset, until) if args.offset else moment_of(args.since, today)
    # A little later than the limit, which the clock of Azure draws.
    oldest = before(today, days=_DAYS_KEPT, minutes=-10)
    if until <= oldest:
        raise SickbayError(
            f"nothing from before {oldest} is kept", f"the log goes back {_DAYS_KEPT} days"
        )
    if since >= until:
        raise SickbayError(f"{since} is not before {until}", "see --since and --until")
    is_cut = since < oldest and bool(args.since or args.offset)
    return max(since, oldest), until, is_cut


def _asked(args: argparse.Namespace, since: str, until: str) -> "Asked":
    from sickbay.engine.operations import Asked, Filters
    from sickbay.model.ids import arm_part

    event, resource = args.event, args.resource or args.target or args.name
    if "/" in event:
        # The id of an event as Azure writes it holds the resource too.
        place, _, rest = event.partition("/events/")
        event = arm_part(f"/events/{rest}", "events")
        resource = resource or place
    filters = Filters(
        status=args.status,
        caller=args.caller,
        category=args.category,
        level=args.level,
        group=args.resource_group,
        resource=resource,
        correlation=args.correlation_id,
        operation=args.operation_name,
    )
    return Asked(since, until, filters, event)
