import { CELL_STATES, OUTCOMES, type Page } from '../../reporting/page/format/page.js';
import { slug } from './words.js';

/** What a search can ask about a run. */
export const RUN_FIELDS = ['status', 'env', 'user', 'since'] as const;
/** And what on the page of a run. */
export const PAGE_FIELDS = [...RUN_FIELDS, 'group', 'route', 'task', 'host'] as const;
export type QueryField = (typeof PAGE_FIELDS)[number];

/** `status:failed,unreachable`, `-group:emea`, or words without a field: `reserved`, `-"timed out"`. */
export interface QueryTerm {
  readonly field: QueryField | undefined;
  /** The term matches if one of the values does. */
  readonly values: readonly string[];
  readonly isNegated: boolean;
}

const TERM = /(-?)(?:(\w+):)?(?:"([^"]*)"|(\S+))/g;

export function parseQuery(text: string, fields: readonly QueryField[] = PAGE_FIELDS): readonly QueryTerm[] {
  return [...text.matchAll(TERM)].map(([whole, minus, name = '', quoted, bare = '']) => {
    const field = fields.find((one) => one === ALIASES[name.toLowerCase()] || one === name.toLowerCase());
    // Names have dashes, too: only one before a quote is a minus.
    if (field === undefined)
      return { field, values: [quoted ?? whole], isNegated: minus === '-' && quoted !== undefined };
    const values = quoted === undefined ? bare.split(',') : [quoted];
    // Pages also write statuses with a capital letter and a blank.
    return {
      field,
      values: field === 'status' ? values.map((one) => slug(one.toLowerCase())) : values,
      isNegated: minus === '-',
    };
  });
}

const ALIASES: Readonly<Record<string, QueryField>> = { controller: 'host', environment: 'env' };

/** What runs, controllers and tasks can be. */
const STATUSES: readonly string[] = [...OUTCOMES.map(slug), ...CELL_STATES, 'stale', 'unreadable'];

/** The problems of a search: unknown keys, unknown statuses and invalid times. */
export function queryProblems(text: string, fields: readonly QueryField[]): readonly string[] {
  const keys = fields.map((one) => `${one}:`).join(' ');
  const unknown = [...text.matchAll(/(?:^|\s)-?([a-z]+):(?!\/\/)(?=\S)/gi)].flatMap(([, name = '']) =>
    parseQuery(`${name}:x`, fields)[0]?.field === undefined ? [`unknown key ${name}: (keys are ${keys})`] : [],
  );
  const values = parseQuery(text, fields).flatMap(({ field, values: searched }) => {
    if (field === 'since' && searched.some((value) => sinceTime(value) === undefined))
      return ['since: takes 12h, 3d, 2w or 2026-11-20'];
    const wrong = field === 'status' ? searched.filter((value) => value !== '' && !STATUSES.includes(value)) : [];
    return wrong.map((value) => `unknown status ${value}`);
  });
  return [...new Set([...unknown, ...values])];
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds since the epoch for `3d` or `2026-11-20`; undefined for anything else. */
function sinceTime(value: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d+)([mhdw])$/.exec(value) ?? [];
  if (number !== '') return Date.now() - Number(number) * (UNITS[unit] ?? 0);
  const [date, rest] = /^\d{4}-\d\d-\d\d(T.+)?$/.exec(value) ?? [];
  if (date === undefined) return undefined;
  const time = Date.parse(rest === undefined ? `${date}T00:00` : date);
  return Number.isNaN(time) ? undefined : time;
}

/** A run, as far as a search can ask about it. */
export interface SearchedRun {
  readonly environment: string | null;
  readonly user: string | undefined;
  /** ISO 8601. */
  readonly started: string;
  /** Absent: status is not about the run. */
  readonly statuses?: readonly string[];
  /** Absent: words are not about the run. */
  readonly text?: string;
}

/** Whether all terms that are about runs match this one. */
export function matchesRun(terms: readonly QueryTerm[], run: SearchedRun): boolean {
  return terms.every(({ field, values, isNegated }) => {
    const found = values.map((value) => runHas(run, field, value));
    return found.every((one) => one === undefined) || found.some((one) => one === true) !== isNegated;
  });
}

/** Undefined if the term is not about runs. */
function runHas(run: SearchedRun, field: QueryTerm['field'], value: string): boolean | undefined {
  const { environment, user, started, statuses, text } = run;
  if (field === 'env') return matcher(value).test(environment ?? 'none');
  if (field === 'user') return user !== undefined && matcher(value).test(user);
  if (field === 'since') return Date.parse(started) >= (sinceTime(value) ?? 0);
  if (field === 'status') return statuses?.includes(value);
  return field === undefined && text !== undefined ? finder(value)(text) : undefined;
}

/** The query with a term for this field and value, or without it if it has it already. */
export function toggled(query: string, field: QueryField, value: string): string {
  const term = `${field}:${/[\s,]/.test(value) ? `"${value}"` : value}`;
  const terms = [...query.matchAll(TERM)].map(([whole]) => whole);
  return (terms.includes(term) ? terms.filter((one) => one !== term) : [...terms, term]).join(' ');
}

export function hasTerm(query: string, field: QueryField, value: string): boolean {
  return parseQuery(query).some((term) => term.field === field && !term.isNegated && term.values.includes(value));
}

/** The controllers that match all terms, 1 for each that does. */
export function matchingRows(page: Page, terms: readonly QueryTerm[]): Uint8Array {
  const { environment, started } = page.run;
  const isRun = matchesRun(terms, { environment, user: page.facts.user, started });
  const matching = new Uint8Array(page.controllers.length).fill(isRun ? 1 : 0);
  for (const term of terms) {
    if (['task', 'env', 'user', 'since'].includes(term.field ?? '')) continue;
    const found = rowsForTerm(page, term);
    for (let row = 0; row < found.length; row++) if ((found[row] === 1) === term.isNegated) matching[row] = 0;
  }
  return matching;
}

/** The steps that match; all if there is no term about steps. */
export function matchingColumns(page: Page, terms: readonly QueryTerm[]): readonly number[] {
  const about = terms.filter(({ field }) => field === 'task');
  const columns = page.columns.map((_, index) => index);
  return columns.filter((index) =>
    about.every(({ values, isNegated }) => {
      const { task = '', module = '' } = page.columns[index] ?? {};
      return values.some((value) => finder(value)(task) || module === value) !== isNegated;
    }),
  );
}

function rowsForTerm(page: Page, { field, values }: QueryTerm): Uint8Array {
  const found = new Uint8Array(page.controllers.length);
  for (const value of values) {
    if (field === 'status') addStatus(page, value, found);
    else if (field === 'group') addMembers(page.groups, value, found);
    else if (field === 'route') addMembers(page.routes, value, found);
    else if (field === 'host') addNames(page, value, found);
    else addText(page, value, found);
  }
  return found;
}

function addStatus({ outcome, state, controllers }: Page, value: string, found: Uint8Array): void {
  const wanted = OUTCOMES.findIndex((one) => slug(one) === value);
  if (wanted >= 0) {
    for (let row = 0; row < outcome.length; row++) if (outcome[row] === wanted) found[row] = 1;
    return;
  }
  const cell = CELL_STATES.findIndex((one) => one === value);
  for (let at = 0; cell >= 0 && at < state.length; at++) if (state[at] === cell) found[at % controllers.length] = 1;
}

function addMembers(groups: Page['groups'], value: string, found: Uint8Array): void {
  const { test } = matcher(value);
  for (const { name, controllers } of groups) if (test(name)) for (const row of controllers) found[row] = 1;
}

function addNames({ controllers }: Page, value: string, found: Uint8Array): void {
  const { test } = matcher(value);
  for (const [row, name] of controllers.entries()) if (test(name)) found[row] = 1;
}

/** Adds the controllers whose name, messages or changes contain the text. */
function addText({ controllers, details, detail, texts }: Page, value: string, found: Uint8Array): void {
  const has = finder(value);
  for (const [row, name] of controllers.entries()) if (has(name)) found[row] = 1;
  // Many results share a diff, which is the longest text of each.
  const hasText = Uint8Array.from(texts, (text) => (has(text) ? 1 : 0));
  const matching = Uint8Array.from(details, ({ message = '', words = '', diff, items = [] }) => {
    const isIn = hasText[diff ?? -1] === 1 || has(message) || has(words);
    return isIn || items.some((one) => has(one.item) || has(one.message ?? '')) ? 1 : 0;
  });
  for (let at = 0; at < detail.length; at++) if (matching[detail[at] ?? 0] === 1) found[at % controllers.length] = 1;
}

/** Whether texts contain this, in upper or lower case. A copy of each text in lower case would cost ten times as much. */
function finder(value: string): (text: string) => boolean {
  const pattern = new RegExp(escaped(value), 'i');
  return (text) => pattern.test(text);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** A pattern with `*` and `?` for whole names. */
function matcher(pattern: string): { readonly test: (name: string) => boolean } {
  const source = pattern.split(/([*?])/).map((part) => (part === '*' ? '.*' : part === '?' ? '.' : escaped(part)));
  const whole = new RegExp(`^${source.join('')}$`, 'i');
  return { test: (name) => whole.test(name) };
}
