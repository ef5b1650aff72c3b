import { expect } from 'chai';
import type { ActionResult } from '../../../src/module/contract.js';
import { acting } from '../../rig/own_action.js';
import type { TextOptions } from '../../rig/run_text.js';

/** Runs one task whose attempts return these, the last one from then on; and what it registered. */
async function tried(results: readonly ActionResult[], keywords: string, options: TextOptions = {}) {
  let attempts = 0;
  const run = (): ActionResult => results[Math.min(attempts++, results.length - 1)] ?? { status: 'ok' };
  const task = `- { name: try, own: , register: r, ignore_errors: true, ${keywords} }\n- debug: { msg: "{{ r | to_json }}" }\n`;
  const { tasks, said, events } = await acting({ run }, task, options);
  const [{ status, message, changed } = {}] = tasks;
  return {
    attempts,
    ...(changed !== undefined && { changed }),
    end: [status, message],
    registered: said[0] === undefined ? undefined : (JSON.parse(said[0]) as unknown),
    retried: events.flatMap((one) => (one.type === 'task-retried' ? [[one.task, one.attempt, one.attempts]] : [])),
  };
}

const at = (n: number): ActionResult => ({ status: 'ok', values: { n } });
const NO: ActionResult = { status: 'failed', message: 'no' };
const FAST = 'delay: 0';

describe('a task that is repeated', () => {
  it('is repeated until its condition holds', async () => {
    expect(await tried([at(1), at(2), at(3)], `until: r.n > 1, retries: 5, ${FAST}`)).to.deep.equal({
      attempts: 2,
      end: ['ok', undefined],
      registered: { changed: false, failed: false, n: 2, attempts: 2 },
      retried: [['try', 1, 6]],
    });
  });

  it('is carried out once if its condition holds at once, or there is none', async () => {
    expect((await tried([at(1)], `until: true, ${FAST}`)).retried).to.deep.equal([]);
    expect(await tried([NO], FAST)).to.deep.include({ attempts: 1, retried: [] });
  });

  it('fails after three retries if nothing else is said, with what was never true', async () => {
    expect(await tried([at(1)], `until: [r.n > 1, true], ${FAST}`)).to.deep.equal({
      attempts: 4,
      end: ['failed', 'failed after 4 attempts: "until" was never true: r.n > 1 and true'],
      registered: {
        changed: false,
        failed: true,
        msg: 'failed after 4 attempts: "until" was never true: r.n > 1 and true',
        n: 1,
        attempts: 3,
      },
      retried: [1, 2, 3].map((attempt) => ['try', attempt, 4]),
    });
    const changed = await tried([{ status: 'changed' }], `until: false, retries: 0, ${FAST}`);
    expect(changed).to.deep.include({ attempts: 1, retried: [] });
    expect(changed.registered).to.deep.include({ changed: true, failed: true, attempts: 0 });
  });

  it('is repeated with retries alone while it fails', async () => {
    expect(await tried([NO, NO, at(3)], `retries: 2, ${FAST}`)).to.deep.include({
      attempts: 3,
      end: ['ok', undefined],
      registered: { changed: false, failed: false, n: 3, attempts: 3 },
    });
    expect(await tried([NO], `retries: "{{ 1.9 }}", ${FAST}`)).to.deep.include({
      attempts: 2,
      end: ['failed', 'no'],
      registered: { changed: false, msg: 'no', attempts: 1, failed: true },
    });
    expect((await tried([NO], `retries: "{{ -5 }}", ${FAST}`)).attempts).to.equal(1);
  });

  it('is judged at each attempt, by its own conditions, and not repeated if it is skipped', async () => {
    const judged = await tried(
      [at(1), at(2)],
      `until: r is not failed, failed_when: r.n < 2, changed_when: true, ${FAST}`,
    );
    expect(judged).to.deep.include({ attempts: 2, end: ['changed', undefined] });
    const skipped = await tried([{ status: 'skipped', message: 'not here' }], `until: false, ${FAST}`);
    expect(skipped).to.deep.include({ attempts: 1, end: ['skipped', 'not here'], retried: [] });
  });

  it('keeps its result, fails and is repeated if a condition about the result cannot be evaluated', async () => {
    const change = { kind: 'update', object: 'x', before: {}, after: { a: 1 } } as const;
    const written: ActionResult = { status: 'changed', message: 'written', values: { n: 1 }, change };
    const judged = await tried([written, at(2)], `until: r.n > 1, failed_when: r.json.x == 1, retries: 2, ${FAST}`);
    const why = (inside: string): string => `"r" has no "json": it is a mapping with ${inside}`;
    expect(judged).to.deep.include({ attempts: 2, end: ['failed', why('changed, failed, n, attempts')] });
    expect(judged.registered).to.deep.include({ failed: true, changed: true, n: 2, attempts: 2 });
    const known = { failed: true, changed: true, msg: 'written', n: 1 };
    const once = await tried([written], 'changed_when: r.json.x == 1');
    expect(once).to.deep.include({ end: ['failed', why('changed, failed, msg, n')], registered: known });
    const failed = await tried([NO], 'failed_when: r.json.x == 1');
    expect(failed.end[1]).to.equal(
      'no; and a condition of the task cannot be evaluated: "r" has no "json": it is a mapping with changed, msg, failed',
    );
    const asked = await tried([written], `until: r.json.x == 1, ${FAST}`);
    expect(asked).to.deep.include({ attempts: 1, end: ['failed', why('changed, failed, msg, n, attempts')] });
    expect(asked.registered).to.deep.include({ failed: true, changed: true, n: 1, attempts: 1 });
    const both = await tried([NO], `until: r.json.x == 1, ${FAST}`);
    expect(both.end[1]).to.match(/^no; and a condition of the task cannot be evaluated: "r" has no "json"/);
  });

  it('waits between its attempts, and longer each time if that is said', async () => {
    const start = performance.now();
    await tried([at(1)], 'until: false, retries: 2, delay: 0.02, backoff: 3');
    expect(performance.now() - start).to.be.at.least(78);
  });

  it('is interrupted while it waits, and says so if it has changed something', async () => {
    const interrupt = new AbortController();
    const watch: TextOptions['watch'] = (event) => {
      if (event.type === 'task-retried') interrupt.abort();
    };
    const { attempts, end, changed } = await tried([{ status: 'changed' }], 'until: false, retries: 2, delay: 60', {
      watch,
      drain: interrupt.signal,
    });
    expect([attempts, end, changed]).to.deep.equal([1, ['interrupted', 'interrupted after 1 of 3 attempts'], true]);
  });
});
