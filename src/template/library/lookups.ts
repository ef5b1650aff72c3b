import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isList, isMapping, type Mapping, type Value } from '../../model/value.js';
import { settle, step } from '../access.js';
import type { TemplateError } from '../errors.js';
import { withoutCollection } from '../methods.js';
import { asText, describe } from '../text.js';
import { Undefined, type Result } from '../undefined.js';
import type { Arguments } from './arguments.js';
import { helper, type Family } from './helper.js';

/**
 * Lookups reach outside of the variables: environment, files, commands, on the machine that evenkeel runs on. They run when
 * their template is rendered, each time, and only then. Both `env("HOME")` and Ansible's `lookup("env", "HOME")` are understood.
 */
export const lookups = {
  env: helper('name, default?', (args) => process.env[args.text(0)] ?? args.optional(1) ?? ''),
  /** The text of a file, without the white space at its end. Relative to the playbook's `files/`, then to the playbook. */
  file: helper('path, rstrip?, lstrip?', readFile),
  /** A variable whose name is made of others: `vars("port_" ~ zone)`. */
  vars: helper('name, default?', variable),
  /** What a command prints, run by `/bin/sh` in the playbook's folder. */
  pipe: helper('command', runCommand),
  /** The path of the first file that exists. */
  first_found: helper('files, paths?, skip?', firstFound),
  lookup: helper('name, ...terms, **', (args) => joined(lookUp(args))),
  query: helper('name, ...terms, **', lookUp),
  q: helper('name, ...terms, **', lookUp),
} satisfies Family;

const KNOWN: ReadonlySet<string> = new Set(['env', 'file', 'vars', 'pipe', 'first_found', 'dict', 'items', 'list']);

/** One result for each term. */
function lookUp(args: Arguments): readonly Value[] {
  const name = withoutCollection(args.text(0));
  if (!KNOWN.has(name)) throw args.error(`there is no lookup "${name}"`, `it is one of ${[...KNOWN].join(', ')}`);
  if (name === 'first_found') return firstFoundAsList(args);
  const terms = args.rest.flatMap((one) => (isList(one) ? one : [one]));
  if (name === 'items' || name === 'list') return terms;
  if (name === 'dict')
    return terms.flatMap((one) => Object.entries(asMapping(args, one)).map(([key, value]) => ({ key, value })));
  return terms.map((term) => args.call(name, term, ...option(args, 'default')));
}

/** `skip=true` finds nothing: no result, not an empty one. */
function firstFoundAsList(args: Arguments): readonly Value[] {
  const terms = args.rest.length === 1 ? (args.rest[0] ?? null) : args.rest;
  const found = args.call('first_found', terms, ...option(args, 'paths', []), ...option(args, 'skip', false));
  return isList(found) ? found : [found];
}

function asMapping(args: Arguments, value: Value): Mapping {
  const mapping = settle(value);
  if (isMapping(mapping)) return mapping;
  throw args.error(`"dict" needs a mapping, not ${describe(value)}`);
}

/** What Ansible makes of several results: texts are joined by commas. */
function joined(found: readonly Value[]): Value {
  if (found.every((one) => typeof one === 'string')) return found.join(',');
  return found.length === 1 ? (found[0] ?? null) : found;
}

function option(args: Arguments, name: string, fallback?: Value): readonly Value[] {
  const value = args.named.get(name) ?? fallback;
  return value === undefined ? [] : [value];
}

/** The folders that a relative path is searched in. */
function folders(args: Arguments): readonly string[] {
  const playbook = args.scope.get('playbook_dir');
  const base = typeof playbook === 'string' ? playbook : process.cwd();
  return [resolve(base, 'files'), base];
}

function readFile(args: Arguments): Value {
  const path = args.text(0);
  const found = folders(args)
    .map((folder) => resolve(folder, path))
    .find((one) => existsSync(one));
  if (found === undefined) throw args.error(`there is no file "${path}"`, `looked in ${folders(args).join(', ')}`);
  try {
    const text = readFileSync(found, 'utf8');
    const right = args.optional(1) === undefined || args.flag(1) ? text.trimEnd() : text;
    return args.flag(2) ? right.trimStart() : right;
  } catch (error) {
    throw args.error(`"${found}" cannot be read: ${reasonOf(error)}`);
  }
}

function variable(args: Arguments): Result {
  const name = args.text(0);
  return args.scope.get(name) ?? args.optional(1) ?? new Undefined(() => undefinedVariable(args, name));
}

function undefinedVariable(args: Arguments, name: string): TemplateError {
  return args.error(`variable "${name}" is not defined`, 'write vars(name, default) where it may be missing');
}

function runCommand(args: Arguments): Value {
  const command = args.text(0);
  try {
    const output = execFileSync('/bin/sh', ['-c', command], {
      cwd: folders(args)[1],
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 << 20,
    });
    return output.trimEnd();
  } catch (error) {
    throw args.error(`the command "${command}" failed: ${reasonOf(error)}`);
  }
}

/** What a failed command said, or why it could not run. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  const status = 'status' in error && typeof error.status === 'number' ? `exit code ${error.status}` : error.message;
  return said === '' ? status : `${status}: ${said}`;
}

/** A list of names, or Ansible's mapping with `files`, `paths` and `skip`. */
function firstFound(args: Arguments): Value {
  const term = args.value(0);
  const options = isList(term) && term.length === 1 && term[0] !== undefined && isMapping(term[0]) ? term[0] : term;
  const files = isMapping(options) ? texts(step(options, 'files') ?? []) : texts(options);
  const own = isMapping(options) ? step(options, 'paths') : args.optional(1);
  const bases =
    own === undefined || (isList(own) && own.length === 0)
      ? folders(args)
      : texts(own).map((path) => resolve(folders(args)[1] ?? '', path));
  const found = bases.flatMap((base) => files.map((file) => resolve(base, file))).find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (args.flag(2) || (isMapping(options) && step(options, 'skip') === true)) return [];
  throw args.error(`none of ${files.join(', ')} exists`, `looked in ${bases.join(', ')}`);
}

function texts(value: Value): readonly string[] {
  if (typeof value === 'string') return value.split(/[,;]/).map((one) => one.trim());
  return isList(value) ? value.map(asText) : [describe(value)];
}
