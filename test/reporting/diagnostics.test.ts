import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { formatDiagnostics } from '../../src/reporting/diagnostics.js';
import { codeFrame } from '../../src/reporting/text/code_frame.js';
import { createPalette } from '../../src/reporting/text/palette.js';
import { playbookFolder, type PlaybookFolder } from '../rig/playbook_file.js';

describe('diagnostics', () => {
  let folder: PlaybookFolder;
  before(async () => {
    folder = await playbookFolder();
  });
  after(() => folder.dispose());

  function formatted(diagnostics: Diagnostics, secrets?: Secrets): string {
    return formatDiagnostics(diagnostics.list, { colour: false, cwd: folder.cwd, secrets });
  }

  it('are those without a position, then those of each file in the order in which it was named, from top to bottom', () => {
    const diagnostics = new Diagnostics();
    const at = (file: string, line: number, column = 1) => ({ file, line, column });
    for (const source of [at('b.yml', 9), at('a.yml', 1), at('c.yml', 5), at('b.yml', 2, 7), at('b.yml', 2, 3)])
      diagnostics.error('wrong', source);
    diagnostics.warn('general');
    const places = formatted(diagnostics).match(/(?<=^ {2}--> ).*|general/gm);
    expect(places).to.deep.equal(['general', 'b.yml:2:3', 'b.yml:2:7', 'b.yml:9:1', 'a.yml:1:1', 'c.yml:5:1']);
  });

  it('of a group name their other positions relative to the folder', () => {
    const diagnostics = new Diagnostics();
    const group = { message: 'old syntax' };
    for (const line of [1, 2])
      diagnostics.add([
        { severity: 'warning', message: 'old', source: { file: `${folder.cwd}/x.yml`, line, column: 1 }, group },
      ]);
    diagnostics.add([{ severity: 'warning', message: 'old', group }]);
    expect(formatted(diagnostics)).to.equal(
      'warning: old syntax (3 times)\n  = also: x.yml:1:1, x.yml:2:1\n\n1 warning\n',
    );
  });

  it('of one group are shown together, at the position of the first', () => {
    const diagnostics = new Diagnostics();
    const group = { message: 'modules for files cannot run here' };
    for (const [line, member] of [
      [2, 'file'],
      [5, 'copy'],
      [4, 'copy'],
    ] as const)
      diagnostics.add([
        {
          severity: 'error',
          message: `"${member}" cannot run here`,
          hint: 'use a lookup',
          source: { file: 'other.yml', line, column: 3 },
          group: { ...group, member },
        },
      ]);
    diagnostics.add([{ severity: 'error', message: 'alone', group: { message: 'never shown', member: 'x' } }]);
    expect(formatted(diagnostics)).to.equal(`error: alone

error: modules for files cannot run here: copy (2), file
  --> other.yml:2:3
  = also: other.yml:4:3, other.yml:5:3
  = hint: use a lookup

2 errors
`);
    const many = new Diagnostics();
    for (let line = 1; line <= 12; line++)
      many.add([
        { severity: 'warning', message: 'old', source: { file: 'a.yml', line, column: 1 }, group: { message: 'old' } },
      ]);
    expect(formatted(many)).to.equal(`warning: old (12 times)
  --> a.yml:1:1
  = also: a.yml:2:1, a.yml:3:1, a.yml:4:1, a.yml:5:1, a.yml:6:1, a.yml:7:1, a.yml:8:1, a.yml:9:1 and 3 more

1 warning
`);
  });

  it('show message, place, lines and hint; first those without a place, then from top to bottom', () => {
    const diagnostics = new Diagnostics();
    const file = `${folder.cwd}/playbooks/rollout.yml`;
    diagnostics.warn('"system_config" is deprecated', { file, line: 9, column: 7 });
    diagnostics.error('unknown module "cloud_presen"', { file, line: 5, column: 7 }, 'did you mean "cloud_present"?');
    diagnostics.error('no controller matches "dsb"');
    expect(formatted(diagnostics)).to.equal(`error: no controller matches "dsb"

error: unknown module "cloud_presen"
  --> playbooks/rollout.yml:5:7
    |
  3 |   tasks:
  4 |     - name: Create the cloud
  5 |       cloud_present:
    |       ^^^^^^^^^^^^^
  6 |         name: edge
  7 |         mtu: '{{mtu}}'
  = hint: did you mean "cloud_present"?

warning: "system_config" is deprecated
  --> playbooks/rollout.yml:9:7
     |
   7 |         mtu: '{{mtu}}'
   8 |     - name: Configure
   9 |       system_config:
     |       ^^^^^^^^^^^^^
  10 |         dns_configuration:
  11 |           search_domain: '{{domain}}'

2 errors, 1 warning
`);
  });

  it('underline a quoted text whole, and mask the values of secret names around it', () => {
    const diagnostics = new Diagnostics();
    diagnostics.error('undefined variable "zone"', { file: 'group_vars/all.yml', line: 3, column: 9 });
    expect(formatted(diagnostics)).to.equal(`error: undefined variable "zone"
  --> group_vars/all.yml:3:9
    |
  1 | mtu: 1500
  2 | controller_password: ********
  3 | domain: '{{zone}}.example.com'
    |         ^^^^^^^^^^^^^^^^^^^^^^

1 error
`);
  });

  it('report the same cause once, and have no frame if the lines are missing', () => {
    const diagnostics = new Diagnostics();
    diagnostics.error('cannot read it', { file: 'gone.yml', line: 1, column: 1 });
    diagnostics.error('cannot read it', { file: 'gone.yml', line: 1, column: 1 });
    diagnostics.error('beyond the end', { file: 'group_vars/all.yml', line: 99, column: 1 });
    expect(formatted(diagnostics)).to.equal(`error: cannot read it
  --> gone.yml:1:1

error: beyond the end
  --> group_vars/all.yml:99:1

2 errors
`);
  });

  it('mask known secrets, and remove what a terminal would interpret', () => {
    const diagnostics = new Diagnostics();
    const secrets = new Secrets();
    secrets.add('hunter22');
    diagnostics.error('bad \u001b[31mred\u001b[0m\u0007 value hunter22');
    expect(formatted(diagnostics, secrets)).to.equal('error: bad red value ********\n\n1 error\n');
  });

  it('are cut after 2,000 characters, without showing a part of a secret', () => {
    const diagnostics = new Diagnostics();
    const secrets = new Secrets();
    secrets.add('correct horse');
    diagnostics.error(`${'x'.repeat(1_995)}correct horse${'y'.repeat(9_000)}`, undefined, 'z'.repeat(3_000));
    expect(formatted(diagnostics, secrets)).to.equal(
      `error: ${'x'.repeat(1_995)}*****… (cut here)\n  = hint: ${'z'.repeat(2_000)}… (cut here)\n\n1 error\n`,
    );
  });

  it('are in the order of their files, lines and columns, and count what differs in one of these', () => {
    const at = (file: string, line: number, column: number) => ({ source: { file, line, column } });
    const error = (message: string, place: object = {}) => ({ severity: 'error', message, ...place }) as const;
    const text = formatDiagnostics(
      [
        error('a', at('z.yml', 3, 9)),
        { ...error('a', at('z.yml', 3, 9)), severity: 'warning' },
        error('b', at('b.yml', 9, 1)),
        error('a', at('z.yml', 2, 1)),
        error('a', at('z.yml', 3, 9)),
        error('a', at('z.yml', 3, 2)),
        error('b', at('z.yml', 3, 9)),
        error('b', at('b.yml', 10, 1)),
        error('c'),
        error('d'),
      ],
      { colour: false, cwd: folder.cwd },
    );
    expect(text.split('\n').filter((line) => line !== '')).to.deep.equal([
      'error: c',
      'error: d',
      'error: a',
      '  --> z.yml:2:1',
      'error: a',
      '  --> z.yml:3:2',
      'error: a',
      '  --> z.yml:3:9',
      'warning: a',
      '  --> z.yml:3:9',
      'error: b',
      '  --> z.yml:3:9',
      'error: b',
      '  --> b.yml:9:1',
      'error: b',
      '  --> b.yml:10:1',
      '8 errors, 1 warning',
    ]);
  });

  it('have their rules and colours if these are asked for, and files relative to the folder', () => {
    const all = [
      { severity: 'error', message: `see ${folder.cwd}/a.yml and ${folder.cwd}2/a.yml`, rule: 'some-rule' },
      { severity: 'warning', message: 'b', rule: 'other', hint: `in ${folder.cwd}/b.yml` },
      { severity: 'warning', message: 'c' },
    ] as const;
    const palette = createPalette(true);
    const lines = (colour: boolean, rules?: boolean) =>
      formatDiagnostics(all, { colour, cwd: folder.cwd, rules })
        .split('\n')
        .filter((line) => line !== '');
    expect(lines(false, true)).to.deep.equal([
      `error[some-rule]: see a.yml and ${folder.cwd}2/a.yml`,
      'warning[other]: b',
      '  = hint: in b.yml',
      'warning: c',
      '1 error, 2 warnings',
    ]);
    expect(lines(false)[0]).to.match(/^error: see /);
    const { bad, warning, strong, place } = palette;
    expect(lines(true).slice(0, 3)).to.deep.equal([
      `${bad('error:')} ${strong(`see a.yml and ${folder.cwd}2/a.yml`)}`,
      `${warning('warning:')} ${strong('b')}`,
      `  ${place('=')} hint: in b.yml`,
    ]);
  });

  it('are an empty text if there are none', () => {
    expect(formatted(new Diagnostics())).to.equal('');
  });
});

describe('a code frame', () => {
  function frame(text: string, line: number, column: number): string {
    return codeFrame(
      text.split('\n'),
      { file: 'x', line, column },
      { palette: createPalette(false), mask: (line) => line },
    ).join('\n');
  }

  it('places the caret below wide characters and tabs', () => {
    expect(frame('\t雲: oops', 1, 5)).to.equal(`  |
1 |   雲: oops
  |       ^^^^`);
  });

  it('shows a window of a very long line', () => {
    const line = `{"a": "${'x'.repeat(300)}", "wrong": 1, "b": "${'y'.repeat(300)}"}`;
    const shown = frame(line, 1, line.indexOf('"wrong"') + 1).split('\n');
    expect(shown[1]).to.match(/^1 \| …x+", "wrong": 1, "b": "y+…$/);
    expect(shown[2]?.indexOf('^')).to.equal(shown[1]?.indexOf('"wrong"'));
    expect(shown[2]).to.match(/^ {2}\| +\^{7}$/);
  });

  it('masks every line of a secret with several lines', () => {
    expect(frame('private_key: |\n  -----BEGIN\n    abc\nnext: 1', 4, 1)).to.equal(`  |
2 |   ********
3 |     ********
4 | next: 1
  | ^^^^`);
  });

  it('points at the same text if a secret is masked before it, at it or after it', () => {
    const line = '{ password: a-much-longer-secret, mtu: wide, token: abc }';
    const shown = '{ password: ********, mtu: wide, token: ******** }';
    const caretAt = (word: string): string => {
      const [, text, carets = ''] = frame(line, 1, line.indexOf(word) + 1).split('\n');
      return text?.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1) ?? '';
    };
    expect(frame(line, 1, 1)).to.include(shown);
    expect(['password', 'mtu', 'wide', 'token'].map(caretAt)).to.deep.equal(['password', 'mtu', 'wide', 'token']);
  });

  it('masks a secret directly after the name of a module', () => {
    expect(frame('set_fact: password=zzz token=y=z key: a=b', 1, 1)).to.equal(`  |
1 | set_fact: password=******** token=******** key: ********
  | ^^^^^^^^`);
  });

  it('masks secrets in connection strings, forms and URLs', () => {
    const text = `- debug: { msg: "user=a&password=x1&b=c" }\n  sql: Server=x;Password=x1;U=y\n  path: "/x?token=x1&mtu=1", u: https://me:x1@lb1/`;
    expect(frame(text, 1, 3)).to.equal(`  |
1 | - debug: { msg: "user=a&password=********&b=c" }
  |   ^^^^^
2 |   sql: Server=x;Password=********;U=y
3 |   path: "/x?token=********&mtu=1", u: https://me:********@lb1/`);
  });

  it('masks a secret that would be cut at the edge of a long line', () => {
    const secrets = new Secrets();
    secrets.add('correct-horse-battery');
    const writer = { palette: createPalette(false), mask: (line: string): string => secrets.mask(line) };
    const line = `${'x'.repeat(112)} correct-horse-battery`;
    expect(codeFrame([line], { file: 'x', line: 1, column: 1 }, writer)[1]).to.equal(`1 | ${'x'.repeat(112)} *******…`);
  });

  it('masks a secret whose quote is never closed, to the end of the line', () => {
    expect(frame(`api_request: password="a b token='c d\nset_fact: { token: "a" }`, 1, 1)).to.equal(`  |
1 | api_request: password=********
  | ^^^^^^^^^^^
2 | set_fact: { token: ******** }`);
  });

  it('shows templates under the name of a secret, but not the texts in or beside them', () => {
    const lines = {
      'key: "x_{{ y }}"': 'key: "x_{{ y }}"',
      'group_by: { key: "x_{{ y }}", parents: [a] }': 'group_by: { key: "x_{{ y }}", parents: [a] }',
      'key: site-{{ y }}-{{ z }}': 'key: ********{{ y }}-{{ z }}',
      'password: "{{ a }}hunter22{{ b }}"': 'password: "{{ a }}********{{ b }}"',
      'password: "{{ a }}" # hunter22': 'password: "{{ a }}"********',
      "password: '{{ a }}hunter22'": "password: '{{ a }}********'",
      "password: '{{ x | default(''hunter22'') }}'": "password: '{{ x | default(''********'') }}'",
      'password: "{{ x | default(\'hunter22\', true) }}"': 'password: "{{ x | default(\'********\', true) }}"',
      'password: "{{ x | default(\\"hunter22\\") }}"': 'password: "{{ x | default(\\"********\\") }}"',
      "password: \"{{ 'it\\\\'s hunter22' }}\"": 'password: "{{ \'********\' }}"',
      'password: "{{ \'hunter22 }}"': `password: "{{ '********'"`,
      "password: \"{{ d['entry'] ~ lookup('env', 'DB_PASSWORD') }}\"":
        "password: \"{{ d['entry'] ~ lookup('env', 'DB_PASSWORD') }}\"",
      "password: \"{{ lookup('url', 'https://me:hunter22@lb1/') }}\"":
        "password: \"{{ lookup('url', 'https://me:********@lb1/') }}\"",
    };
    for (const [written, shown] of Object.entries(lines))
      expect(frame(written, 1, 1))
        .to.match(/^.*\n1 \| (.*)\n/)
        .and.include(`\n1 | ${shown}\n`);
  });

  it('shows templates and references under the name of a secret', () => {
    const text = `password: "{{env "PASSWORD"}}"\ntoken: { from: x }\nkey: !vault |`;
    expect(frame(text, 2, 1)).to.equal(`  |
1 | password: "{{env "PASSWORD"}}"
2 | token: { from: x }
  | ^^^^^
3 | key: !vault |`);
  });
});
