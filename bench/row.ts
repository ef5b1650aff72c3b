/** One line of the table: a measurement beside what it is measured against, in one run on one machine. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly against: string;
  /** Measured divided by against; for limits without a partner, measured divided by the limit. */
  readonly ratio: number;
  /** The ratio that must not be passed. */
  readonly budget: number;
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, measured, against, ratio, budget }) => [
    what,
    measured,
    against,
    shown(ratio),
    `≤ ${shown(budget)}`,
    ratio <= budget ? 'yes' : '**no**',
  ]);
  const head = ['what', 'evenkeel', 'against', 'ratio', 'budget', 'kept'];
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |\n`).join('');
}

/** Ratios far below one are shown as `1/n`. */
function shown(ratio: number): string {
  return ratio > 0 && ratio < 0.1 ? `1/${Math.round(1 / ratio)}` : ratio.toFixed(2);
}

export function milliseconds(value: number): string {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
