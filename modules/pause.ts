import Type, { type Static } from 'typebox';
import { defineAction, type ActionContext, type ActionResult } from '../src/module/contract.js';

const args = Type.Object(
  {
    seconds: Type.Optional(Type.Number({ minimum: 0, description: 'How long, in seconds.' })),
    minutes: Type.Optional(Type.Number({ minimum: 0, description: 'How long, in minutes; added to `seconds`.' })),
  },
  { additionalProperties: false, minProperties: 1 },
);

export default defineAction({
  name: 'pause',
  summary: 'waits',
  description: 'Each controller waits for itself. In check mode nothing waits.',
  args,
  examples: [
    `
- name: Followers catch up
  pause:
    seconds: 5
`,
  ],
  check: true,
  run: async ({ seconds = 0, minutes = 0 }: Static<typeof args>, context: ActionContext): Promise<ActionResult> => {
    const delay = seconds + 60 * minutes;
    if (!context.checkMode) await context.sleep(delay);
    const message = context.checkMode ? `would wait for ${delay} s` : `waited for ${delay} s`;
    return { status: 'ok', message, values: { delay } };
  },
});
