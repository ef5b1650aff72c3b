import * as Type from 'typebox';
import { defineAction, type ActionResult } from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const args = closedObject({
  file: Type.String({ minLength: 1, description: 'A task file, relative to the file that includes it.' }),
  apply: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Keywords for all tasks of the file, as on a block.' }),
  ),
});

export default defineAction({
  name: 'include_tasks',
  summary: 'runs the tasks of a file, chosen when a controller reaches the task',
  description:
    'Keywords of the task, such as `when`, `loop` and `tags`, apply to the include itself; `apply` sets keywords of its tasks. ' +
    '`vars` apply to both. If the file is known before the run, use `import_tasks`.',
  args,
  freeForm: 'file',
  examples: [
    `
- include_tasks: '{{region}}.yml'
  when: region is defined
`,
    `
- include_tasks:
    file: cloud.yml
    apply:
      tags: [clouds]
  vars:
    cloud_name: '{{item}}'
  loop: '{{clouds}}'
  tags: [clouds]
`,
  ],
  check: true,
  run: ({ file }: Type.Static<typeof args>): Promise<ActionResult> =>
    Promise.resolve({ status: 'ok', values: { include: file }, effect: { type: 'include' } }),
});
