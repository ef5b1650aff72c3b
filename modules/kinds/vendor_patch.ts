import type { Static } from 'typebox';
import { parseDocument } from 'yaml';
import { matches } from '../../src/module/comparison/comparison.js';
import type { Desired } from '../../src/module/comparison/desired.js';
import { isHiddenAmong, undecided } from '../../src/module/comparison/list_keys.js';
import { isList, isMapping, type Mapping, type Plan, type Value, valueAt } from '../../src/module/contract.js';
import { planUpdate } from '../../src/module/planning.js';
import { isTemplate } from '../../src/module/schema.js';
import type { KIND_ARGUMENTS } from './arguments.js';

type Args = Static<typeof KIND_ARGUMENTS.vendor>;

/** What says how an object is patched, checked or not. */
interface Patch {
  readonly avi_api_update_method?: Value;
  readonly avi_api_patch_op?: Value;
  readonly avi_patch_path?: Value;
}

/** Whether elements are taken away. */
export function takesAway({ avi_api_update_method: method, avi_api_patch_op: operation }: Patch): boolean {
  return method === 'patch' && (operation === 'delete' || operation === 'remove');
}

/** The update that a PATCH, or a PUT, of the vendor's module means. Repeating it changes nothing. */
export function planPatched(desired: Desired, given: Args, before: Mapping): Plan {
  const path = patchPath(given);
  const plan =
    path === undefined
      ? planUpdate(withListRules(desired, given), before)
      : planPatchedAt(path, desired, given, before);
  const taking = takesAway(given) ? { ...plan, takesAway: true } : plan;
  const isLost = (plan.keeping?.warnings ?? plan.warnings ?? []).length > 0;
  const isAt = (steps: number): boolean => isList(valueAt(before, path?.slice(0, steps) ?? []));
  const isInList = path === undefined ? takesAway(given) : path.some((_, steps) => isAt(steps));
  if (!isLost || plan.refusal !== undefined || !isInList) return taking;
  // A PATCH means only what it names, so nothing else may lose its secret.
  const isMoving = path === undefined || (isAt(path.length - 1) && given.avi_api_patch_op !== 'replace');
  const why = isMoving ? 'other elements would move' : 'the element would change';
  return { ...taking, refusal: `${desired.object}: ${why} ${AND_LOSE_SECRETS}` };
}

const AND_LOSE_SECRETS =
  'and lose the secrets that the controller hides: declare all elements with their secrets, without "avi_api_update_method: patch"';

/** The steps of `avi_patch_path`, as in JSON Patch: `/servers/0/enabled`. The vendor's module reads it with `patch` only. */
export function patchPath({
  avi_api_update_method: method,
  avi_patch_path: path,
}: Patch): readonly string[] | undefined {
  if (method !== 'patch' || typeof path !== 'string' || path === '') return undefined;
  const steps = path.replace(/^\//, '').split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** PATCH adds to lists what they lack, or takes away what matches, also in mappings. */
function withListRules(desired: Desired, given: Args): Desired {
  if (given.avi_api_update_method === 'put') return { ...desired, fields: withoutEmptyLists(desired.fields) };
  if (given.avi_api_patch_op === 'replace') return desired;
  const lists = patchedFields(desired.fields).filter(([, value]) => isList(value));
  if (!takesAway(given)) return { ...desired, merge: Object.fromEntries(lists.map(([path]) => [path, []])) };
  const others = Object.entries(desired.fields).filter(([, value]) => !isList(value) && !isMapping(value));
  return { ...desired, fields: Object.fromEntries(others), without: Object.fromEntries(lists) };
}

/** With PUT, the vendor's modules neither compare nor send a list that is empty. */
function withoutEmptyLists(fields: Mapping): Mapping {
  const isEmpty = (value: Value): boolean => isList(value) && value.length === 0;
  const inside = (value: Value): Value => {
    if (isList(value)) return value.map(inside);
    return isMapping(value) ? withoutEmptyLists(value) : value;
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (isEmpty(value) ? [] : [[name, inside(value)] as const])),
  );
}

/** The fields that a PATCH names, by their paths (`dns_configuration.server_list`): mappings field by field, lists as a whole. */
export function patchedFields(fields: Mapping, above = ''): readonly (readonly [path: string, value: Value])[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isMapping(value) && Object.keys(value).length > 0
      ? patchedFields(value, `${above}${name}.`)
      : [[above + name, value] as const],
  );
}

/** Only the patch counts, not the other fields, as with the vendor's module. */
function planPatchedAt(path: readonly string[], desired: Desired, given: Args, before: Mapping): Plan {
  const field = patchedField(path);
  const read = patchValue(given.avi_patch_value ?? null, field);
  if ('problem' in read) return { change: { kind: 'none' }, refusal: `avi_patch_value is not YAML: ${read.problem}` };
  const patch = { remove: takesAway(given), insert: given.avi_api_patch_op === 'add', field, value: read.value };
  const fields = applyPatch(before, path, patch, 'declared');
  const list = valueAt(before, path.slice(0, -1));
  if (patch.insert && isList(list) && isHiddenAmong(list, patch.value, [], field))
    return { change: { kind: 'none' }, refusal: undecided(path.slice(0, -1).join('.')) };
  const own = patch.remove ? {} : { avi_patch_value: patch.value };
  if (isMapping(fields)) return planUpdate({ ...desired, fields }, before, own);
  return { change: { kind: 'none' }, refusal: `${desired.object} has nothing at avi_patch_path /${path.join('/')}` };
}

/** The last field on the way: `servers` of `/servers/-`. */
export function patchedField(path: readonly string[]): string {
  return path.findLast((step) => !isIndex(step)) ?? '';
}

/** Whether it is a place in a list; `-` is its end. */
export function isIndex(step: string): boolean {
  return /^(?:\d+|-)$/.test(step);
}

/**
 * The arguments with the value of the patch below the name of its field, as other values are: by the name, it is a reference or a
 * secret. The vendor's module reads a text as YAML.
 */
export function withNamedPatchValue(given: Mapping): Mapping {
  const { avi_patch_value: value, avi_patch_path: place } = given;
  const path = patchPath(given);
  if (value == null || path === undefined || takesAway(given) || isTemplate(place) || isTemplate(value)) return given;
  const read = typeof value === 'string' ? parsed(value) : { value };
  return 'problem' in read ? given : { ...given, avi_patch_value: { [patchedField(path)]: read.value } };
}

type PatchValue = { readonly value: Value } | { readonly problem: string };

/** @param given below the name of the field, if it could be parsed */
function patchValue(given: Value, field: string): PatchValue {
  if (isMapping(given)) return { value: valueAt(given, [field]) ?? null };
  return typeof given === 'string' ? parsed(given) : { value: given };
}

function parsed(text: string): PatchValue {
  const document = parseDocument(text, { schema: 'core' });
  const [problem] = document.errors;
  if (problem !== undefined) return { problem: problem.message };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this schema of YAML has only plain values
  return { value: document.toJS() as Value };
}

interface JsonPatch {
  readonly remove: boolean;
  /** Into a list: before the element at that place. */
  readonly insert: boolean;
  /** The field that it is about, which says whether the value is a reference. */
  readonly field: string;
  readonly value: Value;
}

/**
 * A value with the patch at a path in it; undefined if the path leads to nothing.
 * @param form `declared`: only the fields on the way; lists are whole in any case. A removed field is null
 */
function applyPatch(
  value: Value | undefined,
  [step, ...rest]: readonly string[],
  patch: JsonPatch,
  form: 'declared' | 'whole',
): Value | undefined {
  if (step === undefined) return patch.value;
  // Controllers omit empty lists.
  const list = value === undefined && step === '-' && patch.insert ? [] : value;
  if (list !== undefined && isList(list)) return patchList(list, step, rest, patch);
  if (!isMapping(value)) return undefined;
  const kept = form === 'whole' ? value : {};
  if (rest.length === 0 && patch.remove) return value[step] === undefined ? kept : { ...kept, [step]: null };
  const inner = applyPatch(value[step], rest, patch, form);
  return inner === undefined ? undefined : { ...kept, [step]: inner };
}

function patchList(list: readonly Value[], step: string, rest: readonly string[], patch: JsonPatch): Value | undefined {
  const index = step === '-' ? list.length : /^\d+$/.test(step) ? Number(step) : -1;
  if (index < 0 || index > list.length) return undefined;
  const [head, tail] = [list.slice(0, index), list.slice(index + 1)];
  if (rest.length === 0 && patch.insert)
    return list.some((item) => matches(patch.value, item, patch.field))
      ? list
      : [...head, patch.value, ...list.slice(index)];
  if (rest.length === 0 && patch.remove) return [...head, ...tail];
  const inner = index < list.length ? applyPatch(list[index], rest, patch, 'whole') : undefined;
  return inner === undefined ? undefined : [...head, inner, ...tail];
}
