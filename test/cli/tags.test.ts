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

describe('tags that nothing has', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({
      'plain.yml': PLAIN,
      'open.yml': '- hosts: lb1\n  tasks: [{ include_tasks: more.yml, tags: more }]\n',
      'always.yml': '- hosts: lb1\n  tasks: [{ include_tasks: more.yml, tags: always }]\n',
      'more.yml': '- { debug: , tags: inner }\n',
    });
  });
  after(() => project.remove());

  const told = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await evenkeel(['run', ...args, '-i', 'lb1,'], { cwd: project.directory });
    expect(code, stderr).to.equal(0);
    return stderr;
  };

  it('get a warning, with the nearest that there is', async () => {
    expect(await told('plain.yml', '-t', 'base,clod', '--skip-tags', 'nothing')).to.equal(
      [
        'warning: --tags: nothing has the tag "clod"',
        '  = hint: did you mean "cloud"?\n',
        'warning: --skip-tags: nothing has the tag "nothing"',
        '  = hint: --list-tags shows the tags\n',
        '2 warnings\n',
      ].join('\n'),
    );
    expect(await told('plain.yml', '-t', 'clod', '--list-tasks')).to.include('did you mean "cloud"?');
  });

  it('get none if they are there, or mean something by themselves', async () => {
    expect(await told('plain.yml', '-t', 'dns', '--skip-tags', 'cloud')).to.equal('');
    expect(await told('plain.yml', '-t', 'tagged,all,untagged', '--skip-tags', 'always,never')).to.equal('');
  });

  it('get none where an include may bring them', async () => {
    expect(await told('open.yml', '-t', 'inner')).to.include('nothing has the tag "inner"');
    expect(await told('always.yml', '-t', 'inner')).to.equal('');
    expect(await told('open.yml', '--skip-tags', 'inner')).to.equal('');
  });
});
