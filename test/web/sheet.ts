import type { DrawingContext } from '../../src/web/matrix/context.js';

/** The width of every letter, in every font. */
export const LETTER = 6;

interface Style {
  fillStyle: unknown;
  strokeStyle: unknown;
  textAlign: unknown;
  textBaseline: unknown;
  lineWidth: number;
  font: string;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PaintedText extends Pick<Style, 'font' | 'textAlign' | 'textBaseline'> {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly style: unknown;
  /** In radians. */
  readonly angle: number;
}

type Stroke = Area & { readonly style: unknown; readonly lineWidth: number };

/** A canvas without a browser: it has the colour of each pixel, and lists what else was painted. */
export class Sheet implements DrawingContext {
  fillStyle: unknown = 'none';
  strokeStyle: unknown = 'none';
  textAlign: unknown = 'start';
  textBaseline: unknown = 'alphabetic';
  lineWidth = 1;
  font = '10px sans-serif';
  readonly texts: PaintedText[] = [];
  readonly strokes: Stroke[] = [];
  readonly #pixels: unknown[];
  readonly #saved: {
    readonly style: Style;
    readonly clip: Area;
    readonly origin: readonly [number, number];
    readonly angle: number;
  }[] = [];
  #origin: readonly [number, number] = [0, 0];
  #angle = 0;
  #path: readonly Area[] = [];
  #clip: Area;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.#clip = { x: 0, y: 0, width, height };
    this.#pixels = new Array<unknown>(width * height).fill('none');
  }

  /** The colour of a pixel. */
  at(x: number, y: number): unknown {
    return this.#pixels[y * this.width + x];
  }

  save(): void {
    const { fillStyle, strokeStyle, textAlign, textBaseline, lineWidth, font } = this;
    const style = { fillStyle, strokeStyle, textAlign, textBaseline, lineWidth, font };
    this.#saved.push({ style, clip: this.#clip, origin: this.#origin, angle: this.#angle });
  }

  restore(): void {
    const saved = this.#saved.pop();
    if (saved === undefined) throw new Error('nothing was saved');
    Object.assign(this, saved.style);
    this.#clip = saved.clip;
    this.#origin = saved.origin;
    this.#angle = saved.angle;
  }

  beginPath(): void {
    this.#path = [];
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path = [...this.#path, { x, y, width, height }];
  }

  clip(): void {
    const [area, ...others] = this.#path;
    if (area === undefined || others.length > 0) throw new Error('only one rectangle can be clipped to');
    this.#clip = common(this.#clip, area);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const area = common(this.#clip, { x, y, width, height });
    // A pixel belongs to the area in which its middle is.
    for (let line = Math.ceil(area.y - 0.5); line + 0.5 < area.y + area.height; line++)
      for (let at = Math.ceil(area.x - 0.5); at + 0.5 < area.x + area.width; at++)
        this.#pixels[line * this.width + at] = this.fillStyle;
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.strokes.push({ x, y, width, height, style: this.strokeStyle, lineWidth: this.lineWidth });
  }

  fillText(text: string, x: number, y: number): void {
    const { font, textAlign, textBaseline, fillStyle: style } = this;
    const [left, top] = this.#origin;
    this.texts.push({ text, x: left + x, y: top + y, style, font, textAlign, textBaseline, angle: this.#angle });
  }

  measureText(text: string): { readonly width: number } {
    return { width: text.length * LETTER };
  }

  translate(x: number, y: number): void {
    this.#origin = [this.#origin[0] + x, this.#origin[1] + y];
  }

  rotate(angle: number): void {
    this.#angle += angle;
  }
}

function common(one: Area, other: Area): Area {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const right = Math.min(one.x + one.width, other.x + other.width);
  const bottom = Math.min(one.y + one.height, other.y + other.height);
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) };
}
