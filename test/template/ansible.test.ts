import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { settle } from '../../src/template/access.js';
import { evaluate } from '../../src/template/condition.js';
import { EXPRESSIONS, VARIABLES } from './ansible_expressions.js';
import { HERE, variables } from './scopes.js';

/** Ansible is installed for the system's Python, which need not be the first one on PATH. */
const PYTHON = '/usr/bin/python3';

/** Reads variables and expressions as JSON, and writes the values as JSON. */
const PROGRAM = `
import json, sys
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar
given = json.load(sys.stdin)
templar = Templar(loader=DataLoader(), variables=given['variables'])
render = lambda one: json.loads(templar.template('{{ (' + one + ') | to_json }}', convert_data=False))
json.dump([render(one) for one in given['expressions']], sys.stdout)
`;

function hasAnsible(): boolean {
  if (!existsSync(PYTHON)) return false;
  try {
    execFileSync(PYTHON, ['-c', 'import ansible.template'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function ansibleValues(expressions: readonly string[]): unknown {
  const input = JSON.stringify({ variables: VARIABLES, expressions });
  const output = execFileSync(PYTHON, ['-c', PROGRAM], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  return JSON.parse(output);
}

describe('an expression that Ansible knows', () => {
  const scope = variables(VARIABLES);
  for (const [expression, value] of EXPRESSIONS) {
    it(expression, () => {
      expect(settle(evaluate(expression, scope, HERE))).to.deep.equal(value);
    });
  }

  it('has the recorded value in the installed Ansible', function () {
    if (!hasAnsible()) this.skip();
    const expressions = EXPRESSIONS.map(([expression]) => expression);
    expect(ansibleValues(expressions)).to.deep.equal(EXPRESSIONS.map(([, value]) => value));
  });
});
