import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { OUTCOMES, type ControllerOutcome } from '../../reporting/page/format/page.js';
import { count, duration, grouped, slug, time } from '../data/words.js';
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

const REFRESH = 5;

/** All kept runs. */
export function RunList(): JSX.Element {
  const fetched = useFetched<readonly ShownRun[]>('/api/runs', REFRESH);
  return (
    <Frame title="Runs">
      <Loaded fetched={fetched}>{(runs) => <Runs runs={runs} />}</Loaded>
    </Frame>
  );
}

interface Filter {
  readonly text: string;
  readonly command: string;
  readonly environment: string;
  readonly user: string;
}

function Runs({ runs }: { readonly runs: readonly ShownRun[] }): JSX.Element {
  const [filter, setFilter] = useState<Filter>({ text: '', command: '', environment: '', user: '' });
  const shown = useMemo(() => runs.filter((run) => matches(run, filter)), [runs, filter]);
  const set = (change: Partial<Filter>): void => {
    setFilter({ ...filter, ...change });
  };
  if (runs.length === 0) return <p class="empty">No runs are kept yet.</p>;
  return (
    <>
      <div class="search" role="search">
        <input
          type="search"
          aria-label="Search runs"
          placeholder="Search: playbook, id, ticket"
          value={filter.text}
          onInput={({ currentTarget }) => {
            set({ text: currentTarget.value });
          }}
        />
        <Choice
          name="Command"
          values={runs.map(({ command }) => command)}
          chosen={filter.command}
          onChoose={(command) => {
            set({ command });
          }}
        />
        <Choice
          name="Environment"
          values={runs.map(({ environment }) => environment ?? '')}
          chosen={filter.environment}
          onChoose={(environment) => {
            set({ environment });
          }}
        />
        <Choice
          name="User"
          values={runs.map(({ author }) => author?.user ?? '')}
          chosen={filter.user}
          onChoose={(user) => {
            set({ user });
          }}
        />
        <span class="dim" role="status">
          {shown.length === runs.length
            ? count(runs.length, 'run')
            : `${grouped(shown.length)} of ${count(runs.length, 'run')}`}
        </span>
      </div>
      <ol class="runs">
        {shown.map((run) => (
          <li key={run.run}>
            <RunLine run={run} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** A run in a line, with a bar of its outcomes. */
export function RunLine({ run }: { readonly run: ShownRun }): JSX.Element {
  return (
    <a class="run" href={`/runs/${run.run}`}>
      <span class={`verdict verdict-${slug(run.status === 'finished' ? 'ok' : run.status)}`}>{run.status}</span>
      <strong class="what">{run.what}</strong>
      <span class="dim">{run.environment}</span>
      <time class="dim" dateTime={run.time}>
        {time(run.time)}
      </time>
      <span class="dim">{run.seconds === undefined ? '' : duration(run.seconds)}</span>
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

interface ChoiceProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ name, values, chosen, onChoose }: ChoiceProps): JSX.Element | null {
  const different = [...new Set(values)].filter((value) => value !== '').sort();
  if (different.length < 2 && chosen === '') return null;
  return (
    <label>
      {name}{' '}
      <select
        value={chosen}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.value);
        }}
      >
        <option value="">all</option>
        {different.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

function matches(run: ShownRun, { text, command, environment, user }: Filter): boolean {
  const { author } = run;
  const all = [run.what, run.run, run.status, author?.user, author?.ticket, author?.reason].join(' ').toLowerCase();
  return (
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => all.includes(word)) &&
    (command === '' || run.command === command) &&
    (environment === '' || run.environment === environment) &&
    (user === '' || author?.user === user)
  );
}
