"""Asks vCenter, only reading, what an account may do and where a bridge is put.

The only door to the vSphere library; the library waits, so whoever calls this does it in a thread.
"""

import ssl
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, Final
from xml.parsers.expat import ExpatError

from sickbay.collect.appliance_files import Placement, VcenterLogin
from sickbay.collect.host_certificates import trusting
from sickbay.model.host_vcenter import (
    DATASTORE,
    FOLDER,
    NETWORK,
    RESOURCE_POOL,
    ROOT,
    TEMPLATE,
    HeldOn,
)
from sickbay.record import NamedTuple

PORT: Final = 443
_SECONDS: Final = 20
_PAGE: Final = 500
# What a connection or an answer that is no vCenter's makes the library raise.
_BROKEN: Final = (OSError, HTTPException, ExpatError, LookupError, ValueError, TypeError)
_STANDALONE: Final = "vim.ComputeResource"


class VcenterError(Exception):
    """Vcenter did not answer; the words are fit to be shown."""

    def __init__(self, says: str, *, is_login: bool = False) -> None:
        super().__init__(says)
        self.is_login = is_login


class Place(NamedTuple):
    """Something that the files name, as vCenter has it."""

    setting: str
    named: str
    path: str = ""
    child_types: tuple[str, ...] = ()
    is_host_pool: bool = False


class Seen(NamedTuple):
    """What vCenter told."""

    user: str
    held: tuple[HeldOn, ...]
    is_worked_out: bool
    places: tuple[Place, ...]


def look(login: VcenterLogin, placement: Placement, ca_file: str) -> Seen:
    """Log in, look, and log out."""
    # Slow to import; only bridges on VMware need it.
    from pyVim import connect  # noqa: PLC0415
    from pyVmomi import vim, vmodl  # noqa: PLC0415

    context = trusting(ca_file)
    try:
        service = connect.SmartConnect(  # type: ignore[no-untyped-call]  # the library has no types here
            host=login.address,
            port=PORT,
            user=login.user,
            pwd=login.password,
            sslContext=context,
            httpConnectionTimeout=_SECONDS,
        )
    except vim.fault.InvalidLogin:
        raise VcenterError(f"the login of {login.user} is refused", is_login=True) from None
    except ssl.SSLCertVerificationError as error:
        says = f"its certificate is not trusted ({error.verify_message})"
        raise VcenterError(says) from None
    except (vmodl.MethodFault, *_BROKEN) as error:
        raise VcenterError(_words(error)) from None
    try:
        return _Inventory(service.RetrieveContent(), placement).seen()
    except (vmodl.MethodFault, *_BROKEN) as error:
        raise VcenterError(_words(error)) from None
    finally:
        connect.Disconnect(service)  # type: ignore[no-untyped-call]  # as above


class _Inventory:
    """The inventory of one vCenter, as one account sees it."""

    def __init__(self, content: Any, placement: Placement) -> None:
        self._content = content
        self._placement = placement

    def seen(self) -> Seen:
        wanted = (
            (FOLDER, self._placement.folder),
            (RESOURCE_POOL, self._placement.resource_pool),
            (DATASTORE, self._placement.datastore),
            (NETWORK, self._placement.network),
            (TEMPLATE, self._placement.template),
        )
        found = [(setting, name, self._find(setting, name)) for setting, name in wanted if name]
        objects = [(ROOT, self._content.rootFolder)]
        objects += [(what, one) for what, _, one in found if one and what != TEMPLATE]
        user = self._content.sessionManager.currentSession.userName
        held, is_worked_out = self._held(user, [one for _, one in objects])
        return Seen(
            user,
            tuple(
                HeldOn(what=what, name=one.name, privileges=sorted(held[_id(one)]))
                for what, one in objects
            ),
            is_worked_out,
            tuple(self._place(setting, name, one) for setting, name, one in found),
        )

    def _held(self, user: str, objects: list[Any]) -> tuple[dict[str, list[str]], bool]:
        """The privileges on each object: as vCenter says, or worked out where it does not."""
        from pyVmomi import vmodl  # noqa: PLC0415 - loaded by whoever looks

        manager = self._content.authorizationManager
        try:
            told = manager.FetchUserPrivilegeOnEntities(objects, user)
        except vmodl.MethodFault:
            roles = {role.roleId: list(role.privilege) for role in manager.roleList}
            return {_id(one): self._worked_out(roles, user, one) for one in objects}, True
        return {_id(row.entity): list(row.privileges or ()) for row in told}, False

    def _find(self, setting: str, name: str) -> Any:
        """The object that a setting names, by its path or by its bare name."""
        if "/" in name.strip("/"):
            found = self._content.searchIndex.FindByInventoryPath(name.strip("/"))
            return found or None
        named = [one for one, own in self._all(setting) if own == name.strip("/")]
        # Folders of several types may bear one name; the one that can be used is meant.
        fit = [one for one in named if setting != FOLDER or "VirtualMachine" in one.childType]
        return next(iter(fit or named), None)

    def _all(self, setting: str) -> Iterator[tuple[Any, str]]:
        """Every object of a kind with its name, in pages: there may be ten thousand VMs."""
        from pyVmomi import vim, vmodl  # noqa: PLC0415 - loaded by whoever looks

        kinds = {
            FOLDER: vim.Folder,
            RESOURCE_POOL: vim.ResourcePool,
            DATASTORE: vim.Datastore,
            NETWORK: vim.Network,
            TEMPLATE: vim.VirtualMachine,
        }
        view = self._content.viewManager.CreateContainerView(
            self._datacenter(), [kinds[setting]], recursive=True
        )
        query: Any = vmodl.query.PropertyCollector  # its makers have no types
        spec = query.FilterSpec(
            objectSet=[
                query.ObjectSpec(
                    obj=view,
                    skip=True,
                    selectSet=[
                        query.TraversalSpec(type=vim.view.ContainerView, path="view", skip=False)
                    ],
                )
            ],
            propSet=[query.PropertySpec(type=kinds[setting], pathSet=["name"])],
        )
        collector = self._content.propertyCollector
        try:
            page = collector.RetrievePropertiesEx([spec], query.RetrieveOptions(maxObjects=_PAGE))
            while page is not None:
                for row in page.objects:
                    yield row.obj, str(row.propSet[0].val)
                token = page.token
                page = collector.ContinueRetrievePropertiesEx(token) if token else None
        finally:
            view.Destroy()

    def _datacenter(self) -> Any:
        """Where to look: the datacenter of the files, or everywhere."""
        path = self._placement.datacenter.strip("/")
        found = self._content.searchIndex.FindByInventoryPath(path) if path else None
        return found or self._content.rootFolder

    def _worked_out(self, roles: dict[int, list[str]], user: str, entity: Any) -> list[str]:
        """What the nearest permission of the account itself grants on an object."""
        manager = self._content.authorizationManager
        for number, at in enumerate(self._upwards(entity)):
            for permission in manager.RetrieveEntityPermissions(at, inherited=False):
                is_theirs = permission.principal.casefold() == user.casefold()
                if is_theirs and (number == 0 or permission.propagate):
                    return roles.get(permission.roleId, [])
        return []

    def _place(self, setting: str, named: str, one: Any) -> Place:
        if one is None:
            return Place(setting, named)
        own = getattr(one, "childType", None) or ()
        kinds = tuple(str(getattr(kind, "__name__", kind)).removeprefix("vim.") for kind in own)
        path = "/".join(reversed([str(at.name) for at in self._upwards(one)][:-1]))
        is_host_pool = setting == RESOURCE_POOL and _is_host_pool(one)
        return Place(setting, named, f"/{path}", kinds, is_host_pool)

    def _upwards(self, one: Any) -> Iterator[Any]:
        """An object and all above it, the root folder last; nobody asks what is above that."""
        while one is not None:
            yield one
            one = None if one == self._content.rootFolder else one.parent


def _id(one: Any) -> str:
    return str(one._GetMoId())  # noqa: SLF001 - the library has no other name for it


def _is_host_pool(pool: Any) -> bool:
    """Whether a pool is the default one of a single host: it hangs below the host itself."""
    return pool.parent == pool.owner and type(pool.owner).__name__ == _STANDALONE


def _words(error: BaseException) -> str:
    words = getattr(error, "msg", None) or getattr(error, "strerror", None) or type(error).__name__
    return str(words).splitlines()[0][:200]
