import type { JSX } from 'preact';
import { count } from '../data/words.js';
import { Diff, StateMark } from '../parts/small.js';
import { useFetched } from './fetched.js';
import { Frame, Loaded } from './frame.js';
import { RunLine, type RunSummary } from './run_list.js';

interface ControllerRun {
  readonly run: RunSummary;
  readonly counts: Readonly<Record<string, number>>;
  readonly results: readonly {
    readonly task: string;
    readonly status: 'ok' | 'changed' | 'skipped' | 'failed' | 'unreachable' | 'interrupted';
    readonly message?: string;
    readonly words?: string;
    readonly diff?: readonly string[];
  }[];
}

/** The history of a controller: its runs, and what changed or failed in them. */
export function ControllerPage({ name }: { readonly name: string }): JSX.Element {
  const fetched = useFetched<readonly ControllerRun[]>(`/api/controllers/${encodeURIComponent(name)}`);
  return (
    <Frame title={name}>
      <Loaded fetched={fetched}>
        {(runs) =>
          runs.length === 0 ? (
            <p class="empty">No kept run had this controller.</p>
          ) : (
            <>
              <p class="dim">In {count(runs.length, 'run')}, newest first</p>
              {runs.map((one) => (
                <OneRun key={one.run.run} {...one} name={name} />
              ))}
            </>
          )
        }
      </Loaded>
    </Frame>
  );
}

function OneRun({ run, counts, results, name }: ControllerRun & { readonly name: string }): JSX.Element {
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
            <StateMark state={status} /> <strong>{task}</strong> {what ?? message}
            {diff !== undefined && diff.length > 0 && <Diff lines={diff.map((text) => ({ text, isUsual: false }))} />}
          </li>
        ))}
      </ul>
    </article>
  );
}
