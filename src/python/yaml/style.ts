import { isOtherType } from './types.js';

export type ScalarStyle = 'plain' | 'single' | 'double';

const BREAK = /[\r\n\u0085\u2028\u2029]/;
const OUTER_BLANK = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/;
const BLANK_BEFORE_BREAK = / [\r\n\u0085\u2028\u2029]/;
const BLANK_AFTER_BREAK = /[\r\n\u0085\u2028\u2029] /;
/** Not printable for libyaml: only double quotes can hold it, as an escape. */
const SPECIAL = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const INDICATOR =
  /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t\r\n\u0085\u2028\u2029\0]|$)|:(?:[ \t\r\n\u0085\u2028\u2029\0]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/;
const FLOW_INDICATOR = /^[?:]|.[,?[\]{}:]/su;

export function hasBreak(text: string): boolean {
  return BREAK.test(text);
}

/** Where a text is written. */
export interface ScalarPlace {
  /** As the name of an entry, which stays on one line. */
  readonly key: boolean;
  /** Within `[a, b]` or `{a: b}`. */
  readonly flow: boolean;
}

/** How libyaml, which writes for PyYAML, quotes a text. */
export function styleOf(text: string, { key, flow }: ScalarPlace): ScalarStyle {
  const special = SPECIAL.test(text) || BLANK_BEFORE_BREAK.test(text);
  const plain = !special && !OUTER_BLANK.test(text) && !BREAK.test(text) && !INDICATOR.test(text);
  if (plain && text !== '' && !(flow && FLOW_INDICATOR.test(text)) && !isOtherType(text)) return 'plain';
  return special || BLANK_AFTER_BREAK.test(text) || (key && BREAK.test(text)) ? 'double' : 'single';
}
