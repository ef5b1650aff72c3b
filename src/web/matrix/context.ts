export const FONT = 'system-ui, sans-serif';

/** The colours of the styles, in the form that a canvas needs. */
export interface Colours {
  /** The colours of cells and of their glyphs, by the code of the state. */
  readonly fill: readonly string[];
  readonly ink: readonly string[];
  /** By the code of an outcome. */
  readonly outcome: readonly string[];
  readonly text: string;
  readonly dim: string;
  readonly line: string;
  readonly panel: string;
  readonly band: string;
  readonly accent: string;
}

/** What painting needs of the context of a canvas. */
export interface DrawingContext {
  fillStyle: unknown;
  strokeStyle: unknown;
  textAlign: unknown;
  textBaseline: unknown;
  lineWidth: number;
  font: string;
  save(): void;
  restore(): void;
  beginPath(): void;
  clip(): void;
  rect(x: number, y: number, width: number, height: number): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
  translate(x: number, y: number): void;
  rotate(angle: number): void;
}

const widths = new Map<string, string>();
const MOST_KEPT = 5000;

/** The beginning of a text that fits. */
export function fitted(context: DrawingContext, text: string, width: number): string {
  const key = `${context.font} ${Math.floor(width)} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size > MOST_KEPT) widths.clear();
  let shown = text;
  if (context.measureText(text).width > width) {
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
      else high = middle - 1;
    }
    shown = low === 0 ? '' : `${text.slice(0, low)}…`;
  }
  widths.set(key, shown);
  return shown;
}
