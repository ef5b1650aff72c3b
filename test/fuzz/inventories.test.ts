import { expect } from 'chai';
import fc from 'fast-check';
import { selectControllers } from '../../src/core/model/inventory/pattern.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { loadInventory } from '../../src/project/inventory/load.js';
import { expandNames } from '../../src/project/inventory/range.js';
import { inFolder } from '../rig/folder.js';
import { corpus } from './rig/corpus.js';
import { Fuzz, requireSense } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

const INI = [
  `lb1 ansible_host=10.0.0.1 controller_url="https://{{ inventory_hostname }}"
lb[01:20:2].example.com:8443 a='b c' list=[1,2]

[emea:children]
north
[north]
lb[a:f] # comment
[north:vars]
dns = ['8.8.8.8', "x"]
t = True
n = 0x1f
d = {'a': {'b': None}}
`,
];
const JSON_TEXTS = [
  '{"all": {"hosts": ["lb1"], "vars": {"a": 1}}, "_meta": {"hostvars": {"lb1": {"x": [1, {"__ansible_unsafe": "{{ a }}"}]}}}}',
  '{"all": {"children": {"x": {"hosts": {"lb[1:3]": {"a": 1e3}}}}}}',
];
const YAML = [...corpus('inventory', '.yml'), ...corpus('test/differential/inventories', '.yml', '.yaml')];

const RANGES = ['lb', '[', ']', ':', '1', '01', '99', '-', 'a', 'z', 'A', ',', '0', '2', '999999999', '.example.com'];
const TERMS = [
  'all',
  'lb1',
  'north',
  'lb*',
  '[',
  ']',
  '0',
  ':',
  ',',
  '!',
  '&',
  '~',
  '(',
  'lb[12]',
  '-1',
  '*',
  '?',
  '@',
  '__proto__',
  ' ',
];

const joined = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join(''));

describe('fuzzed inventories', () => {
  const fuzz = new Fuzz();
  after(() => fuzz.stop());

  const understand = (name: string) => (text: string) =>
    inFolder({ [name]: text, 'group_vars/all.yml': text, 'host_vars/lb1.json': text }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const inventory = await loadInventory([name], { cwd, diagnostics });
      requireSense(diagnostics.list);
      selectControllers(inventory, 'all:!lb1:&north');
    });

  for (const [kind, name, examples] of [
    ['INI', 'hosts', INI],
    ['JSON', 'hosts.json', JSON_TEXTS],
    ['YAML', 'hosts.yml', YAML],
  ] as const)
    it(`are accepted or reported: ${kind}`, () => fuzz.try(mutated(examples), 150, understand(name))).timeout(120_000);

  it('have ranges that are accepted or reported', () =>
    fuzz.try(joined(RANGES), 2000, (text) => {
      const expansion = expandNames(text);
      if (expansion.type === 'problem') expect(expansion.message).to.match(/\S/);
    }));

  it('are selected from by any pattern', async () => {
    const diagnostics = new Diagnostics();
    const files = { 'hosts.yml': 'all: { children: { north: { hosts: { lb1: , lb2: } } } }' };
    const inventory = await inFolder(files, (cwd) => loadInventory(['hosts.yml'], { cwd, diagnostics }));
    await fuzz.try(fc.oneof(joined(TERMS), fc.string({ maxLength: 30 })), 2000, (pattern) => {
      const { names, error } = selectControllers(inventory, pattern);
      expect(names.every((name) => inventory.controllers.has(name))).to.equal(true);
      if (error !== undefined) expect(error).to.match(/\S/);
    });
  });
});
