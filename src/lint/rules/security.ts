import type { FieldPath, Locate } from '../../core/model/source/diagnostic.js';
import { isNumeric } from '../../core/model/values/json.js';
import { HIDDEN, entry, isList, isMapping, parseFlag, Unsafe, Vaulted } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import {
  coverFor,
  isPluralOfSecret,
  isPublicKey,
  isSecretName,
  NAME_FIELDS,
  VALUE_FIELDS,
  type Cover,
} from '../../core/secrets/names.js';
import { hasTemplate } from '../../language/check.js';
import { property, type Schema } from '../../module/schema.js';
import { allLayers } from '../subject/names.js';
import { allTasks, hasReason, type LintSubject, type Remark, type Rule } from '../subject/subject.js';

export const secretInClearText: Rule = {
  name: 'secret-in-clear-text',
  reason: 'Everyone who can read the repository can read a password in it, even after it is removed.',
  severity: 'error',
  *check(subject) {
    for (const { values, locate } of allLayers(subject)) {
      if (locate !== undefined) yield* inMapping(values, locate, subject);
    }
    for (const { step: task } of allTasks(subject)) {
      // Its arguments describe variables; they are not their values.
      if (task.module === 'validate_argument_spec') continue;
      const schemas = argumentSchemas(subject, task.module);
      yield* inMapping(task.args, (path) => task.locate([...task.argsPath, ...path]), subject, schemas);
    }
    for (const { play } of subject.plays) {
      for (const { name, source, default: value } of play.prompts)
        if (value !== undefined) yield* inMapping({ [name]: value }, () => source, subject);
    }
  },
};

function* inMapping(
  mapping: Value,
  locate: Locate,
  { lines }: LintSubject,
  schemas: readonly Schema[] = [],
): Generator<Remark> {
  for (const { name, path } of secretsIn(mapping, { schemas, cover: 'open', names: {}, name: '', path: [] })) {
    const source = locate(path);
    // The lines of an encrypted file are not known: its secrets are not in clear text.
    if (lines(source.file) !== undefined) yield remark(name, source);
  }
}

function remark(name: string, source: Remark['source']): Remark {
  return {
    message: `"${name}" contains a secret in clear text`,
    source,
    hint: `encrypt it with "evenkeel vault encrypt-string", or take it from the environment: '{{env "NAME"}}'`,
  };
}

interface Secret {
  readonly name: string;
  readonly path: FieldPath;
}

interface ValuePlace extends Secret {
  readonly schemas: readonly Schema[];
  /** What the names above the value, and its own, make of it. */
  readonly cover: Cover;
  /** What names `{val: …}` in `{name: X-Auth-Token, value: {val: …}}`, and `{value: …}` in `password: {value: …}`. */
  readonly names: Mapping;
}

/** Texts under names that mean a secret, and where a module declares one. */
function* secretsIn(value: Value, place: ValuePlace): Generator<Secret> {
  const { schemas, cover, path } = place;
  if (cover !== 'open' && isClear(value)) yield place;
  if (isList(value)) {
    const items = schemas.flatMap((schema) => schema.items ?? []);
    for (const [index, item] of value.entries())
      yield* secretsIn(item, { ...place, schemas: items, path: [...path, index] });
  }
  if (!isMapping(value)) return;
  const hasName = Object.keys(value).some((name) => NAME_FIELDS.has(name));
  const among = { ...(hasName ? {} : place.names), ...withoutLabels(value) };
  for (const [name, item] of Object.entries(value)) {
    const inner = schemas.flatMap((schema) => property(schema, name) ?? []);
    const declared = inner.flatMap(({ secret }) => secret ?? []);
    const own = declared.length > 0 || hasOtherMeaning(name, item) ? cover : coverFor(name, among, cover);
    const below = declared.includes(true) ? 'secret' : own;
    const ownName = declared.length > 0 || name === 'key' ? {} : { name };
    const names = VALUE_FIELDS.has(name) ? onlyNames(among) : ownName;
    yield* secretsIn(item, { schemas: inner, cover: below, names, name, path: [...path, name] });
  }
}

/** `key` alone names many harmless things, and the entries of `cookie: {name: …, value: …}` have their own names. */
function hasOtherMeaning(name: string, value: Value): boolean {
  return name === 'key' || (isMapping(value) && !isPluralOfSecret(name) && Object.keys(value).some(isNameOfPart));
}

/**
 * Without paths and labels, such as `/reset-password` and `Reset password`: they probably name no field. Masks take
 * them for names, because a mask too many does little harm.
 */
function withoutLabels(mapping: Mapping): Mapping {
  const entries = Object.entries(mapping);
  return Object.fromEntries(
    entries.filter(([name, text]) => !NAME_FIELDS.has(name) || typeof text !== 'string' || LOOKS_LIKE_NAME.test(text)),
  );
}

function onlyNames(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => NAME_FIELDS.has(name)));
}

const LOOKS_LIKE_NAME = /^[\p{L}\p{N}_.:[\]-]+$/u;

function isNameOfPart(name: string): boolean {
  return NAME_FIELDS.has(name) || VALUE_FIELDS.has(name) || isSecretName(name);
}

function isClear(value: Value): boolean {
  if (value instanceof Vaulted) return false;
  if (value instanceof Unsafe) return value.text !== '';
  if (isNumeric(value)) return true;
  if (typeof value !== 'string' || value === '' || value === HIDDEN) return false;
  return !hasTemplate(value) && !isPublicKey(value);
}

function argumentSchemas({ modules }: LintSubject, name: string): readonly Schema[] {
  const module = modules.get(name);
  if (module === undefined) return [];
  return module.type === 'resource' && module.knownFields !== undefined
    ? [module.args, module.knownFields]
    : [module.args];
}

const EAVESDROPPED = 'anyone on the network path can read the password';

interface SecretSetting {
  readonly variable: string;
  readonly harm: string;
  /** The value that does harm. */
  readonly harmful: boolean;
}

const SETTINGS: readonly SecretSetting[] = [
  { variable: 'controller_verify_tls', harm: EAVESDROPPED, harmful: false },
  { variable: 'ansible_httpapi_validate_certs', harm: EAVESDROPPED, harmful: false },
  { variable: 'controller_allow_http', harm: 'the password may be sent unencrypted', harmful: true },
];

export const insecureConnection: Rule = {
  name: 'insecure-connection',
  reason: 'Without HTTPS and checked certificates, passwords of controllers can be read on the network.',
  severity: 'error',
  *check(subject) {
    for (const { values, locate } of allLayers(subject)) {
      for (const { variable, harm, harmful } of SETTINGS) {
        const value = scalar(entry(values, variable));
        const source = value === undefined ? undefined : locate?.([variable]);
        if (value === undefined || source === undefined || parseFlag(value) !== harmful) continue;
        if (hasReason(subject.lines, source)) continue;
        yield {
          message: `"${variable}: ${value}": ${harm}, and nothing says why`,
          source,
          hint: 'name the authority in "controller_ca_file" instead, or write the reason in a comment above',
        };
      }
    }
  },
};

function scalar(value: Value | undefined): string | undefined {
  return typeof value === 'string' || isNumeric(value) || typeof value === 'boolean' ? String(value) : undefined;
}
