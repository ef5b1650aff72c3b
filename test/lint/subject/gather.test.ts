import { expect } from 'chai';
import type { Step } from '../../../src/core/model/playbook/step.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { gather } from '../../../src/lint/read.js';
import { allTasks, type PlacedStep } from '../../../src/lint/subject/subject.js';
import { loadPlaybooks } from '../../../src/project/playbook/playbook.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { catalogue, playOf } from '../../rig/loaded.js';

async function gathered(tasks: string, files: Files = {}): Promise<{ names: readonly string[]; complete: boolean }> {
  const { plays: subjects, complete } = await inFolder({ 'site.yml': playOf(tasks), ...files }, async (cwd) => {
    const playbooks = await loadPlaybooks(['site.yml'], { cwd, catalogue, diagnostics: new Diagnostics() });
    return gather(playbooks.flatMap(({ plays }) => plays));
  });
  const names = [...allTasks({ plays: subjects })].map(({ step, around }) => {
    const outside = around.map((one) => one.type).join('/');
    return `${outside}${outside === '' ? '' : ': '}${step.name?.value ?? step.module}`;
  });
  return { names, complete };
}

describe('gather', () => {
  it('follows blocks and includes, and reports the context of a step', async () => {
    const tasks = '- block:\n    - include_tasks: more.yml\n  always:\n    - {name: c, debug: }\n- {name: d, debug: }';
    expect(await gathered(tasks, { 'more.yml': '- {name: b, debug: }' })).to.deep.equal({
      names: ['block: include_tasks', 'block/include: b', 'block: c', 'd'],
      complete: true,
    });
  });

  it('follows what is included twice, or includes itself, once', async () => {
    const files = { 'more.yml': '- {name: b, debug: }\n- {include_tasks: more.yml, when: again}' };
    expect((await gathered('- include_tasks: more.yml\n- include_tasks: more.yml', files)).names).to.deep.equal([
      'include_tasks',
      'include: b',
      'include: include_tasks',
      'include_tasks',
    ]);
  });

  it('passes over an include that cannot be read, and follows the others', async () => {
    const files = { 'more.yml': '- {name: c, debug: }' };
    expect(await gathered('- include_tasks: gone.yml\n- include_tasks: more.yml', files)).to.deep.equal({
      names: ['include_tasks', 'include_tasks', 'include: c'],
      complete: false,
    });
  });

  it('marks a result that is incomplete', async () => {
    expect((await gathered("- include_tasks: '{{ a }}.yml'")).complete).to.equal(false);
  });

  it('goes through every part of blocks, roles and handlers of each play, and knows what is before a step', async () => {
    const playbook = `- hosts: all
  roles: [r]
  tasks:
    - block: [{ name: a, debug: }, { name: b, debug: }]
      rescue: [{ name: c, debug: }]
      always: [{ name: d, meta: noop }, { name: e, debug: }]
  handlers: [{ name: h, debug: }, { name: i, include_tasks: more.yml }, { name: j, include_tasks: '{{ x }}.yml' }]
- hosts: all
  tasks: [{ name: g, debug: }, { name: m, include_role: { name: s } }]
`;
    const files: Files = {
      'site.yml': playbook,
      'roles/r/tasks/main.yml': '- { name: f, debug: }\n',
      'roles/r/handlers/main.yml': '- { name: k, debug: }\n',
      'roles/s/tasks/main.yml': '- { name: n, debug: }\n',
      'roles/s/handlers/main.yml': '- { name: o, debug: }\n',
      'more.yml': '- { name: l, debug: }\n',
    };
    const { plays, complete } = await inFolder(files, async (cwd) => {
      const playbooks = await loadPlaybooks(['site.yml'], { cwd, catalogue, diagnostics: new Diagnostics() });
      return gather(playbooks.flatMap((one) => one.plays));
    });
    const title = ({ name, type }: Step): string => (typeof name === 'object' ? name.value : type);
    const shown = ({ step, around, before, handler }: PlacedStep): string => {
      const path = [...around.map(({ type }) => type), title(step)].join('/');
      return `${path}${before === undefined ? '' : ` after ${title(before)}`}${handler ? ' (handler)' : ''}`;
    };
    expect(plays.map(({ steps, handlers }) => [steps.map(shown), handlers.map(shown)])).to.deep.equal([
      [
        [
          'role',
          'role/f',
          'block after role',
          'block/a',
          'block/b after a',
          'block/c',
          'block/d',
          'block/e after d',
          'include/l (handler)',
        ],
        ['k (handler)', 'h (handler)', 'i (handler)', 'j (handler)'],
      ],
      [['g', 'm after g', 'include/role', 'include/role/n'], ['o (handler)']],
    ]);
    expect(complete).to.equal(false);
    expect([...allTasks({ plays })].map(({ step }) => title(step)).join(' ')).to.equal('f a b c e l k h i j g m n o');
  });
});
