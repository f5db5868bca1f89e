"""Sets up the simulated vCenter as an administrator would: folders, roles, permissions."""

import json
import subprocess
import sys
from collections.abc import Sequence

from tests.appliance.world import VCENTER, World

from sickbay.model.arc import VCENTER_PRIVILEGES

# Runs on the management machine: nothing else reaches this vCenter.
_SCRIPT = """
import json, ssl, sys
from pyVim.connect import SmartConnect, Disconnect
from pyVmomi import vim
host, ca, user, folders, privileges = json.loads(sys.argv[1])
context = ssl.create_default_context(cafile=ca)
service = SmartConnect(host=host, user="admin", pwd="any", sslContext=context)
content = service.RetrieveContent()
manager, root = content.authorizationManager, content.rootFolder
datacenter = content.searchIndex.FindByInventoryPath("DC0")
for parent, name in folders:
    above = getattr(datacenter, parent)
    if name not in [one.name for one in above.childEntity]:
        above.CreateFolder(name)
known = {role.name: role.roleId for role in manager.roleList}
if user in known:
    manager.UpdateAuthorizationRole(known[user], user, privileges)
else:
    manager.AddAuthorizationRole(user, privileges)
number = {role.name: role.roleId for role in manager.roleList}[user]
others = [one for one in manager.RetrieveEntityPermissions(root, False) if one.principal != user]
kind = vim.AuthorizationManager.Permission
own = kind(principal=user, group=False, roleId=number, propagate=True)
manager.SetEntityPermissions(root, [*others, own])
Disconnect(service)
"""
_FOLDERS = (("vmFolder", "arc"), ("datastoreFolder", "arc-storage"), ("hostFolder", "arc-hosts"))


def grant(world: World, user: str, without: Sequence[str] = ()) -> None:
    """Give an account all privileges that a bridge needs, but for some."""
    privileges = sorted(VCENTER_PRIVILEGES - set(without))
    asked = json.dumps([VCENTER, str(world.ca.path), user, _FOLDERS, privileges])
    command = world.machines.command("mgmt", sys.executable, "-c", _SCRIPT, asked)
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
