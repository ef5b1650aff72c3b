import { homedir } from 'node:os';
import path from 'node:path';
import { fileTypeAt } from '../../core/files/paths.js';
import type { Trust } from '../../core/files/trust.js';
import type { Located } from '../../core/model/playbook/step.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import { Cursor } from '../document/cursor.js';
import { readText } from '../document/read_file_text.js';

/** The settings of Ansible's own configuration file, whether they apply here or not. */
export interface AnsibleConfig {
  /** Absolute: the base of relative names in it. */
  readonly directory: string;
  /** Relative to the working directory. */
  readonly shown: string;
  /** By section and name: `defaults.forks`. Texts as they are written. */
  readonly values: ReadonlyMap<string, Located<string>>;
}

/** What applies here: the setting of `evenkeel.yml`, and its value. Undefined: Evenkeel has no such value. */
const APPLIED: Readonly<
  Record<string, readonly [setting: string, read: (text: string, cwd: string) => Value | undefined]>
> = {
  'defaults.inventory': ['inventory', (text, cwd) => split(text, ',', cwd)],
  'defaults.roles_path': ['roles_path', (text, cwd) => split(text, ':', cwd)],
  'defaults.vault_identity_list': ['vault_ids', (text, cwd) => split(text, ',', cwd)],
  'defaults.vault_password_file': ['vault_password_file', expandPath],
  'defaults.forks': ['forks', (text) => text],
  'defaults.strategy': [
    'strategy',
    (text) => (/^(?:ansible\.builtin\.)?(?:linear|free|host_pinned)$/.test(text) ? text : undefined),
  ],
};

/** Whether a setting applies here as it is. */
export function isApplied(name: string, text: string): boolean {
  return APPLIED[name]?.[1](text, '.') !== undefined;
}

/** Its settings under the names of `evenkeel.yml`. Lists are split, and `~` and variables filled in. */
export function ansibleSettings({ values }: AnsibleConfig, cwd: string, diagnostics: Diagnostics): Cursor {
  const settings: Record<string, Value> = {};
  const places = new Map<unknown, Located<string>>();
  for (const [name, { value, source }] of values) {
    const [setting = '', read] = APPLIED[name] ?? [];
    const found = value === '' ? undefined : read?.(value, cwd);
    if (found === undefined) continue;
    settings[setting] = found;
    places.set(setting, { value, source });
  }
  const locate = ([setting]: readonly unknown[]) =>
    places.get(setting)?.source ?? { file: 'ansible.cfg', line: 1, column: 1 };
  return new Cursor(settings, { locate, locateKey: locate, diagnostics });
}

/** The variables of Ansible, by setting: they come after the project file, and before `ansible.cfg`. */
export const ANSIBLE_VARIABLES: ReadonlyMap<string, string> = new Map(
  Object.entries(APPLIED).map(([name, [setting]]) => [
    setting,
    `ANSIBLE_${name.slice('defaults.'.length).toUpperCase()}`,
  ]),
);

/** The value of such a variable; undefined if there is none that applies here. */
export function ansibleVariable(variable: string, text: string, cwd: string): Value | undefined {
  const [, read] = APPLIED[variable.replace('ANSIBLE_', 'defaults.').toLowerCase()] ?? [];
  return read?.(text, cwd);
}

function split(text: string, separator: string, cwd: string): readonly string[] {
  return text
    .split(separator)
    .map((one) => expandPath(one.trim(), cwd))
    .filter((one) => one !== '');
}

/** As Ansible fills in paths. */
function expandPath(text: string, cwd: string): string {
  return text
    .replace(/^~(?=\/|$)/, homedir())
    .replaceAll(/\{\{\s*CWD\s*\}\}/g, cwd)
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, homedir());
}

/**
 * The file that `ANSIBLE_CONFIG` names, else `ansible.cfg` in the folder of the project. Undefined if there is none, or
 * if other users could have written it.
 */
export async function openAnsibleConfig(
  {
    cwd,
    directory,
    named = '',
  }: { readonly cwd: string; readonly directory: string; readonly named?: string | undefined },
  trust: Trust,
  diagnostics: Diagnostics,
): Promise<AnsibleConfig | undefined> {
  const given = path.resolve(cwd, expandPath(named, cwd));
  const folder = named === '' ? directory : given;
  const file = named !== '' && fileTypeAt(given) !== 'folder' ? given : path.join(folder, 'ansible.cfg');
  if (fileTypeAt(file) !== 'file') return undefined;
  const shown = path.relative(cwd, file);
  const refusal = named === '' ? trust.refusal(file) : undefined;
  if (refusal !== undefined)
    return diagnostics.warn(`ignored ${shown}: ${refusal}`, undefined, 'if you trust it, name it in ANSIBLE_CONFIG');
  const text = await readText(file, diagnostics, shown);
  return text === undefined ? undefined : { directory: path.dirname(file), shown, values: parseIni(text, shown) };
}

/**
 * Lines that are no settings are left out: Ansible refuses them, so a project that works has none. A line that is indented
 * further than its setting continues the value.
 */
function parseIni(text: string, file: string): ReadonlyMap<string, Located<string>> {
  const values = new Map<string, Located<string>>();
  let section = '';
  let open: { readonly key: string; readonly indent: number } | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const written = line.replace(/(?:^|\s+)[;#].*$/, '').trim();
    if (written === '') continue;
    const indent = line.search(/\S/);
    const before = open === undefined || indent <= open.indent ? undefined : values.get(open.key);
    if (open !== undefined && before !== undefined) {
      values.set(open.key, { ...before, value: `${before.value}\n${written}`.trim() });
      continue;
    }
    section = /^\[([^\]]+)\]/.exec(written)?.[1]?.trim() ?? section;
    const [, name, value = ''] = /^([A-Za-z_]\w*)\s*[=:]\s*(.*)$/.exec(written) ?? [];
    open = name === undefined ? undefined : { key: `${section}.${name}`, indent };
    if (open !== undefined) values.set(open.key, { value, source: { file, line: index + 1, column: indent + 1 } });
  }
  return values;
}
