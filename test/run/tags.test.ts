import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const PLAIN = `
- hosts: lb1
  tags: base
  tasks:
    - { name: First, debug: { msg: 1 }, tags: [dns, never] }
    - block:
        - { name: Second, debug: { msg: 2 } }
      tags: cloud
`;

describe('unknown tags', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({
      'plain.yml': PLAIN,
      'open.yml': '- hosts: lb1\n  tasks: [{ include_tasks: more.yml, tags: more }]\n',
      'always.yml': '- hosts: lb1\n  tasks: [{ include_tasks: more.yml, tags: always }]\n',
      'named.yml': `- hosts: lb1
  vars: { which: more }
  tasks:
    - { include_tasks: "{{which}}.yml", tags: more }
`,
      'more.yml': '- { debug: , tags: inner }\n- { include_tasks: more.yml, when: false }\n',
    });
  });
  after(() => project.remove());

  const checkTags = async (...args: readonly string[]): Promise<{ code: number; stderr: string }> => {
    const { code, stderr } = await evenkeel(['run', ...args, '-i', 'lb1,'], { cwd: project.directory });
    return { code, stderr };
  };

  it('refuse the run, each with the nearest known tag', async () => {
    expect(await checkTags('plain.yml', '-t', 'base,clod', '--skip-tags', 'nothing')).to.deep.equal({
      code: 1,
      stderr: [
        'error: --tags: nothing has the tag "clod"',
        '  = hint: did you mean "cloud"?\n',
        'error: --skip-tags: nothing has the tag "nothing"',
        '  = hint: --list-tags shows the tags\n',
        '2 errors\n',
      ].join('\n'),
    });
    for (const option of ['--list-tasks', '--list-tags', '--list-hosts', '--syntax-check'])
      expect((await checkTags('plain.yml', '-t', 'clod', option)).code, option).to.equal(1);
  });

  it('refuse the run, too, if they select no task together', async () => {
    for (const options of [
      ['-t', 'cloud', '--skip-tags', 'base'],
      ['--skip-tags', 'all'],
      ['-t', 'dns,cloud', '--skip-tags', 'tagged', '--list-tasks'],
    ])
      expect(await checkTags('plain.yml', ...options), options.join(' ')).to.deep.equal({
        code: 1,
        stderr: 'error: these tags leave no task to run\n  = hint: --list-tags shows the tags\n\n1 error\n',
      });
  });

  it('are unknown, or have a special meaning', async () => {
    const fine = { code: 0, stderr: '' };
    expect(await checkTags('plain.yml', '-t', 'dns', '--skip-tags', 'cloud')).to.deep.equal(fine);
    expect(await checkTags('plain.yml', '-t', 'tagged,all,untagged', '--skip-tags', 'always,never')).to.deep.equal(
      fine,
    );
  });

  it('are looked for in what is included, if the include runs', async () => {
    const fine = { code: 0, stderr: '' };
    expect(await checkTags('always.yml', '-t', 'inner')).to.deep.equal(fine);
    expect(await checkTags('open.yml', '--skip-tags', 'inner')).to.deep.equal(fine);
    expect(await checkTags('open.yml', '-t', 'more,inner')).to.deep.equal(fine);
    expect(await checkTags('open.yml', '-t', 'inner')).to.deep.include({ code: 1 });
    expect((await checkTags('always.yml', '-t', 'iner')).stderr).to.include(
      'nothing has the tag "iner"\n  = hint: did you mean "inner"?',
    );
  });

  it('are looked for once in a file that includes itself', async () => {
    await project.write('circle.yml', '- hosts: lb1\n  tasks: [{ include_tasks: round.yml, tags: always }]\n');
    await project.write(
      'round.yml',
      '- { debug: , tags: inner }\n- { include_tasks: round.yml, tags: always, when: false }\n',
    );
    expect((await checkTags('circle.yml', '-t', 'gone')).stderr).to.include('--tags: nothing has the tag "gone"');
    expect((await checkTags('circle.yml', '-t', 'inner')).code).to.equal(0);
  });

  it('cause a warning if includes are only known during the run', async () => {
    expect(await checkTags('named.yml', '--skip-tags', 'inner')).to.deep.equal({
      code: 0,
      stderr: `warning: --skip-tags: nothing known before the run has the tag "inner"; the tasks included here may have it
  --> named.yml:4:7
    |
  2 |   vars: { which: more }
  3 |   tasks:
  4 |     - { include_tasks: "{{which}}.yml", tags: more }
    |       ^

1 warning
`,
    });
    expect((await checkTags('named.yml', '-t', 'inner')).stderr).to.include(
      'error: --tags: nothing has the tag "inner"',
    );
  });
});
