"""Writes what Ansible does as JSON lines, for the differential suite. The file is named by DIFFERENTIAL_EVENTS."""

import json
import os

from ansible.module_utils._text import to_text
from ansible.parsing.ajson import AnsibleJSONEncoder
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
    name: recorder
    type: stdout
    short_description: JSON lines of plays, tasks, results and the recap
    description: JSON lines of plays, tasks, results and the recap
"""

COUNTS = {'ok': 'ok', 'changed': 'changed', 'unreachable': 'dark', 'failed': 'failures', 'skipped': 'skipped', 'rescued': 'rescued', 'ignored': 'ignored'}


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'stdout'
    CALLBACK_NAME = 'recorder'

    def __init__(self):
        super().__init__()
        self._file = open(os.environ['DIFFERENTIAL_EVENTS'], 'a', encoding='utf-8')

    def _write(self, kind, **fields):
        self._file.write(json.dumps({'type': kind, **fields}, cls=AnsibleJSONEncoder) + '\n')
        self._file.flush()

    def _result(self, result, status, item=None, **more):
        self._write(
            'result',
            host=result._host.get_name(),
            task=result._task.get_name(),
            action=result._task.action.split('.')[-1],
            uuid=result._task._uuid,
            status='changed' if status == 'ok' and result._result.get('changed') else status,
            item=item,
            said=self._said(result, status),
            **more,
        )

    def _said(self, result, status):
        """What debug, fail and assert were there to say; a loop as a whole says nothing."""
        action = result._task.action.split('.')[-1]
        values = result._result
        if 'results' in values:
            return None
        if action == 'debug' and status == 'ok':
            return values['msg'] if 'msg' in values else values.get(result._task.args.get('var'))
        return values.get('msg') if action == 'fail' and status == 'failed' else None

    def v2_playbook_on_play_start(self, play):
        self._write('play', name=play.get_name())

    def v2_playbook_on_no_hosts_matched(self):
        self._write('no-hosts-matched')

    def v2_playbook_on_no_hosts_remaining(self):
        self._write('no-hosts-remaining')

    def v2_playbook_on_task_start(self, task, is_conditional):
        self._task(task, False)

    def v2_playbook_on_handler_task_start(self, task):
        self._task(task, True)

    def _task(self, task, handler):
        self._write('task', name=task.get_name(), action=task.action.split('.')[-1], uuid=task._uuid, handler=handler)

    def v2_playbook_on_include(self, included_file):
        hosts = sorted(host.get_name() for host in included_file._hosts)
        self._write('include', name=os.path.basename(to_text(included_file._filename)), hosts=hosts)

    def v2_playbook_on_notify(self, handler, host):
        self._write('notify', handler=handler.get_name(), host=host.get_name())

    def v2_runner_on_ok(self, result):
        self._result(result, 'ok')

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._result(result, 'failed', ignored=bool(ignore_errors))

    def v2_runner_on_skipped(self, result):
        self._result(result, 'skipped')

    def v2_runner_on_unreachable(self, result):
        self._result(result, 'unreachable', ignored=bool(result._task.ignore_unreachable))

    def v2_runner_item_on_ok(self, result):
        self._item(result, 'ok')

    def v2_runner_item_on_failed(self, result):
        self._item(result, 'unreachable' if result.is_unreachable() else 'failed')

    def v2_runner_item_on_skipped(self, result):
        self._item(result, 'skipped')

    def _item(self, result, status):
        self._result(result, status, item=to_text(self._get_item_label(result._result)))

    def v2_runner_retry(self, result):
        self._write('retry', host=result._host.get_name(), task=result._task.get_name(), attempt=result._result.get('attempts'))

    def v2_playbook_on_stats(self, stats):
        recap = {}
        for host in sorted(stats.processed):
            recap[host] = {name: getattr(stats, field).get(host, 0) for name, field in COUNTS.items()}
        self._write('recap', hosts=recap)
