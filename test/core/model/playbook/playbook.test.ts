import { expect } from 'chai';
import {
  allSteps,
  everyStep,
  generatedPlay,
  generatedTask,
  NOTHING_INHERITED,
  notifyingNames,
  plannedTasks,
  sectionSteps,
  tasksIn,
} from '../../../../src/core/model/playbook/playbook.js';
import type { Handler, Include, Step } from '../../../../src/core/model/playbook/step.js';
import { load, playOf } from '../../../rig/loaded.js';

const NESTED = `
- { name: one, debug: }
- block:
    - { name: two, debug: }
    - block: [{ name: three, debug: }]
      always: [{ name: four, debug: }]
  rescue:
    - { name: not planned, debug: }
  always:
    - { name: five, debug: }
- meta: noop
`;

describe('the steps of a play', () => {
  it('are all found, in every kind of step', async () => {
    const { plays } = await load(playOf(NESTED));
    const steps = plays.flatMap(allSteps);
    expect([...everyStep(steps)].map((step) => (step.type === 'task' ? step.name?.value : step.type))).to.deep.equal([
      'one',
      'block',
      'two',
      'block',
      'three',
      'four',
      'not planned',
      'five',
      'meta',
    ]);
  });

  it('end with the checks of its gate, which no controller runs by itself', async () => {
    const { plays } = await load('- hosts: all\n  gate: { checks: [{ name: check, debug: }] }\n  tasks: [debug: ]\n');
    const titles = (steps: readonly Step[]) =>
      steps.map((step) => (step.type === 'task' ? step.name?.value : step.type));
    expect(plays.map((play) => titles(allSteps(play)))).to.deep.equal([[undefined, 'check']]);
    expect(plays.map((play) => titles(sectionSteps(play)))).to.deep.equal([[undefined]]);
  });

  it('are planned as if nothing failed', async () => {
    const { plays } = await load(playOf(NESTED));
    expect(plannedTasks(plays.flatMap(allSteps))).to.equal(5);
  });

  it('are in its sections, in roles and includes', () => {
    const source = { file: 'site.yml', line: 1, column: 1 };
    const task = (text: string) =>
      generatedTask({ name: { value: text, source }, module: 'debug', args: null, source });
    const include: Include = {
      ...task('include'),
      type: 'include',
      read: () => Promise.resolve({ title: '', key: '', steps: [], handlers: [], layers: [] }),
    };
    const role: Step = {
      type: 'role',
      name: 'web',
      source,
      key: 'web',
      repeatable: false,
      steps: [task('of role'), include],
    };
    const play = {
      ...generatedPlay({ name: 'p', source, hosts: { value: 'all', source }, directory: '/', tasks: [role] }),
      preTasks: [task('before')],
      postTasks: [task('after')],
    };
    const titles = (steps: readonly Step[]) => tasksIn(steps).map(({ name }) => name?.value);
    expect(sectionSteps(play).map(({ type }) => type)).to.deep.equal(['task', 'role', 'task']);
    expect(titles(sectionSteps(play))).to.deep.equal(['before', 'of role', 'include', 'after']);
    expect(plannedTasks(sectionSteps(play))).to.equal(4);
  });
});

describe('the names of a handler', () => {
  const names = (name: string | undefined, role: string | undefined, listen: readonly string[]) =>
    notifyingNames({ ...(name !== undefined && { name: { value: name } }), role, listen } as unknown as Handler);

  it('are its own and its topics, also with its role', () => {
    expect(names('reload', undefined, ['a', 'b'])).to.deep.equal(['reload', 'a', 'b']);
    expect(names('reload', 'web', ['a'])).to.deep.equal(['reload', 'web : reload', 'a', 'web : a']);
    expect(names(undefined, 'web', ['a', 'b'])).to.deep.equal(['a', 'web : a', 'b', 'web : b']);
    expect(names(undefined, undefined, [])).to.deep.equal([]);
  });
});

const INHERITED = {
  when: [],
  tags: [],
  layers: [],
  notify: [],
  ignoreErrors: undefined,
  ignoreUnreachable: undefined,
  noLog: undefined,
  checkMode: undefined,
  diff: undefined,
  anyErrorsFatal: undefined,
  runOnce: undefined,
  delegateTo: undefined,
  delegateFacts: undefined,
  throttle: undefined,
  timeout: undefined,
};

describe('what is generated', () => {
  const source = { file: 'a.yml', line: 1, column: 2 };

  it('is a play with its parts, and else only what every play has', () => {
    const parts = { name: undefined, source, hosts: { value: 'all', source }, directory: '/x', tasks: [] };
    const all = {
      layers: [],
      variableFiles: [],
      prompts: [],
      groupLayers: new Map(),
      controllerLayers: new Map(),
      preTasks: [],
      postTasks: [],
      handlers: [],
      roles: { named: [], dependencies: [] },
      serial: undefined,
      maxFailPercentage: undefined,
      forceHandlers: undefined,
      order: undefined,
      forks: undefined,
      strategy: undefined,
      tags: [],
    };
    expect(generatedPlay(parts)).to.deep.equal({ ...all, ...parts });
    const groupLayers = new Map([['g', []]]);
    expect(generatedPlay({ ...parts, groupLayers }).groupLayers).to.equal(groupLayers);
  });

  it('is a task with its parts, which inherits nothing', () => {
    expect(NOTHING_INHERITED).to.deep.equal(INHERITED);
    const parts = { name: undefined, module: 'debug', args: { msg: 'x' }, source };
    const { locate, ...task } = generatedTask(parts);
    expect(task).to.deep.equal({
      ...INHERITED,
      type: 'task',
      role: undefined,
      argsPath: [],
      publicArgs: [],
      loop: undefined,
      until: undefined,
      register: undefined,
      changedWhen: undefined,
      failedWhen: undefined,
      ...parts,
    });
    expect(locate(['msg'])).to.equal(source);
    expect(generatedTask({ ...parts, tags: ['t'], register: 'r' })).to.deep.include({ tags: ['t'], register: 'r' });
  });
});
