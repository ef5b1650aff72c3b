import { expect } from 'chai';
import { readInventory } from '../../rig/inventory.js';

const said = async (text: string): Promise<readonly string[]> => (await readInventory({ hosts: text })).said;

describe('INI inventories', () => {
  it('report every mistake with its position', async () => {
    expect(
      await said(`lb1 port 22
lb2 name="open
[emea
[web:childern]
[web:children]
emae
[db:vars]
port 5432
[emea]
lb[3:1]
lb[1:2
lb[1-3]
---
x:
  a:b c=1
[emea] ; comment
`),
    ).to.deep.equal([
      'hosts:1:5 expected name=value after the controller — no spaces around "="; quote values that contain spaces',
      'hosts:1:10 expected name=value after the controller — no spaces around "="; quote values that contain spaces',
      'hosts:2:10 this line has a quote (") that is not closed',
      'hosts:3:1 "[emea" has "[" but no "]"',
      'hosts:4:6 unknown kind of section "childern" in [web:childern] — did you mean "children"?',
      'hosts:8:1 expected name=value',
      'hosts:10:1 the range [3:1] in "lb[3:1]" goes backwards; write [1:3]',
      'hosts:11:1 "lb[1:2" has "[" but no "]"',
      'hosts:12:1 the range [1-3] in "lb[1-3]" is not [first:last] or [first:last:step] — a range is written with a colon: [1:3]',
      'hosts:13:1 "---" begins a YAML file, but this is read as INI — name the file .yml',
      'hosts:14:1 "x:" ends in ":" without a port',
      'hosts:16:1 not a valid section: [emea] ; comment — write [group], [group:children] or [group:vars], without spaces; a comment after it starts with "#"',
      'hosts:6:1 [web:children] includes a group that is not defined: emae — did you mean "emea"?',
      'hosts:7:2 [db:vars] is for a group that is not defined: db',
    ]);
  });

  it('refuse variables that are not in a section of variables, and never quote a part of them', async () => {
    const hint = (group: string): string => `the variables of a group have a section of their own: [${group}:vars]`;
    const found = await said(`a_password=hush-hush
[web]
a_password = hush-hush
lb1 a_password = hush-hush
lb1 a_password=hush hush-hush
[web:vars]
a_password: hush-hush
a_password hush-hush
[all:children]
a_password = hush-hush
`);
    const expected = 'no spaces around "="; quote values that contain spaces';
    expect(found).to.deep.equal([
      `hosts:1:1 this line sets a variable, but names no controller — ${hint('all')}`,
      `hosts:3:1 this line sets a variable, but names no controller — ${hint('web')}`,
      ...[5, 16, 18].map((column) => `hosts:4:${column} expected name=value after the controller — ${expected}`),
      `hosts:5:21 expected name=value after the controller — ${expected}`,
      'hosts:7:1 expected name=value — in INI, write "=" between name and value',
      'hosts:8:1 expected name=value',
      'hosts:10:1 expected the name of a group',
    ]);
  });

  it('warn of a comment that begins inside a word, as in a password', async () => {
    const warning = 'a comment begins here, inside a word — if "#" belongs to the value, quote the value';
    expect(await said(`lb1 x=a#b y=2\nlb2 x='a#b' # c\nlb#3\n`)).to.deep.equal([
      `warning: hosts:1:8 ${warning}`,
      `warning: hosts:3:3 ${warning}`,
    ]);
  });

  it('is not read in an invalid section, whatever the section before it was', async () => {
    const invalid = '[a b]\nlb9 port\nx = y = z\nweb\n';
    const text = `[web]\nlb1\n${invalid}[web:vars]\nx=1\n${invalid}[emea:children]\nweb\n${invalid}[db]\nlb2 x=2\n`;
    const { inventory, said, of } = await readInventory({ hosts: text });
    const hint = 'write [group], [group:children] or [group:vars], without spaces; a comment after it starts with "#"';
    expect(said).to.deep.equal([3, 9, 15].map((line) => `hosts:${line}:1 not a valid section: [a b] — ${hint}`));
    expect([...inventory.controllers.keys()]).to.deep.equal(['lb1', 'lb2']);
    expect([of('lb1')['x'], of('lb2')['x']]).to.deep.equal([1, 2]);
  });

  it('can use a group that another source defines', async () => {
    const files = { '1': '[emea]\nlb1\n', '2': '[emea:vars]\nx=1\n[all:children]\nemea\n' };
    const read = await readInventory(files, ['1', '2']);
    expect(read.said).to.deep.equal([]);
    expect(read.of('lb1')).to.deep.equal({ x: 1 });
  });

  it('warn of a variable that is set twice, and of names that templates or patterns cannot use', async () => {
    expect(await said('[g:vars]\na=1\na=2\nb-c=3\n[g]\n[a,b]\nh d=1 d=2\n')).to.deep.equal([
      'warning: hosts:3:1 "a" is set twice here; the last one counts',
      'warning: hosts:4:1 templates cannot refer to the variable "b-c" — use letters, digits and "_", and do not start with a digit',
      'warning: hosts:6:2 patterns cannot refer to the group "a,b"',
      'warning: hosts:7:7 "d" is set twice here; the last one counts',
    ]);
  });

  it('locate each variable', async () => {
    const { inventory } = await readInventory({ hosts: '[g]\n  h1 a=1 bc=2\n[g:vars]\nx = 1\ny = 2\n' });
    const layers = inventory.controllers.get('h1')?.layers ?? [];
    expect(layers.map(({ values }) => values)).to.deep.equal([
      { x: 1, y: 2 },
      { a: 1, bc: 2 },
    ]);
    expect(layers.map(({ locate, values }) => Object.keys(values).map((name) => locate?.([name])))).to.deep.equal([
      [
        { file: 'hosts', line: 4, column: 1 },
        { file: 'hosts', line: 5, column: 1 },
      ],
      [
        { file: 'hosts', line: 2, column: 6 },
        { file: 'hosts', line: 2, column: 10 },
      ],
    ]);
  });

  it('have names of groups among the children of one, and comments behind them', async () => {
    const { inventory, said } = await readInventory({ hosts: '[a]\nlb1\n[b:children]\na # first\nc d\n' });
    expect(said).to.deep.equal(['hosts:5:1 expected the name of a group']);
    expect(inventory.groups.get('b')?.children).to.deep.equal(['a']);
  });

  it('refuse groups that contain each other', async () => {
    expect(await said('[a:children]\nb\n[b:children]\nc\n[c:children]\na\n[d:children]\nd\n')).to.deep.equal([
      'hosts:6:1 group "a" cannot be a child of "c": they would contain each other ("c" → "a" → "b" → "c")',
      'hosts:8:1 group "d" cannot be a child of "d": they would contain each other ("d" → "d")',
    ]);
    expect(await said('[a:children]\nall\n')).to.deep.equal([
      'hosts:2:1 "all" contains every group; it cannot be a child of "a"',
    ]);
  });

  it('can begin with a byte order mark, and can have any line breaks', async () => {
    const { of } = await readInventory({ hosts: '\ufeff[g]\r\nh1 a=1\r\nh2 a=2\rh3 a=3' });
    expect(['h1', 'h2', 'h3'].map((name) => of(name)['a'])).to.deep.equal([1, 2, 3]);
  });
});
