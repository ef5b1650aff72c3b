import type { JSX } from 'preact';
import type { CellState } from '../../reporting/page/format/page.js';
import { commandLine, joinResult } from '../../reporting/text/words.js';
import { matchesRun, parseQuery, RUN_FIELDS } from '../data/query.js';
import { count, grouped, time } from '../data/words.js';
import { useAddress } from '../parts/address.js';
import { Command, Diff, Printed, StateMark } from '../parts/small.js';
import { useFetched } from './fetched.js';
import { Frame, Loaded } from './frame.js';
import { RunLine, searchedRun, type ShownRun } from './run_list.js';

/** A saved plan as the server lists it. */
interface ListedPlan {
  readonly id: string;
  readonly file: string;
  readonly created: string;
  readonly argv?: readonly string[];
  readonly applied: readonly { readonly run: string; readonly controllers: number }[];
}

/** Saved plans, newest first. */
export function PlanList(): JSX.Element {
  const fetched = useFetched<readonly ListedPlan[]>('/api/plans');
  return (
    <Frame title="Plans">
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
                      {time(plan.created)}
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

interface ShownPlan extends ListedPlan {
  /** The command that carries it out. */
  readonly apply: string;
  readonly lines: readonly string[];
  readonly isEmpty: boolean;
}

/** What a plan would change, as `plan show` prints it. */
export function PlanPage({ id }: { readonly id: string }): JSX.Element {
  const fetched = useFetched<ShownPlan>(`/api/plans/${encodeURIComponent(id)}`);
  return (
    <Frame title={`Plan ${id}`}>
      <Loaded fetched={fetched}>
        {({ file, argv, applied, apply, lines, isEmpty }) => (
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
            {applied.length === 0 && !isEmpty && (
              <p class="next">
                carry it out with <Command text={apply} />
              </p>
            )}
            <Printed label="What the plan would change" lines={lines} />
          </>
        )}
      </Loaded>
    </Frame>
  );
}

interface ShownHistory {
  readonly read: number;
  readonly runs: readonly ShownControllerRun[];
  readonly problems: readonly string[];
}

interface ShownControllerRun {
  readonly run: ShownRun;
  readonly counts: Readonly<Record<string, number>>;
  readonly results: readonly {
    readonly task: string;
    readonly status: CellState;
    readonly message?: string;
    readonly words?: string;
    readonly diff?: readonly string[];
  }[];
  readonly left: number;
}

/** The history of a controller: its runs, and what changed or failed in them. */
export function ControllerPage({ name }: { readonly name: string }): JSX.Element {
  const fetched = useFetched<ShownHistory>(`/api/controllers/${encodeURIComponent(name)}`);
  const [{ query }, go] = useAddress();
  const { read, runs } = fetched.status === 'ready' ? fetched.value : { read: 0, runs: [] };
  const terms = parseQuery(query, RUN_FIELDS);
  const shown = runs.filter(({ run, results }) => matchesRun(terms, searchedRun(run, resultWords(results))));
  const found = count(runs.length, 'run');
  const search = {
    query,
    onQuery: (text: string) => {
      go({ query: text });
    },
    fields: RUN_FIELDS,
    note:
      fetched.status !== 'ready'
        ? ''
        : shown.length === runs.length
          ? `in ${found}, newest first; searched the newest ${grouped(read)}`
          : `${grouped(shown.length)} of ${found}`,
  };
  return (
    <Frame title={name} search={search}>
      <Loaded fetched={fetched}>
        {({ problems }) => (
          <>
            {problems.map((problem) => (
              <p key={problem} class="reason">
                {problem}
              </p>
            ))}
            {runs.length === 0 ? (
              <p class="empty">No run had this controller; searched the newest {grouped(read)}.</p>
            ) : shown.length === 0 ? (
              <p class="empty">Nothing matches.</p>
            ) : (
              shown.map((one) => <OneRun key={one.run.run} {...one} name={name} />)
            )}
          </>
        )}
      </Loaded>
    </Frame>
  );
}

function resultWords(results: ShownControllerRun['results']): string {
  return results.map(({ task, message = '', words = '' }) => `${task} ${words} ${message}`).join(' ');
}

function OneRun({ run, counts, results, left, name }: ShownControllerRun & { readonly name: string }): JSX.Element {
  const words = Object.entries(counts).map(([status, number]) => `${number} ${status}`);
  return (
    <article class="card">
      <RunLine run={{ ...run, outcomes: {} }} />
      <p class="dim">
        {words.join(', ')} ·{' '}
        <a href={`/runs/${run.run}#${new URLSearchParams({ controller: name }).toString()}`}>all steps</a>
      </p>
      <ul class="items">
        {results.map(({ task, status, message, words: what, diff }, index) => (
          <li key={index}>
            <StateMark state={status} /> <strong>{task}</strong> {joinResult(what, message)}
            {diff !== undefined && diff.length > 0 && <Diff lines={diff.map((text) => ({ text, isUsual: false }))} />}
          </li>
        ))}
        {left > 0 && <li class="dim">and {count(left, 'more result')}</li>}
      </ul>
    </article>
  );
}
