import { expect } from 'chai';
import { allSteps } from '../../../src/core/model/playbook/playbook.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { checkTags } from '../../../src/launch/load/known_tags.js';
import { AheadReader, callsAhead } from '../../../src/launch/load/read_ahead.js';
import { gather } from '../../../src/lint/read.js';
import { allTasks } from '../../../src/lint/subject/subject.js';
import { loadPlaybooks } from '../../../src/project/playbook/playbook.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { catalogue, load } from '../../rig/loaded.js';

const COMMON = '- { import_tasks: ../../../common.yml }\n';
const aTask = (name: string): string => `- { name: ${name}, debug: , tags: ${name} }\n`;
const roles = (...names: readonly string[]): string => `- { hosts: all, roles: [${names.join(', ')}] }\n`;

/** What is wrong with the tags, and the tasks that a run would reach and that lint reads: with what the includes name. */
async function reached(
  files: Files,
  tags: readonly string[],
): Promise<Readonly<Record<'tags' | 'ahead' | 'lint', readonly string[]>>> {
  return inFolder(files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const sites = Object.keys(files).filter((file) => file.endsWith('site.yml'));
    const playbooks = await loadPlaybooks(sites, { cwd, catalogue, diagnostics });
    const plays = playbooks.flatMap((playbook) => playbook.plays);
    await checkTags({ playbooks }, { tags }, diagnostics);
    const ahead: string[] = [];
    for (const play of plays)
      for await (const { call } of callsAhead(allSteps(play))) ahead.push(call.name?.value ?? '');
    const { plays: subjects } = await gather(plays);
    const read = allTasks({ plays: subjects }).map(({ step }) => step.name?.value ?? '');
    const named = (names: readonly string[]): readonly string[] => names.filter((name) => name !== '').toSorted();
    return { tags: diagnostics.list.map(({ message }) => message), ahead: named(ahead), lint: named(read) };
  });
}

describe('what is included', () => {
  const table: readonly [string, Files, string][] = [
    [
      'by a file that another shared file includes, in each of the roles that import it',
      {
        'site.yml': roles('a', 'b'),
        'common.yml': '- { include_tasks: shared.yml, tags: always }\n',
        'shared.yml': '- { include_tasks: own.yml, tags: always }\n',
        'roles/a/tasks/main.yml': COMMON,
        'roles/a/tasks/own.yml': aTask('in_a'),
        'roles/b/tasks/main.yml': COMMON,
        'roles/b/tasks/own.yml': aTask('in_b'),
      },
      'in_a in_b',
    ],
    [
      'by a shared file without a role, in each of the folders of the files around it',
      {
        'site.yml': '- hosts: all\n  tasks: [{ import_tasks: a/main.yml }, { import_tasks: b/main.yml }]\n',
        'shared.yml': '- { include_tasks: deeper.yml, tags: always }\n',
        'deeper.yml': '- { include_tasks: own.yml, tags: always }\n',
        'a/main.yml': '- { import_tasks: shared.yml }\n',
        'a/own.yml': aTask('in_a'),
        'b/main.yml': '- { import_tasks: shared.yml }\n',
        'b/own.yml': aTask('in_b'),
      },
      'in_a in_b',
    ],
    [
      'as a role that is beside another one in each of its uses',
      {
        'site.yml': roles('x/a', 'y/b'),
        'common.yml': '- { include_role: { name: r }, tags: always }\n',
        'roles/x/a/tasks/main.yml': '- { import_tasks: ../../../../common.yml }\n',
        'roles/x/r/tasks/main.yml': aTask('in_a'),
        'roles/y/b/tasks/main.yml': '- { import_tasks: ../../../../common.yml }\n',
        'roles/y/r/tasks/main.yml': aTask('in_b'),
      },
      'in_a in_b',
    ],
    [
      'as a role beside each of several playbooks',
      {
        'a/site.yml': '- { hosts: all, tasks: [{ import_tasks: ../common.yml }] }\n',
        'b/site.yml': '- { hosts: all, tasks: [{ import_tasks: ../common.yml }] }\n',
        'common.yml': '- { include_role: { name: r }, tags: always }\n',
        'a/roles/r/tasks/main.yml': aTask('in_a'),
        'b/roles/r/tasks/main.yml': aTask('in_b'),
      },
      'in_a in_b',
    ],
    [
      'as different files of one role',
      {
        'site.yml': `- hosts: all
  tasks:
    - { include_role: { name: r, tasks_from: first }, tags: always }
    - { include_role: { name: r, tasks_from: second }, tags: always }
`,
        'roles/r/tasks/first.yml': aTask('first'),
        'roles/r/tasks/second.yml': aTask('second'),
      },
      'first second',
    ],
    [
      'inside of what is included in another role again',
      {
        'site.yml': roles('a'),
        'common.yml': '- { include_tasks: shared.yml, tags: always }\n',
        'shared.yml': '- { include_tasks: own.yml, tags: always }\n',
        'roles/a/tasks/main.yml': COMMON,
        'roles/a/tasks/own.yml': '- { include_role: { name: b }, tags: always }\n',
        'roles/b/tasks/main.yml': COMMON,
        'roles/b/tasks/own.yml': aTask('in_b'),
      },
      'in_b',
    ],
    [
      'in a file that is imported by a name with a parameter of the role',
      {
        'site.yml': roles('{ role: a, kind: one }', '{ role: a, kind: two }'),
        'roles/a/tasks/main.yml': '- { include_tasks: more.yml, tags: always }\n',
        'roles/a/tasks/more.yml': '- debug:\n- import_tasks: "{{ kind }}.yml"\n',
        'roles/a/tasks/one.yml': aTask('one'),
        'roles/a/tasks/two.yml': aTask('two'),
      },
      'one two',
    ],
  ];
  for (const [title, files, tasks] of table)
    it(`is known before a run: ${title}`, async () => {
      const names = tasks.split(' ');
      expect(await reached(files, names)).to.deep.equal({ tags: [], ahead: names, lint: names });
    });

  it('is read once for each place in a file that includes itself, or is included in it', async () => {
    const itself = aTask('one') + '- { include_tasks: { file: more.yml, apply: { tags: again } }, tags: always }\n';
    const files = {
      'site.yml': '- { hosts: all, tasks: [{ include_tasks: more.yml, tags: always }] }\n',
      'more.yml': itself,
    };
    expect(await reached(files, ['one'])).to.deep.equal({ tags: [], ahead: ['one', 'one'], lint: ['one'] });
    expect((await reached(files, ['again'])).tags).to.deep.equal([]);
    const each = ['a', 'b', 'c', 'd'];
    const others = each.map((name) => `- include_tasks: ${name}.yml\n`).join('');
    const mutual = Object.fromEntries(each.map((name) => [`${name}.yml`, aTask(name) + others]));
    const { ahead } = await reached({ 'site.yml': '- { hosts: all, tasks: [include_tasks: a.yml] }\n', ...mutual }, []);
    expect(new Set(ahead)).to.deep.equal(new Set(each));
    expect(ahead.length).to.be.most(1 + each.length ** 2);
  });

  it('is unknown if it is too much', async () => {
    const twice = (name: string): string => `- include_tasks: ${name}\n`.repeat(2);
    const files = { 'a.yml': twice('b.yml'), 'b.yml': aTask('b') };
    await load(`- hosts: all\n  tasks: [{ include_tasks: a.yml }, { include_tasks: a.yml }]\n`, files, undefined, {
      use: async ({ plays }) => {
        const unknown = async (most?: number): Promise<string> => {
          const calls: string[] = [];
          for await (const { call, isUnknown } of callsAhead(plays.flatMap(allSteps), new AheadReader(most)))
            if (call.type === 'include') calls.push(isUnknown ? 'unknown' : 'read');
          return calls.join(' ');
        };
        expect(await unknown()).to.equal('read read read read read read');
        expect(await unknown(2)).to.equal('read read unknown unknown');
      },
    });
  });
});
