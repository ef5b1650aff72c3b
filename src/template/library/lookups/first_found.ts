import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isList, isMapping, type Value } from '../../../model/values/value.js';
import { step } from '../../runtime/access.js';
import { isTrue } from '../../runtime/comparison.js';
import { asText, describe } from '../../runtime/text.js';
import { folders } from './file_search.js';
import type { LookupCall } from './lookup.js';

/** The path of the first file that exists; nothing if `skip` allows that. */
export function firstFound(call: LookupCall): readonly Value[] {
  const { args, folder } = call;
  const { files, skip } = wanted(call.terms.length === 0 && call.options.size > 0 ? [''] : call.terms, call);
  const places = folders(args, folder);
  const found = files
    .map((file) => file.replace(/^~(?=\/)/, homedir()))
    .flatMap((file) => places.map((place) => resolve(place, file)))
    .find((path) => existsSync(path));
  if (found !== undefined) return [found];
  if (skip) return [];
  const missing = files.length === 0 ? 'no file name was given' : `none of ${files.join(', ')} exists`;
  const passedOver = call.terms.flat().includes(null) ? '; a name with an undefined variable is skipped' : '';
  throw args.error(missing + passedOver, `looked in ${places.join(', ')}`);
}

interface Wanted {
  readonly files: readonly string[];
  readonly skip: boolean;
  /** Whether these files replace the earlier ones, as Ansible's `files` without `paths` do. */
  readonly alone?: boolean;
}

/** Names, lists of names, and mappings with `files`, `paths` and `skip`. As in Ansible, the last term decides about `skip`. */
function wanted(terms: readonly Value[], call: LookupCall): Wanted {
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

function named(term: Value, { options, args }: LookupCall): Wanted {
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
