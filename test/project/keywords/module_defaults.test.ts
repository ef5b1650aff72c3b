import { expect } from 'chai';
import { tasksIn } from '../../../src/core/model/playbook/playbook.js';
import { load, mistakes, playOf, tasksOf } from '../../rig/loaded.js';

async function args(playbook: string): Promise<readonly unknown[]> {
  const { plays, diagnostics } = await load(playbook);
  expect(diagnostics).to.deep.equal([]);
  return [...tasksOf(plays[0]), ...tasksIn(plays[0]?.handlers ?? [])].map((task) => task.args);
}

describe('module_defaults', () => {
  it('are weaker than the arguments of tasks and handlers', async () => {
    const text = '- debug:\n- debug: {msg: own}\n- debug: verbosity=2\n- debug:\n  args: {msg: args}\n- fail:';
    const rest = '  module_defaults: {debug: {msg: "{{ m }}", verbosity: 1}}\n  handlers: [debug: ]\n';
    expect(await args(`${playOf(text)}${rest}`)).to.deep.equal([
      { msg: '{{ m }}', verbosity: 1 },
      { msg: 'own', verbosity: 1 },
      { msg: '{{ m }}', verbosity: '2' },
      { msg: 'args', verbosity: 1 },
      {},
      { msg: '{{ m }}', verbosity: 1 },
    ]);
  });

  it('are taken as a whole from the nearest mapping that names the module', async () => {
    const text = `- block:
    - debug:
    - debug:
      module_defaults: {debug: {msg: task}}
    - debug:
      module_defaults: {debug: }
    - fail:
  module_defaults: {debug: {msg: block}}`;
    const rest = '  module_defaults: {debug: {msg: play, verbosity: 1}, fail: {msg: play}}\n';
    expect(await args(`${playOf(text)}${rest}`)).to.deep.equal([
      { msg: 'block' },
      { msg: 'task' },
      {},
      { msg: 'play' },
    ]);
  });

  it('can be a list, in which the last one wins, and can use full names of modules', async () => {
    const rest =
      '  module_defaults:\n    - {debug: {msg: a, verbosity: 1}, fail: {msg: f}}\n    - ansible.builtin.debug: {msg: b}\n';
    expect(await args(`${playOf('- ansible.builtin.debug:\n- fail:')}${rest}`)).to.deep.equal([
      { msg: 'b' },
      { msg: 'f' },
    ]);
  });

  it('report mistakes at their position, once', async () => {
    const rest = `  module_defaults:
    debug: {mgs: x, verbosity: "{{ x"}
    fail: [x]
    debugg: {}
    group/lb: {}
    group/aws: {}
    assert: {that: "a =="}
`;
    expect(await mistakes(`${playOf('- debug:\n- debug:\n- assert:')}${rest}`)).to.deep.equal([
      'site.yml:7:13 "mgs" is not an argument of debug — it takes msg, var, verbosity',
      'site.yml:7:32 "{{ x" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
      'site.yml:8:11 the defaults of fail must be a mapping of arguments to values, not a list',
      'site.yml:9:5 there is no module "debugg" — did you mean "debug"?',
      'site.yml:10:5 there is no group of modules "group/lb": modules here have no groups — name each module; a YAML anchor lets them share one mapping',
      'warning: site.yml:11:5 defaults of group/aws have no effect: no task here can use it — remove them',
      'site.yml:12:20 cannot read the expression "a ==": it ends where a value is expected',
    ]);
    expect(await mistakes(`${playOf('- debug:')}  module_defaults: [x]\n`)).to.deep.equal([
      'site.yml:4:21 an entry of "module_defaults" must be a mapping of modules to arguments, not text',
    ]);
  });

  it('keep their own positions, and so do arguments in "args"', async () => {
    const text = '- debug:\n    verbosity: 2\n  args:\n    msg: x';
    const { plays } = await load(`${playOf(text)}  module_defaults:\n    debug: {var: y}\n`);
    const [task] = tasksOf(plays[0]);
    const lines = ['verbosity', 'msg', 'var', 'nothing'].map((name) => task?.locate(['debug', name]).line);
    expect(lines).to.deep.equal([4, 6, 8, 4]);
    expect(task?.locate(['args', 'msg']).line).to.equal(6);
  });

  it('do not apply to arguments that are a single template', async () => {
    expect(await mistakes(`${playOf('- debug: "{{ a }}"')}  module_defaults: {debug: {msg: x}}\n`)).to.deep.equal([
      'warning: site.yml:3:14 module_defaults of debug do not apply to arguments that are a single template — write the arguments by name',
    ]);
  });
});
