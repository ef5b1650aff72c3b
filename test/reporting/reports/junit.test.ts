import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { TestCases, type Case, type CaseVerdict } from '../../../src/reporting/reports/junit_cases.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import type { ReportOptions } from '../../../src/reporting/reports/report.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

async function junit(events: Iterable<Event>, options: Partial<ReportOptions> = {}): Promise<string> {
  const { make } = await loadReport('junit');
  const report = make({ secrets: new Secrets(), cwd: '/nowhere', ...options });
  return [...events].flatMap((event) => [...report.take(event)]).join('');
}

function caseOf(text: string, name: string): string {
  const start = text.indexOf(`<testcase name="${name}"`);
  return text.slice(start, text.indexOf('</testcase>', start));
}

function testCase(controller: string, verdict: CaseVerdict): Case {
  return { task: 'A', controller, verdict, seconds: 1, place: { file: 'a.yml', line: 1 }, message: '', details: '' };
}

const CONFIGURE = {
  task: 'Configure',
  module: 'system_config',
  source: { file: '/nowhere/playbooks/rollout.yml', line: 9, column: 7 },
};

/** The bytes that a report keeps for each of 300 controllers, on which ten items of a loop fail with these texts, and the loop with a message. */
async function keptFor(text: (name: string) => string, message = (): string => ''): Promise<number> {
  const { make } = await loadReport('junit');
  const report = make({ secrets: new Secrets(), cwd: '/nowhere' });
  const run = new EventMaker();
  const names = controllerNames(300);
  const take = (event: Event): readonly string[] => [...report.take(event)];
  take(run.playStarted(names));
  const before = usedMemory();
  for (const name of names) {
    for (let item = 0; item < 10; item++)
      take(run.taskFinished(name, 'failed', { item: `${item}`, message: text(name) }));
    take(run.taskFinished(name, 'failed', { message: message() }));
  }
  const kept = (usedMemory() - before) / names.length;
  expect(take(run.runFinished()).join('')).to.include('cut here');
  return kept;
}

function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  // Once more, for what the first one only prepares to free.
  runInNewContext('gc(); gc()');
  return process.memoryUsage().heapUsed;
}

describe('the JUnit report', () => {
  it('keeps no more of long failures than it may show, and equal ones once', async () => {
    expect(await keptFor((name) => name.repeat(500))).to.be.within(8_000, 12_000);
    expect(await keptFor(() => 'same '.repeat(500))).to.be.below(4_000);
    const answer = (): string => Buffer.from('same '.repeat(1500)).toString();
    expect(await keptFor(() => '', answer)).to.be.below(4_000);
  });

  it('names the first playbook for controllers that were not started, or nothing if it does not know any', async () => {
    const make = new EventMaker();
    const end = make.runFinished({ unstarted: ['lb1'] });
    const cases = async (...events: readonly Event[]) =>
      (await junit(events)).split('\n').filter((line) => /<testcase|<property /.test(line));
    expect(await cases(make.runStarted({ playbooks: ['/nowhere/a.yml', '/nowhere/b.yml'] }), end)).to.deep.equal([
      '<property name="run" value="20250301-120000-abcd"/>',
      '<property name="evenkeel" value="0.1.0"/>',
      '<testcase name="lb1: not started" classname="not run" time="0" file="a.yml" line="1">',
    ]);
    expect(await cases(end)).to.deep.equal([
      '<property name="run" value="20250301-120000-abcd"/>',
      '<property name="evenkeel" value=""/>',
      '<testcase name="lb1: not started" classname="not run" time="0">',
    ]);
  });

  it('has a suite for each play, and a test case for each task on each controller', async () => {
    const make = new EventMaker();
    const text = await junit([
      make.runStarted({ environment: 'staging' }),
      make.playStarted(['lb1', 'lb2', 'lb3'], { play: 'Roll "out" & on' }),
      make.taskFinished('lb1', 'changed'),
      make.taskFinished('lb1', 'failed', {
        ...CONFIGURE,
        message: 'POST /api/cloud/: the controller answered 400: name <edge> is reserved',
        hint: 'choose another',
      }),
      make.taskFinished('lb2', 'skipped', { message: 'when: canary' }),
      make.taskFinished('lb3', 'unreachable', { message: 'no connection' }),
      make.runFinished({ status: 'failed', exitCode: 2, seconds: 1.25 }),
    ]);
    expect(text).to.equal(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="evenkeel" tests="4" failures="1" errors="1" skipped="1" time="1.25">
<testsuite name="Roll &quot;out&quot; &amp; on" tests="4" failures="1" errors="1" skipped="1" time="0.8" timestamp="2025-03-01T12:00:00">
<properties>
<property name="run" value="20250301-120000-abcd"/>
<property name="evenkeel" value="0.1.0"/>
<property name="environment" value="staging"/>
</properties>
<testcase name="lb1: Create the cloud" classname="Roll &quot;out&quot; &amp; on" time="0.2" file="playbooks/rollout.yml" line="4"/>
<testcase name="lb1: Configure" classname="Roll &quot;out&quot; &amp; on" time="0.2" file="playbooks/rollout.yml" line="9">
<failure message="400 name &lt;edge&gt; is reserved (POST /api/cloud/)" type="failed">400 name &lt;edge&gt; is reserved (POST /api/cloud/)
hint: choose another</failure>
</testcase>
<testcase name="lb2: Create the cloud" classname="Roll &quot;out&quot; &amp; on" time="0.2" file="playbooks/rollout.yml" line="4">
<skipped message="when: canary"/>
</testcase>
<testcase name="lb3: Create the cloud" classname="Roll &quot;out&quot; &amp; on" time="0.2" file="playbooks/rollout.yml" line="4">
<error message="no connection" type="unreachable">no connection</error>
</testcase>
</testsuite>
</testsuites>
`);
  });

  it('passes ignored and rescued failures, and distinguishes the runs of a task that ran twice', async () => {
    const make = new EventMaker();
    const text = await junit([
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { ignored: true }),
      make.taskFinished('lb1', 'failed', { rescued: true }),
      make.runFinished(),
    ]);
    expect(text).to.include('failures="0" errors="0"');
    expect(text).to.include('name="lb1: Create the cloud"').and.to.include('name="lb1: Create the cloud (2)"');
  });

  it('distinguishes the cases of two plays of one name, whose suites GitLab ignores', async () => {
    const make = new EventMaker();
    const play = [make.playStarted(['lb1']), make.taskFinished('lb1', 'failed')];
    const other = [make.playStarted(['lb1'], { play: 'Other' }), make.taskFinished('lb1', 'failed')];
    const text = await junit([make.runStarted(), ...play, ...play, ...other, make.runFinished()]);
    expect(text.match(/(?:class)?name="[^"]*"(?= (?:classname|time="0.2" file))/g)).to.deep.equal([
      'name="lb1: Create the cloud"',
      'classname="Roll out"',
      'name="lb1: Create the cloud (2)"',
      'classname="Roll out"',
      'name="lb1: Create the cloud"',
      'classname="Other"',
    ]);
  });

  it('has the writes whose outcome is unknown, also of tasks that did not fail', async () => {
    const make = new EventMaker();
    const secrets = new Secrets();
    const sent = (object: string) => ({
      unconfirmed: true as const,
      change: { kind: 'create', object, before: null, after: {} } as const,
    });
    const events = function* (): Iterable<Event> {
      yield* [make.runStarted(), make.playStarted(['lb1'])];
      yield make.taskFinished('lb1', 'failed', { ...sent('cloud "hunter22"'), message: 'lost', rescued: true });
      yield make.taskFinished('lb1', 'failed', { ...sent('cloud "b"'), item: 'b', message: 'lost', ignored: true });
      yield make.taskFinished('lb1', 'failed', { message: '1 of 1 items failed', ignored: true });
      yield make.taskFinished('lb1', 'interrupted', sent('cloud "c"'));
      yield make.taskFinished('lb1', 'failed', { ...sent('cloud "d"'), message: 'lost' });
      secrets.add('hunter22');
      yield make.runFinished();
    };
    const text = await junit(events(), { secrets });
    const line = 'sent, but not confirmed: cloud';
    expect(text).to.include(`<system-out>lost\n${line} "********"</system-out>`);
    expect(text).to.include(`<system-out>1 of 1 items failed\n${line} "b"</system-out>`);
    expect(text).to.include(`<skipped message="interrupted&#10;${line} &quot;c&quot;"/>`);
    expect(text).to.include(`type="failed">lost\n${line} "d"</failure>`);
  });

  it('has the failures of a loop in one test case', async () => {
    const make = new EventMaker();
    const text = await junit([
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'ok', { item: 'a' }),
      make.taskFinished('lb1', 'failed', { item: 'b', message: 'broken' }),
      make.taskFinished('lb1', 'failed', { message: 'One or more items failed' }),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    expect(text).to.include('<testsuites name="evenkeel" tests="1" failures="1"');
    expect(text).to.include('One or more items failed\nb: broken</failure>');
  });

  it('shows what did not run, so that a run that ended early does not look complete', async () => {
    const make = new EventMaker();
    const text = await junit([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'ok'),
      make.runFinished({ status: 'interrupted', exitCode: 130, unstarted: ['lb2'] }),
    ]);
    expect(text).to.include('<testsuite name="not run" tests="2" failures="0" errors="1" skipped="1"');
    expect(text).to.include('<testcase name="lb2: not started"');
    expect(text).to.include('<error message="the run ended with the status interrupted"');
  });

  it('fails objects that differ in a comparison, with the difference', async () => {
    const make = new EventMaker();
    const change = { kind: 'update', object: 'cloud "edge"', before: { mtu: 1500 }, after: { mtu: 9000 } } as const;
    const events = [
      make.runStarted({ check: true }),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'changed', { check: true, change }),
      make.runFinished(),
    ];
    expect(await junit(events)).to.include('failures="0"');
    const text = await junit(events, { comparing: true });
    expect(text).to.include('failures="1"').and.to.include('cloud "edge"\n- mtu: 1500\n+ mtu: 9000</failure>');
    const ignored = make.taskFinished('lb1', 'failed', { check: true, change, changed: true, ignored: true });
    expect(
      await junit([make.runStarted({ check: true }), make.playStarted(['lb1']), ignored, make.runFinished()], {
        comparing: true,
      }),
    ).to.include('+ mtu: 9000</failure>');
  });

  it('merges the test cases of a controller that did not fail if there are too many for GitLab', async () => {
    const make = new EventMaker();
    const names = controllerNames(1001);
    const tasks = Array.from({ length: 100 }, (_, index) => `Task ${index}`);
    const text = await junit([
      make.runStarted(),
      make.playStarted(names),
      ...names.flatMap((name) => tasks.map((task) => make.taskFinished(name, 'ok', { task }))),
      make.taskFinished('lb0007', 'skipped'),
      make.taskFinished('lb0007', 'failed', { ...CONFIGURE, message: 'broken' }),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    expect(text).to.include('tests="1002" failures="1"').and.to.include('name="lb0007: Configure"');
    expect(text).to.include('>broken</failure>');
    expect(caseOf(text, 'lb0007: other tasks')).to.include('<system-out>100 passed, 1 skipped</system-out>');
    expect(caseOf(text, 'lb0008: all tasks')).to.include('time="20"').and.to.include('>100 passed</system-out>');
    expect(text).to.include('<property name="merged" value="More than 100,000 test cases: ');
  });

  it('keeps one case per controller, however many tasks there are', () => {
    const cases = new TestCases();
    cases.startPlay('Roll out', '2025-03-01T12:00:00.000Z');
    for (let index = 0; index < 250_000; index++) cases.add(testCase(`lb${index % 10}`, 'passed'));
    const most = Math.max(...cases.suites.map((suite) => suite.cases.length));
    expect(most).to.equal(10);
  });

  it('says for each of two controllers where it is reached, why it failed and what was wrong with each item', async () => {
    const make = new EventMaker();
    const cause = { file: '/nowhere/vars.yml', line: 3, column: 1 };
    const text = await junit([
      make.runStarted({ check: true, simulated: true, environment: null }),
      make.playStarted(['lb1', 'lb2', 'lb3'], { routes: { madrid: [0], oslo: [2] } }),
      make.taskFinished('lb1', 'failed', { item: 'a', message: 'broken a' }),
      make.taskFinished('lb2', 'failed', { item: 'b', message: 'broken b' }),
      make.taskFinished('lb1', 'failed', { item: 'c' }),
      make.taskFinished('lb1', 'failed', { message: 'no', hint: 'try', cause }),
      make.taskFinished('lb2', 'failed', { message: 'no', delegatedTo: 'lb3' }),
      make.taskFinished('lb1', 'failed', { task: 'Check', round: 2, message: 'later' }),
      make.taskFinished('lb1', 'interrupted', { task: 'Ends', seconds: 1.23456 }),
      make.taskFinished('lb2', 'unreachable', { task: 'Gone', message: '' }),
      make.runFinished({ status: 'failed', exitCode: 2, reason: 'stopped', unstarted: ['lb3'] }),
    ]);
    expect(caseOf(text, 'lb1: Create the cloud')).to.include(
      '>no\na: broken a\nc: \nroute: madrid\nhint: try\nbecause of vars.yml:3:1</failure>',
    );
    expect(caseOf(text, 'lb2: Create the cloud')).to.include(
      '>no\nb: broken b\nroute: oslo\ndelegated to: lb3</failure>',
    );
    expect(text).to.match(/<testcase name="lb1: Check \(gate, round 2\)"[^>]*\/>/);
    expect(caseOf(text, 'lb1: Ends')).to.include('time="1.235"').and.include('<skipped message="interrupted"/>');
    expect(caseOf(text, 'lb2: Gone')).to.include('<error message="unreachable" type="unreachable">unreachable</error>');
    for (const [name, value] of Object.entries({ check: 'true', simulated: 'true', reason: 'stopped' }))
      expect(text).to.include(`<property name="${name}" value="${value}"/>`);
    expect(text).to.not.include('name="environment"').and.not.include('name="merged"').and.not.include('the run"');
    expect(caseOf(text, 'lb3: not started')).to.include(
      'classname="not run" time="0" file="playbooks/rollout.yml" line="1"',
    );
  });

  it('says on which controller an object may have been written, if the task was delegated', async () => {
    const make = new EventMaker();
    const sent = (object: string, delegatedTo: string) => ({
      ...{
        unconfirmed: true as const,
        delegatedTo,
        change: { kind: 'create', object, before: null, after: {} } as const,
      },
    });
    const text = await junit([
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { ...sent('pool "a"', 'lb8'), item: 'a', message: 'lost' }),
      make.taskFinished('lb1', 'failed', { ...sent('pool "b"', 'lb9'), item: 'b', message: 'lost' }),
      make.taskFinished('lb1', 'failed', { message: 'no', ignored: true }),
      make.runFinished(),
    ]);
    expect(text).to.include('pool "a" on lb8').and.to.include('pool "b" on lb9');
  });

  it('counts the failures of a controller if there are too many failures, too', () => {
    const cases = new TestCases();
    cases.startPlay('Drift', '2025-03-01T12:00:00.000Z');
    for (let index = 0; index < 200_000; index++) cases.add(testCase('lb1', 'failure'));
    cases.add(testCase('lb2', 'failure'));
    const [suite] = cases.suites;
    expect(suite?.cases).to.have.length(100_001);
    expect(suite?.cases[0]?.details).to.equal('and 100,000 more failures on this controller');
    expect(suite?.cases[1]?.details).to.equal('');
    const more = new TestCases();
    more.startPlay('Drift', '2025-03-01T12:00:00.000Z');
    for (let index = 0; index < 100_002; index++) more.add({ ...testCase('lb1', 'failure'), details: 'why' });
    expect(more.suites[0]?.cases[0]?.details).to.equal('why\nand 2 more failures on this controller');
    expect(suite?.cases.at(-1)).to.deep.equal(testCase('lb2', 'failure'));
  });

  it('masks secrets that were learned after the event, and drops what XML cannot express', async () => {
    const make = new EventMaker();
    const secrets = new Secrets();
    const events = [
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { message: 'it said hunter2-hunter2 \u0007\ud800' }),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ];
    const loaded = await loadReport('junit');
    const report = loaded.make({ secrets, cwd: '/nowhere' });
    const text = events.flatMap((event) => {
      if (event.type === 'run-finished') secrets.add('hunter2-hunter2');
      return [...report.take(event)];
    });
    expect(text.join('')).to.include('>it said ******** \ufffd</failure>');
  });
});
