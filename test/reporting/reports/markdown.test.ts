import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { emptyStats } from '../../../src/core/model/run/result.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { code, fenced } from '../../../src/reporting/reports/markdown.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import type { ReportOptions } from '../../../src/reporting/reports/report.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

async function markdown(events: Iterable<Event>, options: Partial<ReportOptions> = {}): Promise<string> {
  const { make } = await loadReport('markdown');
  const report = make({
    secrets: new Secrets(),
    cwd: '/nowhere',
    commandFor: (way) => `evenkeel ${way} ID`,
    ...options,
  });
  return [...events].flatMap((event) => [...report.take(event)]).join('');
}

const UPDATED = { kind: 'update', object: 'cloud "edge"', before: { mtu: 1500 }, after: { mtu: 9000 } } as const;

describe('a code span', () => {
  it('has more backticks than its text, and space beside those of its text', () => {
    for (const [text, span] of [
      ['a', '`a`'],
      ['a`b', '``a`b``'],
      ['`a', '`` `a ``'],
      ['a`', '`` a` ``'],
      ['a``b`', '``` a``b` ```'],
      ['a\nb', '`a b`'],
    ] as const)
      expect(code(text)).to.equal(span);
    expect(fenced('yaml', 'a')).to.equal('```yaml\na\n```');
    expect(fenced('', 'a```b')).to.equal('````\na```b\n````');
    expect(fenced('', '``')).to.equal('```\n``\n```');
  });
});

describe('the Markdown report', () => {
  it('has the warnings, equal ones of several controllers once, before the changes', async () => {
    const make = new EventMaker();
    const names = controllerNames(3);
    const text = await markdown([
      make.runStarted(),
      make.playStarted(names),
      ...names.map((controller) => make.warning(`"password" of ${controller} cannot be *read*`, { controller })),
      make.warning('a clock is wrong'),
      make.taskFinished('lb01', 'changed', { change: UPDATED }),
      make.pass(2).runFinished(),
    ]);
    expect(text).to.include(
      '#### Warnings\n\n- 3 controllers: lb01, lb02, lb03: "password" of &lt;controller&gt; cannot be \\*read\\*\n- a clock is wrong\n\n#### Changes\n',
    );
    const many = await markdown([
      make.runStarted(),
      ...Array.from({ length: 23 }, (_, at) => make.warning(`clock ${'i'.repeat(at + 1)} is wrong`)),
      make.runFinished(),
    ]);
    expect(many.match(/^- clock/gm)).to.have.length(20);
    expect(many).to.include('\n- _… and 3 more warnings_\n');
  });

  it('masks what became known after a warning before it cuts the warning', async () => {
    const make = new EventMaker();
    const secrets = new Secrets();
    const key = 'k'.repeat(1960);
    const events = function* (): Iterable<Event> {
      yield make.runStarted();
      yield make.warning(`${key} belongs to it: learned-late-in-the-run`);
      for (const name of ['lb1', 'lb2'])
        yield make.warning(`${name}: ${key} belongs to learned-late-in-the-run`, { controller: name });
      for (const secret of [key, 'learned-late-in-the-run']) secrets.add(secret);
      yield make.runFinished();
    };
    const hidden = String.raw`\*`.repeat(8);
    const text = await markdown(events(), { secrets });
    expect(text).to.include(`\n- ${hidden} belongs to it: ${hidden}\n`);
    expect(text).to.include(`: &lt;controller&gt;: ${hidden} belongs to ${hidden}\n`);
  });

  it('has the outcome, failures with causes, changes with folded diffs, and the command that continues', async () => {
    const make = new EventMaker();
    const names = controllerNames(12);
    const text = await markdown([
      make.runStarted({ environment: 'staging', simulated: true }),
      make.playStarted(names),
      ...names.slice(1).map((name) => make.taskFinished(name, 'changed', { change: UPDATED })),
      make.taskFinished('lb02', 'changed', { task: 'Send', message: 'sent the *image*' }),
      make.taskFinished('lb01', 'failed', {
        message: 'POST /api/cloud/: the controller answered 400: ask @admin',
        hint: 'see https://docs or www.docs',
      }),
      make.pass(2).runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    expect(text).to.equal(`<!-- evenkeel -->
### ❌ 1 of 12 controllers failed

\`playbooks/rollout.yml\` · environment \`staging\` · simulated, no real controller was contacted

12 controllers · 11 changed · 1 failed · 2.0 s

#### Failures

**failed: Create the cloud** (\`cloud_present\`, \`playbooks/rollout.yml:4:7\`)

\`\`\`text
400 ask @admin (POST /api/cloud/)
\`\`\`

- controller: lb01
- hint: see https:\u2060//docs or www\u2060.docs
- written before: nothing
- not run: 1 task after it

#### Changes

<details><summary><b>Create the cloud</b>: updated cloud "edge": mtu (11 controllers: lb02, lb03, lb04, lb05, lb06, lb07, lb08, lb09, lb10, lb11 and 1 more)</summary>

\`\`\`diff
- mtu: 1500
+ mtu: 9000
\`\`\`
</details>

- **Send**: sent the \\*image\\* (lb02)

Continue with: \`evenkeel rerun ID\`

<sub>evenkeel 0.1.0 · run 20250301-120000-abcd</sub>
`);
  });

  it('says what would change, and whether nothing was written', async () => {
    const make = new EventMaker();
    const start = [make.runStarted({ check: true }), make.playStarted(['lb1'])];
    expect(await markdown([...start, make.taskFinished('lb1', 'ok'), make.runFinished()])).to.include(
      '### ✅ 1 controller, nothing would change\n',
    );
    const change = make.taskFinished('lb1', 'changed', { check: true, change: UPDATED });
    const text = await markdown([...start, change, make.runFinished()]);
    expect(text).to.include('### ✅ 1 of 1 controller would change\n');
    expect(text).to.include('</b>: would update cloud "edge": mtu (lb1)</summary>');
    expect(text).to.include('· check mode, nothing was written\n');
    const written = make.taskFinished('lb1', 'changed', { change: UPDATED });
    expect(await markdown([...start, change, written, make.runFinished()])).to.include(
      '· check mode, but tasks with check_mode: false have written\n',
    );
  });

  it('has what a rescued task changed before it failed', async () => {
    const make = new EventMaker();
    const rescued = { rescued: true, changed: true, change: UPDATED, message: 'failed_when: true' };
    const text = await markdown([make.runStarted(), make.taskFinished('lb1', 'failed', rescued), make.runFinished()]);
    expect(text).to.include('### ✅ 1 of 1 controller changed\n').and.include('</b>: updated cloud "edge": mtu (lb1)<');
  });

  it('has writes with an unknown outcome that no failure has, after the failures', async () => {
    const make = new EventMaker();
    const sent = { unconfirmed: true, change: UPDATED } as const;
    const text = await markdown([
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'failed', { ...sent, rescued: true }),
      make.taskFinished('lb2', 'interrupted', sent),
      make.runFinished(),
    ]);
    expect(text).to.include('\n\nsent, but not confirmed: cloud "edge" on lb1, lb2\n\n');
    expect(text).to.not.include('#### Failures');
  });

  it('names no controller in the message of several, and their items', async () => {
    const make = new EventMaker();
    const fail = (name: string, item: string): readonly Event[] => [
      make.taskFinished(name, 'failed', { item, message: `${name} is full` }),
      make.taskFinished(name, 'failed', { message: '1 of 1 items failed' }),
    ];
    const text = await markdown([
      make.playStarted(['lb1', 'lb2']),
      ...fail('lb1', 'a'),
      ...fail('lb2', 'b'),
      make.runFinished(),
    ]);
    expect(text).to.include('**failed: Create the cloud (items a, b)**').and.to.include('\n<controller> is full\n');
  });

  it('counts warnings about none that differ only in an address', async () => {
    const make = new EventMaker();
    const warnings = Array.from({ length: 5 }, (_, at) => make.warning(`pool "10.0.0.${at}" was created`));
    const text = await markdown([make.runStarted(), ...warnings, make.runFinished()]);
    expect(text.match(/^- .*$/gm)).to.deep.equal([
      '- pool "10.0.0.0" was created',
      '- pool "10.0.0.1" was created',
      '- pool "10.0.0.2" was created',
      '- 2 more warnings like: pool "10.0.0.0" was created',
    ]);
  });

  it('never treats text of controllers as markup', async () => {
    const make = new EventMaker();
    const text = await markdown([
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { task: '<img src=x> [a](b)', message: '```\n# Heading' }),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    expect(text).to.include('**failed: &lt;img src=x&gt; \\[a\\](b)**');
    expect(text).to.include('````text\n```\n# Heading\n````');
  });

  it('names every cause of a failure, however many there are', async () => {
    const make = new EventMaker();
    const names = controllerNames(45);
    const failed = names.map((name, at) => make.taskFinished(name, 'failed', { message: `cause ${at} of ${name}` }));
    const text = await markdown([make.runStarted(), make.playStarted(names), ...failed, make.runFinished()]);
    for (const at of names.keys()) expect(text).to.include(`cause ${at} of`);
    expect(text).to.include(
      '\n\n- **failed: Create the cloud** (`playbooks/rollout.yml:4:7`): cause 44 of lb45 (lb45)\n',
    );
  });

  it('fits into a comment on GitHub', async () => {
    const make = new EventMaker();
    const names = controllerNames(300);
    const after = (name: string) => ({
      name,
      lines: Array.from({ length: 200 }, (_, index) => `${name}-${index}-${'x'.repeat(60)}`),
    });
    const changes = names.map((name, index) =>
      make.taskFinished(name, 'changed', {
        change: { kind: 'create', object: `cloud "c${index}"`, before: null, after: after(`c${index}`) },
      }),
    );
    const text = await markdown([make.runStarted(), make.playStarted(names), ...changes, make.runFinished()]);
    expect(text.length).to.be.below(65_536);
    expect(text).to.match(/_… cut here: 38 more paragraphs_\n\n<sub>evenkeel/);
  });

  it('begins with how the run ended', async () => {
    const make = new EventMaker();
    const stats = (given: Readonly<Record<string, object>>) =>
      Object.fromEntries(Object.entries(given).map(([name, one]) => [name, { ...emptyStats(), ...one }]));
    const [ok, changed, failed, away] = [{ ok: 1 }, { ok: 1, changed: 1 }, { failed: 1 }, { unreachable: 1 }];
    const cases: readonly (readonly [end: object, headline: string, started?: object, options?: object])[] = [
      [{ stats: stats({ a: ok, b: ok }) }, '✅ 2 controllers, nothing changed'],
      [{ stats: stats({ a: ok }) }, '✅ 1 controller, nothing would change', { check: true }],
      [{ stats: stats({ a: changed, b: ok }) }, '✅ 1 of 2 controllers changed'],
      [{ stats: stats({ a: changed, b: changed }) }, '✅ 2 of 2 controllers would change', { check: true }],
      [
        { stats: stats({ a: failed, b: away, c: changed }), status: 'failed', exitCode: 2 },
        '❌ 2 of 3 controllers failed',
      ],
      [{ stats: stats({ a: changed }), status: 'stale', exitCode: 5 }, '❌ ended early: stale'],
      [
        {
          stats: stats({ a: changed, b: ok }),
          status: 'interrupted',
          exitCode: 130,
          unstarted: ['c', 'd'],
          cutOff: ['b'],
        },
        '⚠️ interrupted: 3 of 4 controllers not finished',
      ],
      [{ stats: stats({ a: changed, b: ok }) }, '⚠️ 1 of 2 controllers differs', {}, { comparing: true }],
      [{ stats: stats({ a: changed, b: changed }) }, '⚠️ 2 of 2 controllers differ', {}, { comparing: true }],
      [{ stats: stats({ a: ok }) }, '✅ 1 controller, no drift', {}, { comparing: true }],
    ];
    const checked = make.taskFinished('a', 'changed', { round: 1 });
    const text = await markdown([make.runStarted(), checked, make.runFinished({ stats: stats({ a: ok }) })]);
    expect(text).to.include('### ✅ 1 controller, nothing changed');
    for (const [end, headline, started, options] of cases) {
      const text = await markdown([make.runStarted(started), make.runFinished(end)], options);
      expect(text.split('\n')[1], headline).to.equal(`### ${headline}`);
    }
  });

  it('has its facts, why it ended, and the version, or none of them', async () => {
    const make = new EventMaker();
    const start = make.runStarted({ playbooks: ['a.yml', 'b.yml'], environment: 'prod', check: true, simulated: true });
    const end = make.runFinished({ reason: 'too *many*\nfailed', seconds: 3, status: 'failed', exitCode: 6 });
    const text = await markdown([start, end]);
    expect(text.split('\n\n').slice(1)).to.deep.equal([
      '`a.yml` · `b.yml` · environment `prod` · check mode, nothing was written · simulated, no real controller was contacted',
      '0 controllers · gate failed · 3.0 s',
      'Ended early: too \\*many\\* failed',
      'Continue with: `evenkeel resume ID`',
      '<sub>evenkeel 0.1.0 · run 20250301-120000-abcd</sub>\n',
    ]);
    expect((await markdown([make.runFinished({ seconds: 1 })])).split('\n\n').slice(1)).to.deep.equal([
      '0 controllers · 1.0 s',
      '<sub>evenkeel  · run 20250301-120000-abcd</sub>\n',
    ]);
  });

  it('has changes without a diff in one line, the ends of long diffs, and the values of templates', async () => {
    const make = new EventMaker();
    const at = (line: number) => ({ task: `T${line}`, source: { file: 'p.yml', line, column: 1 } });
    const fields = Object.fromEntries(Array.from({ length: 62 }, (_, n) => [`f${n}`, n]));
    const change = { kind: 'update', object: 'cloud "a"', before: {}, after: fields } as const;
    const mtu = (value: number) =>
      ({ kind: 'update', object: 'cloud "b"', before: {}, after: { mtu: value } }) as const;
    const text = await markdown(
      [
        make.playStarted(['lb1', 'lb2']),
        make.taskFinished('lb1', 'changed', { ...at(1), message: 'sent <b>' }),
        make.taskFinished('lb1', 'changed', { ...at(2), change }),
        make.taskFinished('lb1', 'changed', { ...at(3), change: mtu(1) }),
        make.taskFinished('lb2', 'changed', { ...at(3), change: mtu(2) }),
        make.runFinished(),
      ],
      { writtenArguments: ({ line }) => (line === 3 ? { mtu: '{{ mtu }}' } : undefined) },
    );
    expect(text).to.include('- **T1**: sent &lt;b&gt; (lb1)\n');
    expect(text).to.include('\n+ f59: 59\n… 2 more lines\n```');
    expect(text).to.include(
      '<b>T3</b>: updated cloud "b": mtu (2 controllers: lb1, lb2)</summary>\n\n```diff\n+ mtu: "{{ mtu }}"\n# {{ mtu }}: 2 values: 1 (lb1), 2 (lb2)\n```',
    );
  });

  it('names the place of a failure and of its cause', async () => {
    const make = new EventMaker();
    const source = { file: '/nowhere/p.yml', line: 3, column: 1 };
    const cause = { file: '/nowhere/vars.yml', line: 9, column: 2 };
    const text = await markdown([
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { source, cause, message: 'no' }),
      make.runFinished(),
    ]);
    expect(text).to.include('**failed: Create the cloud** (`cloud_present`, `p.yml:3:1`, because of `vars.yml:9:2`)');
  });
});
