import { expect } from 'chai';
import { readInventory } from '../../rig/inventory.js';

const script = (body: string): string => `#!/bin/sh\n${body}\n`;

describe('inventory sources', () => {
  it('can be several; later ones are stronger', async () => {
    const { of, inventory } = await readInventory({ a: '[g]\nlb1 x=1 y=1\n', b: 'g: { hosts: { lb1: { x: 2 } } }' }, [
      'a',
      'b',
      'lb1,lb[2:3],',
    ]);
    expect(of('lb1')).to.deep.equal({ x: 2, y: 1 });
    expect([...inventory.controllers.keys()]).to.deep.equal(['lb1', 'lb2', 'lb3']);
  });

  it('record in which file and folder a controller was first named', async () => {
    const { inventory } = await readInventory({ 'inv/a.yml': 'g: { hosts: { lb1: } }' }, ['inv', 'lb2,']);
    expect(inventory.controllers.get('lb1')?.file).to.match(/\/inv\/a\.yml$/);
    expect(inventory.controllers.get('lb1')?.directory).to.match(/\/inv$/);
    expect(inventory.controllers.get('lb2')).to.include({ file: 'lb2,', directory: undefined });
  });

  it('are errors if they cannot be read', async () => {
    expect((await readInventory({ x: '' }, ['missing.yml', 'missing/x', '', 'a,lb[2:1]'])).said).to.deep.equal([
      'cannot read the inventory missing.yml: there is no such file — a list of controllers ends in a comma: "missing.yml,"',
      'cannot read the inventory missing/x: there is no such file',
      'an inventory source is empty',
      '-i a,lb[2:1]: the range [2:1] in "lb[2:1]" goes backwards; write [1:2]',
    ]);
  });

  it('can be folders, whose other files are ignored', async () => {
    const files = {
      'inv/10.yml': 'g: { hosts: { lb1: } }',
      'inv/20': '[g]\nlb2\n',
      'inv/sub/30.yml': 'g: { hosts: { lb3: } }',
      'inv/10.yml.license': 'SPDX-FileCopyrightText: 2026 Example\n\nSPDX-License-Identifier: MIT\n',
      'inv/20.license': 'SPDX-License-Identifier: MIT\n',
      'inv/.hidden': '[',
      'inv/notes.md': '[',
      'inv/old.yml~': '[',
      'inv/skipped.ini': '[g]\nlb4\n',
    };
    const { inventory, said } = await readInventory(files, ['inv']);
    expect([...inventory.controllers.keys()]).to.deep.equal(['lb1', 'lb2', 'lb3']);
    expect(said).to.deep.equal([
      'warning: inv/skipped.ini is ignored: in an inventory folder, Ansible reads .ini files as settings — name it skipped, without a suffix',
    ]);
    expect((await readInventory({ 'inv/a.md': '' }, ['inv'])).said).to.deep.equal([
      'the inventory folder inv contains no inventory',
    ]);
  });
});

describe('inventory executables', () => {
  it('run in the working directory, and their stderr is shown', async () => {
    const { inventory, said } = await readInventory({
      'x/dyn': script(`echo careful >&2\ntest -d x && echo '{"g": ["lb1"], "_meta": {"hostvars": {}}}'`),
    });
    expect([...inventory.controllers.keys()]).to.deep.equal(['lb1']);
    expect(said).to.deep.equal(['warning: inventory: x/dyn --list says: careful']);
  });

  it('run once per controller if they list no variables', async () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `"lb${index}"`).join(', ');
    const { of } = await readInventory({
      dyn: script(`if [ "$1" = --list ]; then echo '{"g": [${hosts}]}'; else echo "{\\"me\\": \\"$2\\"}"; fi`),
    });
    expect([of('lb0'), of('lb19')]).to.deep.equal([{ me: 'lb0' }, { me: 'lb19' }]);
  });

  it('keep the digits of whole numbers beyond 2⁵³', async () => {
    const { of } = await readInventory({
      dyn: script(`echo '{"_meta": {"hostvars": {"lb1": {"id": 12345678901234567890}}}, "g": ["lb1"]}'`),
    });
    expect(of('lb1')).to.deep.equal({ id: 12345678901234567890n });
  });

  const failures: readonly (readonly [string, string, string])[] = [
    [
      'exit with a code',
      script('echo "no route" >&2\nexit 3'),
      'inventory: dyn --list ended with exit code 3; it says: no route',
    ],
    ['are killed', script('kill -9 $$'), 'inventory: dyn --list was ended by signal SIGKILL'],
    [
      'cannot start',
      '#!/no/such/interpreter\n',
      'inventory: dyn --list could not be started: the interpreter in its first line does not exist',
    ],
    [
      'print no JSON',
      script('echo hello'),
      `inventory: dyn --list ended with exit code 0 but did not print JSON: Unexpected token 'h', "hello\n" is not valid JSON`,
    ],
    ['print a list', script('echo "[]"'), 'dyn: the inventory must be a mapping of groups'],
    [
      'name a controller that is not text',
      script(`echo '{"g": {"hosts": [null]}, "_meta": {"hostvars": {}}}'`),
      'dyn: the inventory has a controller in group "g" whose name is not text',
    ],
    [
      'fail for one controller',
      script(`[ "$1" = --list ] && echo '{"g": ["lb1"]}' || exit 4`),
      'inventory: dyn --host lb1 ended with exit code 4',
    ],
  ];
  for (const [what, text, message] of failures) {
    it(`are errors if they ${what}`, async () => {
      const { said } = await readInventory({ dyn: text });
      expect(said).to.deep.equal([message]);
    });
  }
});
