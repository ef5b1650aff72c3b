import { expect } from 'chai';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';

const FILES = {
  'evenkeel.yml': 'inventory: hosts.yml\nenvironments:\n  staging: { inventory: staging, limit: "lb1,lb3" }\n',
  'hosts.yml': `all:
  vars: { domain: example.com }
  children:
    emea: { hosts: { lb1: { url: "https://{{inventory_hostname}}" }, lb2: } }
    amer: { hosts: { lb9: } }
`,
  staging: '[emea]\nlb[1:4] stage=True\n',
};

function inventory(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return inFolder(FILES, (cwd) => evenkeel(['inventory', ...args], { cwd }));
}

describe('evenkeel inventory', () => {
  it('--list prints the inventory of the project, templates as written', async () => {
    const { code, stdout, stderr } = await inventory('--list');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).to.deep.equal({
      _meta: {
        hostvars: {
          lb1: { domain: 'example.com', url: 'https://{{inventory_hostname}}' },
          lb2: { domain: 'example.com' },
          lb9: { domain: 'example.com' },
        },
      },
      all: { children: ['ungrouped', 'emea', 'amer'] },
      amer: { hosts: ['lb9'] },
      emea: { hosts: ['lb1', 'lb2'] },
    });
  });

  it('--host prints one controller, with -y as YAML, with -e on top', async () => {
    expect((await inventory('--host', 'lb1')).stdout).to.equal(
      '{\n    "domain": "example.com",\n    "url": "https://{{inventory_hostname}}"\n}\n',
    );
    expect((await inventory('--host', 'emea[1]', '-y', '-e', 'domain=example.org')).stdout).to.equal(
      'domain: example.org\n',
    );
    expect((await inventory('--host', 'localhost')).stdout).to.equal(
      '{\n    "ansible_connection": "local",\n    "domain": "example.com"\n}\n',
    );
  });

  it('--graph refuses groups that multiply', async () => {
    const groups = Array.from({ length: 40 }, (_, at) =>
      ['a', 'b'].map((one) => `[g${at}${one}:children]\ng${at + 1}a\ng${at + 1}b\n`).join(''),
    ).join('');
    const ended = await inFolder({ diamond: `${groups}[g40a]\nlb1\n[g40b]\nlb2\n` }, (cwd) =>
      evenkeel(['inventory', '--graph', '-i', 'diamond'], { cwd }),
    );
    expect(ended).to.include({ code: 1, stdout: '' });
    expect(ended.stderr).to.match(
      /^error: the graph shows more than 100000 groups, because groups such as "g\d+[ab]" are in several others\n/,
    );
  });

  it('--graph draws a tree, of a group if one is named', async () => {
    expect((await inventory('--graph')).stdout).to.equal(
      '@all:\n  |--@ungrouped:\n  |--@emea:\n  |  |--lb1\n  |  |--lb2\n  |--@amer:\n  |  |--lb9\n',
    );
    expect((await inventory('--graph', 'amer', '--vars')).stdout).to.equal(
      '@amer:\n  |--lb9\n  |  |--{domain = example.com}\n',
    );
  });

  it('respects the environment and its limit', async () => {
    expect((await inventory('--env', 'staging', '--graph', 'emea')).stdout).to.equal('@emea:\n  |--lb1\n  |--lb3\n');
    expect((await inventory('-i', 'lb7,lb8,', '-l', 'lb8', '--graph')).stdout).to.equal(
      '@all:\n  |--@ungrouped:\n  |  |--lb8\n',
    );
  });

  const mistakes: readonly (readonly [readonly string[], string])[] = [
    [[], 'error: say what to show: --list, --host NAME or --graph\n\n1 error\n'],
    [['--list', '--graph'], 'error: show one thing at a time: --list, --host NAME or --graph\n\n1 error\n'],
    [['--list', 'emea'], 'error: "emea" is a group to start --graph at, but --graph is missing\n\n1 error\n'],
    [['--graph', 'emae'], 'error: there is no group "emae"\n  = hint: did you mean "emea"?\n\n1 error\n'],
    [['--graph', 'x'], 'error: there is no group "x"\n  = hint: without a name, --graph shows all groups\n\n1 error\n'],
    [
      ['--host', 'lb3'],
      'error: --host: "lb3" matches no controller of the inventory\n  = hint: did you mean "lb1"?\n\n1 error\n',
    ],
    [
      ['--host', 'lb1,lb3,!emae'],
      'error: --host: "lb3" matches no controller of the inventory\n  = hint: did you mean "lb1"?\n\n' +
        'error: --host: "emae" matches no controller of the inventory\n  = hint: did you mean "emea"?\n\n2 errors\n',
    ],
    [
      ['--host', 'lb1', '-l', '!lb1'],
      'error: --host names one controller, but "lb1" matches no controller of the limit\n\n1 error\n',
    ],
    [['--host', 'emea'], 'error: --host names one controller, but "emea" matches 2 controllers\n\n1 error\n'],
    [['--host', 'emea[9]'], 'error: --host: "emea[9]" is out of range: there are 2 controllers\n\n1 error\n'],
  ];
  for (const [args, stderr] of mistakes) {
    it(`${args.join(' ') || 'nothing'} is refused`, async () => {
      expect(await inventory(...args)).to.deep.equal({ code: 1, stdout: '', stderr });
    });
  }

  it('reports every mistake of the inventory at its position', () =>
    inFolder({ hosts: '[emea:children]\nparsi\n[paris]\nlb[3:1]\n' }, async (cwd) => {
      expect(await evenkeel(['inventory', '-i', 'hosts', '--list'], { cwd })).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: `error: [emea:children] includes a group that is not defined: parsi
  --> hosts:2:1
    |
  1 | [emea:children]
  2 | parsi
    | ^^^^^
  3 | [paris]
  4 | lb[3:1]
  = hint: did you mean "paris"?

error: the range [3:1] in "lb[3:1]" goes backwards; write [1:3]
  --> hosts:4:1
    |
  2 | parsi
  3 | [paris]
  4 | lb[3:1]
    | ^^

2 errors
`,
      });
    }));
});
