import type { KindData, KindEntry } from './kind_data.js';
import {
  jsonAt,
  filesReferredTo,
  isJson,
  Schemas,
  TooLarge,
  type DocumentPart,
  type Documents,
  type OpenApiValue,
} from './openapi_schema.js';
import { Structures, type KnownStructures } from './openapi_structures.js';

export interface OpenApiInput extends KnownStructures {
  /** The files that the user gave, absolute, and what messages call them. */
  readonly files: ReadonlyMap<string, string>;
  /** These, and the files that they refer to. */
  readonly documents: Documents;
}

export type FromOpenApi =
  | { readonly data: KindData; readonly warnings: readonly string[] }
  /** Each with the name of its file. */
  | { readonly problems: readonly string[] };

/**
 * A table of the kinds that the documents create by POST to a collection, or replace by PUT at a path with one part.
 */
export function kindsFromOpenApi(input: OpenApiInput): FromOpenApi {
  const schemas = new Schemas(input.documents);
  const structures = new Structures(schemas, input);
  const kinds: Record<string, string | KindEntry> = {};
  const [problems, warnings]: [string[], string[]] = [[], []];
  const referred = new Set([...input.documents].flatMap(([file, document]) => filesReferredTo(file, document)));
  const read = (file: string, shown: string): void => {
    const document = input.documents.get(file);
    const isReferredTo = referred.has(file);
    if (!isOpenApi(document)) {
      if (!isReferredTo) problems.push(`${shown} is not an OpenAPI document: it has neither "swagger" nor "openapi"`);
      return;
    }
    const found = operationsIn({ file, value: document }, schemas);
    if (found.length === 0 && !isReferredTo)
      warnings.push(`${shown} describes no kind: no path such as /pool has a POST or PUT with a schema`);
    for (const { path, name, single, body } of found) {
      const structure = name === undefined ? undefined : structures.kind(body, name);
      if (name === undefined)
        warnings.push(`${shown}: ${path} is left out: names of kinds have lowercase letters and digits only`);
      else if (structure === undefined)
        problems.push(`${shown}: the schema of ${path} has no properties${missingFileText(schemas)}`);
      else {
        if (Object.hasOwn(kinds, name)) warnings.push(`${shown}: ${path} replaces the definition in an earlier file`);
        kinds[name] = single ? { structure, single: true } : structure;
      }
    }
  };
  for (const [file, shown] of input.files) {
    try {
      read(file, shown);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      problems.push(`${shown}: ${error.message}`);
    }
  }
  if (problems.length > 0) return { problems };
  if (Object.keys(kinds).length === 0)
    return { problems: warnings.length > 0 ? warnings : ['these files describe no kind'] };
  if (schemas.missing.size > 0)
    warnings.push(`not found, so any value passes there: ${[...schemas.missing].sort().join(', ')}`);
  const data: KindData = { format: 'evenkeel-kinds-1', kinds: sorted(kinds), structures: sorted(structures.entries) };
  return { data, warnings };
}

function isOpenApi(document: unknown): document is OpenApiValue {
  return isJson(document) && (document['swagger'] !== undefined || document['openapi'] !== undefined);
}

function missingFileText({ missing }: Schemas): string {
  return missing.size === 0 ? '' : `; not found: ${[...missing].sort().join(', ')}`;
}

interface Operation {
  readonly path: string;
  /** Undefined if a kind cannot be named so. */
  readonly name: string | undefined;
  readonly single: boolean;
  readonly body: DocumentPart;
}

/** By the last part of their path: `/api/pool` and `/pool` are `pool`. */
function operationsIn({ file, value }: DocumentPart, schemas: Schemas): readonly Operation[] {
  return Object.entries(jsonAt(value, 'paths') ?? {}).flatMap(([path, item]): readonly Operation[] => {
    const [, word] = /^(?:\/api)?\/([^/{}]+)\/?$/.exec(path) ?? [];
    const operations = isJson(item) ? schemas.resolved({ file, value: item }) : undefined;
    if (word === undefined || operations === undefined) return [];
    const made = findBody('post', operations, schemas);
    const body = made ?? findBody('put', operations, schemas);
    const name = /^[a-z][a-z0-9]*$/.test(word) ? word : undefined;
    return body === undefined ? [] : [{ path, name, single: made === undefined, body }];
  });
}

/** The schema that an operation takes as JSON. */
function findBody(method: string, { file, value }: DocumentPart, schemas: Schemas): DocumentPart | undefined {
  const operation = jsonAt(value, method);
  if (operation === undefined) return undefined;
  const parts = [...partsIn(operation['parameters'], file), ...partsIn(value['parameters'], file)];
  const body = parts.map((one) => schemas.resolved(one)).find((one) => one?.value['in'] === 'body');
  const old = jsonAt(body?.value, 'schema');
  if (body !== undefined && old !== undefined) return { file: body.file, value: old };
  const request = jsonAt(operation, 'requestBody');
  const taken = request && schemas.resolved({ file, value: request });
  const content = Object.entries(jsonAt(taken?.value, 'content') ?? {});
  const [, json] = content.find(([type]) => /json|\*\/\*/i.test(type)) ?? [];
  const schema = jsonAt(json, 'schema');
  return taken === undefined || schema === undefined ? undefined : { file: taken.file, value: schema };
}

function partsIn(list: unknown, file: string): readonly DocumentPart[] {
  return Array.isArray(list) ? list.filter(isJson).map((value) => ({ file, value })) : [];
}

function sorted<Entry>(entries: Readonly<Record<string, Entry>>): Readonly<Record<string, Entry>> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
