"""An Ansible action that gives texts their values within a real playbook: each alone, whatever becomes of the others."""
import json

from ansible.playbook.conditional import Conditional
from ansible.plugins.action import ActionBase

try:
    from ansible.template import trust_as_template
except ImportError:
    # Before 2.19 every text may be a template.
    def trust_as_template(text):
        return text


class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        given = self._task.args
        with open(given['cases']) as file:
            cases = json.load(file)
        self._templar.available_variables = task_vars
        found = {kind: {text: self.outcome(kind, text, task_vars) for text in texts} for kind, texts in cases.items()}
        with open(given['found'], 'w') as file:
            json.dump(found, file)
        return {'changed': False}

    def outcome(self, kind, text, task_vars):
        try:
            value = getattr(self, kind)(text, task_vars)
            json.dumps(value, allow_nan=False)
            return {'value': value}
        except Exception as error:
            return {'fails': str(error).split('\n')[0][:120]}

    def expressions(self, text, task_vars):
        # The letter before keeps what is JSON from being taken for Python.
        return json.loads(self._templar.template(trust_as_template('J{{ (' + text + ') | to_json }}'))[1:])

    def templates(self, text, task_vars):
        return self._templar.template(trust_as_template(text))

    def conditions(self, text, task_vars):
        if hasattr(self._templar, 'evaluate_conditional'):
            return self._templar.evaluate_conditional(trust_as_template(text))
        conditional = Conditional(loader=self._loader)
        conditional.when = [text]
        return conditional.evaluate_conditional(self._templar, task_vars)
