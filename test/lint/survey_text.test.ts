import { expect } from 'chai';
import type { AnsibleProject } from '../../src/lint/ansible_project/files.js';
import type { Survey, SurveyFinding } from '../../src/lint/ansible_project/survey.js';
import { surveyJson, surveyText } from '../../src/lint/ansible_project/text.js';

const NONE = { works: 0, total: 0 };
const NO_PARTS = { plays: NONE, roles: NONE, inventories: NONE, plugins: NONE, settings: NONE };

const PROJECT: AnsibleProject = {
  directory: '/home/site',
  playbooks: ['/home/site/a.yml'],
  taskFiles: [],
  roles: ['/home/site/roles/a', '/home/site/roles/b'],
  variableFiles: [],
  inventories: ['/home/site/hosts'],
  python: [],
};

function surveyed(one: Partial<Survey> = {}): Survey {
  return { tasks: { works: 0, change: 0, cannot: 0 }, parts: NO_PARTS, findings: [], ...one };
}

interface Shown {
  readonly project?: Partial<AnsibleProject>;
  readonly cwd?: string;
  readonly color?: boolean;
}

function text(one: Partial<Survey> = {}, { project, cwd = '/home', color = false }: Shown = {}): readonly string[] {
  const stdout = {} as Parameters<typeof surveyText>[2]['stdout'];
  const env = color ? { FORCE_COLOR: '1' } : {};
  const format = { cwd, env, stdout, ...(!color && { color }) };
  return surveyText(surveyed(one), { ...PROJECT, ...project }, format).split('\n');
}

function finding(one: Partial<SurveyFinding> = {}): SurveyFinding {
  return { verdict: 'change', message: 'it is odd', hint: undefined, members: new Map(), places: [], ...one };
}

/** The lines about the findings. */
function findings(...all: readonly Partial<SurveyFinding>[]): readonly string[] {
  return text({ findings: all.map(finding) }).slice(7, -1);
}

const places = (number: number) =>
  Array.from({ length: number }, (_, index) => ({ file: 'a.yml', line: index + 1, column: 3 }));

describe('The text of a survey', () => {
  it('starts with the sizes of the project, and how its tasks are', () => {
    expect(text({ tasks: { works: 1, change: 2, cannot: 3 } })).to.deep.equal([
      'site: 1 playbook, 2 roles, 1 inventory, 6 tasks',
      '',
      '        1   16 %  work as they are',
      '        2   33 %  need a change',
      '        3   50 %  cannot work here',
      '',
      '1 of 6 tasks run in place, 3 after the changes below.',
      '',
    ]);
  });

  it('has no shares of nothing', () => {
    expect(text().slice(2)).to.deep.equal([
      '        0         work as they are',
      '        0         need a change',
      '        0         cannot work here',
      '',
      '0 of 0 tasks run in place.',
      '',
    ]);
  });

  it('groups the digits of many', () => {
    const lines = text({ tasks: { works: 12_000, change: 1000, cannot: 0 } });
    expect(lines[0]).to.equal('site: 1 playbook, 2 roles, 1 inventory, 13,000 tasks');
    expect(lines.slice(2, 5)).to.deep.equal([
      '   12,000   92 %  work as they are',
      '    1,000    7 %  need a change',
      '        0    0 %  cannot work here',
    ]);
    expect(lines[6]).to.equal('12,000 of 13,000 tasks run in place, 13,000 after the changes below.');
  });

  it('does not speak of changes that there are not', () => {
    expect(text({ tasks: { works: 2, change: 0, cannot: 1 } })[6]).to.equal('2 of 3 tasks run in place.');
  });

  it('rounds no share up to all', () => {
    expect(text({ tasks: { works: 999, change: 1, cannot: 0 } })[2]).to.equal('      999   99 %  work as they are');
    expect(text({ tasks: { works: 1, change: 0, cannot: 0 } })[2]).to.equal('        1  100 %  work as they are');
  });

  const named: readonly (readonly [what: string, shown: Shown, first: string])[] = [
    ['the folder itself', { cwd: '/home/site' }, '.: 1 playbook, 2 roles, 1 inventory, 0 tasks'],
    ['a folder beside it', { cwd: '/home/other' }, '../site: 1 playbook, 2 roles, 1 inventory, 0 tasks'],
    [
      'no inventory and several playbooks',
      { project: { playbooks: ['a', 'b'], roles: ['r'], inventories: [] } },
      'site: 2 playbooks, 1 role, 0 inventories, 0 tasks',
    ],
    [
      'several inventories',
      { project: { inventories: ['a', 'b'] } },
      'site: 1 playbook, 2 roles, 2 inventories, 0 tasks',
    ],
  ];
  for (const [what, shown, first] of named) it(`names ${what}`, () => expect(text({}, shown)[0]).to.equal(first));

  it('counts the other parts, those that there are, in their order', () => {
    const parts = {
      settings: { works: 1, total: 2 },
      plugins: { works: 0, total: 1 },
      inventories: { works: 3, total: 3 },
      roles: { works: 1, total: 1200 },
      plays: { works: 4, total: 5 },
    };
    expect(text({ parts })[7]).to.equal(
      'So do 4 of 5 plays, 1 of 1,200 roles, 3 of 3 inventories, 0 of 1 files of plugins and modules in Python, ' +
        '1 of 2 settings of ansible.cfg.',
    );
    expect(text({ parts: { ...NO_PARTS, roles: parts.plays } })[7]).to.equal('So do 4 of 5 roles.');
  });

  it('has the findings under what they mean, the worst first', () => {
    expect(
      findings(
        { verdict: 'works', message: 'fine' },
        { message: 'odd' },
        { verdict: 'cannot', message: 'no' },
        { message: 'even' },
      ),
    ).to.deep.equal([
      '',
      'What cannot work here',
      '        1  no',
      '',
      'What needs a change',
      '        1  odd',
      '        1  even',
      '',
      'What works, with a remark',
      '        1  fine',
    ]);
  });

  it('has the number, hint and places of a finding', () => {
    expect(findings({ hint: 'write it', places: places(2) }).slice(2)).to.deep.equal([
      '        2  it is odd',
      '           → write it',
      '           a.yml:1:3, a.yml:2:3',
    ]);
  });

  it('shows five places', () => {
    const five = 'a.yml:1:3, a.yml:2:3, a.yml:3:3, a.yml:4:3, a.yml:5:3';
    expect(findings({ places: places(5) }).at(-1)).to.equal(`           ${five}`);
    expect(findings({ places: places(1207) }).slice(2)).to.deep.equal([
      '    1,207  it is odd',
      `           ${five} and 1,202 more`,
    ]);
  });

  it('shows twelve names, and how often those with several places occur', () => {
    const members = (number: number): ReadonlyMap<string, number> =>
      new Map(Array.from({ length: number }, (_, index) => [`m${index}`, index === 0 ? 2 : 1]));
    const twelve = 'm0 (2), m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11';
    expect(findings({ members: members(12) })[2]).to.equal(`        1  it is odd: ${twelve}`);
    expect(findings({ members: members(13) })[2]).to.equal(`        1  it is odd: ${twelve} and 1 more`);
  });

  it('is coloured where that is wanted', () => {
    const lines = text({ findings: [finding({ hint: 'write it', places: places(1) })] }, { color: true });
    expect(lines[0]).to.equal('\u{1b}[1msite\u{1b}[22m: 1 playbook, 2 roles, 1 inventory, 0 tasks');
    expect(lines.slice(8, -1)).to.deep.equal([
      '\u{1b}[1mWhat needs a change\u{1b}[22m',
      '        1  it is odd',
      '           \u{1b}[32m→\u{1b}[39m write it',
      '           \u{1b}[36ma.yml:1:3\u{1b}[39m',
    ]);
  });
});

describe('The JSON of a survey', () => {
  it('has numbers of what the text names, and all places', () => {
    const found = finding({ hint: 'write it', members: new Map([['b', 2]]), places: places(6) });
    const json = surveyJson(
      surveyed({ tasks: { works: 1, change: 2, cannot: 3 }, findings: [found, finding({ verdict: 'works' })] }),
      PROJECT,
    );
    expect(JSON.parse(json)).to.deep.equal({
      directory: '/home/site',
      playbooks: 1,
      roles: 2,
      inventories: 1,
      tasks: { total: 6, works: 1, change: 2, cannot: 3 },
      parts: NO_PARTS,
      findings: [
        { verdict: 'change', message: 'it is odd', hint: 'write it', places: places(6), count: 6, members: { b: 2 } },
        { verdict: 'works', message: 'it is odd', places: [], count: 1, members: {} },
      ],
    });
    expect(json).to.match(/^\{\n {2}"directory": /);
    expect(json.endsWith('}\n')).to.equal(true);
  });
});
