import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { emptyStats } from '../../../src/core/model/run/result.js';
import type { Source } from '../../../src/core/model/source/diagnostic.js';
import { OUTCOMES } from '../../../src/reporting/page/format/page.js';
import { EventMaker } from '../../rig/events.js';
import { pageOf } from '../../rig/page_run.js';

const place = (line: number, file = 'site.yml') => ({ file, line, column: 3 });

describe('the details of a page', () => {
  it('are those of nothing before the first event', () => {
    const { outcome, state, detail, took, ended, ...head } = pageOf([], { title: 'run site.yml' });
    expect([outcome, state, detail, took, ended].map(({ length }) => length)).to.deep.equal([0, 0, 0, 0, 0]);
    const run = { id: '', version: '', started: '', environment: null };
    const lists = { controllers: [], groups: [], routes: [], plays: [], batches: [], gates: [], columns: [] };
    expect(head).to.deep.equal({
      format: 1,
      facts: { title: 'run site.yml' },
      run: { ...run, check: false, status: 'running', seconds: 0 },
      ...lists,
      yaml: [],
      details: [{}],
      texts: [],
      warnings: [],
    });
  });

  it('have all that a result says, for each controller and task its own', () => {
    const make = new EventMaker();
    const object = { kind: 'update', object: 'pool "a of lb1"', before: { n: 1 }, after: { n: 2 } } as const;
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.taskStarted('lb1'),
      make.taskStarted('lb2'),
      make.retried('lb1', 2, 5),
      make.request('lb2'),
      make.taskFinished('lb1', 'failed', {
        source: place(4),
        message: 'POST /api/pool/: answered 400: lb1 is taken',
        hint: 'rename lb1',
        cause: place(9, '/nowhere/roles/a.yml'),
        check: true,
        delegatedTo: 'lb9',
        tenant: 'blue',
      }),
      make.taskFinished('lb2', 'changed', { source: place(4), change: { ...object, object: 'pool "a of lb2"' } }),
      make.taskStarted('lb1'),
      make.taskStarted('lb2'),
      make.taskFinished('lb1', 'changed', { source: place(8), change: object, delegatedTo: 'lb8', round: 3 }),
      make.taskFinished('lb2', 'ok', { source: place(8), change: { ...object, kind: 'none' } }),
    ]);
    const name = '{{inventory_hostname}}';
    const changed = { object: `pool "a of ${name}"`, words: `updated pool "a of ${name}": n`, diff: 0 };
    expect(page.details).to.deep.equal([
      {},
      {
        message: `400 ${name} is taken (POST /api/pool/)`,
        group: 0,
        hint: `rename ${name}`,
        place: place(9, 'roles/a.yml'),
        check: true,
        delegatedTo: 'lb9',
        tenant: 'blue',
        attempts: 3,
      },
      { ...changed, group: 1, requests: 1 },
      { ...changed, object: `${changed.object} on lb8`, group: 2, delegatedTo: 'lb8', round: 3 },
    ]);
    expect(page.texts).to.deep.equal([`pool "a of ${name}"\n- n: 1\n+ n: 2`]);
  });

  it('group changes by the templates that explain their values, else by the values, and each by its task', () => {
    const make = new EventMaker();
    const written = ({ line }: Source) => (line === 4 ? { n: '{{ port }}' } : undefined);
    const changed = (controller: string, line: number, n: number) =>
      make.taskFinished(controller, 'changed', {
        source: place(line),
        change: { kind: 'update', object: 'pool "a"', before: { n: 1 }, after: { n } },
      });
    const page = pageOf(
      [
        make.runStarted(),
        make.playStarted(['lb1', 'lb2']),
        changed('lb1', 4, 2),
        changed('lb2', 4, 3),
        changed('lb1', 8, 2),
        changed('lb2', 8, 3),
        changed('lb1', 12, 2),
        make.taskFinished('lb2', 'changed', {
          source: place(12),
          change: { kind: 'invoke', object: 'POST /x', before: null, after: null },
        }),
      ],
      { title: 'run' },
      written,
    );
    const about = { object: 'pool "a"', words: 'updated pool "a": n' };
    expect(page.details.slice(1)).to.deep.equal([
      { ...about, diff: 0, template: 1, group: 0 },
      { ...about, diff: 2, template: 1, group: 0 },
      { ...about, diff: 0, group: 1 },
      { ...about, diff: 2, group: 2 },
      { ...about, diff: 0, group: 3 },
      { object: 'POST /x', words: 'sent POST /x', group: 4 },
    ]);
    expect(page.texts).to.deep.equal([
      'pool "a"\n- n: 1\n+ n: 2',
      'pool "a"\n- n: 1\n+ n: "{{ port }}"',
      'pool "a"\n- n: 1\n+ n: 3',
    ]);
  });

  it('keep the place and the controller of each warning', () => {
    const make = new EventMaker();
    const page = pageOf([
      make.runStarted(),
      make.warning('one\u0007', { controller: 'lb1' }),
      { ...make.warning('two'), source: place(7, '/nowhere/b.yml') } as Event,
    ]);
    expect(page.warnings).to.deep.equal([
      { message: 'one', controller: 'lb1' },
      { message: 'two', place: place(7, 'b.yml') },
    ]);
  });

  it('end with the recap, which knows what an earlier process of the run did', () => {
    const make = new EventMaker();
    const stats = {
      lb1: { ...emptyStats(), failed: 1, unreachable: 1 },
      lb2: { ...emptyStats(), unreachable: 1, changed: 1 },
      lb3: { ...emptyStats(), ok: 1 },
    };
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3', 'lb4']),
      make.taskFinished('lb3', 'changed'),
      make.taskFinished('lb4', 'ok'),
      make.runFinished({ stats, unstarted: ['lb3', 'lb4'] }),
    ]);
    const ends = [...page.outcome].map((code) => OUTCOMES[code]);
    expect(ends).to.deep.equal(['failed', 'unreachable', 'ok', 'not started']);
  });
});
