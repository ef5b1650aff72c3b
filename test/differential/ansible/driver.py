"""
Runs many playbooks with one warm Ansible: reads JSON from stdin
`{"workers": n, "runs": [{"folder": …, "arguments": […]}]}` and writes, in the same order,
`[{"exit": n, "events": […], "output": text}]`. Every run happens in a forked process of its own, so that nothing of one
is seen by another; importing Ansible, which takes far longer than a run of these, happens once.
"""

import gc
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
home = tempfile.TemporaryDirectory(prefix='differential-home-')
os.environ.update(ANSIBLE_CONFIG=os.path.join(HERE, 'ansible.cfg'), ANSIBLE_HOME=home.name)

given = json.load(sys.stdin)
null = os.open(os.devnull, os.O_RDWR)
os.dup2(null, 0)

# What the imports print belongs to nobody.
from ansible.cli.playbook import PlaybookCLI  # noqa: E402
from ansible.executor import playbook_executor, task_queue_manager  # noqa: E402,F401
from ansible.plugins.loader import action_loader, callback_loader, connection_loader, strategy_loader  # noqa: E402

for loader in (action_loader, callback_loader, connection_loader, strategy_loader):
    list(loader.all(class_only=True))


# What is there by now stays: whoever is forked need not look through it, and so has no copy made of it.
gc.freeze()


def run(folder, arguments, prefix):
    """In the forked process."""
    output = os.open(prefix + '.output', os.O_WRONLY | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ['DIFFERENTIAL_EVENTS'] = prefix + '.events'
    os.environ['ANSIBLE_LOCAL_TEMP'] = prefix + '.temporary'
    os.environ['PWD'] = folder
    os.chdir(folder)
    code = 250
    try:
        PlaybookCLI.cli_executor(['ansible-playbook', *arguments])
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def text(name):
    try:
        with open(name, encoding='utf-8', errors='replace') as file:
            return file.read()
    except FileNotFoundError:
        return ''


def main(work):
    runs = given['runs']
    waiting = list(enumerate(runs))
    busy = {}
    exits = {}
    while waiting or busy:
        if waiting and len(busy) < given['workers']:
            index, one = waiting.pop(0)
            pid = os.fork()
            if pid == 0:
                run(one['folder'], one['arguments'], os.path.join(work, str(index)))
            busy[pid] = index
        else:
            pid, status = os.wait()
            if pid in busy:
                exits[busy.pop(pid)] = os.waitstatus_to_exitcode(status)
    answers = []
    for index, _ in enumerate(runs):
        prefix = os.path.join(work, str(index))
        events = [json.loads(line) for line in text(prefix + '.events').splitlines()]
        answers.append({'exit': exits[index], 'events': events, 'output': text(prefix + '.output')})
    return answers


with tempfile.TemporaryDirectory(prefix='differential-') as work:
    answers = main(work)
os.write(1, json.dumps(answers).encode())
