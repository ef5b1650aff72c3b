import * as Type from 'typebox';
import { builtInKinds, type Kinds } from '../src/kinds/kind_table.js';
import {
  chooseNamesake,
  namedIn,
  type Chosen,
  isCollection,
  knownKindFields,
  PATH_OR_KIND,
  READ_ARGUMENTS,
  objectsPath,
  toQuery,
} from '../src/module/comparison/object_arguments.js';
import {
  defineAction,
  isMapping,
  isTemporaryStatus,
  isUpgrading,
  jsonText,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Module,
  type RawAnswer,
  type RawRequest,
  type Unavailable,
  type Value,
} from '../src/module/contract.js';
import { filledText, textRecord } from '../src/module/schema.js';
import { judgeCondition, type Judgement } from './wait_until/condition.js';

const value = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const values = (description: string) => Type.Optional(Type.Union([value, Type.Array(value)], { description }));

const list = (what: string) =>
  Type.Optional(filledText(`List in the object, such as \`results\`, in whose elements \`field\` is: ${what}`));

const args = Type.Object(
  {
    ...READ_ARGUMENTS,
    query: textRecord('Query parameters, which Evenkeel encodes.'),
    match: Type.Optional(
      Type.Unsafe<Mapping>({
        type: 'object',
        description:
          'With `name`: fields that identify the object among others of its name, such as `cloud_ref` or `uuid`. References can name their object if the dialect shows names.',
      }),
    ),
    field: Type.Optional(
      filledText('Field to look at, such as `state` or `cluster_state.state`; without it, only the status counts.'),
    ),
    value: values(
      'Value of `field` to wait for, or a comparison: `< 5`, `<= 5`, `> 5`, `>= 5`, `!= 0`, `in [UP, DEGRADED]`, `not in [DOWN]`; or a list, of which one is enough. Without it, any value that is not empty.',
    ),
    fail_on: values(
      'Values of `field`, or comparisons, that end the wait with a failure; with `all` or `any`, of one element.',
    ),
    all: list('all elements must have the value, and there must be one.'),
    any: list('one element must have the value.'),
    status: Type.Integer({ default: 200, description: 'Status of the answer to wait for.' }),
    unavailable: Type.Union([Type.Literal('fail'), Type.Literal('wait')], {
      default: 'fail',
      description:
        'Whether to wait while the controller refuses connections, answers 408, 429, 502, 503 or 504, an error or a web page with 200, loses the session, or disallows changes (403 during an upgrade).',
    }),
    interval: Type.Number({ default: 5, minimum: 0.1, description: 'Seconds between two reads.' }),
    timeout: Type.Number({ default: 600, minimum: 0, description: 'Seconds before the task fails.' }),
  },
  { additionalProperties: false, ...PATH_OR_KIND, exclusive: [...PATH_OR_KIND.exclusive, ['all', 'any']] },
);

type Args = Type.Static<typeof args>;

/** The module for a project's kinds. */
export const withKinds = (kinds: Kinds): Module =>
  defineAction({
    name: 'wait_until',
    summary: 'waits until an object of the controller has a value, or until the controller answers',
    description:
      'Reads the object again and again. Use it for changes that take time: a new cloud, an upgrade, the restart of a cluster. The live view shows what it waits for. The result has `object` and `value`. With `unavailable: wait`, only the last read waits for `controller_patience`. In check mode, it reads once and does not wait.',
    args,
    examples: [
      `
- name: The cloud is ready
  wait_until:
    path: '/api/cloud/{{cloud.object.uuid}}/status'
    field: state
    value: CLOUD_STATE_PLACEMENT_READY
    fail_on: CLOUD_STATE_FAILED
    timeout: 900
`,
      `
- name: The controller is back after the upgrade
  wait_until:
    path: /api/cluster/runtime
    field: cluster_state.state
    value: [CLUSTER_UP_NO_HA, CLUSTER_UP_HA_ACTIVE]
    unavailable: wait
    interval: 15
    timeout: 3600
`,
      `
- name: All pools named web are up
  wait_until:
    path: /api/pool-inventory
    query: { name: web }
    all: results
    field: runtime.oper_status.state
    value: OPER_UP
`,
      `
- name: Few connections are left
  wait_until:
    path: '/api/analytics/metrics/pool/{{pool.object.uuid}}'
    query: { metric_id: l4_server.avg_open_conns, limit: 1 }
    field: series.0.data.0.value
    value: '< 5'
`,
    ],
    check: true,
    knownFieldsFor: (given) => knownKindFields(given, kinds),
    run: (given: Args, context: ActionContext): Promise<ActionResult> => waitUntil(given, context, kinds),
  });

export default withKinds(builtInKinds);

async function waitUntil(given: Args, context: ActionContext, kinds: Kinds): Promise<ActionResult> {
  const { name, match } = given;
  if (match !== undefined && name === undefined) return { status: 'failed', message: '"match" needs "name"' };
  const path = objectsPath(given, kinds);
  const query = toQuery(given);
  const request: RawRequest = { method: 'GET', path, ...(Object.keys(query).length > 0 && { query }) };
  const choose = chooser(given, kinds, context);
  const start = performance.now();
  const attempts = Math.ceil(given.timeout / given.interval) + 1;
  let last: string | undefined;
  let paused = 0;
  let isOver = false;
  for (let attempt = 1; ; attempt += 1) {
    isOver ||= performance.now() - start >= given.timeout * 1000;
    const isLast = given.unavailable === 'fail' || context.checkMode || isOver;
    const now = await look(given, await context.attempt(request, isLast), (...found) => choose(...found, isLast));
    const seen =
      now.value === undefined && last !== undefined ? { ...now, message: `${now.message}; before: ${last}` } : now;
    if (now.value !== undefined) last = now.message;
    const seconds = (performance.now() - start) / 1000;
    const elapsed = Math.round(seconds * 10) / 10;
    const result = { object: seen.object ?? null, value: seen.value ?? null, attempts: attempt, elapsed };
    if (seen.verdict === 'reached') return { status: 'ok', message: seen.message, values: result };
    if (seen.verdict === 'failed') return { status: 'failed', message: seen.message, hint: seen.hint, values: result };
    if (context.checkMode) return { status: 'ok', message: `would wait: ${seen.message}`, values: result };
    const left = given.timeout - Math.max(seconds, paused);
    if (isOver || left <= 0)
      return { status: 'failed', message: `gave up after ${given.timeout} s: ${seen.message}`, values: result };
    context.waiting(attempt, attempts, seen.message);
    // The last read is at the end of the time, which a pause can end a little early.
    isOver = left <= given.interval;
    const pause = Math.min(given.interval, left);
    paused += pause;
    await context.sleep(pause);
    if (context.signal.aborted)
      return { status: 'interrupted', message: `interrupted while waiting: ${seen.message}`, values: result };
  }
}

/** Chooses among objects of the name. @param isWhole whether the list has no more pages */
type Choose = (namesakes: readonly Mapping[], isWhole: boolean) => Promise<Chosen | Unavailable>;

/**
 * Objects may differ only in the names of their clouds, or be on another page, which need another read. Repeats this read until the
 * object is found.
 */
function chooser(
  given: Args,
  kinds: Kinds,
  context: ActionContext,
): (...found: [...Parameters<Choose>, isLast: boolean]) => ReturnType<Choose> {
  const { name = '', match } = given;
  let uuid: Value | undefined;
  return async (namesakes, isWhole, isLast) => {
    const known = namesakes.find((object) => uuid !== undefined && object['uuid'] === uuid);
    if (known !== undefined) return { type: 'one', object: known };
    if (isWhole && (namesakes.length === 0 || (namesakes.length === 1 && match === undefined)))
      return chooseNamesake(namesakes, name);
    const options = { query: toQuery(given), paged: isCollection(given, kinds) };
    const listed = await context.attemptList(objectsPath(given, kinds), options, isLast);
    if ('unavailable' in listed) return listed;
    const named = listed.objects.filter((object) => object['name'] === name);
    const chosen = chooseNamesake(named, name, match);
    if (chosen.type === 'one') uuid = chosen.object['uuid'];
    return chosen;
  };
}

/** The result of one read. */
interface ObjectLook extends Judgement {
  readonly hint?: string | undefined;
  readonly object?: Mapping;
}

async function look(given: Args, answer: RawAnswer | Unavailable, choose: Choose): Promise<ObjectLook> {
  const isPatient = given.unavailable === 'wait';
  const away = ({ unavailable }: Unavailable): ObjectLook => ({
    verdict: isPatient ? 'not yet' : 'failed',
    message: unavailable,
  });
  if ('unavailable' in answer) return away(answer);
  const { status, says = '', denied, hint } = answer;
  if (status !== given.status || denied === true) {
    const what = denied === true ? ' with an error' : `, not ${given.status}`;
    // After 202, the controller works on the answer.
    const isPassing = denied ?? (isTemporaryStatus(status) || isUpgrading({ status, text: says }));
    const isLater = status === 202 || (isPatient && isPassing) || given.status !== 200;
    const message = `the controller answered ${status}${what}${says === '' ? '' : `: ${says}`}`;
    return { verdict: isLater ? 'not yet' : 'failed', message, hint };
  }
  const found = await objectIn(given, answer.body, choose);
  if ('unavailable' in found) return away(found);
  if (found.type === 'several')
    return { verdict: 'failed', message: `${found.message}; identify one of them with "match"` };
  const object = found.type === 'one' ? found.object : undefined;
  if (given.field === undefined && given.all === undefined && given.any === undefined)
    return { verdict: 'reached', message: `answered ${status}`, ...(object && { object }) };
  if (object === undefined) return { verdict: 'not yet', message: absence(given) };
  return { ...judgeCondition(given, object), object };
}

async function objectIn({ name }: Args, body: Value, choose: Choose): Promise<Chosen | Unavailable> {
  const namesakes = name === undefined ? undefined : namedIn(body, name);
  if (namesakes !== undefined) return choose(namesakes, !isMapping(body) || typeof body['next'] !== 'string');
  return isMapping(body) ? { type: 'one', object: body } : { type: 'none' };
}

function absence({ name = '', match }: Args): string {
  const fields = match === undefined ? '' : ` with ${jsonText(match)}`;
  return `there is no object named "${name}"${fields}`;
}
