"""
One warm Ansible that is asked many things: reads a line of JSON for each, `{"command": …, "arguments": […], "folder": …}`, and
answers it with a line, `{"exit": n, "stdout": text, "stderr": text}`. Each is answered in a forked process of its own, so that
nothing of one is seen by another; importing Ansible, which takes far longer, happens once.
"""

import gc
import json
import os
import sys
import tempfile

work = tempfile.TemporaryDirectory(prefix='warm-ansible-')
os.environ.update(
    ANSIBLE_NOCOLOR='1',
    ANSIBLE_DEVEL_WARNING='0',
    ANSIBLE_LOCAL_TEMP=os.path.join(work.name, 'temporary'),
)

from ansible.cli.inventory import InventoryCLI  # noqa: E402
from ansible.cli.playbook import PlaybookCLI  # noqa: E402
from ansible.cli.vault import VaultCLI  # noqa: E402
from ansible.executor import playbook_executor, task_queue_manager  # noqa: E402,F401
from ansible.plugins import loader  # noqa: E402

# Plugins of variables are left alone: since 2.15 Ansible takes them for used up if something else has loaded them.
for plugins in (
    loader.action_loader,
    loader.callback_loader,
    loader.connection_loader,
    loader.inventory_loader,
    loader.strategy_loader,
):
    list(plugins.all(class_only=True))

COMMANDS = {'ansible-inventory': InventoryCLI, 'ansible-playbook': PlaybookCLI, 'ansible-vault': VaultCLI}


def become(command, arguments, folder, outputs):
    """In the forked process."""
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    for stream, output in zip((1, 2), outputs):
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    os.environ['PWD'] = folder
    os.chdir(folder)
    code = 250
    try:
        COMMANDS[command].cli_executor([command, *arguments])
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def answer(command, arguments, folder):
    outputs = [os.path.join(work.name, name) for name in ('stdout', 'stderr')]
    pid = os.fork()
    if pid == 0:
        become(command, arguments, folder, outputs)
    _, status = os.waitpid(pid, 0)
    texts = []
    for output in outputs:
        with open(output, encoding='utf-8') as file:
            texts.append(file.read())
    return {'exit': os.waitstatus_to_exitcode(status), 'stdout': texts[0], 'stderr': texts[1]}


# What is there by now stays: whoever is forked need not look through it.
gc.freeze()
for line in sys.stdin:
    print(json.dumps(answer(**json.loads(line))), flush=True)
