import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Command, Option } from 'commander';
import { type Candidate, filesAt, foldersAt, playbooksAt } from '../../src/completion/files.js';
import { type CandidateKind, findValues } from '../../src/completion/values.js';
import { findPosition } from '../../src/completion/word_position.js';
import type { Workspace } from '../../src/launch/request/invocation.js';

const FILES = {
  'evenkeel.yml': `inventory: inventory/dev
environments:
  dev: { inventory: [inventory/dev, inventory/more] }
  prod: { inventory: inventory/prod }
`,
  'inventory/dev':
    'all: { children: { lab: { children: { east: { hosts: { lb1: } } } }, west: { hosts: { lb2: , lb3: } } } }\n',
  'inventory/more': 'all: { hosts: { lb4: } }\n',
  'inventory/prod': 'all: { hosts: { prod1: } }\n',
  'playbooks/site.yml': `- hosts: all
  tags: [zone]
  tasks:
    - { name: Two, debug: { msg: a }, tags: [b, a] }
    - { name: Two, debug: { msg: a }, tags: [a] }
    - block:
        - { name: Inner, debug: { msg: a }, tags: c }
  handlers:
    - { name: Notified, debug: { msg: a }, tags: told }
`,
  'playbooks/other.yaml': '- hosts: all\n  tasks:\n    - { name: Other, debug: { msg: a }, tags: other }\n',
  'playbooks/notes.txt': '',
  'playbooks/roles/x.yml': '',
  '.hidden.yml': '[]\n',
  'extra.json': '{}\n',
  '.evenkeel/runs/20261120T180000Z-aaaaaa/x': '',
  '.evenkeel/runs/20261121T180000Z-bbbbbb/x': '',
} as const;

type Given = Readonly<Record<string, readonly string[]>>;

function shown({ word, about, open }: Candidate): string {
  return `${word}${open === true ? ' …' : ''}${about === undefined ? '' : ` (${about})`}`;
}

describe('values of completion', () => {
  let cwd: string;
  let workspace: Workspace;
  before(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(path.dirname(path.join(cwd, name)), { recursive: true });
      await writeFile(path.join(cwd, name), text);
    }
    await symlink('inventory', path.join(cwd, 'link'));
    await symlink('nowhere', path.join(cwd, 'loose'));
    workspace = { cwd, env: { HOME: path.join(cwd, 'playbooks'), EVENKEEL_NO_EXEC: '1' } };
  });
  after(() => rm(cwd, { recursive: true }));

  const values = async (
    kind: CandidateKind,
    typed: string,
    given: Given = {},
    operands: readonly string[] = [],
  ): Promise<readonly string[]> =>
    (await findValues(kind, { typed, given: new Map(Object.entries(given)), operands }, workspace)).map(shown);

  const LAB = ['all (group of ungrouped, lab, west)', 'ungrouped (group of 0 controllers)', 'lab (group of east)'];
  const GROUPS = [...LAB, 'east (group of 1 controller)', 'west (group of 2 controllers)'];
  const HERE = ['evenkeel.yml', 'extra.json', 'inventory/ …', 'link/ …', 'loose', 'playbooks/ …'];
  const RUNS = ['last (the newest run)', '20261121T180000Z-bbbbbb', '20261120T180000Z-aaaaaa'];

  const cases: readonly (readonly [kind: CandidateKind, typed: string, found: readonly string[], given?: Given])[] = [
    ['nothing', '', []],
    ['variables', 'a=', []],
    ['variables', '@ex', ['@extra.json']],
    ['files', '.hid', ['.hidden.yml']],
    ['files', '~/roles/', ['~/roles/x.yml']],
    ['folders', '~/r', ['~/roles/ …']],
    ['vault ids', 'dev', []],
    ['vault ids', 'dev@ex', ['dev@extra.json', 'dev@prompt']],
    [
      'inventories',
      'ex',
      ['inventory/dev (of dev)', 'inventory/more (of dev)', 'inventory/prod (of prod)', 'extra.json'],
    ],
    ['environments', '', ['dev (inventory/dev, inventory/more)', 'prod (inventory/prod)']],
    ['patterns', '@ex', ['@extra.json']],
    ['patterns', 'lab,!', [...GROUPS, 'lb1', 'lb2', 'lb3'].map((one) => `lab,!${one}`)],
    ['patterns', '~', [...GROUPS, 'lb1', 'lb2', 'lb3'].map((one) => `~${one}`)],
    ['controllers', '', ['lb1', 'lb2', 'lb3']],
    ['controllers', '', ['prod1'], { '--env': ['prod'] }],
    ['controllers', '', ['lb1', 'lb2', 'lb3', 'lb4'], { '--env': ['dev'] }],
    ['controllers', '', ['lb4'], { '--env': ['prod'], '--inventory': ['inventory/more'] }],
    ['groups', '', GROUPS],
    ['tags', 'a,told,', ['a,told,b', 'a,told,c', 'a,told,other', 'a,told,zone']],
    ['tasks', '', ['Other', 'Two', 'Inner']],
    ['runs', '', RUNS],
    ['reported', 'ex', [...RUNS, 'extra.json']],
    ['reports', '', ['junit= …', 'html= …', 'json= …', 'markdown= …']],
    ['reports', 'json=ex', ['json=extra.json']],
    ['reruns', '', RUNS],
    ['reruns', 'last:', ['last:failed', 'last:unreachable', 'last:unstarted']],
    ['dialects', '', ['generic', 'avi']],
    ['arguments', '@ex', ['@extra.json']],
    ['arguments', 'state=', [], { '--module': ['no_such'] }],
  ];
  for (const [kind, typed, found, given] of cases)
    it(`${kind}: "${typed}" ${JSON.stringify(given ?? {})}`, async () => {
      expect(await values(kind, typed, given)).to.deep.equal(found);
    });

  it('are those of the playbooks before the cursor', async () => {
    expect(await values('tags', '', {}, ['playbooks/other.yaml'])).to.deep.equal(['other']);
    expect(await values('tags', '', {}, ['playbooks/site.yml'])).to.deep.equal(['a', 'b', 'c', 'told', 'zone']);
    expect(await values('tasks', '', {}, ['playbooks/other.yaml', 'extra.json'])).to.deep.equal(['Other']);
  });

  it('are arguments that are missing, required ones first', async () => {
    const given = { '--module': ['api_request'] };
    const names = async (typed: string, module: string): Promise<string> => {
      const found = await values('arguments', typed, { '--module': [module] });
      expect(found.every((one) => one.startsWith(typed))).to.equal(true);
      return found.map((one) => one.slice(typed.length).replace(/=.*/, '')).join(' ');
    };
    expect(await names('', 'api_request')).to.equal('path method query body tenant status_code');
    expect(await names('method=GET ', 'api_request')).to.equal('path query body tenant status_code');
    expect(await names('method=GET path=/api/x?a=b ', 'api_request')).to.equal('query body tenant status_code');
    expect(await names('path=/api/x method=', 'api_request')).to.equal('GET HEAD POST PUT PATCH DELETE');
    expect(await names('', 'cloud_absent')).to.equal('name tenant');
    expect(await names("name='a b' ", 'cloud_absent')).to.equal('tenant');
    expect(await values('arguments', '[', given)).to.deep.equal([]);
    expect(await values('arguments', 'path: ', given)).to.deep.equal([]);
    expect(await values('arguments', 'path="open', given)).to.deep.equal([]);
  });

  it('are files and folders, hidden ones only with their dot', async () => {
    const words = async (found: Promise<readonly Candidate[]>): Promise<readonly string[]> =>
      (await found).map(shown).sort();
    expect(await words(filesAt('', workspace))).to.deep.equal(HERE);
    expect(await words(filesAt('.', workspace))).to.deep.equal(['.evenkeel/ …', '.hidden.yml']);
    expect(await words(filesAt('link/p', workspace))).to.deep.equal(['link/prod']);
    expect(await words(filesAt('~/s', workspace))).to.deep.equal(['~/site.yml']);
    expect(await words(filesAt('missing/', workspace))).to.deep.equal([]);
    expect(await words(foldersAt('', workspace))).to.deep.equal(['inventory/ …', 'link/ …', 'playbooks/ …']);
    const both = ['playbooks/other.yaml', 'playbooks/site.yml'];
    expect(await words(playbooksAt('', workspace))).to.deep.equal(['inventory/ …', 'link/ …', ...both]);
    expect(await words(playbooksAt('playb', workspace))).to.deep.equal(both);
    expect(await words(playbooksAt('playbooks/', workspace))).to.deep.equal(
      [...both, 'playbooks/other.yaml', 'playbooks/roles/ …', 'playbooks/site.yml'].sort(),
    );
    expect(await words(playbooksAt('x', workspace))).to.deep.equal([]);
  });
});

describe('the position of completion', () => {
  const program = new Command('evenkeel').addCommand(
    new Command('run')
      .alias('r')
      .description('runs')
      .option('-E, --env <name>', 'environment')
      .option('-C, --check', 'check')
      .option('-o, --output [mode]', 'output')
      .addOption(new Option('--secret <x>').hideHelp())
      .addOption(new Option('--kind <kind>').choices(['one', 'two']))
      .argument('<playbook>')
      .argument('[pattern...]'),
  );
  const cases: readonly (readonly [words: string, current: string, found: object])[] = [
    ['', 'r', { declared: ['run', 'help'], operands: [] }],
    ['run', '', { declared: [], value: 'playbooks', operands: [] }],
    ['r', '', { declared: [], value: 'playbooks', operands: [] }],
    ['run a.yml', '', { declared: [], value: 'patterns', operands: ['a.yml'] }],
    ['run a.yml b c', '', { declared: [], value: 'patterns', operands: ['a.yml', 'b', 'c'] }],
    ['run -E', '', { declared: [], value: 'environments', operands: [] }],
    ['run -E a --env b', '', { declared: [], value: 'playbooks', operands: [], given: { '--env': ['a', 'b'] } }],
    ['run --env=a -CEb', '', { declared: [], value: 'playbooks', operands: [], given: { '--env': ['a', 'b'] } }],
    ['run --check -C', '', { declared: [], value: 'playbooks', operands: [], given: { '--check': ['', ''] } }],
    ['run -o a', '', { declared: [], value: 'patterns', operands: ['a'], given: { '--output': [''] } }],
    ['run -ox', '', { declared: [], value: 'playbooks', operands: [], given: { '--output': ['x'] } }],
    ['run -xE', '', { declared: [], value: 'playbooks', operands: [] }],
    ['run -- -E', '', { declared: [], value: 'patterns', operands: ['-E'] }],
    ['run -- run', '-', { declared: [], value: 'patterns', operands: ['run'] }],
    ['run run', '', { declared: [], value: 'patterns', operands: ['run'] }],
    ['run', '-', { declared: ['--env', '--check', '--output', '--kind', '--help'], operands: [] }],
    ['run', '--kind=t', { declared: ['one', 'two'], before: '--kind=', typed: 't', operands: [] }],
    ['run --kind', 't', { declared: ['one', 'two'], typed: 't', operands: [] }],
    ['run', '-CEd', { declared: [], value: 'environments', before: '-CE', typed: 'd', operands: [] }],
    ['run', '--env=a=b', { declared: [], value: 'environments', before: '--env=', typed: 'a=b', operands: [] }],
  ];
  for (const [words, current, found] of cases)
    it(`after "${words}" at "${current}"`, () => {
      const { declared, given, ...rest } = findPosition(
        program,
        words.split(' ').filter((one) => one !== ''),
        current,
      );
      expect({ ...rest, declared: declared.map(({ word }) => word), given: Object.fromEntries(given) }).to.deep.equal({
        before: '',
        typed: current,
        given: {},
        ...found,
      });
    });
});
