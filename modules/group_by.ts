import * as Type from 'typebox';
import type { Static } from 'typebox';
import { defineAction, type ActionResult } from '../src/module/contract.js';

const args = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      expects: 'a name',
      secret: false,
      description: 'The group; spaces in it become `-`.',
    }),
    parents: Type.Union([Type.String(), Type.Array(Type.String())], {
      default: ['all'],
      description: 'Groups that the group belongs to. They are made if they are not there.',
    }),
  },
  { additionalProperties: false },
);

export default defineAction({
  name: 'group_by',
  summary: 'puts the controller into a group',
  description:
    'For the rest of the run; the inventory itself is not changed. The group is made if it is not there, and the controller sees its `group_vars` from then on.',
  args,
  examples: [
    `
- group_by:
    key: 'region_{{region}}'
    parents: regions
`,
  ],
  check: true,
  run: ({ key, parents }: Static<typeof args>): Promise<ActionResult> => {
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
