import { expect } from 'chai';
import { allSteps, type Play } from '../../../src/core/model/playbook/playbook.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { checkTags } from '../../../src/launch/load/known_tags.js';
import type { SelectedPlay } from '../../../src/launch/load/prepared_run.js';
import { findDelegates, findWrites, writesInCheck } from '../../../src/launch/load/writes.js';
import { load, worded } from '../../rig/loaded.js';

const FILES = {
  'common.yml': '- { include_tasks: own.yml, tags: always }\n',
  'roles/a/tasks/main.yml': '- import_tasks: ../../../common.yml\n',
  'roles/a/tasks/own.yml': '- { debug: { msg: a }, tags: in_a }\n',
  'roles/b/tasks/main.yml': '- import_tasks: ../../../common.yml\n',
  'roles/b/tasks/own.yml': '- { debug: { msg: a }, tags: in_b }\n',
  'more.yml': '- { name: More, debug: { msg: a }, tags: deep }\n- include_tasks: more.yml\n',
  'write.yml': '- { cloud_present: { name: a }, check_mode: false, delegate_to: lb7 }\n',
};

async function withPlays(text: string, use: (plays: readonly Play[]) => Promise<void>): Promise<void> {
  await load(text, FILES, undefined, { use: ({ plays }) => use(plays) });
}

const playbooks = (plays: readonly Play[]) => [{ file: 'site.yml', directory: '/', plays }];

const ALL_OF_PLAY = { checks: [], name: '', pattern: 'all', serial: undefined, gate: undefined };

function selectAll(plays: readonly Play[], controllers: readonly (readonly string[])[] = []): readonly SelectedPlay[] {
  const [playbook] = playbooks(plays);
  if (playbook === undefined) throw new Error('no playbook');
  return plays.map((play, number) => {
    const own = { number, playbook, play, steps: allSteps(play), controllers: controllers[number] ?? [] };
    return { ...ALL_OF_PLAY, ...own };
  });
}

async function tagsOf(
  text: string,
  tags: readonly string[],
  skipTags: readonly string[] = [],
): Promise<readonly string[]> {
  const diagnostics = new Diagnostics();
  await withPlays(text, (plays) => checkTags({ playbooks: playbooks(plays) }, { tags, skipTags }, diagnostics));
  return diagnostics.list.map(worded);
}

describe('tags of a command line', () => {
  const SITE = `- hosts: all
  tags: [site]
  tasks:
    - { name: One, debug: { msg: a }, tags: [one, both] }
    - block: [{ name: Two, debug: { msg: a }, tags: two }]
      tags: both
    - { name: Never, debug: { msg: a }, tags: [never, rare] }
- hosts: all
  tasks: [{ name: Plain, debug: { msg: a } }]
`;
  const hint = '--list-tags shows the tags';
  const cases: readonly (readonly [tags: readonly string[], skipped: readonly string[], said: readonly string[]])[] = [
    [[], [], []],
    [['one', 'two', 'site', 'both', 'rare'], [], []],
    [['all'], ['never'], []],
    [['tagged', 'untagged', 'always'], [], []],
    [['on'], [], ['--tags: nothing has the tag "on" — did you mean "one"?']],
    [
      ['zzz', 'one'],
      ['yyy'],
      [`--tags: nothing has the tag "zzz" — ${hint}`, `--skip-tags: nothing has the tag "yyy" — ${hint}`],
    ],
    [['one'], ['both'], [`these tags leave no task to run — ${hint}`]],
    [['one'], ['two'], []],
    [[], ['all'], [`these tags leave no task to run — ${hint}`]],
    [['zzz'], ['all'], [`--tags: nothing has the tag "zzz" — ${hint}`]],
  ];
  for (const [tags, skipped, said] of cases)
    it(`--tags ${tags.join()} --skip-tags ${skipped.join()}`, async () => {
      expect(await tagsOf(SITE, tags, skipped)).to.deep.equal(said);
    });

  it('may be in included files, and in files that are chosen during the run', async () => {
    const file = '- hosts: all\n  tasks: [{ include_tasks: more.yml, tags: outer }]\n';
    expect(await tagsOf(file, ['outer', 'deep'])).to.deep.equal([]);
    expect(await tagsOf(file, ['deep'])).to.deep.equal([
      'site.yml:2:11 --tags: the tags leave out this include, whose tasks have the tag "deep" — give the include the tag, too, or import the tasks',
    ]);
    expect(await tagsOf(`${file}- { hosts: all, tasks: [{ debug: }] }\n`, [], ['outer', 'deep'])).to.deep.equal([]);
    const open = '- hosts: all\n  tasks: [{ include_tasks: "{{ file }}", tags: outer }]\n';
    expect(await tagsOf(open, ['outer', 'oter'])).to.deep.equal([
      'warning: site.yml:2:11 --tags: nothing known before the run has the tag "oter"; the tasks included here may have it — did you mean "outer"?',
    ]);
    expect(await tagsOf(`${open}${file}`, ['outer', 'deep'], ['zzz'])).to.deep.equal([
      'warning: site.yml:2:11 --skip-tags: nothing known before the run has the tag "zzz"; the tasks included here may have it',
    ]);
  });

  it('may be in each of the files that an imported include names', async () => {
    const site = '- hosts: all\n  roles: [a, b]\n';
    expect(await tagsOf(site, ['in_a', 'in_b'])).to.deep.equal([]);
  });

  it('may be in an include that the tags leave out, while another is chosen during the run', async () => {
    const text = `- hosts: all
  tasks:
    - { include_tasks: "{{ part }}.yml", tags: always }
    - { include_tasks: more.yml, tags: slow }
`;
    expect(await tagsOf(text, ['deep'])).to.deep.equal([
      'warning: site.yml:4:7 --tags: the tags leave out this include, whose tasks have the tag "deep" — give the include the tag, too, or import the tasks',
    ]);
    expect(await tagsOf(text, [], ['slow', 'deep'])).to.deep.equal([]);
    expect(await tagsOf(text, ['deep'], ['slow'])).to.deep.equal([]);
  });

  it('may be in an include that --skip-tags leaves out', async () => {
    const text = '- hosts: all\n  tasks: [{ include_tasks: more.yml, tags: slow }, { debug: , tags: one }]\n';
    expect(await tagsOf(text, ['one', 'deep'], ['slow'])).to.deep.equal([]);
    for (const skipped of ['slow', 'deep'])
      expect(await tagsOf(text, ['deep'], [skipped])).to.deep.equal([`these tags leave no task to run — ${hint}`]);
    expect(
      await tagsOf(`${text}- { hosts: all, tasks: [{ include_tasks: more.yml, tags: two }] }\n`, ['deep'], ['slow']),
    ).to.deep.equal([
      'site.yml:3:25 --tags: the tags leave out this include, whose tasks have the tag "deep" — give the include the tag, too, or import the tasks',
    ]);
  });
});

describe('what may write', () => {
  const inCheck = async (tasks: string): Promise<object> => {
    let found: object = {};
    await withPlays(`- hosts: all\n  tasks: [${tasks}]\n`, async (plays) => {
      found = await writesInCheck(selectAll(plays));
    });
    return found;
  };

  it('is nothing in a check but tasks that are no check', async () => {
    for (const [tasks, found] of [
      ['{ cloud_present: { name: a } }', { type: 'none' }],
      ['{ cloud_present: { name: a }, check_mode: true }', { type: 'none' }],
      ['{ cloud_present: { name: a }, check_mode: false }', { type: 'task' }],
      ["{ cloud_present: { name: a }, check_mode: '{{ x }}' }", { type: 'task' }],
      ['{ include_tasks: more.yml }', { type: 'none' }],
      ['{ include_tasks: write.yml }', { type: 'task' }],
      ["{ include_tasks: '{{ a }}' }, { include_tasks: '{{ b }}' }", { type: 'unknown', place: 'site.yml:2:11' }],
      ["{ include_tasks: '{{ a }}' }, { include_tasks: write.yml }", { type: 'task' }],
      ['{ include_tasks: gone.yml, when: x }', { type: 'none' }],
    ] as const)
      expect(await inCheck(tasks), tasks).to.deep.equal(found);
  });

  it('is also a handler, and nothing in a simulation', async () => {
    const text =
      '- hosts: all\n  tasks: []\n  handlers: [{ name: h, cloud_present: { name: a }, check_mode: false }]\n';
    await withPlays(text, async (plays) => {
      const selected = selectAll(plays);
      const type = async (request: Parameters<typeof findWrites>[0]['request']) =>
        (await findWrites({ selected, request })).type;
      expect(await type({})).to.equal('task');
      expect(await type({ check: true })).to.equal('task');
      expect(await type({ check: true, readOnly: true })).to.equal('none');
      expect(await type({ simulate: true })).to.equal('none');
    });
  });

  it('is also another controller, to which a task is delegated', async () => {
    const text = `- hosts: all
  tasks:
    - { debug: { msg: a }, delegate_to: lb1 }
    - { debug: { msg: a }, delegate_to: lb5 }
    - { debug: { msg: a }, delegate_to: lb5 }
    - { debug: { msg: a }, delegate_to: '{{ other }}' }
    - { debug: { msg: a }, delegate_to: localhost }
    - include_tasks: write.yml
    - include_tasks: '{{ file }}'
  handlers: [{ name: h, debug: { msg: a }, delegate_to: lb6 }]
- hosts: all
  tasks: [{ debug: { msg: a }, delegate_to: lb8 }]
`;
    await withPlays(text, async (plays) => {
      const controllers = [['lb1'], []];
      const selected = selectAll(plays, controllers);
      expect(await findDelegates(selected, { controllers: new Map() })).to.deep.equal({
        known: ['lb5', '{{ other }} (site.yml:6:41)', 'lb7', 'lb6'],
        unknown: ['site.yml:9:7'],
      });
    });
  });
});
