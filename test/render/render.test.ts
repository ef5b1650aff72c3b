import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { emptyProject, exampleProject, type Ended, type Project } from '../rig/command.js';
import { eventsOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/gate_command.js';

const FILES = {
  'inv.yml': `all:
  vars: { controller_url: 'https://{{ inventory_hostname }}.invalid' }
  hosts: { lb2: { site: b }, lb1: { site: a, clouds: [x, y], api_password: hunter22 } }
`,
  'p.yml': `- name: Main
  hosts: all
  tasks:
    - name: Cloud of {{ site }}
      cloud_present: { name: 'edge-{{ site }}', mtu: '{{ mtu | default(1500) }}', vtype: '{{ nothing | default(omit) }}' }
      notify: Tell
    - cloud_present: { name: '{{ item }}' }
      loop: '{{ clouds | default([]) }}'
    - name: Ask
      api_request: { path: /api/cloud/ }
      register: clouds_now
    - name: Use it
      debug: { msg: 'there are {{ clouds_now.json.count }}' }
      when:
        - site == 'a'
        - clouds_now is succeeded
    - debug: { msg: '{{ item }} of {{ site }}' }
      loop: '{{ clouds_now.json.results }}'
    - include_tasks: 'site_{{ site }}.yml'
    - include_tasks: '{{ clouds_now.json.name }}'
    - block: [{ fail: { msg: 'no' } }]
      rescue: [{ debug: { msg: 'rescued {{ undefined_here }}' } }]
    - name: Secret
      api_request: { method: POST, path: /api/login, body: { api_password: '{{ api_password | default("x") }}', id: 7 } }
    - api_request: { method: POST, path: /api/hidden, body: { word: quiet } }
      no_log: true
  handlers:
    - name: Tell
      debug: { msg: 'changed {{ site }}' }
`,
  'site_a.yml': '- debug: { msg: "included on {{ inventory_hostname }}" }\n',
  'site_b.yml': '- debug: { msg: other }\n',
};

describe('evenkeel render', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
  });
  after(() => project.remove());

  const render = (...args: readonly string[]): Promise<Ended> =>
    evenkeel(['render', ...args, '-i', 'inv.yml'], { cwd: project.directory });

  it('refuses to compare a part of the controllers', async () => {
    await project.write('list.sh', '#!/bin/sh\necho "{}"\n');
    await chmod(path.join(project.directory, 'list.sh'), 0o755);
    const { code, stdout } = await render('p.yml', '--no-exec', '--against', 'other', '-i', 'list.sh');
    expect([code, stdout]).to.deep.equal([1, '']);
  });

  it('shows nothing that depends on the time or on chance', async () => {
    const texts = ['now()', "now(utc=true, fmt='%s')", "'%s' | strftime", "'x' | password_hash", "'%Y' | strftime(0)"];
    const tasks = texts.map((text) => `    - debug: { msg: "{{ ${text} }}" }\n`);
    await project.write('time.yml', `- hosts: lb1\n  tasks:\n${tasks.join('')}`);
    const { stdout } = await render('time.yml');
    expect([...stdout.matchAll(/msg: (.*)/g)].map(([, text]) => text)).to.deep.equal([
      ...Array.from({ length: 4 }, () => '(known at run time)'),
      "'1970'",
    ]);
  });

  it('masks what tasks with no_log use, in their names and in other tasks, too', async () => {
    await project.write(
      'hidden.yml',
      `- hosts: lb1
  vars: { one: 'Secret-{{ 1 }}' }
  tasks:
    - debug: { msg: 'before {{ one }}' }
    - name: Hidden {{ item }}
      debug: { msg: ['{{ one }}', '{{ later }}', '{{ own }}!'] }
      vars: { own: 'Secret-{{ 4 }}' }
      loop: ['Secret-{{ 2 }}']
      no_log: true
    - debug: { msg: 'Secret-2, {{ item }}, {{ later }}, Secret-4' }
      loop: ['{{ one }}']
    - api_request: { path: /api/cloud/ }
      register: later
    - name: Hidden
      debug: { msg: '{{ later }}' }
      no_log: true
    - debug: { msg: '{{ later }}' }
    - name: Hidden block
      block: [{ meta: noop }]
      rescue: [debug: ]
      loop: ['Secret-{{ 5 }}']
      no_log: true
`,
    );
    const { stdout } = await render('hidden.yml', '-e', 'later=Secret-3');
    expect(stdout).to.not.include('Secret');
    expect(stdout).to.include('name: Hidden {{ item }}').and.include('msg: before ********');
    const { stdout: unknown } = await render('hidden.yml', '-e', 'later={{ now() }}');
    expect(unknown).to.include('msg: (known at run time)');
  });

  it('ends at the end of a play or host, unless that is in an include, or depends on what is known later', async () => {
    const shown = async (steps: string): Promise<readonly string[]> => {
      await project.write('ends.yml', `- hosts: lb1\n  tasks:\n${steps}    - debug: { msg: after }\n`);
      return [...(await render('ends.yml')).stdout.matchAll(/meta: (\w+)|msg: (\w+)/g)].map(([, a, b]) => a ?? b ?? '');
    };
    const ask = '    - api_request: { path: /api/cloud/ }\n      register: later\n';
    for (const action of ['end_play', 'end_host', 'end_batch'])
      expect(await shown(`    - meta: ${action}\n`), action).to.deep.equal([action]);
    expect(await shown('    - meta: noop\n')).to.deep.equal(['noop', 'after']);
    expect(await shown('    - { meta: end_play, when: false }\n')).to.deep.equal(['after']);
    expect(await shown('    - { meta: end_play, when: true }\n')).to.deep.equal(['end_play']);
    expect(await shown(`${ask}    - { meta: end_play, when: later is changed }\n`)).to.deep.equal([
      'end_play',
      'after',
    ]);
    const block =
      '    - block: [{ meta: end_play }, { debug: { msg: inside } }]\n      always: [{ debug: { msg: always } }]\n';
    expect(await shown(block)).to.deep.equal(['end_play']);
    await project.write('ending.yml', '- meta: end_play\n');
    expect(await shown('    - include_tasks: ending.yml\n')).to.deep.equal(['end_play', 'after']);
    await project.write(
      'roles/ending/tasks/main.yml',
      '- block: [{ meta: end_role }]\n  always: [{ debug: { msg: always } }]\n- debug: { msg: more }\n',
    );
    expect(await shown('    - import_role: { name: ending }\n')).to.deep.equal(['end_role', 'after']);
    // With a module that nothing else in the playbook uses.
    await project.write('own.yml', '- assert: { that: true, success_msg: held }\n');
    expect(await shown('    - include_tasks: own.yml\n')).to.deep.equal(['held', 'after']);
  });

  it('shows a role once for equal parameters, and of a block the parts that it has', async () => {
    await project.write('roles/sized/tasks/main.yml', '- debug: { msg: "size {{ size }}" }\n');
    await project.write('roles/sized/defaults/main.yml', 'size: 1\n');
    const block = '{ block: [{ debug: { msg: size of block } }], always: [{ debug: { msg: size at last } }] }';
    const rescued = '{ block: [{ debug: { msg: size tried } }], rescue: [{ debug: { msg: size after it } }] }';
    await project.write(
      'roles.yml',
      `- hosts: lb1\n  roles: [sized, sized, { role: sized, size: 2 }, sized]\n  tasks: [${block}, ${rescued}]\n`,
    );
    const { stdout } = await render('roles.yml');
    const sizes = [...stdout.matchAll(/msg: (size .*)/g)].map(([, size]) => size);
    expect(sizes).to.deep.equal([
      ...['size 1', 'size 2', 'size of block', 'size at last', 'size tried', 'size after it'],
    ]);
    expect(stdout.match(/rescue:/g)).to.have.length(1);
    expect(stdout.match(/always:/g)).to.have.length(1);
  });

  it('does not say what is wrong with arguments that no_log hides', async () => {
    const task = `debug: { msg: "{{ 'x' | regex_replace('(' ~ word, '') }}" }`;
    await project.write(
      'wrong.yml',
      `- hosts: lb1\n  vars: { word: Secret-1 }\n  tasks: [{ ${task}, no_log: true }]\n`,
    );
    const { stdout, stderr } = await render('wrong.yml');
    expect(stdout + stderr)
      .to.not.include("Secret-1'")
      .and.to.not.match(/regular expression|parenthes/);
    for (const looped of ['debug: ', 'block: [debug: ]']) {
      const loop = `loop: "{{ 'x' | regex_replace('(' ~ word, '') }}"`;
      await project.write(
        'wrong.yml',
        `- hosts: lb1\n  vars: { word: Secret-1 }\n  tasks: [{ ${looped}, ${loop}, no_log: true }]\n`,
      );
      expect((await render('wrong.yml')).stderr).to.not.match(/Secret-1'|regular expression|parenthes/);
    }
    await project.write('wrong.yml', `- hosts: lb1\n  vars: { word: Secret-1 }\n  tasks: [{ ${task} }]\n`);
    expect((await render('wrong.yml')).stderr).to.include('Secret-1');
  });

  it('renders what is known before the run, ordered by controller', async () => {
    const { code, stdout, stderr } = await render('p.yml');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.equal('');
    expect(stdout).to.not.include('hunter22').and.not.include('quiet');
    const secret = (value: string) => ({ method: 'POST', path: '/api/login', body: { api_password: value, id: 7 } });
    const rest = (site: string, included: string, value: string) => [
      { item: '(known at run time)', debug: { msg: '(known at run time)' } },
      { include_tasks: { file: `site_${site}.yml` }, tasks: [{ debug: { msg: included } }] },
      { include_tasks: { file: '(known at run time)' } },
      { block: [{ fail: { msg: 'no' } }], rescue: [{ debug: { msg: '(known at run time)' } }] },
      { name: 'Secret', api_request: secret(value) },
      { api_request: '********' },
    ];
    expect(parse(stdout)).to.deep.equal([
      {
        play: 'Main',
        playbook: 'p.yml',
        controllers: {
          lb1: {
            tasks: [
              { name: 'Cloud of a', cloud_present: { name: 'edge-a', mtu: 1500 }, notify: ['Tell'] },
              { item: 'x', cloud_present: { name: 'x' } },
              { item: 'y', cloud_present: { name: 'y' } },
              { name: 'Ask', api_request: { path: '/api/cloud/' }, register: 'clouds_now' },
              {
                name: 'Use it',
                debug: { msg: '(known at run time)' },
                when: ['clouds_now is succeeded'],
              },
              ...rest('a', 'included on lb1', '********'),
            ],
            handlers: [{ name: 'Tell', debug: { msg: '(known at run time)' } }],
          },
          lb2: {
            tasks: [
              { name: 'Cloud of b', cloud_present: { name: 'edge-b', mtu: 1500 }, notify: ['Tell'] },
              { name: 'Ask', api_request: { path: '/api/cloud/' }, register: 'clouds_now' },
              ...rest('b', 'other', '********'),
            ],
            handlers: [{ name: 'Tell', debug: { msg: '(known at run time)' } }],
          },
        },
      },
    ]);
    const json = await render('p.yml', '--json');
    expect(JSON.parse(json.stdout)).to.deep.equal(parse(stdout));
    expect(existsSync(path.join(project.directory, '.evenkeel'))).to.equal(false);
  });

  it('renders handlers, and leaves values open that an unknown include may set', async () => {
    await project.write('known.yml', FILES['p.yml'].replace(/\n.*include_tasks: '\{\{.*/, ''));
    const { stdout } = await render('known.yml');
    expect(stdout).to.include('msg: changed a').and.include('msg: changed b');
  });

  it('names templates that are certain to fail, once for all controllers', async () => {
    await project.write('bad.yml', '- hosts: all\n  tasks: [{ debug: { msg: "{{ sitee }}" } }]\n');
    const { code, stdout, stderr } = await render('bad.yml');
    expect(code).to.equal(1);
    expect(stdout).to.include('(cannot be rendered: ');
    expect(stderr).to.include('on 2 controllers: lb1, lb2').and.include('bad.yml:2:');
  });

  it('reads files and runs commands of lookups, with --no-exec no commands', async () => {
    await project.write('note.txt', 'hello');
    await project.write(
      'look.yml',
      `- hosts: lb1
  tasks:
    - debug: { msg: "{{ lookup('file', 'note.txt') }}" }
    - debug: { msg: "{{ lookup('pipe', 'touch ran; echo out') }}" }
    - debug: { msg: "{{ lookup('url', 'http://127.0.0.1:1/') }}" }
`,
    );
    const withheld = await render('look.yml', '--no-exec', '--json');
    expect(withheld.code, withheld.stderr).to.equal(0);
    const unknown = '(known at run time)';
    expect(withheld.stdout).to.include('"msg": "hello"');
    expect(withheld.stdout.split(unknown)).to.have.lengthOf(3);
    expect(existsSync(path.join(project.directory, 'ran'))).to.equal(false);
    const { stdout } = await render('look.yml');
    expect(stdout).to.include('msg: out').and.include(`msg: ${unknown}`);
  });

  it('shows what a run sends', async () => {
    const example = await exampleProject();
    const run = (...args: readonly string[]): Promise<Ended> =>
      evenkeel([...args, '--env', 'staging'], { cwd: example.directory });
    const rendered = await run('render', 'playbooks/rollout.yml', '--json');
    const checked = await run('run', 'playbooks/rollout.yml', '--simulate', '--check', '-o', 'json');
    await example.remove();
    const plays = JSON.parse(rendered.stdout) as readonly {
      controllers: Record<string, { tasks: readonly Record<string, unknown>[] }>;
    }[];
    const sent = eventsOf(checked.stdout).flatMap((event) => {
      const change = event.type === 'task-finished' && event.module === 'cloud_present' ? event.change : undefined;
      return event.type === 'task-finished' && change?.kind === 'create'
        ? [[event.controller, change.after] as const]
        : [];
    });
    expect(sent).to.have.lengthOf(4);
    for (const [controller, after] of sent) {
      const { tasks = [] } = plays[0]?.controllers[controller] ?? {};
      expect(tasks.find((task) => 'cloud_present' in task)?.['cloud_present']).to.deep.equal(after);
    }
  });

  it('compares environments with other controllers, and with the same', async () => {
    const environment = (names: readonly string[], mtu: number) =>
      `all: { hosts: { ${names.map((name) => `${name}: { site: ${name} }`).join(', ')} }, vars: { mtu: ${mtu} } }`;
    await project.write('a.yml', environment(['s1', 's2'], 1500));
    await project.write('c.yml', 'mtu: 8000\n');
    await project.write('b.yml', environment(['p1', 'p2', 'p3'], 9000));
    await project.write(
      'evenkeel.yml',
      'environments:\n  a: { inventory: a.yml }\n  b: { inventory: b.yml }\n  c: { inventory: a.yml, extra_vars: [c.yml] }\n',
    );
    await project.write(
      'q.yml',
      "- name: P\n  hosts: all\n  tasks: [{ name: Cloud, cloud_present: { name: 'e-{{ inventory_hostname }}', mtu: '{{ mtu }}', x: '{{ site }}' } }]\n",
    );
    const compare = (one: string, other: string): Promise<Ended> =>
      evenkeel(['render', 'q.yml', '--env', one, '--against', other], { cwd: project.directory });
    expect(await compare('a', 'b')).to.deep.equal({
      code: 3,
      stderr: '',
      stdout: `- is b, + is a

all 3 controllers → all 2 controllers
  P › Cloud
    - cloud_present.mtu: 9000
    + cloud_present.mtu: 1500

`,
    });
    expect((await compare('c', 'a')).stdout).to.equal(`- is a, + is c

2 controllers: s1, s2
  P › Cloud
    - cloud_present.mtu: 1500
    + cloud_present.mtu: 8000

`);
    expect(await compare('a', 'a')).to.deep.equal({ code: 0, stderr: '', stdout: 'no difference between a and a\n' });
    const json = await evenkeel(['render', 'q.yml', '--env', 'c', '--against', 'a', '--json'], {
      cwd: project.directory,
    });
    expect(JSON.parse(json.stdout))
      .to.include({ schemaVersion: 1, before: 'a', after: 'c' })
      .and.have.property('groups');
    expect(json.code).to.equal(3);
    const plain = await evenkeel(['render', 'q.yml', '-i', 'a.yml', '--against', 'a', '--json'], {
      cwd: project.directory,
    });
    expect(JSON.parse(plain.stdout)).to.include({ before: 'a', after: 'the default inventory' });
    expect(plain.code).to.equal(0);
    expect(await compare('a', 'd')).to.include({ code: 1, stdout: '' });
  });

  it('refuses tags that nothing has', async () => {
    await project.write('tags.yml', '- hosts: lb1\n  tasks: [{ debug: { msg: x }, tags: [first] }]\n');
    const { code, stdout, stderr } = await render('tags.yml', '--tags', 'frist');
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('--tags: nothing has the tag "frist"').and.include('did you mean "first"?');
  });

  it('masks secrets in the names of plays', async () => {
    await project.write(
      'titled.yml',
      '- name: With hunter22\n  hosts: lb1\n  tasks: [{ debug: { msg: known }, when: api_password is defined }]\n',
    );
    const { stdout } = await render('titled.yml', '-e', 'controller_password=hunter22');
    expect(stdout).to.include('With ********').and.not.include('hunter22');
  });

  it('compares fields that only some controllers have', async () => {
    await project.write('some.yml', 'all: { hosts: { s1: { mtu: 1 }, s2: } }');
    await project.write('none.yml', 'all: { hosts: { p1: , p2: } }');
    await project.write('all.yml', 'all: { hosts: { p1: , p2: }, vars: { mtu: 2 } }');
    const environments = ['some', 'none', 'all'].map((name) => `  ${name}: { inventory: ${name}.yml }\n`);
    await project.write('evenkeel.yml', `environments:\n${environments.join('')}`);
    await project.write(
      'q.yml',
      "- name: P\n  hosts: all\n  tasks: [{ name: Cloud, cloud_present: { name: e, mtu: '{{ mtu | default(omit) }}' } }]\n",
    );
    const compare = async (one: string, other: string): Promise<string> =>
      (await evenkeel(['render', 'q.yml', '--env', one, '--against', other], { cwd: project.directory })).stdout;
    expect(await compare('some', 'all')).to.equal(`- is all, + is some

not the same on all controllers
  P › Cloud
    - cloud_present.mtu: 2
    + cloud_present.mtu: 1  (s1)
    + cloud_present.mtu: (not there)  s2

`);
    expect(await compare('none', 'all')).to.equal(`- is all, + is none

2 controllers: p1, p2
  P › Cloud
    - cloud_present.mtu: 2

`);
  });
});
