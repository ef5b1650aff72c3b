import * as Type from 'typebox';
import { defineAction, type ActionContext, type ActionResult, type Mapping } from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const args = closedObject({
  seconds: Type.Optional(Type.Number({ minimum: 0, description: 'How long, in seconds.' })),
  minutes: Type.Optional(Type.Number({ minimum: 0, description: 'How long, in minutes; added to `seconds`.' })),
  prompt: Type.Optional(
    Type.String({
      prose: true,
      description: 'A question to answer before the run continues; with a time, only a notice.',
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
    'Each controller waits separately; under `linear`, the first controller of a batch waits for all. A prompt appears once for all controllers of a batch. Without a time and a prompt, the task waits for the return key. If stdin is not a terminal, the task does not wait for an answer, and warns, as in Ansible. In check mode, the task neither waits nor asks. Registers the answer as `user_input`, and how long it took: `delta` (seconds), `start`, `stop`, `stdout`.',
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

async function wait(given: Type.Static<typeof args>, context: ActionContext): Promise<ActionResult> {
  const { seconds = 0, minutes = 0, prompt } = given;
  const delay = seconds + 60 * minutes;
  const withPrompt = (message: string): string => (prompt === undefined ? message : `${prompt}: ${message}`);
  const start = Date.now();
  if (context.checkMode)
    return { status: 'ok', message: withPrompt(`would wait for ${delay} s`), values: paused(given, start) };
  await context.sleep(delay);
  const values = paused(given, start);
  return context.signal.aborted
    ? { status: 'interrupted', message: withPrompt('interrupted while waiting'), values }
    : { status: 'ok', message: withPrompt(`waited for ${delay} s`), values };
}

async function ask(given: Type.Static<typeof args>, context: ActionContext): Promise<ActionResult> {
  const { prompt = 'Press return to continue, Ctrl-C to stop', echo = true } = given;
  const start = Date.now();
  if (context.checkMode) return { status: 'ok', message: `would ask: ${prompt}`, values: paused(given, start) };
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
    values: paused(given, start, answer),
  };
}

/** What Ansible registers. */
function paused({ seconds, echo = true }: Type.Static<typeof args>, start: number, answer = ''): Mapping {
  const stop = Date.now();
  const spent = (stop - start) / 1000;
  const [amount, unit] = seconds === undefined ? [spent / 60, 'minutes'] : [spent, 'seconds'];
  const stdout = `Paused for ${amount.toFixed(2).replace(/0$/, '')} ${unit}`;
  const times = { start: localTime(start), stop: localTime(stop), delta: Math.floor(spent) };
  return { ...times, stdout, stderr: '', rc: 0, echo, user_input: answer };
}

/** `2026-11-22 10:05:00.123000` */
function localTime(time: number): string {
  const minutes = new Date(time).getTimezoneOffset();
  return new Date(time - 60_000 * minutes).toISOString().replace('T', ' ').replace('Z', '000');
}
