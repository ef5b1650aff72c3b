import type { JSX } from 'preact';
import { count, elapsed, grouped, slug, time } from '../data/words.js';
import { Section } from '../parts/small.js';
import { useFetched } from './fetched.js';
import { REFRESH, runVerdict, type ShownRun } from './run_list.js';

const MOST = 20;

/** How long the runs of a playbook took, and on how many controllers they changed something or failed, the newest first. */
export function Trend({ run }: { readonly run: string }): JSX.Element | null {
  const fetched = useFetched<readonly ShownRun[]>('/api/runs', REFRESH);
  const runs = fetched.status === 'ready' ? fetched.value : [];
  const current = runs.find((one) => one.run === run);
  const alike = runs.filter(({ what, environment }) => what === current?.what && environment === current.environment);
  if (alike.length < 2) return null;
  const shown = alike.slice(0, MOST);
  const columns: readonly (readonly [name: string, fill: string, value: (one: ShownRun) => number])[] = [
    ['Duration', 'fill-running', ({ seconds = 0 }) => seconds],
    ['Changed', 'fill-changed', ({ outcomes = {} }) => outcomes.changed ?? 0],
    ['Failed', 'fill-failed', ({ outcomes = {} }) => (outcomes.failed ?? 0) + (outcomes.unreachable ?? 0)],
  ];
  const most = columns.map(([, , value]) => Math.max(1e-9, ...shown.map(value)));
  return (
    <Section id="trend" title="Trend" note={`${count(shown.length, 'run')} of this playbook`}>
      <div class="scroll" tabIndex={0} role="group" aria-label="Runs of this playbook">
        <table class="trend">
          <thead>
            <tr>
              <th scope="col">Run</th>
              {columns.map(([name]) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
              <th scope="col">Compare</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.run}>
                <th scope="row">
                  <span class={`verdict verdict-${slug(runVerdict(one))}`}>{runVerdict(one)}</span>{' '}
                  <a href={`/runs/${one.run}`}>{time(one.time)}</a>
                </th>
                {columns.map(([name, fill, value], at) => (
                  <td key={name} data-name={name}>
                    <span class="measure">
                      <span class={fill} style={{ width: `${(value(one) / (most[at] ?? 1)) * 100}%` }} />
                    </span>{' '}
                    {name === 'Duration' ? elapsed(value(one)) : grouped(value(one))}
                  </td>
                ))}
                <td>{one.run === run ? 'this run' : <a href={`/compare/${one.run}/${run}`}>compare</a>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
