import * as Type from 'typebox';
import type { Static } from 'typebox';
import { defineAction, type ActionResult } from '../src/module/contract.js';

const args = Type.Object(
  { msg: Type.String({ default: 'Failed as requested from task', description: 'The message.', prose: true }) },
  { additionalProperties: false },
);

export default defineAction({
  name: 'fail',
  summary: 'fails with a message',
  args,
  examples: [
    `
- fail:
    msg: no DNS server for {{inventory_hostname}}
  when: dns_servers | length == 0
`,
  ],
  check: true,
  run: ({ msg }: Static<typeof args>): Promise<ActionResult> =>
    Promise.resolve({ status: 'failed', message: msg, values: { msg } }),
});
