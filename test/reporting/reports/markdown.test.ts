import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { code, fenced } from '../../../src/reporting/reports/markdown.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

async function markdown(events: Iterable<Event>): Promise<string> {
  const { make } = await loadReport('markdown');
  const report = make({ secrets: new Secrets(), cwd: '/nowhere', commandFor: (way) => `evenkeel ${way} ID` });
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
        hint: 'see https://docs',
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
- hint: see https:\u2060//docs
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

  it('says what would change, and that nothing was written', async () => {
    const make = new EventMaker();
    const start = [make.runStarted({ check: true }), make.playStarted(['lb1'])];
    expect(await markdown([...start, make.taskFinished('lb1', 'ok'), make.runFinished()])).to.include(
      '### ✅ 1 controller, nothing would change\n',
    );
    const change = make.taskFinished('lb1', 'changed', { check: true, change: UPDATED });
    const text = await markdown([...start, change, make.runFinished()]);
    expect(text).to.include('### ✅ 1 of 1 controller would change\n');
    expect(text).to.include('</b>: would update cloud "edge": mtu (lb1)</summary>');
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
    expect(text).to.match(/_… cut here: \d+ more paragraphs_\n\n<sub>evenkeel/);
  });
});
