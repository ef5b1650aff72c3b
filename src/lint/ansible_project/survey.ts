import { NO_EXEC, type Diagnostic, type Source } from '../../core/model/source/diagnostic.js';
import { groupBy, type NonEmpty } from '../../core/model/values/groups.js';
import { countableUnits, unitAt, type FileContent, type Unit } from './units.js';

/** Whether a task works in Evenkeel, needs a change, or cannot work. */
export type SurveyVerdict = 'works' | 'change' | 'cannot';

/** A finding in several places, and the differences between them. */
export interface SurveyFinding {
  /** `works`: a remark about something that works. */
  readonly verdict: SurveyVerdict;
  readonly message: string;
  readonly hint: string | undefined;
  /** Names of modules, keywords or filters, and how often each of them was found; most frequent first. */
  readonly members: ReadonlyMap<string, number>;
  readonly places: readonly Source[];
}

/** The parts of a project besides its tasks. */
export const SURVEYED_PARTS = ['plays', 'roles', 'inventories', 'plugins', 'settings'] as const;

export type SurveyedPart = (typeof SURVEYED_PARTS)[number];

/** The names of the files and folders of parts, as diagnostics show them. `settings`: their number. */
export interface SurveyedParts {
  readonly roles: readonly string[];
  readonly inventories: readonly string[];
  readonly plugins: readonly string[];
  readonly settings: number;
}

export interface Survey {
  readonly tasks: Readonly<Record<SurveyVerdict, number>>;
  readonly parts: Readonly<Record<SurveyedPart, { readonly works: number; readonly total: number }>>;
  /** Findings that cannot work first, then the most frequent first. */
  readonly findings: readonly SurveyFinding[];
}

/** A file with tasks. */
export interface SurveyedFile {
  /** As diagnostics show it. */
  readonly shown: string;
  readonly text: string;
  readonly content: FileContent;
}

/** Summarizes the diagnostics for the tasks of a project. Skipped code is not a finding. */
export function survey(
  files: readonly SurveyedFile[],
  parts: SurveyedParts,
  diagnostics: readonly Diagnostic[],
): Survey {
  const lines = new Map(files.map(({ shown, text }) => [shown, text.split('\n')]));
  const units = new Map(files.map(({ shown, content }) => [shown, countableUnits(lines.get(shown) ?? [], content)]));
  const distinct = [
    ...new Map(
      diagnostics.filter(({ rule }) => rule !== NO_EXEC).map((one) => [JSON.stringify([one.message, one.source]), one]),
    ).values(),
  ];
  const worst = new Map<Unit, SurveyVerdict>();
  for (const one of distinct) {
    const { file = '', line = 0 } = one.source ?? {};
    const unit = unitAt(units.get(file) ?? [], line, lines.get(file) ?? []);
    if (unit !== undefined) worst.set(unit, worse(worst.get(unit), judgeVerdict(one)));
  }
  const tasks = { works: 0, change: 0, cannot: 0 };
  for (const unit of [...units.values()].flat()) if (unit.type === 'task') tasks[worst.get(unit) ?? 'works'] += 1;
  return { tasks, parts: countParts(units, parts, distinct), findings: groupFindings(distinct) };
}

/** A part works if nothing in it needs a change. */
function countParts(
  units: ReadonlyMap<string, readonly Unit[]>,
  { roles, inventories, plugins, settings }: SurveyedParts,
  diagnostics: readonly Diagnostic[],
): Survey['parts'] {
  const faults = diagnostics.flatMap((one) => (judgeVerdict(one) === 'works' ? [] : (one.source ?? [])));
  const inFile = (name: string): boolean => faults.some(({ file }) => file === name || file.startsWith(`${name}/`));
  const count = (names: readonly string[]): { works: number; total: number } => ({
    works: names.filter((name) => !inFile(name)).length,
    total: names.length,
  });
  const plays = [...units].flatMap(([file, all]) => {
    const starts = all.filter(({ type }) => type === 'play' || type === 'import').map(({ line }) => line);
    return starts.map((line, index) => ({ file, line, end: starts[index + 1] ?? Infinity }));
  });
  const works = plays.filter(
    (play) => !faults.some(({ file, line }) => file === play.file && line >= play.line && line < play.end),
  );
  return {
    plays: { works: works.length, total: plays.length },
    roles: count(roles),
    inventories: count(inventories),
    plugins: count(plugins),
    settings: { works: settings - faults.filter(({ file }) => file.endsWith('ansible.cfg')).length, total: settings },
  };
}

const RANK: Readonly<Record<SurveyVerdict, number>> = { works: 0, change: 1, cannot: 2 };

function worse(one: SurveyVerdict = 'works', other: SurveyVerdict): SurveyVerdict {
  return RANK[one] > RANK[other] ? one : other;
}

/** Missing features without a replacement. */
const MISSING = /^there is no (?:module|filter or function|test|lookup) "/;
const FOLDERS = / \(looked in .*\)$/;

function judgeVerdict({ severity, rule, message, hint }: Diagnostic): SurveyVerdict {
  if (severity === 'warning') return 'works';
  if (rule === 'foreign-module') return 'cannot';
  return MISSING.test(message) && !/did you mean|write /.test(hint ?? '') ? 'cannot' : 'change';
}

function groupFindings(diagnostics: readonly Diagnostic[]): readonly SurveyFinding[] {
  const key = (one: Diagnostic): string =>
    JSON.stringify([
      judgeVerdict(one),
      one.group?.message ?? [general(one.message), one.severity === 'error' && generalHint(one)],
    ]);
  return [...groupBy(diagnostics, key).values()]
    .map(toSurveyFinding)
    .sort((a, b) => RANK[b.verdict] - RANK[a.verdict] || b.places.length - a.places.length);
}

function toSurveyFinding(group: Readonly<NonEmpty<Diagnostic>>): SurveyFinding {
  const [first] = group;
  const isOne = new Set(group.map(({ message }) => message.replace(FOLDERS, ''))).size === 1;
  const own = group.length > 1 ? first.message.replace(FOLDERS, '') : first.message;
  const counts = new Map<string, number>();
  for (const one of isOne ? [] : group) {
    const member = one.group?.member ?? /"([^"]*)"/.exec(one.message)?.[1];
    if (member !== undefined) counts.set(member, (counts.get(member) ?? 0) + 1);
  }
  return {
    verdict: judgeVerdict(first),
    message: isOne ? own : (first.group?.message ?? general(first.message)),
    hint: first.hint,
    members: new Map([...counts].sort(([, a], [, b]) => b - a)),
    places: group.flatMap(({ source }) => source ?? []),
  };
}

/** Messages that differ only in their quotations are equal. */
function general(message: string): string {
  return message.replace(FOLDERS, '').replaceAll(/"[^"]*"/g, '"…"');
}

function generalHint({ hint = '', message }: Diagnostic): string {
  return MISSING.test(message) ? hint.replaceAll(/"[^"]*"/g, '"…"') : general(hint);
}
