import type { RunObject, SavedObjects } from '../../app/history/run_objects.js';
import { createPalette } from '../../report/text/palette.js';
import { count } from '../../report/text/words.js';
import { yamlLines } from '../../report/text/yaml_text.js';
import { writeLine } from './run_detail.js';

/** Each written object as it was before the run, as YAML. */
export function* objectsText(objects: Iterable<RunObject>, colour: boolean): Iterable<string> {
  const palette = createPalette(colour);
  let isFirst = true;
  for (const object of objects) {
    if (!isFirst) yield '\n';
    isFirst = false;
    yield `${palette.strong(writeLine({ ...object, target: object.controller }))}\n`;
    if (object.before === null) yield `  ${palette.faint(whyNothing(object))}\n`;
    else for (const line of yamlLines(object.before)) yield `  ${line}\n`;
  }
  if (isFirst) yield 'the run wrote no object\n';
}

function whyNothing({ object, method, module }: RunObject): string {
  if (object === undefined) return 'no_log masks it';
  if (module === 'api_request') return 'not read: api_request knows no object';
  return method === 'POST' ? 'did not exist' : 'the controller did not show it';
}

/** A JSON list, one object after the other. */
export function* objectsJson(objects: Iterable<RunObject>): Iterable<string> {
  let before = '[\n';
  for (const object of objects) {
    yield before + JSON.stringify(object, null, 2);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

export function savedText({ saved, without }: SavedObjects, folder: string): string {
  const rest = without === 0 ? '' : `; nothing to save for ${count(without, 'write')} (created, raw or masked)`;
  return `saved ${count(saved, 'object')} in ${folder}${rest}\n`;
}
