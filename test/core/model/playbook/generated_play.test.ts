import { expect } from 'chai';
import { generatedPlay, generatedTask, NOTHING_INHERITED } from '../../../../src/core/model/playbook/generated_play.js';

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
