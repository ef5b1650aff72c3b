import { expect } from 'chai';
import { CELL_STATES, OUTCOMES, type ControllerOutcome } from '../../../src/reporting/page/format/page.js';
import { createView } from '../../../src/web/data/view.js';
import { OVERVIEW, paintOverview } from '../../../src/web/matrix/canvas.js';
import type { Colours } from '../../../src/web/matrix/context.js';
import { layOut } from '../../../src/web/matrix/geometry.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { pageOf } from '../../rig/page_run.js';
import { Sheet } from '../sheet.js';

const COLOURS: Colours = {
  fill: CELL_STATES.map(String),
  ink: CELL_STATES.map(String),
  outcome: OUTCOMES,
  text: 'text',
  dim: 'dim',
  line: 'line',
  panel: 'panel',
  band: 'band',
  accent: 'accent',
};

/** The outcome at each line of the overview, the same one once with its number of lines. */
function overview(outcomes: readonly ControllerOutcome[], row: number, room: number) {
  const names = controllerNames(outcomes.length);
  const make = new EventMaker();
  const page = pageOf([make.runStarted(), make.playStarted(names), make.taskFinished(names[0] ?? '', 'ok')]);
  const view = createView({ ...page, outcome: Uint8Array.from(outcomes, (one) => OUTCOMES.indexOf(one)) }, '', 'name');
  view.rows.set([...names.keys()]);
  const geometry = layOut(view, { width: 600, room }, row);
  const sheet = new Sheet(OVERVIEW, geometry.height);
  // Has what is used of it.
  paintOverview(sheet as unknown as CanvasRenderingContext2D, view, geometry, COLOURS);
  const lines: [unknown, number][] = [];
  for (let y = 0; y < geometry.height; y++) {
    const colour = sheet.at(5, y);
    const last = lines.at(-1);
    if (last !== undefined && last[0] === colour) last[1]++;
    else lines.push([colour, 1]);
  }
  return { lines, height: geometry.height };
}

describe('the overview of the matrix', () => {
  it('has each controller where it is among all', () => {
    const four = ['failed', 'ok', 'ok', 'changed'] as const;
    const { lines, height } = overview(four, 24, 400);
    expect(height).to.equal(166);
    expect(lines).to.deep.equal([
      ['failed', 42],
      ['ok', 83],
      ['changed', 41],
    ]);
  });

  it('has the worst outcome of the controllers at a line', () => {
    const worse: readonly ControllerOutcome[] = [
      ...(['ok', 'not started', 'waiting', 'running', 'changed', 'cut off', 'unreachable', 'failed'] as const),
    ];
    const { height } = overview(new Array<ControllerOutcome>(1000).fill('ok'), 2, 400);
    for (const [index, bad] of worse.entries())
      for (const good of worse.slice(0, index)) {
        const half = height / 2;
        const pairs = Array.from({ length: height }, (_, line) => (line < half ? [good, bad] : [bad, good])).flat();
        expect(overview(pairs, 2, 400).lines, `${good}, ${bad}`).to.deep.equal([[bad, height]]);
      }
  });
});
