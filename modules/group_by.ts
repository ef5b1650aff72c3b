import * as Type from 'typebox';
import { defineAction, type ActionResult } from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const args = closedObject({
  key: Type.String({
    minLength: 1,
    expects: 'a name',
    secret: false,
    description: 'Name of the group; spaces become `-`.',
  }),
  parents: Type.Union([Type.String(), Type.Array(Type.String())], {
    default: ['all'],
    description: 'Parents of the group. Missing groups are created.',
  }),
});

export default defineAction({
  name: 'group_by',
  summary: 'puts the controller into a group',
  description:
    'The group exists for the rest of the run; the inventory files do not change. A missing group is created. The controller sees the `group_vars` of the group from then on.',
  args,
  examples: [
    `
- group_by:
    key: 'region_{{region}}'
    parents: regions
`,
  ],
  check: true,
  run: ({ key, parents }: Type.Static<typeof args>): Promise<ActionResult> => {
    const name = groupName(key);
    const above = (typeof parents === 'string' ? [parents] : parents).map(groupName);
    return Promise.resolve({
      status: 'ok',
      effect: { type: 'group', name, parents: above },
      values: { add_group: name, parent_groups: above },
    });
  },
});

function groupName(text: string): string {
  return text.replaceAll(' ', '-');
}
