import { expect } from 'chai';
import { sectionSteps, tasksIn } from '../../../src/core/model/playbook/playbook.js';
import { selectSections } from '../../../src/engine/keywords/selected_steps.js';
import { allSetBy, LeftOutVariables, registeredBy, setBy } from '../../../src/engine/preflight/later_variables.js';
import { renderText } from '../../../src/language/render.js';
import { NotKnownYet, TemplateError } from '../../../src/language/runtime/errors.js';
import type { Module } from '../../../src/module/contract.js';
import { failure, variables } from '../../language/scopes.js';
import { catalogue, load, playOf, tasksOf } from '../../rig/loaded.js';

/** The tasks of a text, and how to find their modules. */
async function given(text: string) {
  const { plays, diagnostics } = await load(playOf(text), { 'more.yml': '[]\n' });
  expect(diagnostics).to.deep.equal([]);
  const tasks = tasksOf(plays[0]);
  const modules = new Map<string, Module>();
  for (const { module } of tasks) {
    const found = await catalogue.load(module);
    if (found !== undefined) modules.set(module, found);
  }
  const findModule = (name: string): Module => {
    const module = modules.get(name);
    if (module === undefined) throw new Error(`no module ${name}`);
    return module;
  };
  return { tasks, findModule };
}

describe('the variables that a step may set', () => {
  it('are those that it names, or any', async () => {
    const { tasks, findModule } = await given(`- set_fact: { a: 1, b: 2 }
- set_fact: { "{{ x }}": 1, b: 2 }
- set_fact: "{{ x }}"
- add_host: { name: x }
- group_by: { key: x }
- cloud_present: { name: x }
  register: c
- debug:
- include_vars: more.yml
- include_vars: { file: more.yml, name: box }
`);
    expect(tasks.map((task) => setBy(task, findModule(task.module)))).to.deep.equal([
      ['a', 'b'],
      'anything',
      'anything',
      'anything',
      'anything',
      [],
      [],
      'anything',
      ['box'],
    ]);
    expect(tasks.map(registeredBy).filter((names) => names.length > 0)).to.deep.equal([['c']]);
  });

  it('are those of all steps together, and any if a file is included', async () => {
    const text = '- set_fact: { a: 1 }\n  register: r\n- debug:\n  register: q\n- block: [{ set_fact: { b: 1 } }]\n';
    const { tasks, findModule } = await given(text);
    expect(allSetBy([...tasks], findModule)).to.deep.equal(['r', 'a', 'q', 'b']);
    for (const more of ['- include_tasks: more.yml\n', '- include_vars: more.yml\n', '- add_host: { name: x }\n']) {
      const other = await given(text + more);
      expect(allSetBy([...other.tasks], other.findModule), more).to.equal('anything');
    }
  });
});

describe('the variables of tasks that a run leaves out', () => {
  const PLAY = `- hosts: all
  tasks:
    - { name: first, debug: , register: ra, tags: x }
    - { name: fact, set_fact: { fb: 1 }, tags: y }
    - { name: rare, set_fact: { fc: 1 }, register: rc, tags: never }
    - { name: second, debug: , register: ra, tags: z }
    - { name: odd, set_fact: '{{ all }}', tags: x }
    - { name: last, debug: , register: re }
`;
  const NAMES = ['ra', 'fb', 'fc', 'rc', 're', 'none'];

  /** Which task of those that are left out defines each, and what leaves it out. */
  async function reasons(tags: readonly string[], skipTags: readonly string[], from = 0): Promise<readonly string[]> {
    const { plays } = await load(PLAY);
    const [play] = plays;
    if (play === undefined) throw new Error('no play');
    const selection = { tags, skipTags };
    const kept = sectionSteps(selectSections({ ...play, tasks: play.tasks.slice(from) }, selection));
    const variablesLeftOut = new LeftOutVariables();
    variablesLeftOut.add(play, kept, selection);
    expect(tasksIn(kept).length).to.be.greaterThan(0);
    return NAMES.map((name) => {
      const found = variablesLeftOut.reasonFor(failure(() => renderText(`{{ ${name}.msg }}`, variables({}))));
      return found === undefined ? 'none' : `${found.task.name?.value ?? ''} ${found.by}`;
    });
  }

  it('are known with the first task that defines them, and the option that leaves it out', async () => {
    expect(await reasons(['y'], [])).to.deep.equal([
      'first --tags',
      'none',
      'rare --tags',
      'rare --tags',
      'last --tags',
      'none',
    ]);
    expect(await reasons([], ['x'])).to.deep.equal([
      'first --skip-tags',
      'none',
      'rare never',
      'rare never',
      'none',
      'none',
    ]);
    expect(await reasons([], [], 3)).to.deep.equal([
      'first --start-at-task',
      'fact --start-at-task',
      'rare never',
      'rare never',
      'none',
      'none',
    ]);
    expect(await reasons(['x', 'y', 'untagged'], ['x'])).to.deep.equal([
      'first --skip-tags',
      'none',
      'rare --tags',
      'rare --tags',
      'none',
      'none',
    ]);
  });

  it('are no reason for other errors', async () => {
    const { plays } = await load(PLAY);
    const [play] = plays;
    if (play === undefined) throw new Error('no play');
    const left = new LeftOutVariables();
    left.add(play, [], { tags: ['none'], skipTags: [] });
    for (const error of [new Error('ra'), new NotKnownYet('ra'), new TemplateError('variable "ra" is wrong')])
      expect(left.reasonFor(error)).to.equal(undefined);
    expect(left.reasonFor(failure(() => renderText('{{ ra[0] }}', variables({}))))?.task.name?.value).to.equal('first');
  });
});
