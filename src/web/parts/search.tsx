import type { JSX, Ref } from 'preact';
import { hasTerm, queryProblems, toggled, type QueryField } from '../data/query.js';
import { grouped, slug } from '../data/words.js';

interface Searching {
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

interface SearchProps extends Searching {
  readonly box: Ref<HTMLInputElement>;
  /** The keys of this page. */
  readonly fields: readonly QueryField[];
  readonly example: string;
  /** What was found. */
  readonly note: string;
}

/** The search of all pages. It says what it does not understand. */
export function Search({ box, fields, example, note, query, onQuery }: SearchProps): JSX.Element {
  return (
    <div class="search" role="search">
      <input
        ref={box}
        type="search"
        aria-label="Search"
        placeholder={`Search: ${example}`}
        value={query}
        onInput={({ currentTarget }) => onQuery(currentTarget.value)}
      />
      <span class="dim" role="status">
        {[note, ...queryProblems(query, fields)].filter((one) => one !== '').join('; ')}
      </span>
    </div>
  );
}

const MOST_CHIPS = 12;

interface ChipsProps extends Searching {
  readonly field: QueryField;
  readonly entries: readonly (readonly [name: string, number: number])[];
  readonly mark?: (name: string) => JSX.Element;
  /** Before the name: what it is. */
  readonly label?: string;
}

/** Buttons that add a term to the search, unless they are too many. */
export function Chips({ field, entries, mark, label, query, onQuery }: ChipsProps): JSX.Element | null {
  if (entries.length === 0 || entries.length > MOST_CHIPS) return null;
  return (
    <>
      {entries.map(([name, number]) => (
        <button
          key={name}
          type="button"
          class={mark === undefined ? 'chip group' : 'chip'}
          aria-pressed={hasTerm(query, field, field === 'status' ? slug(name) : name)}
          onClick={() => onQuery(toggled(query, field, field === 'status' ? slug(name) : name))}
        >
          {label !== undefined && <span class="dim">{label} </span>}
          {mark === undefined ? (
            <>
              {name} <span class="dim">{grouped(number)}</span>
            </>
          ) : (
            <>
              {mark(name)} {grouped(number)} {name}
            </>
          )}
        </button>
      ))}
    </>
  );
}
