import { expect } from 'chai';
import { Simulator } from '../../src/simulator/simulator.js';
import { amountOf, shareOf } from '../rig/random_seed.js';
import { behaviourOf, isSlow, MOMENTS, SESSION_MOMENTS, shortened } from './kinds.js';
import { AVI, GENERIC, type Subject } from './subjects.js';
import { ROWS, SESSION_ROWS, type Row } from './table.js';
import { tryOut, type Trial } from './trial.js';

/** Number of rows to test at the same time: most of them wait for something. */
const AT_ONCE = 8;

interface Matrix {
  readonly title: string;
  readonly subject: Subject;
  readonly moments: typeof MOMENTS;
  readonly rows: readonly Row[];
}

/** Of each kind of fault a share of the moments, others for the next kind. */
function sharedRows(rows: readonly Row[]): readonly Row[] {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  return kinds.flatMap((kind, index) => {
    const same = rows.filter((row) => row.kind === kind);
    return shareOf(same, Math.min(amountOf({ change: 12, gate: 8 }, 1), same.length), index);
  });
}

const MATRICES: readonly Matrix[] = [
  { title: 'the fault matrix', subject: GENERIC, moments: MOMENTS, rows: sharedRows(ROWS) },
  { title: 'the fault matrix of sessions', subject: AVI, moments: SESSION_MOMENTS, rows: sharedRows(SESSION_ROWS) },
];

/** The table has the outcome of every operation under every misbehaviour; this test checks it over real connections. */
for (const { title, subject, moments, rows } of MATRICES) {
  describe(title, function () {
    this.timeout(600_000);
    const results = new Map<Row, Promise<readonly Trial[]>>();
    let simulator: Simulator;

    before(async () => {
      simulator = await Simulator.start();
      const rest = [...rows];
      const work = async (): Promise<void> => {
        for (let row = rest.shift(); row !== undefined; row = rest.shift()) await start(row);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    });

    after(() => simulator.close());

    async function start(row: Row): Promise<void> {
      const { kind, moment, check } = row;
      const timeout = isSlow(kind) ? 1.5 : 20;
      const behaviour = behaviourOf(kind, moment, moments);
      const trials = tryOut(simulator, { subject, behaviour, timeout, checked: check !== undefined });
      results.set(row, trials);
      await trials.catch(() => undefined);
    }

    for (const row of rows) {
      it(`${row.kind} · ${row.moment}`, async () => {
        const trials = (await results.get(row)) ?? [];
        const outcomes = trials.map(({ errand, form, check, outcome }) => {
          return `${errand} by ${form}${check ? ', checked' : ''}: ${shortened(outcome, row.kind)}`;
        });
        const expected = trials.map(({ errand, form, check }) => {
          return `${errand} by ${form}${check ? ', checked' : ''}: ${(check ? row.check : row.run)?.[errand] ?? 'nothing'}`;
        });
        expect(outcomes).to.deep.equal(expected);
        expect(Math.max(...trials.map(({ objects }) => objects)), 'objects of one name').to.be.at.most(1);
      });
    }
  });
}
