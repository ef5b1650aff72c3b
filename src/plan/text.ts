import type { TaskFinished } from '../core/model/run/event.js';
import { isCarriedOut, plannedWrite, type PlannedResource, type PlannedStep } from '../core/model/run/plan.js';
import { placeText } from '../core/model/source/diagnostic.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { jsonText } from '../core/model/values/value.js';
import { maskEvent } from '../core/secrets/mask_event.js';
import { maskText, maskTitle, type Masked } from '../core/secrets/mask_text.js';
import { maskValue } from '../core/secrets/mask_value.js';
import type { Secrets } from '../core/secrets/secrets.js';
import type { OpenPlan } from '../launch/planned/open_plan.js';
import { fleetDiffLines } from '../reporting/run/fleet_diff.js';
import { ResultGroups } from '../reporting/run/result_groups.js';
import { actingController } from '../reporting/text/messages.js';
import { createPalette } from '../reporting/text/palette.js';
import { oneLine, plain } from '../reporting/text/plain.js';
import { count, grouped, nameSome } from '../reporting/text/words.js';

const SCHEMA_VERSION = 1;
const MOST_NAMES = 10;
const NONE = { kind: 'none' } as const;

/** A plan for people: equal changes of the fleet once, then what cannot be planned. A line each. */
export function planText(plan: OpenPlan, secrets: Secrets, colour: boolean): readonly string[] {
  const { summary } = plan.file;
  const results = new ResultGroups({ written: (source) => plan.inputs.written[placeText(source)], full: true });
  const inPlace = new Map<string, Set<string>>();
  const maskedTasks = new Map<string, Set<string>>();
  const changing = new Set<string>();
  const carriedOut = new Set<string>();
  let changes = 0;
  for (const controller of summary.controllers) {
    for (const step of plan.file.plannedSteps(controller)) {
      const { decided, title, module, masked } = step;
      const name = actingController({ controller, ...step });
      if (decided.type === 'in place') getOrAdd(inPlace, `${title} (${module})`, () => new Set<string>()).add(name);
      if (isCarriedOut(step)) carriedOut.add(controller);
      const change = plannedWrite(step);
      if (change === undefined) continue;
      changing.add(controller);
      changes++;
      if (masked === true) getOrAdd(maskedTasks, title, () => new Set<string>()).add(name);
      else results.handle(maskEvent(toTaskEvent(step, change, controller), secrets));
    }
  }
  const all = summary.controllers.length;
  const others = carriedOut.size - changing.size;
  const more = others === 0 ? '' : `; what would change on ${grouped(others)} more is known when the plan is applied`;
  const what =
    changes > 0
      ? `${count(changes, 'change')} on ${grouped(changing.size)} of ${count(all, 'controller')}${more}`
      : carriedOut.size > 0
        ? `what would change on ${grouped(carriedOut.size)} of ${count(all, 'controller')} is known when the plan is applied`
        : `nothing would change on ${count(all, 'controller')}`;
  const unplanned = Object.entries(summary.unplanned).map(([name, why]) => `${plain(name)} (${why})`);
  return [
    ...heading(plan),
    what,
    ...(unplanned.length === 0 ? [] : [`not in the plan: ${nameSome(unplanned, MOST_NAMES)}`]),
    ...fleetDiffLines(results.tasks, createPalette(colour), { most: Infinity, how: '--json shows each' }),
    ...[...maskedTasks].map(
      ([task, names]) => `masked by no_log: ${shown(task, secrets)}, on ${nameSome([...names], MOST_NAMES)}`,
    ),
    ...[...inPlace].map(
      ([task, names]) =>
        `cannot be planned, runs in its place: ${shown(task, secrets)}, on ${nameSome([...names], MOST_NAMES)}`,
    ),
  ];
}

/** A plan for its page. */
export interface SavedPlanText {
  readonly lines: readonly Masked<string>[];
  readonly isEmpty: boolean;
}

/** Whether there is nothing to carry out. */
export function isEmptyPlan({ file }: OpenPlan): boolean {
  return file.summary.controllers.every((controller) =>
    file.plannedSteps(controller).every((step) => !isCarriedOut(step)),
  );
}

function shown(text: string, secrets: Secrets): string {
  return maskTitle(oneLine(text), secrets);
}

function heading({ file, invocation, inputs }: OpenPlan): readonly string[] {
  const { id, created, version } = file.header;
  const environment = invocation.env === undefined ? '' : ` for ${invocation.env}`;
  const playbooks = inputs.playbooks.join(' ');
  const shard = invocation.shard === undefined ? '' : `, shard ${invocation.shard}`;
  const simulated = invocation.simulate === true ? ', simulated' : '';
  return [
    plain(`plan ${id} of ${playbooks}${environment}${shard}, made ${created} by evenkeel ${version}${simulated}`),
  ];
}

/** In the form of a check's report, so that it is masked and shown in the same way. */
function toTaskEvent(
  { title, module, play, source, delegatedTo }: PlannedStep,
  change: PlannedResource['change'],
  controller: string,
): TaskFinished {
  return {
    type: 'task-finished',
    time: '',
    run: '',
    play,
    task: title,
    module,
    controller,
    status: 'changed',
    handler: false,
    diff: true,
    check: true,
    seconds: 0,
    change,
    ...(delegatedTo !== undefined && { delegatedTo }),
    source,
  };
}

/** A plan for programs: one JSON document, a line for each controller. */
export function* planJson(plan: OpenPlan, secrets: Secrets): Iterable<string> {
  const { summary, header } = plan.file;
  const { id, created, version } = header;
  const { invocation, inputs } = plan;
  const about = {
    schemaVersion: SCHEMA_VERSION,
    id,
    created,
    version,
    playbooks: inputs.playbooks,
    environment: invocation.env ?? null,
    ...(invocation.shard !== undefined && { shard: invocation.shard }),
    simulated: invocation.simulate === true,
    unplanned: summary.unplanned,
  };
  yield `${jsonText(about).slice(0, -1)},"controllers":{`;
  const last = summary.controllers.at(-1);
  for (const controller of summary.controllers) {
    const steps = plan.file.plannedSteps(controller).map((step) => stepJson(step, controller, secrets));
    yield `${jsonText(controller)}:${jsonText(steps)}${controller === last ? '' : ','}`;
  }
  yield '}}';
}

function stepJson(step: PlannedStep, controller: string, secrets: Secrets): object {
  const { decided, play, title, module, source, item, masked, delegatedTo } = step;
  const { when, changedWhen } = step;
  const about = {
    play: maskTitle(play, secrets),
    task: maskTitle(title, secrets),
    module,
    source,
    ...(item !== undefined && { item }),
    ...(delegatedTo !== undefined && { target: delegatedTo }),
    ...(when && { when: when.map((value) => maskValue(value, secrets)) }),
    ...(changedWhen && { changedWhen: changedWhen.map((value) => maskValue(value, secrets)) }),
  };
  switch (decided.type) {
    case 'skipped':
      return { ...about, planned: 'skip', because: maskText(decided.condition, secrets) };
    case 'in place':
      return { ...about, planned: 'in place' };
    case 'resource': {
      const change = plannedWrite(step) ?? NONE;
      if (masked === true) return { ...about, planned: change.kind, hidden: true };
      const event = maskEvent(toTaskEvent(step, change, controller), secrets);
      return { ...about, planned: change.kind, change: 'change' in event ? event.change : undefined };
    }
  }
}
