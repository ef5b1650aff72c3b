import * as Type from 'typebox';
import { defineAction, type ActionContext, type ActionResult } from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const args = closedObject({
  seconds: Type.Optional(Type.Number({ minimum: 0, description: 'How long, in seconds.' })),
  minutes: Type.Optional(Type.Number({ minimum: 0, description: 'How long, in minutes; added to `seconds`.' })),
  prompt: Type.Optional(
    Type.String({
      prose: true,
      description:
        'A question to answer before the run continues; with a time, only a notice. The answer is registered as `user_input`.',
    }),
  ),
  echo: Type.Optional(
    Type.Boolean({ description: 'Whether the terminal shows the answer as you type it. Default: true.' }),
  ),
});

export default defineAction({
  name: 'pause',
  summary: 'waits for a time or for the user',
  description:
    'Each controller waits separately; under `linear`, the first controller of a batch waits for all. A prompt appears once for all controllers of a batch. Without a time and a prompt, the task waits for the return key. If stdin is not a terminal, the task does not wait for an answer, and warns, as in Ansible. In check mode, the task neither waits nor asks.',
  args,
  examples: [
    `
- name: Wait for the followers
  pause:
    seconds: 5
`,
    `
- name: Look at the dashboards
  pause:
    prompt: All green? Press return to continue, Ctrl-C to stop the run
`,
  ],
  check: true,
  once: ({ seconds, minutes }) => (seconds === undefined && minutes === undefined) || 'in step',
  run: (given: Type.Static<typeof args>, context: ActionContext): Promise<ActionResult> =>
    given.seconds === undefined && given.minutes === undefined ? ask(given, context) : wait(given, context),
});

async function wait(
  { seconds = 0, minutes = 0, prompt }: Type.Static<typeof args>,
  context: ActionContext,
): Promise<ActionResult> {
  const delay = seconds + 60 * minutes;
  const withPrompt = (message: string): string => (prompt === undefined ? message : `${prompt}: ${message}`);
  const values = { delay, user_input: '' };
  if (context.checkMode) return { status: 'ok', message: withPrompt(`would wait for ${delay} s`), values };
  await context.sleep(delay);
  return context.signal.aborted
    ? { status: 'interrupted', message: withPrompt('interrupted while it waited'), values }
    : { status: 'ok', message: withPrompt(`waited for ${delay} s`), values };
}

async function ask(
  { prompt = 'Press return to continue, Ctrl-C to stop', echo = true }: Type.Static<typeof args>,
  context: ActionContext,
): Promise<ActionResult> {
  if (context.checkMode) return { status: 'ok', message: `would ask: ${prompt}`, values: { user_input: '', echo } };
  const answer = await context.ask(prompt, { hidden: !echo });
  if (answer === undefined && context.signal.aborted)
    return { status: 'interrupted', message: 'interrupted before it was answered' };
  if (answer === undefined)
    context.warn(
      `"${prompt}" was not asked, because stdin is not a terminal, or a program runs this: the run continues`,
    );
  else if (!echo) context.hide(answer);
  return {
    status: 'ok',
    message: answer === undefined ? 'no answer' : 'answered',
    values: { user_input: answer ?? '', echo },
  };
}
