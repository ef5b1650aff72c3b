import { OUTCOMES, type Outcome } from '../../report/page/format/page.js';
import type { View } from '../data/view.js';
import type { Colours } from './colours.js';

const WORST: readonly Outcome[] = ['ok', 'not started', 'running', 'changed', 'cut off', 'unreachable', 'failed'];
const RANKS = OUTCOMES.map((outcome) => WORST.indexOf(outcome));

/** Paints all controllers from top to bottom, with the worst outcome at each pixel, to show where to scroll. */
export function paintOverview(
  context: CanvasRenderingContext2D,
  { page, rows }: View,
  { width, height }: { readonly width: number; readonly height: number },
  colours: Colours,
): void {
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, width, height);
  for (let y = 0; y < height; y++) {
    const first = Math.floor((y * rows.length) / height);
    const end = Math.max(first + 1, Math.floor(((y + 1) * rows.length) / height));
    let worst = -1;
    for (let place = first; place < Math.min(end, rows.length); place++) {
      const code = page.outcome[rows[place] ?? 0] ?? 0;
      if (worst < 0 || (RANKS[code] ?? 0) > (RANKS[worst] ?? 0)) worst = code;
    }
    if (worst < 0) continue;
    context.fillStyle = colours.outcome[worst] ?? '';
    context.fillRect(0, y, width, 1);
  }
}
