import * as Type from 'typebox';
import { defineAction, type ActionResult, type Mapping } from '../src/module/contract.js';

const NAME = {
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  expects: 'letters, digits and underscores, and do not begin with a digit',
};

const args = Type.Object(
  {
    cacheable: Type.Optional(
      Type.Boolean({
        description: 'The variables are in `ansible_facts`, too. They are kept to the end of the run, not longer.',
      }),
    ),
  },
  { minProperties: 1, propertyNames: NAME },
);

export default defineAction({
  name: 'set_fact',
  summary: 'sets variables of a controller, from this task to the end of the run',
  description:
    'Every argument is a variable. Names have letters, digits and underscores, and do not begin with a digit.',
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
    const facts: Mapping = Object.fromEntries(
      Object.entries(given as Mapping).filter(([name]) => name !== 'cacheable'),
    );
    const cacheable = (given as Mapping)['cacheable'] === true;
    return Promise.resolve({ status: 'ok', facts, cacheable, values: { ansible_facts: facts } });
  },
});
