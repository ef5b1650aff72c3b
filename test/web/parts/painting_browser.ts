import type { Scroll } from '../../../src/web/matrix/geometry.js';
import { Browser } from './browser.js';
import { Piece } from './rendered.js';

/** What the matrix has of the window. */
export const SIZE = { width: 400, room: 300 };

/** What the elements of the matrix have in a browser, which a `Piece` has not. */
const ELEMENT = {
  clientWidth: { get: () => SIZE.width, configurable: true },
  scrollTo: {
    value(this: Piece & Scrolled, { top, left }: Scroll) {
      Object.assign(this, { scrollTop: Math.max(0, top), scrollLeft: left });
      this.dispatch('scroll');
    },
    configurable: true,
  },
  getContext: {
    value(this: Piece & Partial<Painted>) {
      this.strokes ??= [];
      this.fills ??= [];
      const names = ['save', 'restore', 'beginPath', 'clip', 'rect', 'fillText', 'translate', 'rotate'];
      this.context ??= {
        ...Object.fromEntries([...names, 'setTransform'].map((name) => [name, () => undefined])),
        measureText: () => ({ width: 0 }),
        fillRect: () => this.fills?.push(this.context?.fillStyle ?? ''),
        strokeRect: (...where: readonly number[]) => this.strokes?.push(where),
      };
      return this.context;
    },
    configurable: true,
  },
  append: { value: () => undefined, configurable: true },
  setPointerCapture: {
    value(this: Piece, id: number) {
      this.calls.push(`capture ${id}`);
    },
    configurable: true,
  },
};

export interface Painted {
  context: { readonly fillStyle?: string; readonly [method: string]: unknown };
  strokes: (readonly number[])[];
  /** The colours of rectangles. */
  fills: string[];
}

export interface Scrolled {
  readonly scrollTop?: number;
  readonly scrollLeft?: number;
  readonly scrollTo?: (to: Scroll) => void;
}

const GLOBALS = {
  devicePixelRatio: 1,
  innerHeight: SIZE.room / 0.72,
  HTMLElement: Piece,
  ResizeObserver: class {
    observe = (): void => undefined;
    disconnect = (): void => undefined;
  },
  getComputedStyle: () => ({ color: 'ink', backgroundColor: 'fill' }),
};

/** One in which elements have sizes, are scrolled, and are painted on. */
export class PaintingBrowser extends Browser {
  constructor(answers: Readonly<Record<string, unknown>> = {}) {
    super(answers);
    Object.assign(document, { createElement: (name: string) => new Piece(name) });
    for (const [name, value] of Object.entries(GLOBALS))
      Object.defineProperty(globalThis, name, { value, configurable: true });
    Object.defineProperties(Piece.prototype, ELEMENT);
  }

  override async close(): Promise<void> {
    await super.close();
    for (const name of Object.keys(GLOBALS)) Reflect.deleteProperty(globalThis, name);
    for (const name of Object.keys(ELEMENT)) Reflect.deleteProperty(Piece.prototype, name);
  }
}
