import type { Shard } from '../../core/model/run/shard.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Workspace } from './invocation.js';

type JobEnvironment = Workspace['env'];

/** Reads `I/N` or `auto/N`. Undefined without `--shard`, or after an error. */
export function readShard(
  written: string | undefined,
  env: JobEnvironment,
  diagnostics: Diagnostics,
): Shard | undefined {
  if (written === undefined) return undefined;
  const shard = shardIn(written, env);
  if (!('problem' in shard)) return shard;
  diagnostics.error(`--shard "${written}": ${shard.problem}`, undefined, shard.hint);
  return undefined;
}

interface ShardRefusal {
  readonly problem: string;
  readonly hint?: string | undefined;
}

function shardIn(written: string, env: JobEnvironment): Shard | ShardRefusal {
  const [, part = '', of] = /^(auto|\d+)\/(\d+)$/.exec(written) ?? [];
  const count = Number(of);
  if (!Number.isSafeInteger(count) || count < 1)
    return { problem: 'it must be I/N, such as 2/4 for the second of four shards, or auto/N' };
  const found = part === 'auto' ? automaticIndex(count, env) : { index: Number(part), from: '' };
  if ('problem' in found) return found;
  const { index, from } = found;
  if (index < 1 || index > count) return { problem: `${from}the shards are numbered from 1 to ${count}` };
  return { index, count };
}

/** Engines that start a job several times, and tell each its number. */
const ENGINES = [
  { variable: 'JOB_COMPLETION_INDEX', first: 0 },
  { variable: 'CI_NODE_INDEX', first: 1 },
  { variable: 'SLURM_ARRAY_TASK_ID', first: 1 },
] as const;

function automaticIndex(
  count: number,
  env: JobEnvironment,
): { readonly index: number; readonly from: string } | ShardRefusal {
  const [engine, other] = ENGINES.filter(({ variable }) => (env[variable] ?? '') !== '');
  if (engine === undefined)
    return {
      problem: `none of ${ENGINES.map(({ variable }) => variable).join(', ')} is set`,
      hint: 'they are set in the pods of an Indexed Job, in jobs with "parallel" and in tasks of an array; elsewhere, pass I/N',
    };
  const { variable, first } = engine;
  if (other !== undefined) return { problem: `${variable} and ${other.variable} are both set`, hint: 'pass I/N' };
  const text = env[variable] ?? '';
  if (!/^\d+$/.test(text)) return { problem: `${variable} is "${text}", which is not a number` };
  return wrongNumber(variable, count, env) ?? { index: Number(text) + 1 - first, from: `${variable} is ${text}, and ` };
}

/** Refuses all jobs if there are too many or too few, not only those without a shard. */
function wrongNumber(variable: string, count: number, env: JobEnvironment): ShardRefusal | undefined {
  const { CI_NODE_TOTAL: jobs, SLURM_ARRAY_TASK_MIN: min, SLURM_ARRAY_TASK_MAX: max } = env;
  if (variable === 'CI_NODE_INDEX' && jobs !== undefined && jobs !== String(count))
    return { problem: `CI_NODE_TOTAL is ${jobs}: there are ${jobs} jobs for ${count} shards` };
  if (variable !== 'SLURM_ARRAY_TASK_ID') return undefined;
  const hint = `submit it with --array=1-${count}`;
  if (min === '0') return { problem: 'the array begins with task 0, and the shards are numbered from 1', hint };
  // An array may be a part of the shards, to submit some again.
  if (max !== undefined && Number(max) > count) return { problem: `the array ends with task ${max}`, hint };
  return undefined;
}
