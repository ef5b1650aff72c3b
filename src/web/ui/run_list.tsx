import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { OUTCOMES, type ControllerOutcome } from '../../reporting/page/format/page.js';
import { matchesRun, parseQuery, RUN_FIELDS, type SearchedRun } from '../data/query.js';
import { count, elapsed, grouped, slug, time } from '../data/words.js';
import { useAddress } from '../parts/address.js';
import { Chips } from '../parts/search.js';
import { Words } from '../parts/small.js';
import { useFetched } from './fetched.js';
import { Frame, Loaded } from './frame.js';

/** A run as the server lists it. */
export interface ShownRun {
  readonly run: string;
  readonly time: string;
  readonly what: string;
  readonly command: string;
  readonly environment: string | null;
  readonly status: string;
  readonly seconds?: number;
  readonly controllers?: number;
  readonly author?: { readonly user: string; readonly ticket?: string; readonly reason?: string };
  readonly outcomes?: Partial<Record<ControllerOutcome, number>>;
}

/** Seconds between two looks at the runs, which begin and end meanwhile. */
export const REFRESH = 5;

/** `ok` on all pages, as in the recap. */
export function runVerdict({ status }: Pick<ShownRun, 'status'>): string {
  return status === 'finished' ? 'ok' : status;
}

/** @param more what else is searched for words */
export function searchedRun(run: ShownRun, more = ''): SearchedRun {
  const { author, environment, outcomes = {} } = run;
  return {
    environment,
    user: author?.user,
    started: run.time,
    statuses: [slug(runVerdict(run)), ...((outcomes.changed ?? 0) > 0 ? ['changed'] : [])],
    text: [run.what, run.run, author?.ticket, author?.reason, more].join(' '),
  };
}

/** All kept runs. */
export function RunList(): JSX.Element {
  const fetched = useFetched<readonly ShownRun[]>('/api/runs', REFRESH);
  const [{ query }, go] = useAddress();
  const runs = fetched.status === 'ready' ? fetched.value : [];
  const shown = useMemo(() => {
    const terms = parseQuery(query, RUN_FIELDS);
    return runs.filter((run) => matchesRun(terms, searchedRun(run)));
  }, [runs, query]);
  const onQuery = (text: string): void => go({ query: text });
  const note =
    shown.length === runs.length
      ? count(runs.length, 'run')
      : `${grouped(shown.length)} of ${count(runs.length, 'run')}`;
  const by = (name: (run: ShownRun) => string | undefined): readonly (readonly [string, number])[] => {
    const counts = new Map<string, number>();
    for (const run of runs) counts.set(name(run) ?? '', (counts.get(name(run) ?? '') ?? 0) + 1);
    counts.delete('');
    return counts.size < 2 ? [] : [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  return (
    <Frame title="Runs" search={{ query, onQuery, fields: RUN_FIELDS, note: fetched.status === 'ready' ? note : '' }}>
      <Loaded fetched={fetched}>
        {() =>
          runs.length === 0 ? (
            <p class="empty">No runs are kept yet.</p>
          ) : (
            <>
              <div class="chips" role="group" aria-label="Show only">
                <Chips field="status" entries={by(runVerdict)} query={query} onQuery={onQuery} />
                <Chips
                  field="env"
                  label="env"
                  entries={by((run) => run.environment ?? undefined)}
                  query={query}
                  onQuery={onQuery}
                />
                <Chips
                  field="user"
                  label="user"
                  entries={by((run) => run.author?.user)}
                  query={query}
                  onQuery={onQuery}
                />
              </div>
              {shown.length === 0 ? (
                <p class="empty">Nothing matches.</p>
              ) : (
                <ol class="runs">
                  {shown.map((run) => (
                    <li key={run.run}>
                      <RunLine run={run} />
                    </li>
                  ))}
                </ol>
              )}
            </>
          )
        }
      </Loaded>
    </Frame>
  );
}

/** A run in a line, with a bar of its outcomes. */
export function RunLine({ run }: { readonly run: ShownRun }): JSX.Element {
  return (
    <a class="run" href={`/runs/${run.run}`}>
      <span class={`verdict verdict-${slug(runVerdict(run))}`}>{runVerdict(run)}</span>
      <strong class="what">
        <Words text={run.what} />
      </strong>
      <span class="dim">{run.environment}</span>
      <time class="dim" dateTime={run.time}>
        {time(run.time)}
      </time>
      <span class="dim">{run.seconds === undefined ? '' : elapsed(run.seconds)}</span>
      <span class="dim">{[run.author?.user, run.author?.ticket].filter((one) => one !== undefined).join(' · ')}</span>
      <Outcomes outcomes={run.outcomes ?? {}} />
    </a>
  );
}

function Outcomes({ outcomes }: { readonly outcomes: Partial<Record<ControllerOutcome, number>> }): JSX.Element {
  const present = OUTCOMES.filter((outcome) => (outcomes[outcome] ?? 0) > 0);
  const all = present.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
  const words = present.map((outcome) => `${grouped(outcomes[outcome] ?? 0)} ${outcome}`).join(', ');
  return (
    <span class="outcomes">
      <span class="outcome-bar" aria-hidden="true">
        {present.map((outcome) => (
          <span
            key={outcome}
            class={`fill fill-${slug(outcome)}`}
            style={{ width: `max(3px, ${((outcomes[outcome] ?? 0) / all) * 100}%)` }}
          />
        ))}
      </span>
      <span class="dim">{words}</span>
    </span>
  );
}
