import { existsSync, readdirSync } from 'node:fs';
import path, { join } from 'node:path';
import { expandHome, fileTypeAt, resolveName } from '../../../core/files/paths.js';
import { globMatcher } from '../../../core/model/inventory/pattern_terms.js';
import { isList, isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { isTrue } from '../../runtime/comparison.js';
import { TemplateError } from '../../runtime/errors.js';
import type { EvaluationScope } from '../../runtime/frame.js';
import { asText, converted, describe, evaluateLazy, requireDefined, step } from '../../runtime/result.js';
import { CSV_OPTIONS, INI_OPTIONS, readCell, readIni } from './ini.js';
import {
  findFile,
  flattenTerms,
  foldersToSearch,
  forEach,
  isFile,
  readLookupFile,
  searchedIn,
  type LookupCall,
  type Lookups,
} from './lookup.js';
import { PASSWORD_OPTIONS, passwordFrom } from './password.js';

const DELIMITER_OPTIONS = ['variable', 'comment'].flatMap((kind) => [`${kind}_start_string`, `${kind}_end_string`]);

/** Lookups of files on the machine that Evenkeel runs on. */
export const fileLookups = {
  file: forEach(['rstrip', 'lstrip'], (term, call) => {
    const text = readLookupFile(call.args, findFile(call.args, asText(term)));
    const right = isTrue(call.options.get('rstrip') ?? true) ? text.trimEnd() : text;
    return isTrue(call.options.get('lstrip') ?? false) ? right.trimStart() : right;
  }),
  /** The text of a file, including white space at its end. The file may be encrypted. */
  unvault: forEach([], (term, call) => readLookupFile(call.args, findFile(call.args, asText(term)))),
  /** A password from a file, which is created if it is missing. */
  password: forEach(PASSWORD_OPTIONS, passwordFrom),
  fileglob: { options: [], run: (call) => flattenTerms(call).flatMap((term) => glob(call.args, asText(term))) },
  first_found: { options: ['files', 'paths', 'skip'], takes: 'text or mapping', skipsUndefined: true, run: firstFound },
  template: forEach(['convert_data', 'template_vars', ...DELIMITER_OPTIONS], renderFile),
  csvfile: { options: CSV_OPTIONS, run: readCell },
  ini: { options: INI_OPTIONS, run: readIni },
} satisfies Lookups;

/** The matching files of the first folder that has any. */
function glob(args: CallableArguments, pattern: string): readonly string[] {
  const name = path.basename(pattern);
  const matches = globMatcher(name);
  for (const folder of foldersToSearch(args).map((one) => path.resolve(one, path.dirname(expandHome(pattern))))) {
    if (fileTypeAt(folder) !== 'folder') continue;
    const found = readdirSync(folder)
      .filter((entry) => matches(entry) && (name.startsWith('.') || !entry.startsWith('.')))
      .map((entry) => path.join(folder, entry))
      .filter(isFile);
    if (found.length > 0) return found.sort();
  }
  return [];
}

function renderFile(term: Value, { args, options }: LookupCall): Value {
  const file = findFile(args, asText(term), 'templates');
  const own = evaluateLazy(options.get('template_vars') ?? {});
  const scope = isMapping(own) ? withOwn(args.scope, own) : args.scope;
  const text = readLookupFile(args, file);
  const settings = new Map([...options].filter(([name]) => DELIMITER_OPTIONS.includes(name)));
  try {
    const value = requireDefined(args.invoke.template(text, settings)({ scope, block: undefined }));
    return isTrue(options.get('convert_data') ?? true) ? converted(asText(value)) : value;
  } catch (error) {
    throw error instanceof TemplateError ? error.locate({ file, line: 1, column: 1, ...error.place }) : error;
  }
}

function withOwn(scope: EvaluationScope, own: Mapping): EvaluationScope {
  return {
    library: scope.library,
    get: (name) => {
      const found = step(own, name);
      return found === undefined ? scope.get(name) : found;
    },
    names: () => [...Object.keys(own), ...scope.names()],
  };
}

/** The path of the first file that exists; nothing if `skip` allows that. */
function firstFound(call: LookupCall): readonly Value[] {
  const { args, folder } = call;
  const { files, skip } = wanted(call.terms.length === 0 && call.options.size > 0 ? [''] : call.terms, call);
  const places = foldersToSearch(args, folder);
  const found = files
    .flatMap((file) => places.map((place) => resolveName(place, file)))
    .find((path) => existsSync(path));
  if (found !== undefined) return [found];
  if (skip) return [];
  const missing = files.length === 0 ? 'no file name was given' : `none of ${files.join(', ')} exists`;
  const passedOver = call.terms.flat().includes(null) ? '; a name with an undefined variable is skipped' : '';
  throw args.error(missing + passedOver, searchedIn(args, places));
}

interface WantedFiles {
  readonly files: readonly string[];
  readonly skip: boolean;
  /** Whether these files replace the earlier ones: as in Ansible, `files` without `paths` does. */
  readonly alone?: boolean;
}

/** Names, lists of names, and mappings with `files`, `paths` and `skip`. As in Ansible, the last term decides about `skip`. */
function wanted(terms: readonly Value[], call: LookupCall): WantedFiles {
  const files: string[] = [];
  let skip = isTrue(call.options.get('skip') ?? false);
  // A term with an undefined variable is null.
  for (const term of terms.filter((one) => one !== null)) {
    const found = isList(term) ? wanted(term, call) : named(term, call);
    if (found.alone === true) files.length = 0;
    files.push(...found.files);
    skip = found.skip;
  }
  return { files, skip };
}

function named(term: Value, { options, args }: LookupCall): WantedFiles {
  const option = (name: string): Value | undefined => (isMapping(term) ? step(term, name) : options.get(name));
  const given = texts(option('files') ?? [], /[,;]/);
  const paths = texts(option('paths') ?? [], /[,:;]/);
  const own = isMapping(term) || term === '' ? [] : [asText(term)];
  const files = given.length === 0 ? own : given;
  return {
    files: paths.length === 0 ? files : paths.flatMap((path) => files.map((file) => join(path, file))),
    skip: isTrue(args.call('bool', option('skip') ?? false)),
    alone: given.length > 0 && paths.length === 0,
  };
}

function texts(value: Value, separator: RegExp): readonly string[] {
  if (isList(value)) return value.flatMap((one) => texts(one, separator));
  return typeof value === 'string' ? value.split(separator).map((one) => one.trim()) : [describe(value)];
}
