import { TemplateError } from '../../runtime/errors.js';

const OPERATORS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ...named(['eq', '==', '='], (order: number) => order === 0),
  ...named(['ne', '!=', '<>'], (order: number) => order !== 0),
  ...named(['lt', '<'], (order: number) => order < 0),
  ...named(['le', '<='], (order: number) => order <= 0),
  ...named(['gt', '>'], (order: number) => order > 0),
  ...named(['ge', '>='], (order: number) => order >= 0),
]);

function named<T>(names: readonly string[], value: T): readonly (readonly [string, T])[] {
  return names.map((name) => [name, value] as const);
}

/** Compares part by part, numbers as numbers: 1.10 is above 1.9. Numbers are above letters, so 1.0 is above 1.a. */
export function versionHolds(left: string, right: string, operator: string, type: string): boolean {
  const holds = OPERATORS.get(operator);
  const hint = 'use one of ==, !=, <, <=, >, >=';
  if (holds === undefined) throw new TemplateError(`version: there is no operator "${operator}"`, { hint });
  if (left === '' || right === '') throw new TemplateError('version: one of the versions is empty');
  return holds(ordered(left, right, type));
}

/** The order of two versions of any shape. */
export function orderLoosely(left: string, right: string): number {
  return orderVersions(parts(left), parts(right));
}

const SEMANTIC = /^(\d+)\.(\d+)\.(\d+)(?:-([\da-z.-]+))?(?:\+[\da-z.-]+)?$/i;
const STRICT = /^(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?$/;

function ordered(left: string, right: string, type: string): number {
  if (type === 'loose') return orderLoosely(left, right);
  if (type === 'pep440') return orderVersions(readPython(left), readPython(right));
  const shape = type === 'strict' ? STRICT : type === 'semver' || type === 'semantic' ? SEMANTIC : undefined;
  if (shape) return orderVersions(read(left, shape, type), read(right, shape, type));
  const hint = 'use one of loose, strict, semver, pep440';
  throw new TemplateError(`version: there is no version_type "${type}"`, { hint });
}

const PYTHON =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|alpha|b|beta|c|rc|pre|preview)[-_.]?(\d*))?(?:(?:[-_.]?(post|rev|r)[-_.]?(\d*))|-(\d+))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z\d]+(?:[-_.][a-z\d]+)*))?$/;

/** The order of suffixes within one release: `1.0.dev1` < `1.0a1` < `1.0` < `1.0.post1`. */
const STAGES: Readonly<Record<string, number>> = { a: 1, alpha: 1, b: 2, beta: 2, c: 3, rc: 3, pre: 3, preview: 3 };
const RELEASED = 4;

/** PEP 440: epoch, release without zeros at its end, stage, post-release, development release, local version. */
function readPython(version: string): readonly (string | number)[] {
  const match = PYTHON.exec(version.trim().toLowerCase());
  if (match === null) throw new TemplateError(`version: "${version}" is not a PEP 440 version`);
  const [, epoch = '0', release = '', stage, stageNumber = '', post, postNumber = '', implicit, dev, devNumber, local] =
    match;
  const isPost = post !== undefined || implicit !== undefined;
  const numbers = release
    .replace(/(?:\.0+)+$/, '')
    .split('.')
    .map(Number);
  const stageRank = stage !== undefined ? (STAGES[stage] ?? RELEASED) : dev !== undefined && !isPost ? 0 : RELEASED;
  return [
    Number(epoch),
    // A release sorts before one with further parts: -1 ends the parts.
    ...numbers,
    -1,
    stageRank,
    Number(stageNumber),
    isPost ? Number(implicit ?? postNumber) : -1,
    dev === undefined ? Infinity : Number(devNumber),
    ...(local ?? '').split(/[-_.]/).flatMap((part) => (part === '' ? [] : [/^\d+$/.test(part) ? Number(part) : part])),
  ];
}

/** Three numbers, then 1 for a release and 0 with the parts of a version before it, so that releases come last. */
function read(version: string, shape: RegExp, type: string): readonly (string | number)[] {
  const match = shape.exec(version);
  if (match === null) throw new TemplateError(`version: "${version}" is not a ${type} version`);
  const [, major, minor, patch = '0', ...before] = match;
  const early = before.filter((part) => typeof part === 'string').flatMap((part) => part.split('.'));
  const numbers = [major, minor, patch].map(Number);
  if (early.length === 0) return [...numbers, 1];
  // Unlike in loose versions, numbers sort before letters.
  return [...numbers, 0, ...early.map((part) => (/^\d+$/.test(part) ? `\0${part.padStart(20, '0')}` : part))];
}

function parts(version: string): readonly (string | number)[] {
  return (version.match(/\d+|[a-z]+/gi) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part));
}

function orderVersions(left: readonly (string | number)[], right: readonly (string | number)[]): number {
  for (const [index, one] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (one !== other) return orderParts(one, other);
  }
  return left.length - right.length;
}

function orderParts(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : 1;
  return typeof left === 'number' ? 1 : -1;
}
