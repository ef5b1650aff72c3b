export type ScalarStyle = 'plain' | 'single' | 'double';

/** What PyYAML, which reads YAML 1.1, would take for something else than text. */
const NOT_TEXT: readonly RegExp[] = [
  /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  /^(?:|~|null|Null|NULL|<<|=|!|&|\*)$/,
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
  /^[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?$/,
];

const BREAK = /[\r\n\u0085\u2028\u2029]/;
const OUTER_BLANK = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/;
const BLANK_BEFORE_BREAK = / [\r\n\u0085\u2028\u2029]/;
const BLANK_AFTER_BREAK = /[\r\n\u0085\u2028\u2029] /;
/** What libyaml does not take for printable: only double quotes can hold it, as an escape. */
const SPECIAL = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const INDICATOR =
  /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t\r\n\u0085\u2028\u2029\0]|$)|:(?:[ \t\r\n\u0085\u2028\u2029\0]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/;

export function hasBreak(text: string): boolean {
  return BREAK.test(text);
}

/**
 * How libyaml, which writes for PyYAML, quotes a text.
 *
 * @param key whether it is the name of an entry, which stays on one line
 */
export function styleOf(text: string, key: boolean): ScalarStyle {
  const special = SPECIAL.test(text) || BLANK_BEFORE_BREAK.test(text);
  const plain = !special && !OUTER_BLANK.test(text) && !BREAK.test(text) && !INDICATOR.test(text);
  if (plain && text !== '' && !NOT_TEXT.some((pattern) => pattern.test(text))) return 'plain';
  return special || BLANK_AFTER_BREAK.test(text) || (key && BREAK.test(text)) ? 'double' : 'single';
}
