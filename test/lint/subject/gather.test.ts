import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { gather } from '../../../src/lint/read.js';
import { allTasks } from '../../../src/lint/subject/subject.js';
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
});
