"""
Runs ansible-inventory many times in forks of one warm process: reads `{"workers": n, "runs": [{"folder": …, "arguments": […]}]}`
from stdin and writes, in the same order, `[{"exit": n, "output": text}]`. Warnings are left out.
"""

import gc
import json
import os
import sys
import tempfile

given = json.load(sys.stdin)
os.environ['ANSIBLE_NOCOLOR'] = '1'
os.environ['ANSIBLE_DEVEL_WARNING'] = '0'

from ansible.cli.inventory import InventoryCLI  # noqa: E402
from ansible.plugins.loader import inventory_loader  # noqa: E402

# Plugins of variables are left alone: since 2.15 Ansible takes them for used up if something else has loaded them.
list(inventory_loader.all(class_only=True))

# What is there by now stays: whoever is forked need not look through it, and so has no copy made of it.
gc.freeze()


def run(folder, arguments, output):
    """In the forked process."""
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    os.environ['PWD'] = folder
    os.chdir(folder)
    code = 250
    try:
        InventoryCLI.cli_executor(['ansible-inventory', *arguments])
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush()
        os._exit(code)


def main(work):
    runs = given['runs']
    outputs = [os.path.join(work, str(index)) for index, _ in enumerate(runs)]
    waiting = list(enumerate(runs))
    busy = {}
    exits = {}
    while waiting or busy:
        if waiting and len(busy) < given['workers']:
            index, one = waiting.pop(0)
            pid = os.fork()
            if pid == 0:
                run(one['folder'], one['arguments'], outputs[index])
            busy[pid] = index
        else:
            pid, status = os.wait()
            if pid in busy:
                exits[busy.pop(pid)] = os.waitstatus_to_exitcode(status)
    answers = []
    for index, output in enumerate(outputs):
        with open(output, encoding='utf-8') as file:
            answers.append({'exit': exits[index], 'output': file.read()})
    return answers


with tempfile.TemporaryDirectory(prefix='differential-') as work:
    os.environ['ANSIBLE_LOCAL_TEMP'] = os.path.join(work, 'temporary')
    json.dump(main(work), sys.stdout)
