import type { JSX } from 'preact';
import { OUTCOMES, type ControllerOutcome, type Page } from '../../reporting/page/format/page.js';
import { runProgress } from '../data/timing.js';
import { outcomeCounts, type View } from '../data/view.js';
import { count, elapsed, grouped, slug, time } from '../data/words.js';
import { useInParts } from './run_hooks.js';
import { Chips } from './search.js';
import { Command, OutcomeMark } from './small.js';
import { Top, type TopProps } from './top.js';

export interface HeaderProps extends TopProps {
  readonly view: View;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** The result of the run, and what was run. */
export function Header({ view, isServed, query, theme, onTheme, onHelp, onQuery }: HeaderProps): JSX.Element {
  const { page } = view;
  const { run, facts } = page;
  const counts = outcomeCounts(page);
  return (
    <header>
      <Top note={`run ${run.id}`} isServed={isServed} theme={theme} onTheme={onTheme} onHelp={onHelp} />
      <h1>
        <span class={`verdict verdict-${slug(runVerdict(page))}`}>{runVerdict(page)}</span> {words(counts)}
      </h1>
      <p class="facts">
        <strong>{facts.title}</strong>
        {run.environment !== null && <span>{run.environment}</span>}
        <span>{time(facts.started ?? run.started)}</span>
        <span>{elapsed(run.seconds)}</span>
        {facts.author !== undefined && <span>{facts.author}</span>}
        <span>{count(page.controllers.length, 'controller')}</span>
        {page.gates.length > 0 && <span>{count(page.gates.length, 'gate')}</span>}
      </p>
      <Bar view={view} />
      {run.reason !== undefined && <p class="reason">Ended early: {run.reason}</p>}
      {(facts.commands ?? []).map(({ purpose, command }) => (
        <p class="next" key={purpose}>
          {purpose} <Command text={command} />
        </p>
      ))}
      <div class="chips" role="group" aria-label="Show only">
        <Chips
          field="status"
          entries={OUTCOMES.filter((outcome) => counts[outcome] > 0).map((one) => [one, counts[one]])}
          mark={(name) => <OutcomeMark outcome={OUTCOMES.find((one) => one === name) ?? 'ok'} />}
          query={query}
          onQuery={onQuery}
        />
        <Chips field="route" label="route" entries={sizes(page.routes)} query={query} onQuery={onQuery} />
        <Chips field="group" entries={sizes(page.groups)} query={query} onQuery={onQuery} />
      </div>
    </header>
  );
}

/** How far a running run is. */
function Bar({ view }: { readonly view: View }): JSX.Element | null {
  const { value: progress } = useInParts(view, runProgress);
  if (progress === undefined) return null;
  const { done, left } = progress;
  return (
    <p class="progress">
      <progress value={done} aria-label="Progress of the play" /> {Math.floor(done * 100)} %
      {left !== undefined && <span class="dim"> about {elapsed(left)} left in this play</span>}
    </p>
  );
}

function sizes(groups: Page['groups']): readonly (readonly [string, number])[] {
  return groups.map(({ name, controllers }) => [name, controllers.length]);
}

function runVerdict({ run, facts }: Page): string {
  if (facts.cutOff === true) return 'cut off';
  return run.status;
}

/** `9,992 ok, 3 changed, 5 failed` */
function words(counts: Readonly<Record<ControllerOutcome, number>>): string {
  const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((one) => `${grouped(counts[one])} ${one}`);
  return parts.length === 0 ? 'no controllers' : parts.join(', ');
}
