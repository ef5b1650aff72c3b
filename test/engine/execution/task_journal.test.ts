import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { PastWrite } from '../../../src/core/model/run/past.js';
import { jsonText } from '../../../src/core/model/values/value.js';
import { Connection } from '../../../src/engine/controllers/session_pool.js';
import type { TaskSession } from '../../../src/engine/controllers/task_session.js';
import { requireSameConnection } from '../../../src/engine/execution/task_journal.js';
import { runFolder } from '../../../src/record/journal/format/run_folders.js';
import { settingsOf } from '../../rig/controllers.js';
import { inFolder } from '../../rig/folder.js';
import { anIntent, beginRun, journalOf, readKept } from '../../rig/kept.js';
import { runText, type TextOptions } from '../../rig/run_text.js';

const URL = 'https://lb1.example.com';
const OTHER = 'https://lb9.example.com';

function connect(tenant?: string, url = URL, username = 'admin'): Connection {
  return new Connection(settingsOf(url, undefined, { tenant, username }), () => undefined, URL, true, false, {
    overrides: () => undefined,
    declaredBy: () => undefined,
    digest: jsonText,
  });
}

function session(...reached: Parameters<typeof connect>): TaskSession {
  return { target: 'lb1', connection: () => Promise.resolve(connect(...reached)) } as TaskSession;
}

function write(...reached: Parameters<typeof connect>): PastWrite {
  const { settings, reached: to } = connect(...reached);
  return { intent: { write: 1, ...anIntent({ tenant: settings.tenant, reached: to }) }, outcome: 'unknown' };
}

const refusal = async (writes: readonly PastWrite[], now: TaskSession): Promise<unknown> =>
  requireSameConnection(writes, now).catch((error: unknown) => error);

describe('a write from before an interrupt', () => {
  it('may be continued at the same controller, in the same tenant, or without a connection', async () => {
    const nowhere = { target: 'lb1', connection: () => Promise.resolve(undefined) } as TaskSession;
    for (const [writes, now] of [
      [[], session('blue', OTHER)],
      [[write(), write()], session()],
      [[write('blue')], session('blue')],
      [[write(undefined, OTHER)], session(undefined, OTHER)],
      [[write('blue', OTHER)], nowhere],
    ] as const)
      expect(await refusal(writes, now)).to.equal(undefined);
  });

  it('is refused at another controller, as another user, or in another tenant, also if it is not the first', async () => {
    const restore =
      'restore the connection variables; or check the controller, then do the rest with a separate playbook';
    const restoreTenant =
      'restore controller_tenant; or check the controller, then do the rest with a separate playbook';
    const sent = 'POST /api/cloud/ was sent';
    for (const [writes, now, message, hint] of [
      [
        [write(), write(undefined, OTHER)],
        session(),
        `${sent} to ${OTHER} before the run was cut off, but this task now connects to ${URL}`,
        restore,
      ],
      [
        [write()],
        session(undefined, OTHER),
        `${sent} to ${URL} before the run was cut off, but this task now connects to ${OTHER}`,
        restore,
      ],
      [
        [write(undefined, URL, 'ann')],
        session(),
        `${sent} to ${URL} before the run was cut off, but this task now connects to ${URL} as another user or with other headers`,
        restore,
      ],
      [
        [write('blue'), write('red')],
        session('blue'),
        `${sent} in tenant "red" before the run was cut off, but this task now acts in tenant "blue"`,
        restoreTenant,
      ],
      [
        [write('red')],
        session(),
        `${sent} in tenant "red" before the run was cut off, but this task now acts without a tenant`,
        restoreTenant,
      ],
    ] as const)
      expect(await refusal(writes, now)).to.deep.include({ message, hint });
  });
});

const LARGE = `
- hosts: all
  tasks:
    - name: Fact
      set_fact:
        rows: "{{ range(20000) | list }}"
        password_of: {admin_password: "{{ 'secret-of-a-row' }}", filler: "{{ 'y' * 70000 }}"}
    - name: Result
      debug: {msg: "{{ 'x' * 70000 }}"}
      register: said
    - name: Loop
      debug: {msg: "{{ item * 70000 }}"}
      loop: [a, b]
      register: looped
`;
const LOOK = `
    - name: Look
      debug:
        msg: "{{ rows | length }} {{ said.msg | length }} {{ looped.results | map(attribute='msg') | map('length') | join('+') }} {{ looped.results[1].item }}"
`;

function failureOf(playbook: string, options: TextOptions): Promise<readonly (string | undefined)[]> {
  return runText(playbook, options).then(({ tasks }) => {
    const failed = tasks.findLast(({ status }) => status === 'failed');
    return [failed?.task, failed?.message, failed?.hint];
  });
}

describe('a large value kept for later tasks', () => {
  it('goes into a file, and templates can still use it', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const ran = await runText(LARGE + LOOK, { journal });
      await journal.close();
      expect(ran.said.at(-1)).to.equal('20000 70000 70000+70000 b');
      expect((await readdir(path.join(runFolder(state, journal.id), 'values'))).length).to.be.greaterThan(4);
    }));

  it('is available after a resume, and its secrets are known before it is read', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await runText(LARGE, { journal });
      await journal.close();
      const past = await readKept(state, journal.id, (run) => run.past);
      const ran = await runText(LARGE + LOOK, { past });
      expect(ran.said).to.deep.equal(['20000 70000 70000+70000 b']);
      expect(ran.secrets.mask('it is secret-of-a-row')).to.equal('it is ********');
    }));

  it('goes into a file as a cached fact and as a fact of another controller, too', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const text = `
- hosts: all
  tasks:
    - name: Cached
      set_fact: {rows: "{{ range(20000) | list }}", cacheable: true}
    - name: Given
      set_fact: {given: "{{ 'x' * 80000 }}", cacheable: true}
      delegate_to: lb1
      delegate_facts: true
    - name: Look
      debug: {msg: "{{ ansible_facts.rows | length }} {{ hostvars.lb1.given | length }}"}
`;
      const ran = await runText(text, { journal });
      await journal.close();
      expect(ran.said).to.deep.equal(['20000 80000']);
      expect((await journalOf(state, journal.id)).length).to.be.lessThan(10_000);
      const past = await readKept(state, journal.id, (run) => run.past);
      const again = await runText(text.replace('Look', 'Look again'), { past });
      expect(again.said).to.deep.equal(['20000 80000']);
    }));

  it('stays in memory if the run keeps no journal', async () => {
    expect((await runText(LARGE + LOOK)).said.at(-1)).to.equal('20000 70000 70000+70000 b');
  });

  it('fails its task if it is larger than max_registered', async () => {
    const hint =
      'ask for less, such as query: {fields: "name,uuid"}; or set max_registered (--max-registered, EVENKEEL_MAX_REGISTERED)';
    const text = '- hosts: all\n  tasks:\n    - {name: Say, debug: {msg: "{{ \'x\' * 900000 }}"}, register: said}\n';
    expect(await failureOf(text, { maxRegistered: 2 ** 19 })).to.deep.equal([
      'Say',
      'the result is 0.9 MiB, more than the limit of 0.5 MiB',
      hint,
    ]);
    const fact = '- hosts: all\n  tasks:\n    - {name: Fact, set_fact: {big: "{{ \'x\' * 900000 }}"}}\n';
    expect(await failureOf(fact, { maxRegistered: 2 ** 19 })).to.deep.equal([
      'Fact',
      'the result is 0.9 MiB, more than the limit of 0.5 MiB',
      hint,
    ]);
    expect(await failureOf(text, { maxRegistered: 2 ** 20 })).to.deep.equal([undefined, undefined, undefined]);
  });

  it('does not hide why its task failed', async () => {
    const text =
      '- hosts: all\n  tasks:\n    - {name: Say, fail: {msg: "the cause {{ \'x\' * 900000 }}"}, register: said}\n';
    expect((await failureOf(text, { maxRegistered: 2 ** 19 }))[1]).to.match(/^the cause x/);
  });

  it('leaves only whether something changed, and the message, of a task whose result is too large', async () => {
    const long = `{{ 'x' * 900000 }}`;
    const step = (action: string, changed: boolean): string =>
      `    - {${action}: {msg: "${long}"}, changed_when: ${changed}, register: r, ignore_errors: true}\n` +
      `    - debug: {msg: "{{ r.keys() | sort | join(' ') }}: {{ r.changed }} {{ r.failed }} {{ r.msg | length }}"}\n`;
    const text = ['debug', 'fail'].flatMap((action) => [step(action, true), step(action, false)]).join('');
    const ran = await runText(`- hosts: all\n  tasks:\n${text}`, { maxRegistered: 2 ** 19 });
    const refused = 'the result is 0.9 MiB, more than the limit of 0.5 MiB';
    expect(ran.said).to.deep.equal([
      refused,
      'changed failed msg: True True 53',
      refused,
      'changed failed msg: False True 53',
      'changed failed msg: True True 900000',
      'changed failed msg: False True 900000',
    ]);
  });

  it('does not change the status of an interrupted or skipped task', async () => {
    const interrupt = new AbortController();
    const text = (keywords: string): string =>
      `- hosts: all\n  tasks:\n    - {name: Say, debug: {msg: "{{ 'x' * 900000 }}"}, loop: "{{ ['z' * 900000] * 6 }}", register: said${keywords}}\n`;
    const watch: TextOptions['watch'] = (event) => {
      if (event.type === 'task-finished' && event.item !== undefined) interrupt.abort();
    };
    const ran = await runText(text(''), { maxRegistered: 10 ** 5, drain: interrupt.signal, watch });
    expect(ran.tasks.at(-1)).to.include({ status: 'interrupted', message: 'interrupted after 1 of 6 items' });
    expect(ran.finished.status).to.equal('interrupted');
    const skipped = await runText(text(', when: false'), { maxRegistered: 10 ** 5 });
    expect(skipped.tasks.at(-1)?.status).to.equal('skipped');
  });

  it("fails its task if the controller's values exceed four times the limit, not counting a value that it replaces", async () => {
    const tasks = (names: readonly string[]): string =>
      names.map((name) => `    - {name: Fact, set_fact: {${name}: "{{ 'x' * 900000 }}"}}\n`).join('');
    const text = (...names: readonly string[]): string => `- hosts: all\n  tasks:\n${tasks(names)}`;
    const options = { maxRegistered: 10 ** 6 };
    const nothing = [undefined, undefined, undefined];
    expect(await failureOf(text('one', 'two', 'three', 'four', 'four', 'one'), options)).to.deep.equal(nothing);
    const again = `    - {debug: {msg: "{{ 'x' * 900000 }}"}, register: said}\n`.repeat(6);
    expect(await failureOf(`- hosts: all\n  tasks:\n${again}`, options)).to.deep.equal(nothing);
    expect((await failureOf(text('one', 'two', 'three', 'four', 'five'), options))[1]).to.equal(
      'the registered values and facts of lb1 would take 4.3 MiB, more than the limit of 3.8 MiB',
    );
  });
});
