import * as Type from 'typebox';
import {
  defineAction,
  orElse,
  PythonExpression,
  type ActionContext,
  type ActionResult,
} from '../src/module/contract.js';
import { closedObject, filledText } from '../src/module/schema.js';
import { connectsTo, receives, type MatchGroups } from './wait_for/probe.js';

const args = closedObject({
  host: Type.Optional(filledText('Name or address; default: the address of the controller, from its variables.')),
  port: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65535,
      description: 'Port to connect to; without a port, the task waits for `timeout`.',
    }),
  ),
  state: Type.Union(
    ['started', 'present', 'stopped', 'absent'].map((state) => Type.Literal(state)),
    {
      default: 'started',
      description: '`started` or `present`: until the port is open; `stopped` or `absent`: until it is closed.',
    },
  ),
  search_regex: Type.Optional(
    Type.String({ description: 'Until the text that the server sends matches this regular expression.' }),
  ),
  timeout: Type.Number({ default: 300, minimum: 0, description: 'Seconds before the task fails.' }),
  connect_timeout: Type.Number({ default: 5, minimum: 0, description: 'Time limit of one connection, in seconds.' }),
  delay: Type.Number({
    default: 0,
    minimum: 0,
    description: 'Seconds before the first attempt; they count towards `timeout`.',
  }),
  sleep: Type.Number({ default: 1, minimum: 0, description: 'Seconds between two attempts.' }),
  msg: Type.Optional(Type.String({ description: 'The message if the task fails.', prose: true })),
});

type Args = Type.Static<typeof args>;

export default defineAction({
  name: 'wait_for',
  summary: 'waits for a time, or until a port accepts connections or stops accepting them',
  description:
    'Connects from the machine that runs Evenkeel, through the route of the controller if it has one. Behind a route, a port is open if something answers there, because a proxy may accept connections that it cannot pass on. In check mode, the task neither waits nor connects. Cannot see files and open connections of a controller, so it has no `path` and no `drained`. Registers `elapsed` (seconds), and the groups of `search_regex` as `match_groups` and `match_groupdict`.',
  args,
  examples: [
    `
- name: Wait for the controller
  wait_for:
    port: 443
    delay: 10
    timeout: 600
`,
  ],
  check: true,
  run: waitFor,
});

async function waitFor(given: Args, context: ActionContext): Promise<ActionResult> {
  const { search_regex: pattern } = given;
  const expression =
    pattern === undefined ? undefined : orElse(null, () => new PythonExpression(pattern, 'm', 'search'));
  if (expression === null) return { status: 'failed', message: `"${pattern ?? ''}" is not a regular expression` };
  const { port = null, delay, timeout, state } = given;
  const shown = { port, state, search_regex: pattern ?? null, ...NO_GROUPS };
  // What the task waits for may follow from a change that check mode did not make.
  if (context.checkMode)
    return { status: 'ok', message: `would wait for ${awaited(given, context)}`, values: { elapsed: 0, ...shown } };
  const time = new WaitingTime(timeout, context);
  await time.pause(port === null ? delay + timeout : delay);
  const ended = context.signal.aborted ? undefined : NO_GROUPS;
  const groups = port === null ? ended : await poll({ ...given, port }, expression, context, time);
  const values = { elapsed: time.elapsed, ...shown, ...groups };
  if (groups !== undefined) return { status: 'ok', values };
  if (context.signal.aborted) return { status: 'interrupted', message: 'interrupted while waiting', values };
  const end = isForOpen(given) ? '' : '.';
  return {
    status: 'failed',
    message: given.msg ?? `Timeout when waiting for ${awaited(given, context)}${end}`,
    values,
  };
}

const NO_GROUPS: MatchGroups = { match_groups: [], match_groupdict: {} };

/** Probes repeatedly. Returns what matched; undefined if the condition did not become true before the time limit. */
async function poll(
  given: Args & { readonly port: number },
  expression: PythonExpression | undefined,
  context: ActionContext,
  time: WaitingTime,
): Promise<MatchGroups | undefined> {
  const address = { host: given.host ?? context.address(), port: given.port };
  const wanted = isForOpen(given);
  const isOver = (): boolean => time.left <= 0 || context.signal.aborted;
  while (!isOver()) {
    // A port that had too little time to answer is not closed.
    const connect = wanted ? Math.min(given.connect_timeout, time.left) : given.connect_timeout;
    const limits = { connect, listen: time.left, signal: context.signal };
    const socket = await context.connect(address);
    const found = await (expression === undefined || !wanted
      ? connectsTo(socket, limits)
      : receives(socket, expression, limits));
    if (typeof found === 'object') return found;
    // An interrupted probe has no result.
    if (found === wanted && (wanted || !context.signal.aborted)) return NO_GROUPS;
    await time.pause(Math.min(given.sleep, Math.max(0, time.left)));
  }
  return undefined;
}

/** How long the task has waited, and may wait. */
class WaitingTime {
  readonly #start = performance.now();
  /** Seconds for which the controller waited for a fork after its pauses. No time limit includes them. */
  #withoutFork = 0;

  constructor(
    private readonly timeout: number,
    private readonly context: Pick<ActionContext, 'sleep'>,
  ) {}

  /** Whole seconds. */
  get elapsed(): number {
    return Math.floor(this.#seconds);
  }

  /** Seconds; not positive: the time is over. */
  get left(): number {
    return this.timeout + this.#withoutFork - this.#seconds;
  }

  async pause(seconds: number): Promise<void> {
    const end = this.#seconds + seconds;
    await this.context.sleep(seconds);
    this.#withoutFork += Math.max(0, this.#seconds - end);
  }

  get #seconds(): number {
    return (performance.now() - this.#start) / 1000;
  }
}

function awaited(given: Args, context: ActionContext): string {
  const { host, port, delay, timeout, search_regex: pattern } = given;
  if (port === undefined) return `${delay + timeout} s`;
  const where = `${host ?? context.address()}:${port}`;
  if (!isForOpen(given)) return `${where} to stop`;
  return pattern === undefined ? where : `search string ${pattern} in ${where}`;
}

function isForOpen({ state }: Args): boolean {
  return state === 'started' || state === 'present';
}
