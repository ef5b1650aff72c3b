import { jsonText, type Mapping } from '../core/model/values/value.js';
import type { RenderedController } from '../engine/render/render.js';
import { yamlText } from '../language/python/yaml/emitter.js';
import { paintDiff } from '../reporting/diff/diff_text.js';
import type { Palette } from '../reporting/text/palette.js';
import { oneLine } from '../reporting/text/plain.js';
import { count, nameControllers, nameSome } from '../reporting/text/words.js';
import {
  isUniform,
  type DifferenceGroup,
  type FieldDifference,
  type FleetDifference,
  type SharedValue,
} from './difference.js';

/** As written: nothing folded, sorted or abbreviated. */
const LAYOUT = { indent: 2, width: -1, flow: false, sortKeys: false, aliases: false };

/** Tasks as one YAML document, a controller at a time. */
export async function* renderedYaml(controllers: AsyncIterable<RenderedController>): AsyncIterable<string> {
  let last: number | undefined;
  for await (const one of controllers) {
    const { number, play, playbook, controller } = one;
    if (number !== last) yield `- ${indented(yamlText({ play, playbook }, LAYOUT), 2).trimStart()}  controllers:\n`;
    last = number;
    yield indented(yamlText({ [controller]: renderedSteps(one) }, LAYOUT), 4);
  }
  if (last === undefined) yield '[]\n';
}

/** Tasks as one JSON document, a controller at a time. */
export async function* renderedJson(controllers: AsyncIterable<RenderedController>): AsyncIterable<string> {
  let last: number | undefined;
  yield '[';
  for await (const one of controllers) {
    const { number, play, playbook, controller } = one;
    const head = jsonText({ play, playbook }).slice(0, -1);
    if (number !== last) yield `${last === undefined ? '' : '\n  }},'}\n${head}, "controllers": {`;
    else yield ',';
    last = number;
    yield `\n${indented(`${jsonText(controller)}: ${jsonText(renderedSteps(one), null, 2)}`, 4)}`;
  }
  yield last === undefined ? ']\n' : '\n  }}\n]\n';
}

function renderedSteps({ tasks, handlers, gate }: RenderedController): Mapping {
  return { tasks, ...(handlers && { handlers }), ...(gate && { gate }) };
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}

const MOST_VALUES = 3;
const MOST_NAMES = 5;
const MOST_VALUE_CHARACTERS = 200;

export interface Environments {
  /** The names of the two sides of the difference. */
  readonly before: string;
  readonly after: string;
}

/** The difference of two environments, equal differences together. */
export function differenceLines(
  { groups, perController, onlyBefore, onlyAfter }: FleetDifference,
  { before, after }: Environments,
  palette: Palette,
): readonly string[] {
  const only = (names: readonly string[], where: string): readonly string[] =>
    names.length === 0 ? [] : [`only in ${where}: ${nameSome(names.map(oneLine), MOST_NAMES)}`];
  const notes = [
    ...only(onlyBefore, before),
    ...only(onlyAfter, after),
    ...(perController === 0
      ? []
      : [`${count(perController, 'field')} not compared: different on each controller of both`]),
  ];
  if (groups.length === 0) return [...notes, `no difference between ${before} and ${after}`];
  return [
    palette.faint(`- is ${before}, + is ${after}`),
    '',
    ...groups.flatMap((group) => [...groupLines(group, palette), '']),
    ...notes,
  ];
}

function groupLines(group: DifferenceGroup, palette: Palette): readonly string[] {
  const lines = [palette.strong(groupHeading(group))];
  let last: string | undefined;
  for (const field of group.fields) {
    if (field.task !== last) lines.push(`  ${oneLine(field.task)}`);
    last = field.task;
    const changed = [...signedLines('-', field.field, field.before), ...signedLines('+', field.field, field.after)];
    lines.push(...changed.map((line) => `    ${paintDiff(line, palette)}`));
  }
  return lines;
}

function groupHeading({ before, after, fields }: DifferenceGroup): string {
  if (before === after) return whoText(before, MOST_NAMES);
  if (!isUniform(fields)) return 'not the same on all controllers';
  return `all ${count(before.length, 'controller')} → all ${count(after.length, 'controller')}`;
}

function signedLines(sign: string, field: FieldDifference['field'], values: readonly SharedValue[]): readonly string[] {
  const start = `${sign} ${oneLine(field)}: `;
  if (values.length > MOST_VALUES) return [`${start}${values.length} values`];
  return values.flatMap(({ value, controllers }) => {
    if (value === undefined) return values.length === 1 ? [] : [`${start}(not there)  ${whoText(controllers, 1)}`];
    const who = values.length === 1 ? '' : `  (${whoText(controllers, 1)})`;
    return [`${start}${shortened(oneLine(value))}${who}`];
  });
}

function shortened(text: string): string {
  return text.length > MOST_VALUE_CHARACTERS
    ? `${text.slice(0, MOST_VALUE_CHARACTERS)}… (${count(text.length, 'character')})`
    : text;
}

function whoText(names: readonly string[], most: number): string {
  return nameControllers(names.map(oneLine), most);
}
