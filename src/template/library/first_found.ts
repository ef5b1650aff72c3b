import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isList, isMapping, type Value } from '../../model/value.js';
import { step } from '../access.js';
import { isTrue } from '../comparison.js';
import { asText, describe } from '../text.js';
import { folders } from './file_search.js';
import type { LookupCall } from './lookup.js';

/** The path of the first file that exists; nothing if `skip` allows that. */
export function firstFound(call: LookupCall): readonly Value[] {
  const { args } = call;
  const { files, skip } = wanted(call.terms, call);
  const found = files
    .flatMap((file) => folders(args).map((folder) => resolve(folder, file)))
    .find((path) => existsSync(path));
  if (found !== undefined) return [found];
  if (skip) return [];
  throw args.error(`none of ${files.join(', ')} exists`, `looked in ${folders(args).join(', ')}`);
}

interface Wanted {
  readonly files: readonly string[];
  readonly skip: boolean;
}

/** Names, lists of them, and Ansible's mapping with `files`, `paths` and `skip`; options count where there is no mapping. */
function wanted(terms: readonly Value[], { options }: LookupCall): Wanted {
  const names: string[] = [];
  let skip = isTrue(options.get('skip') ?? false);
  for (const term of terms.length === 0 ? [''] : terms.flat()) {
    const own = isMapping(term) ? term : undefined;
    const option = (name: string): Value => (own === undefined ? options.get(name) : step(own, name)) ?? [];
    const files = [...(own === undefined && term !== '' ? texts(term) : []), ...texts(option('files'))];
    const paths = texts(option('paths'));
    names.push(...(paths.length === 0 ? files : paths.flatMap((path) => files.map((file) => join(path, file)))));
    if (own !== undefined) skip = isTrue(option('skip'));
  }
  return { files: names, skip };
}

function texts(value: Value): readonly string[] {
  if (typeof value === 'string') return value.split(/[,;]/).map((one) => one.trim());
  return isList(value) ? value.map(asText) : [describe(value)];
}
