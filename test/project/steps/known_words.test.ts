import { expect } from 'chai';
import { load, mistakes, playOf, task, tasksOf } from '../../rig/loaded.js';

const play = (tasks: string): string =>
  playOf(tasks).replace('  tasks:', '  vars: { m: debug, thing: cloud }\n  tasks:');

describe('words of a step that must be known before the run', () => {
  for (const action of [
    'action: "{{ m }} msg={{ later }}"',
    'action: { module: "{{ m }}", msg: "{{ later }}" }',
    "local_action: \"{{ 'de' ~ 'bug' }} msg={{ later }}\"",
    'action: "{{ own }} msg={{ later }}"\n  vars: { own: debug }',
  ])
    it(`may be templates: ${action}`, async () => {
      const { plays } = await load(play(`- ${action}`));
      const [step] = tasksOf(plays[0]);
      expect(step).to.deep.include({ module: 'debug', args: { msg: '{{ later }}' } });
    });

  it('include the names of loop variables', async () => {
    const { plays } = await load(
      play('- { debug: , loop: [1], loop_control: { loop_var: "{{ thing }}", index_var: "{{ thing }}_at" } }'),
    );
    const [step] = tasksOf(plays[0]);
    expect(step).to.have.deep.property('loop').that.includes({ variable: 'cloud', indexVariable: 'cloud_at' });
  });

  it('are refused with their position if they are not known, or are no names', async () => {
    const advice = 'before the run only the variables of the play and of -e are known';
    expect(
      await mistakes(
        play(
          '- action: "{{ later }} msg=x"\n- { debug: , loop: [1], loop_control: { loop_var: "{{ later }}" } }\n- action: "{{ thing }}"\n- { debug: , loop: [1], loop_control: { loop_var: "{{ thing }}-x" } }',
        ),
      ),
    ).to.deep.equal([
      `site.yml:4:15 variable "later" is not defined; ${advice} — it names a module or a variable, which must be known`,
      `site.yml:5:55 variable "later" is not defined; ${advice} — it names a module or a variable, which must be known`,
      'site.yml:6:15 there is no module "cloud" — "evenkeel doc -l" lists the modules',
      'site.yml:7:55 "cloud-x" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ]);
  });

  it('are needed for the modules of handlers, too', async () => {
    const handlers = (text: string): string =>
      `- hosts: all\n  vars: { m: debug }\n  tasks: [{ debug: , notify: reload }]\n  handlers:\n    - ${text}\n`;
    const known = '{ name: reload, action: "{{ own }} msg={{ later }}", vars: { own: "{{ m }}" }, listen: [topic] }';
    const { plays, diagnostics } = await load(handlers(known));
    expect(diagnostics).to.deep.equal([]);
    const [handler] = plays[0]?.handlers ?? [];
    expect(handler).to.deep.include({ module: 'debug', args: { msg: '{{ later }}' }, listen: ['topic'] });
    expect(await mistakes(handlers('{ name: other, action: "{{ later }} msg=x" }'))).to.deep.equal([
      'site.yml:5:30 variable "later" is not defined; before the run only the variables of the play and of -e are known — it names a module or a variable, which must be known',
    ]);
  });

  it('leave other steps as they are', async () => {
    expect((await task('- debug: { msg: "{{ later }}" }')).args).to.deep.equal({ msg: '{{ later }}' });
  });
});
