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
