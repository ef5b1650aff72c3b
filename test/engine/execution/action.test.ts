import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { expect } from 'chai';
import { jsonText } from '../../../src/core/model/values/value.js';
import type { ActionContext, ActionResult } from '../../../src/module/contract.js';
import { acting } from '../../rig/own_action.js';
import { Recorder } from '../../rig/recorder.js';
import type { TextOptions } from '../../rig/run_text.js';

const REGISTER = '- { own: , register: r, ignore_errors: true }\n- debug: { msg: "{{ r | to_json }}" }\n';

describe('what an action returns', () => {
  const about = { kind: 'invoke', object: 'POST /x', before: null, after: null } as const;
  const cases: readonly (readonly [what: string, ActionResult, event: object, registered: object])[] = [
    [
      'nothing to do',
      { status: 'ok', message: 'fine', values: { a: 1 } },
      { status: 'ok', message: 'fine' },
      { changed: false, failed: false, msg: 'fine', a: 1 },
    ],
    ['a change that it does not show', { status: 'changed' }, { status: 'changed' }, { changed: true, failed: false }],
    [
      'a change that it shows',
      { status: 'changed', change: about, values: { changed: 'own' } },
      { status: 'changed', change: about },
      { changed: 'own', failed: false },
    ],
    [
      'a reason to skip it',
      { status: 'skipped', message: 'not here', values: { a: 1 } },
      { status: 'skipped', message: 'not here' },
      { changed: false, failed: false, skipped: true, skip_reason: 'not here', a: 1 },
    ],
    [
      'a failure',
      { status: 'failed', message: 'no', hint: 'do it', values: { a: 1 } },
      { status: 'failed', message: 'no', hint: 'do it' },
      { changed: false, msg: 'no', a: 1, failed: true },
    ],
    [
      'an interrupt that did not happen',
      { status: 'interrupted', message: 'stopped', values: { a: 1 } },
      { status: 'failed', message: 'stopped' },
      { changed: false, msg: 'stopped', a: 1, failed: true },
    ],
  ];
  for (const [what, result, event, values] of cases)
    it(`is ${what}`, async () => {
      const { tasks, said } = await acting({ run: () => result }, REGISTER);
      const [{ status, message, hint, change } = {}] = tasks;
      const told = { status, message, hint, change: change?.kind === 'none' ? undefined : change };
      expect(told).to.deep.equal({ message: undefined, hint: undefined, change: undefined, ...event });
      expect(JSON.parse(said[0] ?? '')).to.deep.equal(values);
    });

  it('is data, and has a status', async () => {
    for (const [given, message] of [
      [undefined, '"run" of the module own returned nothing'],
      [{ status: 'ok', values: { a: [1, () => 1] } }, 'the module own returned a function in "values.a.1"'],
      [{ status: 'ok', values: { a: undefined } }, 'the module own returned undefined in "values.a"'],
      [{ status: 'ok', values: { a: [{ b: undefined }] } }, 'the module own returned undefined in "values.a.0.b"'],
      [{ status: 'ok', values: { a: new Date(0) } }, 'the module own returned a Date in "values.a"'],
      [{ status: 'ok', values: { a: new Map() } }, 'the module own returned a Map in "values.a"'],
      [{ status: 'ok', message: 5 }, '"run" of the module own returned a message or hint that is not text'],
      [{ status: 'ok', hint: {} }, '"run" of the module own returned a message or hint that is not text'],
      [{ status: 'ok', facts: { b: () => 1 } }, 'the module own returned a function in "facts.b"'],
      [{ status: 'failed', message: 'no', values: { c: () => 1 } }, 'the module own returned a function in "values.c"'],
    ] as const) {
      const { tasks } = await acting({ run: () => given as unknown as ActionResult }, '- own:\n');
      expect(tasks[0]).to.deep.include({ status: 'failed', message });
    }
  });

  it('is a failure if it writes to a controller that another run has, but may be what it reads there', async () => {
    const asked: string[] = [];
    const request = (method: string) => () => Promise.resolve({ status: 200, body: method });
    const session = { request: ({ method }: { method: string }) => request(method)(), close: () => Promise.resolve() };
    const open = { ...session, withWait: () => session, forgetAnswers: () => undefined };
    const options: TextOptions = {
      inventory:
        'all: { hosts: { lb1: { controller_url: https://lb1, controller_username: a, controller_password: b, controller_api_version: 22.1.3 } } }',
      connect: () => open as never,
      beforeWrite: ({ url }) => {
        asked.push(url);
        return Promise.reject(new Error('run r1 holds the lock'));
      },
    };
    const own =
      (method: string) =>
      async (context: ActionContext): Promise<ActionResult> => {
        const { body } = await context.request({ method, path: '/api/x', body: null });
        return { status: 'ok', message: jsonText(body) };
      };
    const [read, written] = [
      await acting({ run: own('GET') }, '- own:\n', options),
      await acting({ run: own('POST') }, '- own:\n', options),
    ];
    expect([read.tasks[0]?.message, written.tasks[0]?.status, asked]).to.deep.equal([
      '"GET"',
      'failed',
      ['https://lb1'],
    ]);
    expect(written.tasks[0]?.message).to.include('run r1 holds the lock');
  });

  it('is certain after a lost answer if it has looked for what it wrote', async () => {
    for (const [looked, status, outcome] of [
      [true, 'changed', 'applied'],
      [true, 'failed', 'unknown'],
      [false, 'changed', 'unknown'],
    ] as const) {
      const session = { request: () => Promise.resolve({ status: 504, body: null }), close: () => Promise.resolve() };
      const journal = new Recorder();
      const run = async (context: ActionContext): Promise<ActionResult> => {
        await context.request({ method: 'POST', path: '/api/x', body: null, looked });
        return { status, message: 'done' };
      };
      const { tasks } = await acting({ run }, '- own:\n', {
        inventory:
          'all: { hosts: { lb1: { controller_url: https://lb1, controller_username: a, controller_password: b, controller_api_version: 22.1.3 } } }',
        connect: () => ({ ...session, withWait: () => session, forgetAnswers: () => undefined }) as never,
        journal,
      });
      expect([journal.of('write-finished').at(-1)?.outcome, tasks[0]?.unconfirmed]).to.deep.equal([
        outcome,
        outcome === 'unknown' ? true : undefined,
      ]);
    }
  });

  it('is a failure before anything is recorded if it sends a body that is no data', async () => {
    for (const [body, shown] of [
      [{ a: undefined }, 'undefined in "a"'],
      [{ a: { b: Number.NaN } }, 'a number that is not finite in "a.b"'],
      [{ a: [new Map()] }, 'a Map in "a.0"'],
    ] as const) {
      const run = async (context: ActionContext): Promise<ActionResult> => {
        await context.request({ method: 'POST', path: '/api/x', body: body as never });
        return { status: 'ok' };
      };
      const { tasks } = await acting({ run }, '- own:\n');
      expect(tasks[0]).to.deep.include({ status: 'failed', message: `not sent: the body has ${shown}` });
    }
  });

  describe('after a write', () => {
    const inventory =
      'all: { hosts: { lb1: { controller_url: https://lb1, controller_username: a, controller_password: b, controller_api_version: 22.1.3 } } }';
    const sent: string[] = [];
    const request = async ({ path }: { path: string }): Promise<object> => {
      await new Promise(setImmediate);
      sent.push(path);
      if (path === '/api/lost') throw new Error('lost');
      return { status: 200, body: null };
    };
    const session = { request, close: () => Promise.resolve() };
    const open = { ...session, withWait: () => session, forgetAnswers: () => undefined };
    const after = (run: Parameters<typeof acting>[0]['run'], options: TextOptions = {}) =>
      acting({ run }, '- own:\n', { inventory, connect: () => open as never, journal: new Recorder(), ...options });
    const put = (path: string) => ({ method: 'PUT', path, body: {} });

    it('says what was written if it is a failure', async () => {
      for (const end of [{ status: 'failed', message: 'no' } as const, undefined]) {
        const { tasks } = await after(async (context) => {
          await context.request(put('/api/x'));
          if (end === undefined) throw new Error('no');
          return end;
        });
        expect(tasks[0]).to.deep.include({ status: 'failed', changed: true });
        expect(tasks[0]?.change).to.deep.include({ kind: 'invoke', object: 'PUT /api/x' });
      }
    });

    it('waits for a write that the module does not wait for', async () => {
      for (const [path, status] of [
        ['/api/x', 'ok'],
        ['/api/lost', 'failed'],
      ] as const) {
        sent.length = 0;
        const { tasks } = await after((context) => {
          void context.request(put(path));
          return { status: 'ok' };
        });
        expect([sent, tasks[0]?.status]).to.deep.equal([[path], status]);
      }
      const { tasks } = await after(async (context) => {
        await Promise.all([context.request(put('/api/lost')), context.request(put('/api/y'))]);
        return { status: 'ok' };
      });
      expect([sent.at(-1), tasks[0]?.status]).to.deep.equal(['/api/y', 'failed']);
    });

    it('waits for what follows such a write, and sends nothing once the task has ended', async () => {
      sent.length = 0;
      const ended = new EventEmitter();
      let late: Promise<unknown> = Promise.resolve();
      const { tasks } = await after((context) => {
        void context.request(put('/api/x')).then(() => context.request(put('/api/y')));
        late = once(ended, 'end').then(() => context.request(put('/api/late')));
        return { status: 'ok' };
      });
      expect(tasks[0]?.status).to.equal('ok');
      ended.emit('end');
      const [end] = await Promise.allSettled([late]);
      expect(end).to.have.nested.property('reason.message').that.includes('not sent, because its task has ended');
      expect(sent).to.deep.equal(['/api/x', '/api/y']);
    });

    it('is a failure in check mode, where nothing is sent', async () => {
      sent.length = 0;
      const { tasks } = await after((context) => context.request(put('/api/x')).then(() => ({ status: 'changed' })), {
        check: true,
      });
      expect(sent).to.deep.equal([]);
      const message = 'PUT /api/x is not sent in check mode (context.checkMode)';
      expect(tasks[0]).to.deep.include({ status: 'failed', message });
    });
  });

  it('may be facts, which are those of Ansible only if they are to be kept', async () => {
    const facts = { mine: 'a' };
    for (const [cacheable, expected] of [
      [false, 'a none'],
      [true, 'a a'],
    ] as const) {
      const { said } = await acting(
        { run: () => ({ status: 'ok', facts, cacheable }) },
        `- own:\n- debug: { msg: "{{ mine }} {{ ansible_facts.mine | default('none') }}" }\n`,
      );
      expect(said).to.deep.equal([expected]);
    }
  });

  it('may be a group or a controller, which is a change only once', async () => {
    const group = { type: 'group', name: 'made', parents: ['above'] } as const;
    const host = { type: 'host', name: 'lb9', groups: ['made'], values: {} } as const;
    for (const effect of [group, host]) {
      const { lines, said } = await acting(
        { run: () => ({ status: 'ok', effect }) },
        `- own:\n- own:\n- debug: { msg: "{{ groups.made | join(' ') }}" }\n`,
      );
      expect(lines.slice(0, 2)).to.deep.equal(['lb1 own: changed', 'lb1 own: ok']);
      expect(said).to.deep.equal([effect === group ? 'lb1' : 'lb9']);
    }
    const shard = { index: 1, count: 1 };
    const { tasks } = await acting({ run: () => ({ status: 'ok', effect: host }) }, '- own:\n', { shard });
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      message: '--shard: the other shards would not know what add_host adds',
      hint: 'run it without --shard, on one machine',
    });
  });

  it('is nothing in check mode unless it can be checked, which its arguments may decide', async () => {
    const run = (): ActionResult => ({ status: 'ok', message: 'done' });
    const tasks = '- own: { text: a }\n- own: { text: b }\n';
    const skipped = 'own is not carried out in check mode';
    for (const [check, expected] of [
      [true, ['done', 'done']],
      [false, [skipped, skipped]],
      [({ text }: Readonly<Record<string, unknown>>) => text === 'b', [skipped, 'done']],
    ] as const) {
      const ran = await acting({ run, check }, tasks, { check: true });
      expect(ran.tasks.map(({ message }) => message)).to.deep.equal(expected);
      const real = await acting({ run, check }, tasks);
      expect(real.tasks.map(({ message }) => message)).to.deep.equal(['done', 'done']);
    }
  });
});

describe('what an action knows and can do', () => {
  const TWO = 'all: { hosts: { lb1: { site: fra }, lb2: } }';

  it('is of its controller, its task and its run', async () => {
    const known: unknown[] = [];
    await acting(
      {
        run: (context) => {
          const { controller, checkMode, simulated, verbosity } = context;
          known.push([controller, checkMode, simulated, verbosity, context.variable('site')]);
          known.push(['no', ''].map((one) => context.isTrue(one)));
          known.push(['/a', `/${controller}`, '/a'].map((file) => context.savesAs(file)));
          known.push(context.searchPath().every((folder) => path.isAbsolute(folder)));
          return { status: 'ok' };
        },
      },
      '- own:\n  check_mode: "{{ site is defined }}"\n',
      { inventory: TWO, verbosity: 2, simulated: true, forks: 1 },
    );
    const none = undefined;
    expect(known).to.deep.equal([
      ['lb1', true, true, 2, 'fra'],
      [true, false],
      [none, none, none],
      true,
      ['lb2', false, true, 2, none],
      [true, false],
      ['lb1', none, 'lb1'],
      true,
    ]);
  });

  it('is the address of its controller: of its URL, as Ansible knows it, or its name', async () => {
    const inventory = `all:
  hosts:
    lb1: { controller_url: 'https://lb1.example.com:8443' }
    lb2: { ansible_host: 10.0.0.2 }
    lb3: {}
    lb4: { controller_url: 'ftp://x' }
`;
    const { tasks } = await acting({ run: (context) => ({ status: 'ok', message: context.address() }) }, '- own:\n', {
      inventory,
      forks: 1,
    });
    expect(tasks.map(({ status, message }) => `${status} ${message ?? ''}`)).to.deep.equal([
      'ok lb1.example.com',
      'ok 10.0.0.2',
      'ok lb3',
      'failed controller_url is not a URL: "ftp://x"',
    ]);
  });

  it('is the value of an expression; a mistake is at its place in the arguments', async () => {
    const run = (context: ActionContext, { text, list }: Readonly<Record<string, unknown>>): ActionResult => {
      for (const one of Array.isArray(list) ? (list as readonly string[]) : []) context.evaluate(one);
      return { status: 'ok', message: jsonText(context.evaluate(String(text))) };
    };
    const { tasks } = await acting(
      { run },
      `- own: { text: "1 + 1" }
- own: { text: "nothing" }
  ignore_errors: true
- own: { text: "1", list: ["site", "gone.x"] }
  ignore_errors: true
`,
      { inventory: 'all: { hosts: { lb1: { site: fra } } }' },
    );
    expect(tasks.map(({ message, source, cause = source }) => [message, cause.line, cause.column])).to.deep.equal([
      ['2', 3, 7],
      ['variable "nothing" is not defined', 4, 20],
      ['variable "gone" is not defined', 6, 40],
    ]);
  });

  it('is to warn, to report how far it is, what it waits for, and to ask', async () => {
    const asked: unknown[] = [];
    const ask: TextOptions['ask'] = ({ question, hidden }) => {
      asked.push([question, hidden]);
      return Promise.resolve('yes');
    };
    const run = async (context: ActionContext): Promise<ActionResult> => {
      context.warn('look out');
      context.progress('half');
      context.waiting(1, 3, 'no answer');
      return { status: 'ok', message: (await context.ask('Go on?', { hidden: true })) ?? 'no answer' };
    };
    const { events, tasks } = await acting({ run }, '- { name: act, own: }\n', { ask });
    expect(asked).to.deep.equal([['Go on?', true]]);
    expect(tasks.map(({ message }) => message)).to.deep.equal(['yes']);
    const [warning, progressed, retried] = ['warning', 'task-progressed', 'task-retried'].map((type) =>
      events.find((event) => event.type === type),
    );
    const place = { play: 'all', task: 'act', controller: 'lb1' };
    expect(warning).to.deep.include({ message: 'look out', controller: 'lb1' });
    expect(progressed).to.deep.include({ ...place, message: 'half' });
    expect(retried).to.deep.include({ ...place, attempt: 1, attempts: 3, message: 'no answer' });
    const alone = await acting({ run }, '- own:\n');
    expect(alone.tasks.map(({ message }) => message)).to.deep.equal(['no answer']);
  });

  it('can hide what it found', async () => {
    const { secrets } = await acting(
      {
        run: (context) => {
          context.hide('found-secret-1');
          return { status: 'ok' };
        },
      },
      '- own:\n',
    );
    expect(secrets.mask('it is found-secret-1')).to.equal('it is ********');
  });

  it('waits until an interrupt ends the wait', async () => {
    const interrupt = new AbortController();
    const { lines, finished } = await acting(
      {
        run: async (context) => {
          interrupt.abort();
          await context.sleep(60);
          return { status: 'ok', message: context.signal.aborted ? 'cut short' : 'whole' };
        },
      },
      '- own:\n- debug:\n',
      { drain: interrupt.signal },
    );
    expect(lines).to.deep.equal(['lb1 own: ok']);
    expect(finished).to.deep.include({ status: 'interrupted', cutOff: ['lb1'] });
  });
});
