import { expect } from 'chai';
import type { TaskFinished } from '../../../src/core/model/run/event.js';
import {
  addUnconfirmed,
  causeKey,
  failedNames,
  newGroup,
  type FailureGroup,
} from '../../../src/reporting/run/failures/failure_group.js';
import { failureFacts, failureLines, unconfirmedLines } from '../../../src/reporting/run/failures/failure_text.js';
import { EqualTexts } from '../../../src/reporting/text/equal_texts.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { SourceFiles } from '../../../src/reporting/text/source_files.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';

const make = new EventMaker();
const at = (line: number, file = 'site.yml') => ({ file, line, column: 7 });

function event(controller: string, given: Partial<TaskFinished> = {}): TaskFinished {
  const made = make.taskFinished(controller, given.status ?? 'failed', {
    source: at(3),
    task: 'One',
    module: 'debug',
    ...given,
  });
  if (made.type !== 'task-finished') throw new Error(made.type);
  return made;
}

function group(
  given: Partial<TaskFinished> = {},
  names: readonly string[] = ['lb1'],
  more: Partial<FailureGroup> = {},
): FailureGroup {
  return {
    ...newGroup(event(names[0] ?? '', given), undefined),
    controllers: new Map(names.map((name) => [name, []])),
    ...more,
  };
}

const writer = (cwd = '/nowhere') => ({
  palette: createPalette(false),
  mask: (text: string) => text.replaceAll('hunter22', '********'),
  cwd,
  files: new SourceFiles(cwd),
  check: false,
});

const SITE =
  '- hosts: all\n  tasks:\n    - name: One\n      debug:\n        msg: "{{ a }}"\n    - name: Two\n      debug:\n';

describe('the paragraph of a failure', () => {
  const lines = (groups: readonly FailureGroup[], files = {}): Promise<readonly string[]> =>
    inFolder(files, (cwd) => Promise.resolve(failureLines(groups, writer(cwd))));

  it('has the whole message, the place, and what is known', async () => {
    const failed = group({ message: 'it broke:\n  line 2\nhunter22\n', hint: 'try\nagain' }, ['lb1', 'lb2']);
    expect(await lines([failed])).to.deep.equal([
      'failed: it broke:',
      '    line 2',
      '  ********',
      '  --> site.yml:3:7 One (debug)',
      '  = 2 controllers: lb1, lb2',
      '  = hint: try\nagain',
      '  = written before: nothing',
      '',
    ]);
  });

  it('has the lines of a task that failed, not those of one that was not reached', async () => {
    const files = { 'site.yml': SITE };
    const failed = await lines([group()], files);
    expect(failed.some((line) => line.includes('- name: One'))).to.equal(true);
    const unreachable = await lines([group({ status: 'unreachable', message: 'no way' })], files);
    expect(unreachable.some((line) => line.includes('- name: One'))).to.equal(false);
    const many = await lines(
      ['a', 'b', 'c', 'd'].map((message) => group({ message })),
      files,
    );
    expect(many.some((line) => line.includes('- name: One'))).to.equal(false);
    expect(many.filter((line) => line.startsWith('failed: '))).to.have.lengthOf(4);
  });

  it('says that a file has changed since, in place of its lines', async () => {
    const shown = await inFolder({ 'site.yml': SITE, 'vars.yml': 'a: 1\nb: 2\n' }, (cwd) => {
      const files = new SourceFiles(cwd, (path) => path.endsWith('site.yml'));
      const failed = group({}, ['lb1'], { cause: at(1, 'vars.yml') });
      return Promise.resolve(failureLines([failed], { ...writer(cwd), files }));
    });
    expect(shown.slice(1, 6)).to.deep.equal([
      '  --> site.yml:3:7 One (debug)',
      '    the file has changed since it was read, so its lines are not shown',
      '  because of vars.yml:1:7',
      '    |',
      '  1 | a: 1',
    ]);
  });

  it('has its cause in the frame of the task, or below it, or apart', async () => {
    const places = async (cause: FailureGroup['cause']): Promise<readonly string[]> =>
      (await lines([group({}, ['lb1'], { cause })])).filter((line) => /^ {2}(?:-->|because of)/.test(line));
    expect(await places(at(5))).to.deep.equal(['  --> site.yml:5:7 One (debug)']);
    expect(await places(at(15))).to.deep.equal(['  --> site.yml:15:7 One (debug)']);
    expect(await places(at(3))).to.deep.equal(['  --> site.yml:3:7 One (debug)']);
    for (const cause of [at(16), at(2), at(5, 'vars.yml')])
      expect(await places(cause)).to.deep.equal([
        '  --> site.yml:3:7 One (debug)',
        `  because of ${cause.file}:${cause.line}:7`,
      ]);
  });

  it('has no secret in the name of its task or its place, which are relative', async () => {
    const shown = await inFolder({}, (cwd) => {
      const source = { file: `${cwd}/hunter22.yml`, line: 3, column: 7 };
      const failed = ['one', 'two'].map((message) => group({ task: 'Set hunter22', message, source }));
      return Promise.resolve(failureLines(failed, writer(cwd)));
    });
    expect(shown.filter((line) => line.includes('-->'))).to.deep.equal([
      '  --> ********.yml:3:7 Set ******** (debug)',
      '  --> ********.yml:3:7 Set ******** (debug)',
    ]);
  });

  it('says how many controllers wait for a route that is down', async () => {
    const first = async (names: readonly string[]): Promise<string | undefined> =>
      (await lines([group({ message: 'the tunnel is down?', route: 'madrid' }, names)]))[0];
    expect(await first(['lb1'])).to.equal('failed: the tunnel is down? 1 controller waits for it');
    expect(await first(['lb1', 'lb2'])).to.equal('failed: the tunnel is down? 2 controllers wait for it');
  });

  it('names no controller in a message about several', async () => {
    const message = 'lb1 is lb1.example.com';
    expect((await lines([group({ message }, ['lb1'])]))[0]).to.equal(`failed: ${message}`);
    expect((await lines([group({ message }, ['lb1', 'lb2'])]))[0]).to.equal(
      'failed: <controller> is <controller>.example.com',
    );
  });

  it('names the item, and is a line if there are more than twenty, those with the most controllers first', async () => {
    expect((await lines([group({}, ['lb1'], { items: new Set(['a\nb hunter22']) })]))[1]).to.equal(
      '  --> site.yml:3:7 One (debug, item a b ********)',
    );
    const twenty = Array.from({ length: 20 }, (_, at) =>
      group({ message: `${at}` }, at === 19 ? ['lb1', 'lb2'] : ['lb3']),
    );
    expect((await lines(twenty))[0]).to.equal('failed: 0');
    const all = Array.from({ length: 22 }, (_, number) =>
      group({ message: `cause ${number}` }, number === 21 ? ['lb1', 'lb2'] : ['lb3']),
    );
    const shown = await lines(all);
    expect(shown[0]).to.equal('failed: cause 21');
    expect(shown.slice(-3)).to.deep.equal([
      'failed: cause 19; One (site.yml:3:7) on lb3',
      'failed: cause 20; One (site.yml:3:7) on lb3',
      '',
    ]);
  });
});

describe('what is known about a failure', () => {
  const facts = (one: FailureGroup, check = false): Readonly<Record<string, string>> =>
    Object.fromEntries(failureFacts(one, { ...writer(), check }));

  it('is what its controllers wrote before, and what they sent without a reply', () => {
    const known = group({}, ['lb1', 'lb2']);
    known.controllers.set('lb1', ['cloud "lb1"', 'pool "web"']).set('lb2', ['cloud "lb2"']);
    const change = (object: string) => ({ kind: 'create', object, before: null, after: {} }) as const;
    for (const name of ['lb1', 'lb2'])
      addUnconfirmed(known.unconfirmed, event(name, { change: change(`vs "${name}"`) }));
    addUnconfirmed(known.unconfirmed, event('lb2', { change: change('pool "x"'), delegatedTo: 'lb9' }));
    addUnconfirmed(known.unconfirmed, event('lb1'));
    expect(facts(known)).to.deep.equal({
      '2 controllers': 'lb1, lb2',
      'written before': 'cloud "<controller>", pool "web" (1 controller)',
      'sent, but not confirmed': 'vs "<controller>"; pool "x" on lb9; an object that no_log masks on lb1',
    });
    expect(facts(group(), true)).to.deep.equal({ controller: 'lb1' });
    expect(facts(known, true)).to.include.keys('written before');
    const once = group();
    once.controllers.set('lb1', ['cloud "a"']);
    addUnconfirmed(once.unconfirmed, event('lb1', { change: change('vs "lb1"') }));
    expect(facts(once, true)).to.deep.equal({
      controller: 'lb1',
      'written before': 'cloud "a"',
      'sent, but not confirmed': 'vs "lb1"',
    });
  });

  it('is the routes, the gate, and the tasks that did not run', () => {
    const routes = new Map([
      ['madrid', 1],
      ['paris', 2],
    ]);
    const three = ['lb1', 'lb2', 'lb3'];
    expect(
      facts(group({}, three, { routes, gate: { batch: 1200, round: 2 }, left: { least: 1, most: 3 } })),
    ).to.deep.equal({
      '3 controllers': 'lb1, lb2, lb3',
      '2 routes': 'paris (2 controllers), madrid (1 controller)',
      gate: 'of batch 1,200, round 2',
      'written before': 'nothing',
      'not run': '1 to 3 tasks after it',
    });
    expect(facts(group({}, ['lb1'], { routes: new Map([['madrid', 1]]), left: { least: 1, most: 1 } }))).to.include({
      route: 'madrid',
      'not run': '1 task after it',
    });
    expect(newGroup(event('lb1', { round: 4 }), 7).gate).to.deep.equal({ batch: 7, round: 4 });
    expect(newGroup(event('lb1'), 7).gate).to.deep.equal({ batch: 7, round: 1 });
  });

  it('is at most ten routes, those with the most controllers first', () => {
    const routes = new Map(controllerNames(11).map((name, index) => [`r${name.slice(2)}`, index + 1]));
    expect(facts(group({}, controllerNames(20), { routes }))['11 routes']).to.match(
      /^r11 \(11 controllers\), r10 \(10 controllers\), .*, r02 \(2 controllers\) and 1 more$/,
    );
  });

  it('is at most ten delegates, and five objects of those that nothing else tells', () => {
    const names = controllerNames(12);
    const delegates = new Set(names.slice(0, 11));
    expect(failedNames(group({}, ['lb2', 'lb10'], { delegates }), 10)).to.equal(
      `lb2, lb10, delegated to ${names.slice(0, 10).join(', ')} and 1 more`,
    );
    const writes = new EqualTexts();
    for (const name of names.slice(0, 7))
      addUnconfirmed(
        writes,
        event(name, { change: { kind: 'create', object: `o ${name.at(-1) ?? ''}`, before: null, after: {} } }),
      );
    const [line, empty] = unconfirmedLines(writes.joined, writer());
    expect(line).to.match(/^sent, but not confirmed: o 1 on lb01; .*; o 5 on lb05; and 2 other objects$/);
    expect([empty, unconfirmedLines([], writer())]).to.deep.equal([undefined, []]);
    expect(unconfirmedLines(writes.joined.slice(0, 5), writer())[0]).to.match(/o 5 on lb05$/);
  });

  it('tells causes apart, but not the tasks of controllers that could not be reached', () => {
    const same = (one: Partial<TaskFinished>, other: Partial<TaskFinished>): boolean =>
      causeKey(event('lb1', one)) === causeKey(event('lb2', other));
    const away = { status: 'unreachable', message: 'no way to https://10.0.0.1' } as const;
    expect(same({ message: 'lb1 broke' }, { message: 'lb2 broke' })).to.equal(true);
    expect(same({ message: 'a' }, { message: 'b' })).to.equal(false);
    expect(same({ source: at(3) }, { source: at(4) })).to.equal(false);
    expect(same({ cause: at(3) }, {})).to.equal(false);
    expect(same(away, { ...away, message: 'no way to https://10.0.0.2', source: at(9) })).to.equal(true);
    expect(same({ ...away, round: 1 }, { ...away, round: 1, source: at(9) })).to.equal(false);
    expect(same(away, { ...away, status: 'failed' })).to.equal(false);
    expect(newGroup(event('lb1'), undefined).message).to.equal('failed without a message');
  });
});
