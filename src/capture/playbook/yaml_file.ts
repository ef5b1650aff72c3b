import { isReadBack } from '../../core/model/values/json.js';
import { isList, isMapping, mapValues, type Value } from '../../core/model/values/value.js';

/** What a captured file holds: values of controllers, which are data, and templates that Evenkeel wrote. */
export type Content = null | boolean | number | bigint | string | TemplateText | readonly Content[] | ContentMapping;

export interface ContentMapping {
  readonly [name: string]: Content;
}

/** An expression that takes the place of a value: `{{ captured_cloud_edge_mtu }}`. */
export class TemplateText {
  constructor(readonly expression: string) {}

  /** A shape that no data has. */
  toJSON(): readonly string[] {
    return ['\u0000template', this.expression];
  }
}

function isTemplate(content: Content): content is TemplateText {
  return content instanceof TemplateText;
}

/** Data as it is. */
export function toContent(value: Value): Content {
  if (isList(value)) return value.map(toContent);
  if (isMapping(value)) return mapValues(value, (item) => toContent(item));
  // Controllers send JSON, which has no other objects.
  return typeof value === 'object' ? null : value;
}

/** YAML that reads as exactly this content: what looks like a template in data is `!unsafe`. */
export function yamlFile(content: ContentMapping | readonly Content[], comment: readonly string[]): string {
  return `${[...comment.map((line) => `# ${line}`.trimEnd()), '---', ...toLines(content)].join('\n')}\n`;
}

function toLines(content: Content): readonly string[] {
  if (isFilledList(content)) return content.flatMap((item) => indented('- ', toLines(item)));
  if (isFilledMapping(content)) return Object.entries(content).flatMap(([name, item]) => entryLines(name, item));
  return [scalarText(content)];
}

function entryLines(name: string, content: Content): readonly string[] {
  const key = keyText(name);
  if (isFilledList(content) || isFilledMapping(content)) return [`${key}:`, ...indented('  ', toLines(content))];
  const block = typeof content === 'string' ? blockLines(content) : undefined;
  if (block === undefined) return [`${key}: ${scalarText(content)}`];
  const [mark = '', ...lines] = block;
  return [`${key}: ${mark}`, ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
}

/** Keys may be templates too, but not `!unsafe`, so a template produces the key. */
function keyText(name: string): string {
  if (TEMPLATE.test(name)) return quoted(`{{ ${JSON.stringify(name)} }}`);
  return isPlain(name) ? name : quoted(name);
}

function indented(mark: string, lines: readonly string[]): readonly string[] {
  const blank = ' '.repeat(mark.length);
  return lines.map((line, at) => (at === 0 ? mark + line : line === '' ? '' : blank + line));
}

function isFilledList(content: Content): content is readonly Content[] {
  return Array.isArray(content) && content.length > 0;
}

function isFilledMapping(content: Content): content is ContentMapping {
  const isMapping = typeof content === 'object' && content !== null && !Array.isArray(content) && !isTemplate(content);
  return isMapping && Object.keys(content).length > 0;
}

const TEMPLATE = /\{\{|\{%|\{#/;

function scalarText(content: Content): string {
  if (typeof content === 'string') {
    if (TEMPLATE.test(content)) return `!unsafe ${quoted(content)}`;
    return isPlain(content) ? content : quoted(content);
  }
  if (content === null || typeof content === 'boolean') return String(content);
  if (typeof content === 'bigint') return String(content);
  if (typeof content === 'number') return numberText(content);
  if (isTemplate(content)) return `'{{ ${content.expression} }}'`;
  return Array.isArray(content) ? '[]' : '{}';
}

/** JSON is YAML, except for a few characters that YAML does not allow unescaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function numberText(number: number): string {
  if (isReadBack(number)) return String(number);
  return number === 0 ? '-0.0' : number.toExponential();
}

/** Text that no version of YAML reads as anything else. */
const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+-]+)*$/;
const OTHER = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function isPlain(text: string): boolean {
  return text.length <= 200 && PLAIN.test(text) && !OTHER.test(text);
}

/** Text of several lines as a block, if nothing in it would be lost: certificates, scripts. */
function blockLines(text: string): readonly string[] | undefined {
  const isBlock = /^[^\s#-][\t\n\x20-\x7e]*[^\s]\n?$/.test(text) && text.trimEnd().includes('\n');
  if (!isBlock || TEMPLATE.test(text) || /[ \t]\n|\t/.test(text)) return undefined;
  const ended = text.endsWith('\n');
  return [ended ? '|' : '|-', ...(ended ? text.slice(0, -1) : text).split('\n')];
}
