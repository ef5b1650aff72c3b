"""
Which hosts patterns select: reads `{"asks": [{"folder": …, "inventory": file, "hosts": pattern, "limit": pattern or null}]}`
from stdin and writes, in the same order, `{"names": […], "unmatched": […]}` or `{"error": text}`.
"""

import json
import os
import sys

from ansible.errors import AnsibleError
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
from ansible.utils.display import Display

IGNORING = 'Could not match supplied host pattern, ignoring: '
unmatched = []


def note(_, message, *args, **kwargs):
    if message.startswith(IGNORING):
        unmatched.append(message[len(IGNORING):])


Display.warning = note
managers = {}


def manager(folder, inventory):
    known = managers.get((folder, inventory))
    if known is None:
        known = managers[folder, inventory] = InventoryManager(DataLoader(), [os.path.join(folder, inventory)])
    known.clear_caches()
    # Another pattern may have made one up, and have named it.
    if known._inventory.localhost is not None and known._inventory.localhost.implicit:
        known._inventory.localhost = None
    unmatched.clear()
    return known


def answer(folder, inventory, hosts, limit):
    selecting = manager(folder, inventory)
    os.chdir(folder)
    try:
        selecting.subset(limit)
        names = [host.name for host in selecting.get_hosts(hosts)]
        return {'names': names, 'unmatched': sorted(set(unmatched))}
    except AnsibleError as error:
        return {'error': str(error)}
    except IndexError as error:
        return {'error': f'it breaks: {error}'}


json.dump([answer(**ask) for ask in json.load(sys.stdin)['asks']], sys.stdout)
