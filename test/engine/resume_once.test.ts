import { expect } from 'chai';
import { asItWas, goOn, keptRun, momentAfter, settledStep, unknownWrites } from '../rig/cut_run.js';
import type { TextOptions } from '../rig/run_text.js';
import { startFleet } from '../rig/simulated.js';

const say = (text: string): string => `debug: { msg: '${text} by {{inventory_hostname}}' }`;

function site(tasks: readonly string[], keywords: readonly string[] = []): string {
  return [
    '- hosts: all',
    ...keywords.map((one) => `  ${one}`),
    '  tasks:',
    ...tasks.map((one) => `    - ${one}`),
    '',
  ].join('\n');
}

const on = (...names: readonly string[]): TextOptions => ({
  inventory: `all: { hosts: { ${names.map((name) => `${name}: `).join(', ')} } }`,
});
const [ALL, REST] = [on('lb1', 'lb2', 'lb3'), on('lb1', 'lb3')];

/** Loses lb1, which a resume with `--force` brings back when the task is gone. */
const LOSE_FIRST = `{ fail: { msg: broken }, when: inventory_hostname == 'lb1' }`;
const LOOP = `{ name: once, ${say('{{item}}')}, loop: [a, b, c], run_once: true }`;
const END = `{ ${say('end')} }`;
const ENDS = ['end by lb1', 'end by lb2', 'end by lb3'];

for (const strategy of ['linear', 'host_pinned'] as const)
  describe(`a resumed step that one controller does for its batch, with ${strategy}`, () => {
    const [all, rest] = [
      { ...ALL, strategy, forks: 1 },
      { ...REST, strategy, forks: 1 },
    ];

    it('is finished by the one that began it, whichever is the first now', async () => {
      const run = await keptRun(site([LOSE_FIRST, LOOP, END]), all);
      expect(run.ran.said.slice(0, 3)).to.deep.equal(['a by lb2', 'b by lb2', 'c by lb2']);
      for (const [item, left] of [
        [0, ['b by lb2', 'c by lb2']],
        [undefined, []],
      ] as const) {
        const moment = momentAfter(run, settledStep('lb2', 'once', item));
        const second = await goOn(site([LOOP, END]), moment, all);
        expect(second.ran.said.slice(0, left.length)).to.deep.equal(left);
        expect(second.ran.said.slice(left.length).toSorted()).to.deep.equal(ENDS);
        const third = await goOn(site([LOOP, END, `{ ${say('new')} }`]), asItWas(second), all);
        expect(third.ran.said).to.have.members(['new by lb1', 'new by lb2', 'new by lb3']);
      }
    });

    it('notifies the handlers of that one', async () => {
      const notifying = (one: string): string => one.replace('{ ', '{ changed_when: true, notify: save, ');
      const handlers = [`handlers: [{ name: save, ${say('save')} }]`];
      const run = await keptRun(site([LOSE_FIRST, notifying(LOOP)], handlers), all);
      const moment = momentAfter(run, settledStep('lb2', 'once'));
      const { ran } = await goOn(site([notifying(LOOP)], handlers), moment, all);
      expect(ran.said).to.deep.equal(['save by lb2']);
    });

    it('is finished once by another if that one is gone, however often it is cut off', async () => {
      const text = site([LOSE_FIRST, LOOP]);
      const first = await keptRun(text, all);
      const second = await goOn(
        site([LOSE_FIRST.replace('fail:', 'debug:'), LOOP]),
        momentAfter(first, settledStep('lb2', 'once', 0)),
        rest,
      );
      expect(second.ran.said.slice(-2)).to.deep.equal(['b by lb1', 'c by lb1']);
      const again = momentAfter(second, settledStep('lb1', 'once', 1));
      const third = await goOn(site([LOSE_FIRST.replace('fail:', 'debug:'), LOOP]), again, rest);
      expect(third.ran.said).to.deep.equal(['c by lb1']);
      const back = await goOn(site([LOSE_FIRST.replace('fail:', 'debug:'), LOOP]), asItWas(third), all);
      expect(back.ran.said).to.deep.equal([]);
    });

    it('is done by each batch', async () => {
      const serial = site([LOOP], ['serial: 1']);
      const run = await keptRun(serial, all);
      const { ran } = await goOn(serial, momentAfter(run, settledStep('lb1', 'once')), all);
      expect(ran.said).to.deep.equal(
        ['lb2', 'lb3'].flatMap((name) => ['a', 'b', 'c'].map((item) => `${item} by ${name}`)),
      );
    });

    it('is found elsewhere if that one is gone, unless the play has it more than once', async () => {
      const run = await keptRun(site([LOOP]), on('lb2', 'lb3'));
      const moment = momentAfter(run, settledStep('lb2', 'once', 0));
      const moved = [`{ ${say('new')} }`, LOOP];
      const { ran } = await goOn(site(moved), moment, { ...on('lb3'), strategy });
      expect(ran.said).to.deep.equal(['new by lb3', 'b by lb3', 'c by lb3']);
      const twice = `{ block: [{ fail: , when: inventory_hostname == 'lb2' }], rescue: [${LOOP}] }`;
      const unclear = await goOn(site([...moved, twice]), moment, { ...on('lb3'), strategy });
      expect(unclear.ran.said).to.deep.equal(['new by lb3']);
      expect(unclear.ran.tasks.at(-1)?.message).to.match(/^it is unknown whether this was done/);
    });
  });

it('a resumed step that one controller does for its batch is another one at another visit', async () => {
  const visits: Readonly<Record<string, readonly string[]>> = {
    'an included file': [
      `{ include_tasks: save.yml, when: inventory_hostname == 'lb2' }`,
      '{ include_tasks: save.yml }',
    ],
    'a handler': [
      `{ assert: { that: [] }, changed_when: inventory_hostname == 'lb2', notify: save }`,
      '{ meta: flush_handlers }',
      `{ assert: { that: [] }, changed_when: true, notify: save }`,
    ],
    'an included file of one that ends early': [
      `{ include_tasks: save.yml, when: inventory_hostname == 'lb2' }`,
      `{ meta: end_host, when: inventory_hostname == 'lb2' }`,
      '{ import_tasks: save.yml }',
    ],
    'a handler of one that ends early': [
      `{ assert: { that: [] }, changed_when: inventory_hostname == 'lb2', notify: save }`,
      '{ meta: flush_handlers }',
      `{ meta: end_host, when: inventory_hostname == 'lb2' }`,
      `{ assert: { that: [] }, changed_when: true, notify: save }`,
    ],
    'a rescue': [
      `{ block: [{ fail: , when: inventory_hostname == 'lb2' }], rescue: [{ name: save, ${say('save')}, run_once: true }] }`,
      `{ name: save, ${say('save')}, run_once: true }`,
    ],
  };
  const save = `{ name: save, ${say('save')}, run_once: true }`;
  const options = { ...ALL, strategy: 'linear', files: { 'save.yml': `- ${save}\n` } } as const;
  for (const [what, tasks] of Object.entries(visits)) {
    const text = site(tasks, [`handlers: [${save}]`]);
    const run = await keptRun(text, options);
    expect(run.ran.said, what).to.deep.equal(['save by lb2', 'save by lb1']);
    const { ran } = await goOn(text, momentAfter(run, settledStep('lb2', 'save')), options);
    expect(ran.said, what).to.deep.equal(['save by lb1']);
  }
});

it('a resumed step whose run_once is a template is decided by the first one, not by one that did it for itself', async () => {
  const once = `{ name: once, ${say('once')}, run_once: "{{ inventory_hostname == 'lb3' }}" }`;
  const run = await keptRun(site([LOSE_FIRST, once, END]), { ...ALL, forks: 1 });
  expect(run.ran.said).to.include.members(['once by lb2', 'once by lb3']);
  const moment = momentAfter(run, settledStep('lb3', 'once'));
  const { ran } = await goOn(site([once, END]), moment, { ...REST, forks: 1 });
  expect(ran.said).to.include('once by lb1').and.not.include('once by lb3');
});

it('a gate sends a raw request of one controller no second time if another one is the first now', async () => {
  const fleet = await startFleet({ controllers: 2 });
  try {
    const options = { inventory: fleet.inventory };
    const check =
      '{ name: probe, api_request: { method: POST, path: /api/cloud/, body: { name: probe } }, run_once: true }';
    const gate = `gate: { interval: 0, failures: 2, checks: [${check}] }`;
    const run = await keptRun(site([LOSE_FIRST], [gate]), options, fleet);
    const posts = (): readonly number[] =>
      fleet.names.map((name) => fleet.controller(name).requests.filter(({ method }) => method === 'POST').length);
    expect(posts()).to.deep.equal([0, 1]);
    const [moment] = unknownWrites(run.moments);
    for (const name of fleet.names) fleet.controller(name).clearRequests();
    const { ran } = await goOn(site(['debug:'], [gate]), moment ?? expect.fail(), options, fleet);
    expect(posts()).to.deep.equal([0, 0]);
    expect(ran.finished.exitCode).to.equal(6);
    expect(ran.tasks.find(({ status }) => status === 'failed')).to.include({ controller: 'lb2' });
  } finally {
    await fleet.dispose();
  }
});
