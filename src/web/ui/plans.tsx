import type { JSX } from 'preact';
import { commandLine } from '../../reporting/page/format/command_line.js';
import { count, time } from '../data/words.js';
import { Command, Printed } from '../parts/small.js';
import { useFetched } from './fetched.js';
import { Frame, Loaded } from './frame.js';

/** A saved plan as the server lists it. */
interface Plan {
  readonly id: string;
  readonly file: string;
  readonly created: string;
  readonly argv?: readonly string[];
  readonly applied: readonly { readonly run: string; readonly controllers: number }[];
}

/** Saved plans, newest first. */
export function PlanList(): JSX.Element {
  const fetched = useFetched<readonly Plan[]>('/api/plans');
  return (
    <Frame title="Plans" note="times in UTC">
      <Loaded fetched={fetched}>
        {(plans) =>
          plans.length === 0 ? (
            <p class="empty">
              No saved plan is known. <code>evenkeel plan PLAYBOOK --out FILE</code> makes one.
            </p>
          ) : (
            <ol class="runs">
              {plans.map((plan) => (
                <li key={plan.id}>
                  <a class="run plan" href={`/plans/${plan.id}`}>
                    <span class="dim">{plan.applied.length > 0 ? 'applied' : 'not applied'}</span>
                    <strong class="what">{plan.file}</strong>
                    <time class="dim" dateTime={plan.created}>
                      {time(plan.created).replace(' UTC', '')}
                    </time>
                  </a>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Frame>
  );
}

/** What a plan would change, as `plan show` prints it. */
export function PlanPage({ id }: { readonly id: string }): JSX.Element {
  const fetched = useFetched<Plan & { readonly lines: readonly string[] }>(`/api/plans/${encodeURIComponent(id)}`);
  return (
    <Frame title={`Plan ${id}`}>
      <Loaded fetched={fetched}>
        {({ file, argv, applied, lines }) => (
          <>
            <p class="facts">
              <span>{file}</span>
              {argv !== undefined && <code>{commandLine(['evenkeel', ...argv])}</code>}
            </p>
            {applied.map(({ run, controllers }) => (
              <p key={run}>
                Applied to {count(controllers, 'controller')} by <a href={`/runs/${run}`}>run {run}</a>
              </p>
            ))}
            {applied.length === 0 && (
              <p class="next">
                carry it out with <Command text={commandLine(['evenkeel', 'apply', file])} />
              </p>
            )}
            <Printed label="What the plan would change" lines={lines} />
          </>
        )}
      </Loaded>
    </Frame>
  );
}
