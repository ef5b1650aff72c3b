import type { Palette } from '../../src/reporting/text/palette.js';

const marked =
  (mark: string) =>
  (text: string): string =>
    mark + text + mark;
/** Shows each colour in the text. */
export const marks: Palette = {
  good: marked('+'),
  changed: marked('~'),
  bad: marked('!'),
  warning: marked('?'),
  faint: marked('.'),
  strong: marked('*'),
  place: marked('@'),
};
