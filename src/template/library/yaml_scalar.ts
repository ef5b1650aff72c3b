import { isOtherType } from './yaml_types.js';

/** Space, tab, line break or the end. */
const BREAKS = '\n\\x85\\u2028\\u2029';
const SPECIAL = /[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const BLOCK_INDICATOR = /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[-?:](?=[\s\0\x85]|$)|:(?=[\s\0\x85]|$)|[\s\0\x85]#/;
const FLOW_INDICATOR = /^[?:]|.[,?[\]{}:]/s;
const LINE_BREAK = new RegExp(`[${BREAKS}]`);
const OUTER_SPACE = new RegExp(`^[ ${BREAKS}]|[ ${BREAKS}]$`);
const SPACE_AFTER_BREAK = new RegExp(`[${BREAKS}] `);
const SPACE_BEFORE_BREAK = new RegExp(` [${BREAKS}]`);

export type ScalarStyle = 'plain' | 'single' | 'double';

/** Where a text stands: what is plain in a block may need quotes in `[a, b]` or as a key. */
export interface ScalarPlace {
  readonly flow: boolean;
  readonly key: boolean;
}

/** How PyYAML writes a text: as it is if it stays a text then, else in single quotes, else in double ones. */
export function scalarStyle(text: string, { flow, key }: ScalarPlace): ScalarStyle {
  const multiline = LINE_BREAK.test(text);
  if (isPlain(text, flow) && !(key && (text === '' || multiline)) && !isOtherType(text)) return 'plain';
  const unquotable = SPACE_AFTER_BREAK.test(text) || SPACE_BEFORE_BREAK.test(text) || SPECIAL.test(text);
  return unquotable || (key && multiline) ? 'double' : 'single';
}

function isPlain(text: string, flow: boolean): boolean {
  if (text === '') return !flow;
  if (OUTER_SPACE.test(text) || LINE_BREAK.test(text) || SPECIAL.test(text) || BLOCK_INDICATOR.test(text)) return false;
  return !flow || !FLOW_INDICATOR.test(text);
}

/** Whether a key fits on the line of its value; others stand behind `?`. */
export function isSimpleKey(text: string): boolean {
  return text.length <= 128 && !LINE_BREAK.test(text);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '0'],
  ['\x07', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\x1b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\x85', 'N'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);

/** One character of a text in double quotes. */
export function escaped(character: string): string {
  const letter = ESCAPES.get(character);
  if (letter !== undefined) return `\\${letter}`;
  if (!SPECIAL.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** Python's notation of a number in YAML: `1.0e+21`. */
export function numberText(value: number): string {
  const text = String(value).replace(/e([-+])(\d)$/, 'e$10$2');
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}
