import { isList, isMapping, Unsafe, Vaulted, type Value } from '../../core/model/values/value.js';

/**
 * Keywords whose texts control the run: names, conditions, variables, places. These texts are not data, and output
 * shows most of them.
 */
const STRUCTURE = new Set(
  'name hosts when loop loop_control register tags notify listen changed_when failed_when until break_when delegate_to import_tasks include_tasks import_role include_role import_playbook vars_files roles strategy order environment'.split(
    ' ',
  ),
);
const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** Every text in a value. */
export function textsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Unsafe) return value instanceof Vaulted ? [] : [value.text];
  if (isList(value)) return value.flatMap(textsIn);
  return isMapping(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The texts of tasks and plays other than structural keywords: arguments and variables, and the parts around their templates. */
export function dataIn(value: Value): readonly string[] {
  if (isList(value)) return value.flatMap(dataIn);
  if (!isMapping(value)) return textsIn(value).flatMap((text) => [text, ...around(text)]);
  return Object.entries(value).flatMap(([name, item]) => (STRUCTURE.has(name) ? [] : dataIn(item)));
}

function around(text: string): readonly string[] {
  return /\{[{%]/.test(text) ? text.split(TEMPLATE).map((part) => part.trim()) : [];
}
