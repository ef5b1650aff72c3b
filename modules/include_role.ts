import * as Type from 'typebox';
import { ROLE_ARGUMENTS } from '../src/module/arguments/validation.js';
import { defineAction, isMapping, type ActionResult } from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const args = closedObject({
  ...ROLE_ARGUMENTS,
  public: Type.Boolean({
    default: false,
    description: 'Whether the rest of the play sees the defaults and vars of the role.',
  }),
  apply: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Keywords for all tasks of the role, as on a block.' }),
  ),
});

export default defineAction({
  name: 'include_role',
  summary: 'runs a role, chosen when a controller reaches the task',
  description:
    'Keywords of the task, such as `when`, `loop` and `tags`, apply to the include itself; `apply` sets keywords of the tasks of ' +
    'the role. `vars` apply to both. The handlers of the role join those of the play. If the role is known before the run, use ' +
    '`import_role`.',
  args,
  examples: [
    `
- include_role:
    name: web
  vars:
    port: 8443
`,
    `
- include_role:
    name: '{{item}}'
    tasks_from: remove
    apply:
      tags: [removal]
  loop: '{{old_roles}}'
  tags: [removal]
`,
  ],
  check: true,
  run: (given: Type.Static<typeof args>): Promise<ActionResult> =>
    Promise.resolve({
      status: 'ok',
      values: { include_args: isMapping(given) ? given : {} },
      effect: { type: 'include' },
    }),
});
