import type { JSX } from 'preact';
import { CELL_STATES, type CellState } from '../reporting/page/format/page.js';
import type { InParts } from './data/frame_work.js';
import { VIEW_ORDERS, type View } from './data/view.js';
import { count, STATE_WORDS } from './data/words.js';
import { Matrix, type MatrixProps } from './matrix/matrix.js';
import type { Go } from './parts/address.js';
import { useInParts, useLatest } from './parts/run_hooks.js';
import { Section, StateMark } from './parts/small.js';

interface MatrixSectionProps extends MatrixProps {
  readonly go: Go;
}

/** The matrix with its legend, its order, and a table of the same. */
export function MatrixSection({ view, isTable, selected, colours, go, onOpen }: MatrixSectionProps): JSX.Element {
  const { page, rows, columns } = view;
  const openCell = useLatest(onOpen);
  const size = `${count(rows.length, 'controller')} × ${count(columns.length, 'step')}`;
  return (
    <Section id="matrix" title="Matrix" note={size}>
      <div class="tools">
        <Legend view={view} />
        <label>
          Order{' '}
          <select
            value={view.order}
            onChange={({ currentTarget }) =>
              go({ order: VIEW_ORDERS.find((one) => one === currentTarget.value) ?? 'group' })
            }
          >
            {VIEW_ORDERS.filter((one) => one !== 'route' || page.routes.length > 0).map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <button type="button" aria-pressed={isTable} onClick={() => go({ table: !isTable })}>
          Table
        </button>
      </div>
      {rows.length === 0 || columns.length === 0 ? (
        <p class="empty">Nothing matches.</p>
      ) : (
        <Matrix view={view} isTable={isTable} selected={selected} colours={colours} onOpen={openCell} />
      )}
    </Section>
  );
}

/** A byte that is only looked for costs less than a cell that is visited. */
const BYTES_PER_CELL = 16;

function* presentStates({ page: { state } }: View): InParts<readonly CellState[]> {
  const present: CellState[] = [];
  for (const [code, name] of CELL_STATES.entries()) {
    if (name !== 'none' && state.includes(code)) present.push(name);
    yield Math.ceil(state.length / BYTES_PER_CELL);
  }
  return present;
}

/** The states that the page has. */
function Legend({ view }: { readonly view: View }): JSX.Element {
  const { value: states } = useInParts(view, presentStates);
  return (
    <ul class="legend" aria-label="Legend">
      {states.map((state) => (
        <li key={state} title={STATE_WORDS[state]}>
          <StateMark state={state} />
        </li>
      ))}
    </ul>
  );
}
