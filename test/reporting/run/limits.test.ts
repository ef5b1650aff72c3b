import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const lines = async (events: readonly Event[]): Promise<readonly string[]> =>
  (await reported(events, { output: 'quiet' })).stdout.split('\n');

/** A run in which each controller fails for this cause. */
function failing(number: number, cause: (index: number) => string, given: object = {}): readonly Event[] {
  const make = new EventMaker();
  const names = controllerNames(number);
  return [
    make.runStarted(),
    make.playStarted(names),
    make.batchStarted(names),
    ...names.map((name, index) =>
      make.taskFinished(name, 'failed', {
        message: cause(index),
        source: { file: 'site.yml', line: 4 + index, column: 7 },
        ...given,
      }),
    ),
    ...names.map((name) => make.controllerFinished(name)),
    make.playFinished(),
    make.runFinished({ status: 'failed', exitCode: 2 }),
  ];
}

function passing(number: number, routes: Readonly<Record<string, readonly number[]>> = {}): readonly Event[] {
  const make = new EventMaker();
  const names = controllerNames(number);
  return [
    make.runStarted(),
    make.playStarted(names, { routes }),
    ...names.map((name) => make.taskFinished(name, 'ok')),
    make.playFinished(),
    make.runFinished(),
  ];
}

describe('the end of a run at its limits', () => {
  it('has a line for each of up to 20 controllers', async () => {
    const rows = async (number: number) =>
      (await reported(passing(number))).stdout.split('\n').filter((line) => line.includes(' ok=1 ')).length;
    expect([await rows(20), await rows(21)]).to.deep.equal([20, 0]);
  });

  it('has a line for each of up to 20 routes of a fleet', async () => {
    const routes = async (number: number) => {
      const all = Object.fromEntries(Array.from({ length: number }, (_, index) => [`r${index + 10}`, [index]]));
      const { stdout } = await reported(passing(number, all));
      const shown = stdout.split('\n').filter((line) => /^r\d+ {2}1 controller/.test(line)).length;
      return [shown, /… and .* more routes?/.exec(stdout)?.[0]];
    };
    expect(await routes(21)).to.deep.equal([20, '… and 1 more route']);
    expect(await routes(22)).to.deep.equal([20, '… and 2 more routes']);
  });

  it('has a paragraph for each of 20 causes, and a line for each other one', async () => {
    const shown = async (number: number) => {
      const text = (await lines(failing(number, (index) => `cause ${index}`))).filter((line) =>
        line.startsWith('failed: '),
      );
      return [text.length, text.filter((line) => line.includes(' on lb')).length];
    };
    expect(await shown(20)).to.deep.equal([20, 0]);
    expect(await shown(22)).to.deep.equal([22, 2]);
  });

  it('names each controller of a cause up to 500', async () => {
    const names = async (number: number) => {
      const all = await lines(failing(number, () => 'no', { source: { file: 'site.yml', line: 4, column: 7 } }));
      return all
        .find((line) => line.includes(' controllers: '))
        ?.replace(/^.*?(\d+ controllers: ).*?(?: and (\d+ more))?$/, '$1$2');
    };
    expect([await names(500), await names(501)]).to.deep.equal(['500 controllers: ', '501 controllers: 1 more']);
  });
});

describe('the Markdown report at its limits', () => {
  const markdown = async (events: readonly Event[]): Promise<string> => {
    const { make } = await loadReport('markdown');
    const report = make({ secrets: new Secrets(), cwd: '/nowhere', commandFor: (way) => `evenkeel ${way} ID` });
    return events.flatMap((event) => [...report.take(event)]).join('');
  };

  it('has a paragraph for each of 20 causes, and a line for each other one, with 10 names and 300 characters', async () => {
    const shown = async (number: number) => {
      const text = (await markdown(failing(number, (index) => `cause ${index}`))).split('\n');
      return [
        text.filter((line) => line.startsWith('**failed: ')).length,
        text.filter((line) => line.startsWith('- **failed: ')).length,
      ];
    };
    expect([await shown(20), await shown(21), await shown(23)]).to.deep.equal([
      [20, 0],
      [20, 1],
      [20, 3],
    ]);
    const long = await markdown(failing(21, (index) => `${index} ${'x'.repeat(400)}`));
    const short = long.split('\n').find((line) => line.startsWith('- **failed: ')) ?? '';
    expect(/x+/.exec(short)?.[0].length).to.equal(300 - '20 '.length);
  });

  it('has 50 changes, with 60 lines of each', async () => {
    const changes = async (number: number, fields = 0) => {
      const make = new EventMaker();
      const after = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index + 100}`, 1]));
      const text = await markdown([
        make.runStarted(),
        make.playStarted(['lb1']),
        ...Array.from({ length: number }, (_, index) =>
          make.taskFinished('lb1', 'changed', {
            change: { kind: 'create', object: `pool "${index}"`, before: null, after: { ...after, n: index } },
            source: { file: 'site.yml', line: 4 + index, column: 7 },
          }),
        ),
        make.runFinished(),
      ]);
      return [
        text.split('```diff').length - 1,
        text.split('\n').filter((line) => /^\+ f\d/.test(line)).length,
        /… [^_\n]*/.exec(text)?.[0],
      ];
    };
    expect(await changes(49)).to.deep.equal([49, 0, undefined]);
    expect(await changes(50)).to.deep.equal([50, 0, undefined]);
    expect(await changes(52)).to.deep.equal([50, 0, '… and 2 more changes']);
    expect(await changes(1, 59)).to.deep.equal([1, 59, undefined]);
    expect(await changes(1, 60)).to.deep.equal([1, 60, '… 1 more line']);
    expect(await changes(1, 80)).to.deep.equal([1, 60, '… 21 more lines']);
  });
});
