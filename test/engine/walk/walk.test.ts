import { expect } from 'chai';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';

const THREE = 'all: { hosts: { lb1: , lb2: , lb3: } }';

const run = (playbook: string, options: TextOptions = {}): Promise<Ran> =>
  runText(playbook, { inventory: THREE, ...options });

/** A play of these tasks on all controllers. */
const play = (tasks: string, keywords = ''): string =>
  `- hosts: all\n${keywords.replace(/^(?=.)/gm, '  ')}  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}`;

const by = ({ lines }: Ran, controller: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${controller} `)).map((line) => line.slice(controller.length + 1));

const LINEAR = 'strategy: linear\n';
const PINNED = 'strategy: host_pinned\n';

describe('a meta step for all controllers', () => {
  const facts = (condition: string): string =>
    `- set_fact: { fact: 1, cacheable: true }\n- { meta: clear_facts, when: ${condition} }\n- debug: { msg: "{{ ansible_facts.fact | default('gone') }}" }\n`;

  it('is decided by the first under linear, whatever holds for the others', async () => {
    const first = await run(play(facts('inventory_hostname == "lb1"'), LINEAR));
    expect(first.said).to.deep.equal(['gone', 'gone', 'gone']);
    const second = await run(play(facts('inventory_hostname == "lb2"'), LINEAR));
    expect(second.said).to.deep.equal(['1', '1', '1']);
  });

  it('is decided by each controller otherwise, and still concerns all', async () => {
    const { said } = await run(play(facts('inventory_hostname == "lb2"'), PINNED), { forks: 1 });
    expect(said).to.deep.equal(['1', 'gone', '1']);
  });

  it('fails each controller that cannot evaluate its condition, up to the one that decides', async () => {
    for (const action of ['end_play', 'clear_facts', 'clear_host_errors']) {
      const ends = async (condition: string): Promise<readonly (readonly string[])[]> => {
        const tasks = `- { meta: ${action}, when: ${condition} }\n- { name: after, debug: }\n`;
        const ran = await run(play(tasks, LINEAR));
        expect(ran.finished.exitCode).to.equal(2);
        return ['lb1', 'lb2', 'lb3'].map((name) => by(ran, name));
      };
      const failed = [`meta: ${action}: failed`];
      expect(await ends('nothing'), action).to.deep.equal([failed, failed, failed]);
      expect(await ends('inventory_hostname == "lb1" and nothing'), action).to.deep.equal([
        failed,
        ['after: ok'],
        ['after: ok'],
      ]);
    }
  });

  it('of one controller is decided by each, and fails each', async () => {
    const ran = await run(play('- { meta: end_host, when: nothing }\n- { name: after, debug: }\n', LINEAR));
    expect(ran.lines).to.deep.equal(['lb1', 'lb2', 'lb3'].map((name) => `${name} meta: end_host: failed`));
  });

  it('clears no errors of controllers of other batches', async () => {
    const failing = '- { name: broken, fail: , when: inventory_hostname == "lb1" }\n- { name: after, debug: }\n';
    const clearing = '- { meta: clear_host_errors, when: inventory_hostname == "lb3" }\n';
    const ran = await run(`${play(`${failing}${clearing}`, 'serial: 2\n')}${play('- { name: next, debug: }\n')}`);
    expect(['lb1', 'lb2', 'lb3'].map((name) => by(ran, name))).to.deep.equal([
      ['broken: failed'],
      ['broken: skipped', 'after: ok', 'next: ok'],
      ['broken: skipped', 'after: ok', 'next: ok'],
    ]);
  });

  it('without an effect of its own lets everything continue', async () => {
    const ran = await run(play('- meta: reset_connection\n- meta: noop\n- { name: after, debug: }\n', LINEAR));
    expect(ran.lines).to.deep.equal(['lb1 after: ok', 'lb2 after: ok', 'lb3 after: ok']);
  });
});

describe('handlers of two controllers', () => {
  const handlers = `  handlers:
    - { name: one, debug: , changed_when: true, notify: three }
    - { name: two, fail: , when: inventory_hostname == "lb2" }
    - { name: three, debug: , changed_when: true, notify: one }
`;

  it('run on the controllers that notified them, each once in a flush; the last flush repeats', async () => {
    const tasks = `- { name: a, debug: , changed_when: inventory_hostname == "lb1", notify: one }
- meta: flush_handlers
- { name: b, debug: , changed_when: inventory_hostname == "lb3", notify: [three] }
`;
    const ran = await run(`${play(tasks)}${handlers}`);
    expect(by(ran, 'lb1')).to.deep.equal([
      'a: changed',
      'one: changed',
      'three: changed',
      'b: ok',
      'one: changed',
      'three: changed',
      'one: changed',
      'three: changed',
    ]);
    expect(by(ran, 'lb2')).to.deep.equal(['a: ok', 'b: ok']);
    expect(by(ran, 'lb3')).to.deep.equal(['a: ok', 'b: changed', 'three: changed', 'one: changed', 'three: changed']);
  });

  it('stop on the controller on which one fails, and on no other', async () => {
    const tasks =
      '- { name: a, debug: , changed_when: true, notify: [two, three] }\n- meta: flush_handlers\n- { name: after, debug: }\n';
    const quiet = handlers.replace(', notify: one }', ' }').replace(', notify: three }', ' }');
    const ran = await run(`${play(tasks, 'force_handlers: true\n')}${quiet}`);
    expect(by(ran, 'lb1')).to.deep.equal(['a: changed', 'two: skipped', 'three: changed', 'after: ok']);
    expect(by(ran, 'lb2')).to.deep.equal(['a: changed', 'two: failed']);
  });
});

describe('a task that one controller runs for all', () => {
  const once = (more: string): string => `- { name: once, ${more}, run_once: true }\n`;
  const use = `- debug: { msg: "{{ inventory_hostname }} {{ r.msg | default('none') }} {{ made | default('none') }}" }\n`;

  it('gives all of them its result and its facts, also twice', async () => {
    const tasks = `${once('debug: { msg: one }, register: r')}${once('set_fact: { made: "{{ inventory_hostname }}" }')}${use}${once('debug: { msg: two }, register: r')}${use}`;
    for (const strategy of [LINEAR, PINNED]) {
      const { said } = await run(play(tasks, strategy));
      const own = said.filter((text) => text.startsWith('lb'));
      expect(own.toSorted(), strategy).to.deep.equal(
        ['lb1', 'lb2', 'lb3'].flatMap((name) => [`${name} one lb1`, `${name} two lb1`]),
      );
    }
  });

  it('is skipped for all if its condition does not hold for the first', async () => {
    const ran = await run(
      play(`${once('debug: { msg: x }, when: inventory_hostname == "lb2", register: r')}${use}`, LINEAR),
    );
    expect(ran.lines[0]).to.equal('lb1 once: skipped');
    expect(ran.said).to.deep.equal(['lb1 none none', 'lb2 none none', 'lb3 none none']);
  });

  it('is run by each if its keyword does not hold, and fails where that cannot be rendered', async () => {
    const off = await run(play('- { name: t, debug: , run_once: "{{ false }}" }\n', LINEAR));
    expect(off.lines).to.have.length(3);
    const on = await run(play('- { name: t, debug: , run_once: "{{ true }}" }\n', LINEAR));
    expect(on.lines).to.deep.equal(['lb1 t: ok']);
    const omitted = await run(play('- { name: t, debug: , run_once: "{{ gone | default(omit) }}" }\n', LINEAR));
    expect(omitted.lines).to.deep.equal(['lb1 t: ok']);
  });

  it('is run by one or by each as the first decides, if its keyword differs between them', async () => {
    const tasks = (name: string): string =>
      `- { name: t, debug: , run_once: '{{ inventory_hostname == "${name}" }}', register: r }\n- debug: { msg: "{{ r is succeeded }}" }\n`;
    for (const strategy of [LINEAR, PINNED]) {
      const one = await run(play(tasks('lb1'), strategy));
      expect([by(one, 'lb1')[0], by(one, 'lb2')[0]], strategy).to.deep.equal(['t: ok', 'debug: ok']);
      const each = await run(play(tasks('lb2'), strategy));
      expect(
        ['lb1', 'lb2', 'lb3'].map((name) => by(each, name)[0]),
        strategy,
      ).to.deep.equal(['t: ok', 't: ok', 't: ok']);
    }
  });

  it('fails for all if the first cannot render its keyword, whatever it is for the others', async () => {
    const task = `- { name: t, debug: , run_once: '{{ inventory_hostname != "lb1" or nothing }}' }\n`;
    for (const strategy of [LINEAR, PINNED]) {
      const ran = await run(play(task, strategy));
      expect(ran.lines, strategy).to.deep.equal(['lb1 t: failed']);
      const block = `- block:\n${task.replace(/^(?=.)/gm, '    ')}  rescue: [{ name: help, debug: }]\n`;
      const rescued = await run(play(block, strategy));
      expect(by(rescued, 'lb3'), strategy).to.deep.equal(['help: ok']);
      const skipped = task.replace(' }\n', ', when: inventory_hostname != "lb1" }\n');
      expect((await run(play(skipped, strategy))).lines, strategy).to.deep.equal(['lb1 t: failed']);
    }
  });

  it('fails for all if the first cannot render its keyword, although its condition or its loop would skip it', async () => {
    for (const more of ['when: inventory_hostname != "lb1"', 'when: false', 'loop: []', 'loop: [1], when: false']) {
      const ran = await run(play(`- { name: t, debug: , run_once: "{{ nothing }}", ${more} }\n`, LINEAR));
      expect(ran.lines, more).to.deep.equal(['lb1 t: failed']);
    }
    const perItem = await run(play('- { name: t, debug: , run_once: "{{ item }}", loop: [true] }\n', LINEAR));
    expect(perItem.lines).to.deep.equal(['lb1 t: failed']);
  });

  it('that fails is rescued by all, with the failure in their variables', async () => {
    const tasks = `- block:
    - { name: once, fail: { msg: broken }, run_once: true, register: r }
    - { name: never, debug: }
  rescue:
    - debug: { msg: "{{ inventory_hostname }} {{ ansible_failed_task.name }} {{ ansible_failed_result.msg }} {{ r.failed }}" }
- { name: after, debug: }
`;
    const ran = await run(play(tasks, LINEAR));
    expect(ran.said.slice(0, 3)).to.deep.equal([
      'lb1 once broken True',
      'lb2 once broken True',
      'lb3 once broken True',
    ]);
    expect([
      ran.finished.exitCode,
      ran.finished.stats['lb1']?.rescued,
      ran.finished.stats['lb2']?.rescued,
    ]).to.deep.equal([0, 1, 0]);
  });

  it('that fails ends the batch for all, and only its controller has failed', async () => {
    const ran = await run(play(`${once('fail: { msg: no }')}- { name: after, debug: }\n`, LINEAR));
    expect(ran.lines).to.deep.equal(['lb1 once: failed']);
    expect(ran.finished.reason).to.equal('"once" failed on lb1, which run_once makes fatal for all');
    expect(['lb1', 'lb2', 'lb3'].map((name) => ran.finished.stats[name]?.failed ?? 0)).to.deep.equal([1, 0, 0]);
  });

  it('is run by each batch', async () => {
    const ran = await run(play(once('debug:'), 'serial: 2\n'));
    expect(ran.lines).to.deep.equal(['lb1 once: ok', 'lb3 once: ok']);
  });

  it('gives its result also to controllers that skip its rescue under linear', async () => {
    const tasks = `- block:
    - { name: broken, fail: , when: inventory_hostname == "lb1" }
  rescue:
    - { name: once, debug: { msg: one }, run_once: true, register: r }
${use}`;
    const { said } = await run(play(tasks, LINEAR));
    expect(said.slice(1)).to.deep.equal(['lb1 one none', 'lb2 one none', 'lb3 one none']);
  });
});

describe('a failed task', () => {
  it('is known to its rescue by its name without its role, its module and its arguments, each its own', async () => {
    const shown =
      '{{ inventory_hostname }} {{ ansible_failed_task.name }} {{ ansible_failed_task.action }} {{ ansible_failed_task.args }} {{ ansible_failed_result.msg }}';
    const tasks = (name: string, msg: string) => `- block:
    - { name: "${name}", fail: { msg: "${msg} {{ inventory_hostname }}" } }
  rescue:
    - debug: { msg: "${shown}" }
`;
    const role = { 'roles/web/tasks/main.yml': tasks('In it', 'role') };
    const ran = await run(play(`${tasks('web : Own', 'no')}- include_role: { name: web }\n`, LINEAR), { files: role });
    expect(ran.said).to.deep.equal([
      ...['lb1', 'lb2', 'lb3'].map((name) => `${name} web : Own fail {"msg":"no {{ inventory_hostname }}"} no ${name}`),
      ...['lb1', 'lb2', 'lb3'].map((name) => `${name} In it fail {"msg":"role {{ inventory_hostname }}"} role ${name}`),
    ]);
  });

  it('is fatal for all by the keyword that names it, or by one that cannot be rendered', async () => {
    const reason = async (more: string) =>
      (
        await run(
          play(
            `- { name: one, fail: , when: inventory_hostname == "lb2"${more} }\n- { name: after, debug: }\n`,
            LINEAR,
          ),
        )
      ).finished.reason;
    expect(await reason('')).to.equal(undefined);
    expect(await reason(', any_errors_fatal: false')).to.equal(undefined);
    expect(await reason(', any_errors_fatal: true')).to.equal(
      '"one" failed on lb2, which any_errors_fatal makes fatal for all',
    );
    expect(await reason(', any_errors_fatal: "{{ nothing }}"')).to.equal(
      '"one" failed on lb2, which any_errors_fatal makes fatal for all',
    );
    expect(await reason(', any_errors_fatal: "{{ inventory_hostname == \'lb2\' }}"')).to.equal(
      '"one" failed on lb2, which any_errors_fatal makes fatal for all',
    );
  });

  it('counts against max_fail_percentage of its batch together with others', async () => {
    const failing = (condition: string) =>
      run(
        play(
          `- { name: one, fail: , when: ${condition} }\n- { name: after, debug: }\n`,
          `${LINEAR}max_fail_percentage: 50\n`,
        ),
      );
    expect((await failing('inventory_hostname == "lb1"')).finished.reason).to.equal(undefined);
    const two = await failing('inventory_hostname != "lb2"');
    expect(two.finished.reason).to.equal('max_fail_percentage (50%) was exceeded when 2 of 3 controllers had failed');
    expect(by(two, 'lb2')).to.deep.equal(['one: skipped']);
  });

  it('whose block has a loop that cannot be evaluated is reported with a place, rescued or not', async () => {
    const block = `- block: [{ name: never, debug: }]\n  loop: "{{ nothing }}"\n`;
    const around = `- block:\n${block.replace(/^(?=.)/gm, '    ')}  rescue: [{ name: help, debug: }]\n`;
    const rescued = await run(play(around, LINEAR), { verbosity: 1 });
    expect(by(rescued, 'lb2')).to.deep.equal(['block: failed', 'help: ok']);
    expect(rescued.finished.stats['lb3']).to.include({ rescued: 1, failed: 0, ok: 1 });
    const [event] = rescued.tasks;
    expect(event).to.deep.include({
      task: 'block',
      module: 'block',
      controller: 'lb1',
      handler: false,
      rescued: true,
      seconds: 0,
      diff: false,
    });
    expect(event?.message).to.equal('variable "nothing" is not defined');
    expect(event?.source).to.include({ file: 'site.yml', line: 6 });
    expect(event).to.have.deep.property('values', {});
    const lost = await run(play(block, LINEAR));
    expect(lost.lines).to.deep.equal(['lb1 block: failed', 'lb2 block: failed', 'lb3 block: failed']);
    expect(lost.tasks[0]).to.not.have.property('values');
    expect(lost.tasks[0]).to.not.have.property('rescued');
    expect(lost.finished.exitCode).to.equal(2);
  });
});

describe('a file of vars_files that is missing for one controller', () => {
  it('fails that controller before its tasks, and for later plays', async () => {
    const playbook = `
- hosts: all
  vars_files: ["{{ inventory_hostname }}.yml"]
  tasks: [{ name: first, debug: { msg: "{{ own }}" } }]
- hosts: all
  tasks: [{ name: second, debug: }]
`;
    const ran = await run(playbook, { files: { 'lb1.yml': 'own: 1\n', 'lb3.yml': 'own: 3\n' } });
    expect(['lb1', 'lb2', 'lb3'].map((name) => by(ran, name))).to.deep.equal([
      ['first: ok', 'second: ok'],
      ['vars_files: failed'],
      ['first: ok', 'second: ok'],
    ]);
    expect(ran.finished.exitCode).to.equal(2);
    expect(ran.finished.stats['lb2']).to.include({ ok: 0, failed: 1 });
  });

  it('counts for max_fail_percentage', async () => {
    const lines = async (percent: number) => {
      const keywords = `${LINEAR}max_fail_percentage: ${percent}\nvars_files: ["{{ inventory_hostname }}.yml"]\n`;
      const tasks = '- { name: first, debug: }\n- { name: second, debug: }\n';
      const ran = await run(play(tasks, keywords), { files: { 'lb1.yml': '{}\n', 'lb3.yml': '{}\n' } });
      return by(ran, 'lb3');
    };
    expect(await lines(34)).to.deep.equal(['first: ok', 'second: ok']);
    expect(await lines(33)).to.deep.equal([]);
  });
});

describe('the recap', () => {
  it('has the statuses of tasks and includes of each controller', async () => {
    const tasks = `- { name: c, debug: , changed_when: inventory_hostname != "lb1" }
- { name: s, debug: , when: inventory_hostname == "lb3" }
- { name: i, fail: , ignore_errors: true, when: inventory_hostname == "lb2" }
- include_tasks: "{{ item }}.yml"
  loop: [a, b]
- { name: l, debug: , loop: [1, 2, 3] }
`;
    const { finished } = await run(play(tasks, LINEAR), { files: { 'a.yml': '- debug:\n', 'b.yml': '[]\n' } });
    const shown = Object.entries(finished.stats).map(([name, { ok, changed, skipped, ignored, failed }]) => [
      name,
      ok,
      changed,
      skipped,
      ignored,
      failed,
    ]);
    expect(shown).to.deep.equal([
      ['lb1', 5, 0, 2, 0, 0],
      ['lb2', 6, 1, 1, 1, 0],
      ['lb3', 6, 1, 1, 0, 0],
    ]);
  });
});
