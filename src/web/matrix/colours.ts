import { CELL_STATES, OUTCOMES } from '../../reporting/page/format/page.js';
import { slug } from '../data/words.js';

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

/** Reads the colours from styled elements, because a canvas does not know CSS variables. */
export function coloursOf(parent: HTMLElement): Colours {
  const probe = document.createElement('span');
  parent.append(probe);
  const read = (name: string): CSSStyleDeclaration => {
    probe.className = name;
    return getComputedStyle(probe);
  };
  const fills = CELL_STATES.map((state) => {
    const { backgroundColor, color } = read(`fill fill-${state}`);
    return { backgroundColor, color };
  });
  const colours: Colours = {
    fill: fills.map(({ backgroundColor }) => backgroundColor),
    ink: fills.map(({ color }) => color),
    outcome: OUTCOMES.map((outcome) => read(`fill fill-${slug(outcome)}`).backgroundColor),
    text: read('ink-text').color,
    dim: read('ink-dim').color,
    line: read('ink-line').color,
    panel: read('ink-panel').color,
    band: read('ink-band').color,
    accent: read('ink-accent').color,
  };
  probe.remove();
  return colours;
}
