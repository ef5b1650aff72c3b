import { expect } from 'chai';
import type { ControllerSession } from '../../../src/core/model/run/session.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { fixedForks } from '../../../src/engine/control/auto_forks.js';
import { Fork, Forks } from '../../../src/engine/control/forks.js';
import { withinTime } from '../../../src/engine/execution/time_limit.js';
import type { ActionContext, ActionResult, Listed, RawAnswer, Singleton } from '../../../src/module/contract.js';
import { acting } from '../../rig/own_action.js';
import { Recorder } from '../../rig/recorder.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

function runTasks(tasks: string, options: TextOptions = {}): Promise<Ran> {
  return runText(`- hosts: all\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`, options);
}

const TIMED_OUT = 'The pause action failed to execute in the expected time frame (0.05) and was terminated';

describe('timeout', () => {
  it('fails only the task that takes longer', async () => {
    const { tasks, finished } = await runTasks(`
- { pause: { seconds: 60 }, timeout: 0.05, ignore_errors: true }
- { pause: { seconds: 0.01 }, timeout: '{{30}}' }
- { pause: { seconds: 0.01 }, timeout: 0 }
`);
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ['failed', TIMED_OUT],
      ['ok', 'waited for 0.01 s'],
      ['ok', 'waited for 0.01 s'],
    ]);
    expect(finished.seconds).to.be.below(10);
  });

  it('applies to each attempt and each item', async () => {
    const { tasks } = await runTasks(`
- { pause: { seconds: 0.6 }, timeout: 1.5, until: false, retries: 2, delay: 0, register: r, ignore_errors: true }
- { pause: { seconds: '{{item}}' }, timeout: 0.2, loop: [60, 0.01], ignore_errors: true }
- { debug: { msg: '{{r.attempts}} {{r.msg}}' } }
`);
    expect(tasks.slice(1, 3).map(({ status }) => status)).to.deep.equal(['failed', 'ok']);
    expect(tasks.at(-1)?.message).to.equal('2 failed after 3 attempts: "until" was never true: false');
  });

  it('ends a task that would be tried again, and conditions do not judge it', async () => {
    const { tasks, events } = await runTasks(`
- { pause: { seconds: 60 }, timeout: 0.05, until: r is succeeded, retries: 2, delay: 0, register: r, ignore_errors: true }
- { pause: { seconds: 60 }, timeout: 0.05, failed_when: false, changed_when: r.nothing, ignore_errors: true }
`);
    expect(events.filter(({ type }) => type === 'task-retried')).to.deep.equal([]);
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ['failed', TIMED_OUT],
      ['failed', TIMED_OUT],
    ]);
  });

  it('fails the task if it is not a number', async () => {
    const { tasks } = await runTasks(`- { debug: { msg: hi }, timeout: '{{inventory_hostname}}' }`);
    expect(tasks[0]?.message).to.equal('timeout must be a number, not a text');
  });
});

describe('timeout of a task that writes', () => {
  let fleet: Fleet;
  afterEach(() => fleet.dispose());

  it('waits for the running write, reports it, and sends nothing more', async () => {
    fleet = await startFleet({ behaviour: { latency: 700 } });
    const { tasks } = await runText(
      `
- hosts: fleet
  tasks:
    - { cloud_present: { name: edge }, timeout: 1.2 }
`,
      { inventory: fleet.inventory, journal: new Recorder() },
    );
    expect(tasks[0]?.change?.kind).to.equal('create');
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      changed: true,
      message: 'The cloud_present action failed to execute in the expected time frame (1.2) and was terminated',
      hint: 'it wrote something before its time was over; run it again to see what is left',
    });
    const sent = fleet.controller('lb1').requests.map(({ method }) => method);
    expect(sent).to.deep.equal(['GET', 'POST']);
    expect(fleet.controller('lb1').requests.map(({ status }) => status)).to.deep.equal([200, 201]);
  });

  it('does not count the wait for a controller on which others act', async () => {
    fleet = await startFleet({ controllers: 2, behaviour: { latency: 700 } });
    const { lines } = await runText(
      `
- hosts: fleet
  tasks:
    - cloud_present: { name: '{{ inventory_hostname }}' }
      delegate_to: lb1
      timeout: "{{ 1.6 if inventory_hostname == 'lb2' else 0 }}"
      check_mode: "{{ inventory_hostname == 'lb2' }}"
`,
      { inventory: fleet.inventory },
    );
    expect(lines).to.deep.equal(['lb1 cloud_present: changed', 'lb2 cloud_present: changed']);
  });
});

describe('a task that fails after a write', () => {
  it('says what it has written, unless changed_when says that it does not count', async () => {
    const fleet = await startFleet();
    try {
      const send = (name: string, keywords: string): string =>
        `- { api_request: { method: POST, path: /api/cloud/, body: { name: ${name} }, status_code: 299 }, ignore_errors: true${keywords} }\n`;
      const text =
        send('a', '') +
        send('b', ', changed_when: false') +
        send('c', ', changed_when: true') +
        send('d', ', failed_when: false');
      const { tasks } = await runTasks(text, { inventory: fleet.inventory, journal: new Recorder() });
      const sent = 'POST /api/cloud/';
      expect(
        tasks.map(({ status, changed = null, change = { kind: 'none' } }) => [
          status,
          changed,
          change.kind === 'none' ? undefined : change.object,
        ]),
      ).to.deep.equal([
        ['failed', true, sent],
        ['failed', null, undefined],
        ['failed', true, sent],
        ['changed', null, sent],
      ]);
    } finally {
      await fleet.dispose();
    }
  });
});

describe('a task that is repeated after a write', () => {
  it('counts as changed, and notifies handlers, also if the last attempt finds nothing left to change', async () => {
    const fleet = await startFleet();
    try {
      const cloud = (name: string, keywords: string): string =>
        `    - { name: ${name}, cloud_present: { name: ${name} }, register: r, until: r is not changed, delay: 0, notify: h${keywords} }\n`;
      const { lines, tasks } = await runText(
        `- hosts: all\n  tasks:\n${cloud('a', '')}${cloud('b', ', changed_when: r is changed')}    - { debug: { msg: '{{ r is changed }}' } }\n  handlers: [{ name: h, debug: }]\n`,
        { inventory: fleet.inventory, journal: new Recorder() },
      );
      expect(lines).to.deep.equal(['lb1 a: changed', 'lb1 b: ok', 'lb1 debug: ok', 'lb1 h: ok']);
      expect(tasks[0]?.change?.kind).to.equal('create');
      let attempts = 0;
      const run = async (context: ActionContext): Promise<ActionResult> => {
        attempts += 1;
        if (attempts > 1) return { status: 'ok' };
        await context.request({ method: 'POST', path: '/api/cloud/', body: { name: 'own' } });
        return { status: 'changed' };
      };
      const own = await acting({ run }, '- { own: , register: r, until: r is not changed, delay: 0 }\n', {
        inventory: fleet.inventory,
        journal: new Recorder(),
      });
      expect(own.tasks[0]).to.have.nested.include({ status: 'changed', 'change.object': 'POST /api/cloud/' });
    } finally {
      await fleet.dispose();
    }
  });
});

/** Answers on command. */
class Puppet implements ControllerSession {
  readonly asked: string[] = [];
  readonly #answers: (() => void)[] = [];

  answer(): void {
    this.#answers.shift()?.();
  }

  find(): Promise<Mapping | undefined> {
    return this.#ask('find', undefined);
  }

  list(): Promise<Listed> {
    return this.#ask('list', { objects: [] });
  }

  single(): Promise<Singleton> {
    return this.#ask('single', { status: 'unreadable', code: 404 });
  }

  create(): Promise<undefined> {
    return this.#ask('create', undefined);
  }

  replace(): Promise<void> {
    return this.#ask('replace', undefined);
  }

  remove(): Promise<void> {
    return this.#ask('remove', undefined);
  }

  appears(): Promise<boolean> {
    return this.#ask('appears', false);
  }

  references(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  ping(): Promise<never> {
    return Promise.reject(new Error('not asked for here'));
  }

  foundVersion(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  signIn(): Promise<boolean> {
    return Promise.resolve(true);
  }

  expectLockout(): Promise<void> {
    return Promise.resolve();
  }

  request(): Promise<RawAnswer> {
    return this.#ask('request', { status: 200, body: null });
  }

  #ask<Answer>(what: string, answer: Answer): Promise<Answer> {
    this.asked.push(what);
    return new Promise((resolve) => {
      this.#answers.push(() => {
        resolve(answer);
      });
    });
  }
}

describe('a time limit', () => {
  const limit = { seconds: 0.02, module: 'm' };
  const { signal } = new AbortController();
  const fork = new Fork(new Forks(fixedForks(1)));
  const isOver = (aborted: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      aborted.addEventListener('abort', () => {
        resolve();
      });
    });

  for (const method of ['GET', 'get', 'HEAD', 'head']) {
    it(`does not wait for the answer to ${method}, which is a read`, async () => {
      const limited = withinTime(limit, { session: new Puppet(), signal }, fork, ({ session }) =>
        session.request({ method, path: '/api/x' }),
      );
      const [result] = await Promise.allSettled([limited]);
      expect(result).to.have.nested.property('reason.message').that.includes('in the expected time frame (0.02)');
    });
  }

  it('does not end before a running write has finished', async () => {
    const session = new Puppet();
    let settled = false;
    let over: Promise<void> = Promise.resolve();
    const limited = withinTime(limit, { session, signal }, fork, async (attempt) => {
      over = isOver(attempt.signal);
      await attempt.session.replace('/api/x', {});
      await attempt.session.single('/api/x');
    }).catch((error: unknown) => {
      settled = true;
      return error;
    });
    await over;
    expect(settled).to.equal(false);
    session.answer();
    expect(await limited).to.be.instanceOf(Error);
    expect(session.asked).to.deep.equal(['replace']);
  });

  it('does not wait for a running read', async () => {
    const session = new Puppet();
    const limited = withinTime(limit, { session, signal }, fork, async (attempt) => {
      await attempt.session.request({ method: 'GET', path: '/api/x' });
      await attempt.session.create('/api/x/', 'a', {});
    });
    const error: unknown = await limited.catch((reason: unknown) => reason);
    expect(error)
      .to.have.property('message')
      .that.matches(/^The m action failed to execute/);
    expect(error).to.have.property('hint', undefined);
    session.answer();
    await Promise.resolve();
    expect(session.asked).to.deep.equal(['request']);
  });
});
