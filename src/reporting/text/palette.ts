import picocolors from 'picocolors';

type Paint = (text: string) => string;

/** The colours of the report, named by their meaning, so that all outputs use the same ones. */
export interface Palette {
  readonly good: Paint;
  readonly changed: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
  readonly faint: Paint;
  readonly strong: Paint;
  readonly place: Paint;
}

/** The colour of each word that says how something ended, or what it is doing. */
export const STATUS_COLOURS = {
  ok: 'good',
  finished: 'good',
  changed: 'changed',
  failed: 'bad',
  unreachable: 'bad',
  stale: 'bad',
  interrupted: 'warning',
  'cut off': 'warning',
  'not started': 'warning',
  rescued: 'warning',
  ignored: 'warning',
  skipped: 'place',
  running: 'place',
} satisfies Readonly<Record<string, keyof Palette>>;

/** `colour: false` paints nothing; the caller decides whether to use colours (`NO_COLOR`, `--no-color`). */
export function createPalette(colour: boolean): Palette {
  const colours = picocolors.createColors(colour);
  return {
    good: colours.green,
    changed: colours.yellow,
    bad: colours.red,
    warning: colours.magenta,
    faint: colours.dim,
    strong: colours.bold,
    place: colours.cyan,
  };
}

export const UNCOLOURED = createPalette(false);

/** `--no-color`, then `NO_COLOR` and `FORCE_COLOR` (https://no-color.org), then whether the stream is a terminal. */
export function colourWanted(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  option: boolean | undefined,
): boolean {
  if (option === false || (env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb' && env['CI'] === undefined;
}
