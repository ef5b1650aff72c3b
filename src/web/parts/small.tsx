import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CellState, ControllerOutcome, Page, PageColumn, TaskText } from '../../reporting/page/format/page.js';
import type { DiffLine } from '../data/changes.js';
import { count, GLYPHS, grouped, OUTCOME_GLYPHS, linePlace, slug, STATE_WORDS } from '../data/words.js';

/** A state as colour, glyph and word. */
export function StateMark({ state }: { readonly state: CellState }): JSX.Element {
  return (
    <span class="state">
      <span class={`mark fill fill-${state}`} aria-hidden="true">
        {GLYPHS[state]}
      </span>{' '}
      {STATE_WORDS[state]}
    </span>
  );
}

export function OutcomeMark({ outcome }: { readonly outcome: ControllerOutcome }): JSX.Element {
  return (
    <span class={`mark fill fill-${slug(outcome)}`} aria-hidden="true">
      {OUTCOME_GLYPHS[outcome]}
    </span>
  );
}

const LONGEST_WORD = 24;

/** Text that breaks only between words, not after the hyphens of an option. */
export function Words({ text }: { readonly text: string }): JSX.Element {
  const words = text.split(' ').flatMap((word, index) => [
    index === 0 ? '' : ' ',
    word.length > LONGEST_WORD ? (
      word
    ) : (
      <span key={index} class="nowrap">
        {word}
      </span>
    ),
  ]);
  return <>{words}</>;
}

/** Copies a text; selects it where copying is not possible, as in files in some browsers. */
async function copy(text: string, element: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (element !== null) getSelection()?.selectAllChildren(element);
    return false;
  }
}

/** How many entries of a list to show, and a function that shows more of them. */
export function useMost(first: number, more: number): readonly [most: number, onMore: () => void] {
  const [most, setMost] = useState(first);
  return [most, () => setMost(most + more)];
}

/** A button that shows the rest of a list; nothing if there is no rest. */
export function More({ left, noun, onMore }: MoreProps): JSX.Element | null {
  if (left <= 0) return null;
  return (
    <button type="button" onClick={onMore}>
      {count(left, `more ${noun}`)}
    </button>
  );
}

interface MoreProps {
  readonly left: number;
  readonly noun: string;
  readonly onMore: () => void;
}

/** A command and a button that copies it. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  return (
    <span class="command">
      <code ref={code}>{text}</code>
      <button
        type="button"
        onClick={() => {
          void copy(text, code.current).then((isDone) => {
            setCopied(isDone);
            setTimeout(setCopied, 2000, false);
          });
        }}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  );
}

const SHOWN = 10;

export interface NamesProps {
  /** How many names to show at first. */
  readonly shown?: number;
  readonly page: Page;
  readonly rows: readonly number[];
  readonly onOpen: (row: number) => void;
}

/** The first controllers, and a button that shows the others. */
export function Names({ page, rows, onOpen, shown = SHOWN }: NamesProps): JSX.Element {
  const [most, setMost] = useState(shown);
  const left = rows.length - most;
  return (
    <span class="names">
      {rows.slice(0, most).map((row) => (
        <button key={row} type="button" class="name" onClick={() => onOpen(row)}>
          {page.controllers[row]}
        </button>
      ))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setMost(most === shown ? 200 : most + 2000)}>
          and {grouped(left)} more
        </button>
      )}
    </span>
  );
}

/** Lines as the terminal prints them. */
export function Printed({ label, lines }: { readonly label: string; readonly lines: readonly string[] }): JSX.Element {
  return (
    <pre class="diff printed" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, index) => (
        <span key={index} class={KINDS.get(/^ {4}([-+~])/.exec(line)?.[1] ?? '') ?? ''}>
          {line}
        </span>
      ))}
    </pre>
  );
}

const KINDS = new Map([
  ['+', 'added'],
  ['-', 'removed'],
  ['~', 'altered'],
]);

/** Lines of a diff. The signs are read out, and colours only repeat them. */
export function Diff({ lines }: { readonly lines: readonly DiffLine[] }): JSX.Element {
  return (
    <pre class="diff" tabIndex={0} role="group" aria-label="Difference">
      {lines.map(({ text, isUsual, values, different }, index) => (
        <span key={index} class={`${KINDS.get(text[0] ?? '') ?? ''}${isUsual ? ' usual' : ''}`}>
          {text}
          {values !== undefined && (
            <span class="values">
              {' '}
              {grouped(different ?? 0)} values:{' '}
              {values.map(([value, number]) => `${value} (${grouped(number)})`).join(', ')}
              {(different ?? 0) > values.length ? ', …' : ''}
            </span>
          )}
        </span>
      ))}
    </pre>
  );
}

/** The task, and where it is. */
export function Task({ about }: { readonly about: PageColumn }): JSX.Element {
  const kind = about.type === 'task' ? '' : about.type === 'handler' ? 'handler · ' : 'check of the gate · ';
  return (
    <span class="task">
      {about.task}{' '}
      <span class="dim">
        {kind}
        {about.module} · {linePlace(about.place)}
      </span>
    </span>
  );
}

/** Lines of the playbook, if they are known. */
export function Yaml({ text, line }: YamlProps): JSX.Element | null {
  if (!text) return null;
  return (
    <pre class="yaml" tabIndex={0} role="group" aria-label="The task in its file">
      {text.lines.map((one, index) => (
        <span key={index} class={text.first + index === line ? 'here' : ''}>
          <span class="number">{text.first + index}</span> {one}
        </span>
      ))}
    </pre>
  );
}

interface YamlProps {
  readonly text: TaskText | null | undefined;
  readonly line: number;
}

export interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly children: ComponentChildren;
}

export function Section({ id, title, note, children }: SectionProps): JSX.Element {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title} {note !== undefined && <span class="note">{note}</span>}
      </h2>
      {children}
    </section>
  );
}
