import * as Type from 'typebox';
import { defineAction, display, isList, type ActionResult, type Mapping, type Value } from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const args = closedObject({
  msg: Type.Union([Type.String(), Type.Array(Type.Unsafe<Value>({})), Type.Unsafe<Mapping>({ type: 'object' })], {
    default: 'Failed as requested from task',
    description: 'The message: text, a list of lines, or a mapping.',
    prose: true,
  }),
});

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
  run: ({ msg }: Type.Static<typeof args>): Promise<ActionResult> =>
    Promise.resolve({ status: 'failed', message: isLines(msg) ? msg.join('\n') : display(msg), values: { msg } }),
});

function isLines(msg: Value): msg is readonly string[] {
  return isList(msg) && msg.every((line) => typeof line === 'string');
}
