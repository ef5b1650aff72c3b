import * as Type from 'typebox';
import { defineAction, isMapping, readBoolean, type ActionResult, type Mapping } from '../src/module/contract.js';

const VARIABLE_NAME = {
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  expects: 'letters, digits and underscores, and do not begin with a digit',
};

const args = Type.Object(
  {
    cacheable: Type.Optional(
      Type.Boolean({
        description:
          'Also put the variables into `ansible_facts`. They stay until the end of the run, and are not stored.',
      }),
    ),
  },
  { minProperties: 1, propertyNames: VARIABLE_NAME },
);

export default defineAction({
  name: 'set_fact',
  summary: 'sets variables of a controller until the end of the run',
  description:
    'Every argument is a variable. Names consist of letters, digits and underscores, do not begin with a digit, and can contain templates: `"port_{{name}}": 443`. As in Ansible, a value that is the text `true`, `false`, `yes` or `no`, in any case, becomes a boolean; other texts, and texts inside lists and mappings, stay text.',
  args,
  examples: [
    `
- set_fact:
    cloud_name: '{{stage}}-{{inventory_hostname}}'
    canary: true
`,
  ],
  check: true,
  run: (given: object): Promise<ActionResult> => {
    const { cacheable, ...variables } = isMapping(given) ? given : {};
    // `go=no` and `"{{ 'no' }}"` would be true in a condition if they stayed text.
    const entries = Object.entries(variables).map(([name, value]) => [name, readBoolean(value)] as const);
    const facts: Mapping = Object.fromEntries(entries);
    return Promise.resolve({ status: 'ok', facts, cacheable: cacheable === true, values: { ansible_facts: facts } });
  },
});
