import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadInventory } from '../../../src/project/inventory/load.js';
import { inFolder } from '../../rig/folder.js';
import { readInventory } from '../../rig/inventory.js';
import { worded } from '../../rig/loaded.js';

const script = (list: string, host = 'echo "{}"'): string =>
  `#!/bin/sh\nif [ "$1" = --list ]; then\n${list}\nelse\n${host}\nfi\n`;

describe('the output of an inventory executable', () => {
  it('in a file names groups in each of its forms, with places', async () => {
    const json = `{
  "_meta": { "hostvars": { "lb1": { "x": "{{ a | uper }}" }, "lb2": { "y": 2 }, "no": { "z": 1 } } },
  "web": { "hosts": ["lb1", "lb2"], "vars": { "of": "{{ web | uper }}" }, "children": ["db"] },
  "db": ["lb3"],
  "lb4": { "own": "{{ lb4 | uper }}" }
}`;
    const { inventory, said, of } = await readInventory({ 'hosts.json': json });
    const unknown = 'there is no filter or function "uper" — did you mean "upper"?';
    expect(said).to.deep.equal([
      `hosts.json:3:53 ${unknown}`,
      `hosts.json:5:19 ${unknown}`,
      `hosts.json:2:42 ${unknown}`,
      'warning: hosts.json:5:10 "lb4" is the name of a group and of a controller; patterns select the controller, but after "&" and "!" the group',
    ]);
    expect([...inventory.controllers.keys()]).to.deep.equal(['lb1', 'lb2', 'lb3', 'lb4']);
    expect([of('lb1'), of('lb2'), of('lb3'), of('lb4')]).to.deep.equal([
      { of: '{{ web | uper }}', x: '{{ a | uper }}' },
      { of: '{{ web | uper }}', y: 2 },
      { of: '{{ web | uper }}' },
      { own: '{{ lb4 | uper }}' },
    ]);
    expect(inventory.controllers.get('lb3')?.groups).to.deep.equal(['web', 'db']);
  });

  it('in a file is refused with its places', async () => {
    const said = async (json: string) => (await readInventory({ 'hosts.json': json })).said;
    expect(await said('{"_meta": {"hostvars": []}, "g": ["a", ""], "h": {"children": ["x", 1]}}')).to.deep.equal([
      'hosts.json:1:34 hosts.json: the inventory has a controller in group "g" whose name is not text',
      'hosts.json:1:63 hosts.json: the inventory has a child of group "h" whose name is not text',
      'hosts.json:1:24 hosts.json: the inventory has "_meta.hostvars" that are not a mapping',
    ]);
    expect(await said('{"_meta": {"hostvars": {"a": 1, "b": {"x": 1}}}, "g": ["a", "b"]}')).to.deep.equal([
      'hosts.json:1:30 hosts.json: the variables of "a" must be a mapping',
    ]);
    expect(await said('{"_meta": 1, "g": ["a"]}')).to.deep.equal([]);
  });

  it('is asked for each controller if it has no variables, whatever the order of the answers', async () => {
    const slow = 'test "$2" = lb1 && test -d . && cat /dev/null\necho "{\\"name\\": \\"$2\\"}"';
    const { of, said } = await readInventory({ dyn: script(`echo '{"g": ["lb1", "lb2", "lb3"]}'`, slow) });
    expect([said, of('lb1'), of('lb2'), of('lb3')]).to.deep.equal([
      [],
      { name: 'lb1' },
      { name: 'lb2' },
      { name: 'lb3' },
    ]);
    const none = await readInventory({ dyn: script(`echo '{"g": ["lb1"]}'`, 'echo " "') });
    expect([none.said, none.of('lb1')]).to.deep.equal([[], {}]);
    const list = await readInventory({ dyn: script(`echo '{"g": ["lb1", "lb2"]}'`, 'echo "[]"') });
    expect(list.said).to.deep.equal(['lb1', 'lb2'].map((name) => `dyn: the variables of "${name}" must be a mapping`));
  });

  it('is not used if it is no JSON, too deep or no text; what the program says is in the message', async () => {
    const said = async (list: string) => (await readInventory({ dyn: script(list) })).said;
    expect(await said('echo careful >&2; echo "{"')).to.have.length(1);
    expect((await said('echo careful >&2; echo "{"')).join('')).to.match(
      /^inventory: dyn --list ended with exit code 0 but did not print JSON: .*; it says: careful$/s,
    );
    const [deep] = await said(`head -c 100000 /dev/zero | tr '\\0' '['`);
    expect(deep).to.match(/^inventory: dyn --list printed unusable JSON: /);
    expect(await said(`printf '{"a":\\n "\\344"}'`)).to.deep.equal([
      'inventory: dyn --list did not print UTF-8 text: line 2, column 3 has the byte 0xE4',
    ]);
    expect(await said('echo "cannot sign in: password: hush, retries: 3" >&2; exit 3')).to.deep.equal([
      'inventory: dyn --list ended with exit code 3; it says: cannot sign in: password: ********, retries: 3',
    ]);
    expect((await said('echo "password: hush"')).join('')).not.to.contain('hush');
    const [long = ''] = await said(`printf first >&2; head -c 2000 /dev/zero | tr '\\0' x >&2; exit 3`);
    expect(long).to.equal(`inventory: dyn --list ended with exit code 3; it says: …${'x'.repeat(2000)}`);
    const [short = ''] = await said(`head -c 2000 /dev/zero | tr '\\0' x >&2; exit 3`);
    expect(short).to.equal(`inventory: dyn --list ended with exit code 3; it says: ${'x'.repeat(2000)}`);
  });

  it('has templates that are checked when they are used', async () => {
    const { said, of } = await readInventory({
      dyn: script(
        `echo '{"g": {"hosts": ["lb1"], "vars": {"a": "{{ b | uper }}"}}, "_meta": {"hostvars": {"lb1": {"c-d": 1}}}}'`,
      ),
    });
    expect(said).to.deep.equal([
      'warning: templates cannot refer to the variable "c-d" — use letters, digits and "_", and do not start with a digit',
    ]);
    expect(of('lb1')).to.deep.equal({ a: '{{ b | uper }}', 'c-d': 1 });
  });
});

describe('an inventory that is an object', () => {
  const load = (object: Parameters<typeof loadInventory>[0][number], ...before: readonly string[]) =>
    inFolder({ 'a.yml': 'g: { hosts: { lb1: { x: 1, y: 1 } } }' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const inventory = await loadInventory([...before, object], { cwd, diagnostics });
      const lb1 = inventory.controllers.get('lb1');
      const values = Object.assign({}, ...(lb1?.layers ?? []).map((one) => one.values)) as object;
      return { values, lb1, said: diagnostics.list.map(worded), inventory };
    });

  it('has groups as a file has, and is stronger than what is before it', async () => {
    const { values, lb1, said, inventory } = await load({ g: { hosts: { lb1: { x: 2 } } } }, 'a.yml');
    expect([values, said, inventory.partial]).to.deep.equal([{ x: 2, y: 1 }, [], false]);
    expect(lb1?.file).to.match(/a\.yml$/);
    const alone = await load({ g: { hosts: { lb1: { x: 2 } } } });
    expect([alone.lb1?.file, alone.lb1?.directory]).to.deep.equal(['inventory object', undefined]);
    expect(alone.lb1?.layers[0]?.origin).to.equal('inventory object');
  });

  it('has messages without a place, and may be constructed, but not by Ansible', async () => {
    expect((await load({ g: { host: {} } })).said).to.deep.equal([
      'inventory object: unknown key "host" in group "g" — did you mean "hosts"?',
    ]);
    expect((await load({ plugin: 'constructed', compose: { z: 'x + 4' } }, 'a.yml')).values).to.deep.equal({
      x: 1,
      y: 1,
      z: 5,
    });
    const { said, inventory } = await load({ plugin: 'a.b.c' });
    expect(said).to.deep.equal([
      'inventory object: the plugin "a.b.c" runs in Ansible, which reads a file — write the inventory to a file',
    ]);
    expect(inventory.partial).to.equal(true);
  });
});
