import type { BatchStarted, PlayStarted, RunStarted } from '../../core/model/run/event.js';
import { oneLine } from '../text/plain.js';
import { count, grouped } from '../text/words.js';

/** `evenkeel 0.1.0 · playbooks/rollout.yml · production · shard 2/4 · check mode · simulated` */
export function runHeading({
  version,
  playbooks,
  environment,
  shard,
  check,
  simulated,
  resumed,
  run,
}: RunStarted): string {
  return [
    `evenkeel ${version}`,
    ...playbooks,
    ...(resumed === true ? [`resume of ${run}`] : []),
    ...(environment === null ? [] : [environment]),
    ...(shard === undefined ? [] : [`shard ${shard}`]),
    ...(check ? ['check mode'] : []),
    ...(simulated ? ['simulated'] : []),
  ]
    .map(oneLine)
    .join(' · ');
}

/** `run playbooks/rollout.yml (shard 2/4) (check)` */
export function runTitle({ playbooks, shard, check, simulated }: RunStarted): string {
  const marks = [...(shard === undefined ? [] : [`(shard ${shard})`]), ...(check ? ['(check)'] : [])];
  return oneLine(['run', ...playbooks, ...marks, ...(simulated ? ['(simulated)'] : [])].join(' '));
}

/** `play Roll out the clouds · 12 controllers · 3 tasks` */
export function playHeading({ play, controllers, tasks, strategy }: PlayStarted): string {
  const parts = [`play ${oneLine(play)}`, count(controllers.length, 'controller'), count(tasks, 'task')];
  return (strategy === 'host_pinned' ? parts : [...parts, strategy]).join(' · ');
}

/** `batch 2 of 5 · 10 controllers`, or undefined if there is only one. */
export function batchHeading({ batch, batches, controllers }: BatchStarted): string | undefined {
  if (batches <= 1) return undefined;
  return `batch ${grouped(batch)} of ${grouped(batches)} · ${count(controllers.length, 'controller')}`;
}
