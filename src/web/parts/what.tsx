import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Page } from '../../reporting/page/format/page.js';
import { visibleChanges, type ShownChange, type StepChanges } from '../data/changes.js';
import { distinctRows, type View } from '../data/view.js';
import { count, named } from '../data/words.js';
import { useInParts } from './run_hooks.js';
import { Diff, More, Names, Section, Task, useMost } from './small.js';

const STEPS_SHOWN = 8;
const GROUPS_SHOWN = 3;
const NAMES_SHOWN = 3;

export interface WhatProps {
  readonly view: View;
  readonly onOpen: (row: number, column: number) => void;
}

/** Changes, equal ones once. */
export function What({ view: wanted, onOpen }: WhatProps): JSX.Element {
  const found = useInParts(wanted, visibleChanges);
  return useMemo(() => <Steps view={found.view} steps={found.value} onOpen={onOpen} />, [found, onOpen]);
}

interface StepsProps extends WhatProps {
  readonly steps: readonly StepChanges[];
}

function Steps({ view, steps, onOpen }: StepsProps): JSX.Element | null {
  const [most, onMore] = useMost(STEPS_SHOWN, 50);
  if (steps.length === 0) return null;
  const title = view.page.run.check ? 'Would change' : 'Changes';
  const changes = steps.flatMap(({ groups }) => groups);
  const controllers = distinctRows(view.page, changes);
  return (
    <Section id="changes" title={title} note={`${count(steps.length, 'task')}, ${count(controllers, 'controller')}`}>
      {steps.slice(0, most).map((step) => (
        <Step key={step.column} step={step} page={view.page} onOpen={onOpen} />
      ))}
      <More left={steps.length - most} noun="task" onMore={onMore} />
    </Section>
  );
}

interface StepProps {
  readonly step: StepChanges;
  readonly page: Page;
  readonly onOpen: WhatProps['onOpen'];
}

function Step({ step, page, onOpen }: StepProps): JSX.Element {
  const [most, onMore] = useMost(GROUPS_SHOWN, 50);
  const { about, groups, column, controllers } = step;
  return (
    <article class="card changed">
      <h3>
        <Task about={about} /> <span class="amount">{count(controllers, 'controller')}</span>
      </h3>
      {groups.slice(0, most).map((group, index) => (
        <Change key={index} group={group} page={page} onOpen={(row) => onOpen(row, column)} />
      ))}
      <More left={groups.length - most} noun="different change" onMore={onMore} />
    </article>
  );
}

interface ChangeProps {
  readonly group: ShownChange;
  readonly page: Page;
  readonly onOpen: (row: number) => void;
}

function Change({ group, page, onOpen }: ChangeProps): JSX.Element {
  const { words, rows, lines } = group;
  const only = rows.length === 1 ? page.controllers[rows[0] ?? 0] : undefined;
  const text = (one: string): string => (only === undefined ? one : named(one, only));
  return (
    <div class="change">
      <p>
        <strong>{text(words)}</strong>{' '}
        {rows.length > 1 && <span class="dim">the same on {count(rows.length, 'controller')}: </span>}
        <Names page={page} rows={rows} shown={NAMES_SHOWN} onOpen={onOpen} />
      </p>
      {lines.length > 0 && <Diff lines={lines.map((line) => ({ ...line, text: text(line.text) }))} />}
    </div>
  );
}
