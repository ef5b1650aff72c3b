import { NO_EXEC, type Diagnostic, type Source } from '../../core/model/source/diagnostic.js';
import { groupBy, type NonEmpty } from '../../core/model/values/groups.js';
import { type AnsibleConfig, isApplied } from '../../project/project/ansible_cfg.js';

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
  readonly of: 'plays' | 'steps';
}

/** Summarizes the diagnostics for the tasks of a project. Skipped code is not a finding. */
export function survey(
  files: readonly SurveyedFile[],
  parts: SurveyedParts,
  diagnostics: readonly Diagnostic[],
): Survey {
  const units = new Map(files.map(({ shown, text, of }) => [shown, countableUnits(text, of)]));
  const distinct = [
    ...new Map(
      diagnostics.filter(({ rule }) => rule !== NO_EXEC).map((one) => [JSON.stringify([one.message, one.source]), one]),
    ).values(),
  ];
  const worst = new Map<Unit, SurveyVerdict>();
  for (const one of distinct) {
    const unit = one.source && unitAt(units.get(one.source.file) ?? [], one.source);
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
    const starts = all.filter(({ type }) => type === 'play').map(({ line }) => line);
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

/** A play, a block or a task of a file, where it begins. */
interface Unit {
  readonly type: 'play' | 'block' | 'task';
  /** From 1. */
  readonly line: number;
  /** The column of its dash, from 1. */
  readonly column: number;
}

interface List {
  readonly indent: number;
  readonly of: 'plays' | 'steps';
  /** The column of the keys of the current item. */
  keys: number;
}

const OF_PLAYS = /^(?:tasks|pre_tasks|post_tasks|handlers):\s*(?:#.*)?$/;
const OF_STEPS = /^(?:block|rescue|always):\s*(?:#.*)?$/;

/**
 * The units of a playbook or of a file of tasks, in order. Read from the layout of the lines, so that it works for
 * files with mistakes too, and costs no second parse; lists in brackets are not looked into.
 */
export function countableUnits(text: string, of: 'plays' | 'steps'): readonly Unit[] {
  const units: { type: Unit['type']; line: number; column: number }[] = [];
  const lists: List[] = [];
  let awaited: { readonly indent: number; readonly of: List['of'] } | undefined = { indent: 0, of };
  for (const [index, line] of text.split('\n').entries()) {
    const indent = line.search(/\S/);
    const isItem = /^\s*-(?:\s|$)/.test(line);
    if (indent === -1 || line[indent] === '#' || /^(?:---|\.\.\.|%)/.test(line)) continue;
    while (lists.length > 0 && isBehind(lists.at(-1), indent, isItem)) lists.pop();
    if (isItem && awaited !== undefined && indent >= awaited.indent) lists.push({ indent, of: awaited.of, keys: 0 });
    const list = lists.at(-1);
    if (isItem || list === undefined || indent <= list.keys) awaited = undefined;
    if (list === undefined) continue;
    const rest = line.slice(indent).replace(/^-\s*/, '');
    if (isItem && indent === list.indent) {
      list.keys = line.length - rest.length;
      units.push({ type: list.of === 'plays' ? 'play' : 'task', line: index + 1, column: indent + 1 });
    } else if (indent !== list.keys) continue;
    const opens = (list.of === 'plays' ? OF_PLAYS : OF_STEPS).test(rest.trimEnd());
    if (!opens) continue;
    awaited = { indent: list.keys, of: 'steps' };
    const own = units.findLast(({ column }) => column === list.indent + 1);
    if (own?.type === 'task') own.type = 'block';
  }
  return units;
}

function isBehind(list: List | undefined, indent: number, isItem: boolean): boolean {
  return list !== undefined && (indent < list.indent || (indent === list.indent && !isItem));
}

/** The innermost unit that a place is in. */
export function unitAt(units: readonly Unit[], { line, column }: Pick<Unit, 'line' | 'column'>): Unit | undefined {
  return units.findLast((unit) => unit.line <= line && (unit.column < column || unit.line === line));
}

/** The counterparts here of settings that change what a run does. */
const INSTEAD: Readonly<Record<string, string>> = {
  'defaults.any_errors_fatal': 'write "any_errors_fatal: true" in the plays',
  'defaults.ask_pass': 'pass -k',
  'defaults.ask_vault_pass': 'pass -J, or name the file of the password in evenkeel.yml: vault_password_file',
  'defaults.callbacks_enabled': 'pass --report junit=FILE for results, --profile for times',
  'defaults.callback_whitelist': 'pass --report junit=FILE for results, --profile for times',
  'defaults.force_handlers': 'write "force_handlers: true" in the plays, or pass --force-handlers',
  'defaults.hash_behaviour': 'merge mappings with the filter combine',
  'defaults.log_path': 'pass --log FILE; .evenkeel keeps the journals of runs, too',
  'defaults.module_name': 'pass -m MODULE to "evenkeel task"',
  'defaults.remote_user': 'write controller_username in the inventory, or pass -u',
  'defaults.strategy': 'it is "host_pinned" (or "free") or "linear"',
  'diff.always': 'pass --diff',
  'tags.run': 'pass --tags',
  'tags.skip': 'pass --skip-tags',
};

/** About SSH, privileges, facts of hosts, and what Ansible prints: nothing of this is here. */
const WITHOUT_EFFECT =
  /^(?:(?:ssh_connection|paramiko_connection|persistent_connection|connection|privilege_escalation|colors|selinux|galaxy)\.|defaults\.(?:host_key_checking|pipelining|gather\w*|fact_caching\w*|inject_facts_as_vars|interpreter_python|retry_files\w*|stdout_callback|bin_ansible_callbacks|transport|(?:remote|local)_(?:tmp|port)|private_key_file|executable|become\w*|ansible_managed|display_\w+|\w+_warnings|deprecation_\w+|no\w*cow\w*|cow\w*|poll_interval|internal_poll_interval|timeout|show_\w+|allow_world_readable_tmpfiles|nocolor|force_color)$)/;

const PLUGINS = /^defaults\.(?:(?:filter|test|lookup)_plugins|collections_paths?)$/;

/** How the project's own configuration of Ansible applies: a remark for each group, and what to do about the rest. */
export function configFindings(config: AnsibleConfig | undefined): readonly Diagnostic[] {
  return [...(config?.values ?? [])].flatMap(([name, { value, source }]): readonly Diagnostic[] => {
    const known = isApplied(name, value) || PLUGINS.test(name);
    if (value === '' || (!known && /^(?:false|no|off|0|replace)$/i.test(value))) return [];
    const hint = known ? undefined : INSTEAD[name];
    if (hint !== undefined)
      return [{ severity: 'error', message: `ansible.cfg: "${name}" does not apply here`, hint, source }];
    const group = known ? APPLIES : WITHOUT_EFFECT.test(name) ? HAS_NO_EFFECT : IS_IGNORED;
    return [{ severity: 'warning', message: `${group}: "${name}"`, source, group: { message: group, member: name } }];
  });
}

const APPLIES = 'ansible.cfg: settings that apply here as well';
const HAS_NO_EFFECT = "ansible.cfg: settings without effect, because they are about SSH, hosts or Ansible's output";
const IS_IGNORED = 'ansible.cfg: settings that Evenkeel does not read';
