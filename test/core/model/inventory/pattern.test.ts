import { expect } from 'chai';
import fc from 'fast-check';
import {
  findController,
  findMembers,
  implicitLocalhost,
  type Inventory,
} from '../../../../src/core/model/inventory/inventory.js';
import { nearestTarget, selectControllers, wrongTerms } from '../../../../src/core/model/inventory/pattern.js';
import { splitTerms } from '../../../../src/core/model/inventory/pattern_terms.js';
import { ansible, ansiblePython, hasAnsible } from '../../../rig/ansible.js';
import { inFolder } from '../../../rig/folder.js';
import { readInventory } from '../../../rig/inventory.js';

const HOSTS = `
all:
  children:
    emea: { hosts: { lb01.emea: , lb02.emea: , lb03.emea: , lb04.emea: } }
    amer: { hosts: { lb01.amer: , lb02.amer: }, children: { canada: { hosts: { lb09.ca: } } } }
    canary: { hosts: { lb02.amer: , lb03.emea: } }
    empty:
    lb04.emea: { hosts: { lb01.amer: } }
  hosts: { odd: , 'fe80::1': }
`;

/** Patterns of every kind, each also asked of Ansible. */
const PATTERNS = [
  'all',
  '*',
  'emea',
  'canary,emea',
  'emea:canary',
  'amer',
  'emea:&canary',
  '&canary:emea',
  'all:!emea',
  '!emea',
  '&canary',
  'all,!emea,&canary',
  'emea[0]',
  'emea[-1]',
  'emea[1:2]',
  'emea[2:]',
  'emea[0:0]',
  'emea[1:99]',
  '*.emea',
  'lb0[12].emea',
  'lb0[!1].*',
  'lb0?.ca',
  '~lb0[13]\\.',
  '~lb.*(emea|ca)$',
  '~(?i)LB01',
  '*[0]',
  'ungrouped',
  'fe80::1',
  'fe80::1,odd',
  'lb04.emea',
  'emea,!lb04.emea',
  'empty',
  'emea, amer',
  'a*',
  '~can',
  'all:&emea:!canary',
];

/** `ansible-playbook --list-hosts` prints a set; this asks for the order in which a play would run. */
const SELECT = `
import json, sys
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
inventory = InventoryManager(DataLoader(), ['hosts.yml'])
print(json.dumps([[host.name for host in inventory.get_hosts(pattern)] for pattern in json.loads(sys.argv[1])]))
`;

async function inventory(): Promise<Inventory> {
  return (await readInventory({ 'hosts.yml': HOSTS })).inventory;
}

describe('patterns', () => {
  it('select what ansible-core 2.14 selects, in its order', async function () {
    if (!hasAnsible()) this.skip();
    this.timeout(120_000);
    const known = await inventory();
    await inFolder({ 'hosts.yml': HOSTS }, (cwd) => {
      const theirs: unknown = JSON.parse(ansible(ansiblePython(), ['-c', SELECT, JSON.stringify(PATTERNS)], cwd));
      expect(PATTERNS.map((pattern) => selectControllers(known, pattern).names)).to.deep.equal(theirs);
      return Promise.resolve();
    });
  });

  const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['canary,emea', ['lb02.amer', 'lb03.emea', 'lb01.emea', 'lb02.emea', 'lb04.emea'], []],
    ['emea:&canary', ['lb03.emea'], []],
    ['all:!emea:!amer', ['odd', 'fe80::1'], []],
    ['emea[-1]', ['lb04.emea'], []],
    ['emea[1:2]', ['lb02.emea', 'lb03.emea'], []],
    ['amer', ['lb01.amer', 'lb02.amer', 'lb09.ca'], []],
    ['~lb0[12]\\.(?:amer|ca)', ['lb01.amer', 'lb02.amer'], []],
    ['~lb\\d{2,3}\\.ca', ['lb09.ca'], []],
    ['nowhere,odd', ['odd'], ['nowhere']],
    ['odd,!nowhere,&all', ['odd'], ['nowhere']],
    ['nowhere[0]', [], ['nowhere[0]']],
    ['empty', [], []],
    ['amer,!lb04.emea', ['lb02.amer', 'lb09.ca'], []],
    ['amer,&lb04.emea', ['lb01.amer'], []],
    ['all,!fe80::1,!emea', ['odd', 'lb01.amer', 'lb02.amer', 'lb09.ca'], []],
    ['fe80::*', ['fe80::1'], []],
    ['lb0[z-a]*', [], ['lb0[z-a]*']],
    ['emea[0-1]', ['lb01.emea', 'lb02.emea'], []],
    ['lb0*[-1]', ['lb09.ca'], []],
    ['~odd|lb01\\.e', ['lb01.emea', 'odd'], []],
    ['localhost', ['localhost'], []],
    ['!emea', ['odd', 'fe80::1', 'lb01.amer', 'lb02.amer', 'lb09.ca'], []],
    ['&canary', ['lb03.emea', 'lb02.amer'], []],
    ['lb04.emea', ['lb04.emea'], []],
    ['emea,!lb04.emea', ['lb01.emea', 'lb02.emea', 'lb03.emea'], []],
    ['~lb04', ['lb01.amer', 'lb04.emea'], []],
    ['~odd|lb0[1]', ['lb01.emea', 'lb01.amer', 'odd'], []],
    ['emea[0]', ['lb01.emea'], []],
    ['emea[0:0]', ['lb01.emea'], []],
    ['emea[2:]', ['lb03.emea', 'lb04.emea'], []],
    ['empty[0]', [], []],
  ];
  for (const [pattern, names, unmatched] of table) {
    it(`${pattern} → ${names.join(' ') || 'nothing'}`, async () => {
      expect(selectControllers(await inventory(), pattern)).to.deep.equal({ names, unmatched });
    });
  }

  const mistakes: readonly (readonly [string, string])[] = [
    ['', 'the pattern is empty'],
    [' , ,', 'the pattern is empty'],
    ['emea,!', '"&" and "!" must be followed by a name'],
    ['emea,! canary', '"&" and "!" must be followed by a name'],
    ['emea,&~', '"~" must be followed by a regular expression'],
    ['~lb(', '"~lb(" is not a valid regular expression'],
    ['emea[4]', '"emea[4]" is out of range: there are 4 controllers'],
    ['canada[3]', '"canada[3]" is out of range: there is 1 controller'],
    ['emea[7:]', '"emea[7:]" is out of range: there are 4 controllers'],
    ['emea[-5]', '"emea[-5]" is out of range: there are 4 controllers'],
  ];
  for (const [pattern, error] of mistakes) {
    it(`"${pattern}": ${error}`, async () => {
      expect(selectControllers(await inventory(), pattern)).to.deep.equal({ names: [], unmatched: [], error });
    });
  }

  it('end soon, whatever they are and whatever the names are', async () => {
    const { inventory } = await readInventory({ 'hosts.yml': `all: { hosts: { ${'a'.repeat(60)}-: } }` });
    expect(selectControllers(inventory, '~(a+)+$').unmatched).to.deep.equal(['~(a+)+$']);
    expect(selectControllers(inventory, `${'*a'.repeat(20)}*b`).names).to.deep.equal([]);
    expect(selectControllers(inventory, String.raw`~(a+)+\1$`).error).to.match(
      /^the regular expression .* takes too long/,
    );
  });

  it('suggest the nearest group or controller', async () => {
    expect(nearestTarget(await inventory(), 'emae')).to.equal('did you mean "emea"?');
    expect(nearestTarget(await inventory(), 'lb09')).to.equal('did you mean "lb09.ca"?');
    expect(nearestTarget(await inventory(), 'lb01')).to.equal('did you mean "lb01.emea"?');
    expect(nearestTarget(await inventory(), '@limit.txt')).to.match(/^only --limit can name a file, /);
    expect(nearestTarget(await inventory(), 'something else')).to.equal(undefined);
    const mixed = 'where there is a comma, a colon separates nothing: write commas only';
    expect(nearestTarget(await inventory(), 'amer:!odd')).to.equal(mixed);
    expect(nearestTarget(await inventory(), '2001:db8::9')).to.equal(undefined);
  });

  it('unite, intersect and exclude as sets do, whatever the order of the terms', async () => {
    const known = await inventory();
    const groups = ['emea', 'amer', 'canary', 'canada', 'empty', 'ungrouped'];
    const some = fc.array(fc.constantFrom(...groups), { maxLength: 3 });
    const property = fc.property(
      fc.array(fc.constantFrom(...groups), { minLength: 1, maxLength: 3 }),
      some,
      some,
      fc.integer(),
      (plain, kept, left, seed) => {
        const terms = [...plain, ...kept.map((one) => `&${one}`), ...left.map((one) => `!${one}`)];
        const shuffled = terms.toSorted((a, b) => hash(a, seed) - hash(b, seed));
        const wanted = new Set(plain.flatMap((group) => findMembers(known, group)));
        for (const name of wanted) {
          if (!kept.every((group) => findMembers(known, group).includes(name))) wanted.delete(name);
          if (left.some((group) => findMembers(known, group).includes(name))) wanted.delete(name);
        }
        for (const separator of [',', ':', ', ']) {
          expect(new Set(selectControllers(known, shuffled.join(separator)).names)).to.deep.equal(wanted);
        }
      },
    );
    fc.assert(property);
  });
});

describe('terms of a pattern', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a:b:&c:!d', ['a', 'b', '&c', '!d']],
    [' a , b:c ', ['a', 'b:c']],
    ['a b', ['a', 'b']],
    ['lb[1:3],x', ['lb[1:3]', 'x']],
    ['lb[1:3]:x', ['lb[1:3]', 'x']],
    ['fe80::1', ['fe80::1']],
    ['10.0.0.1:22', ['10.0.0.1:22']],
    ['~lb(?:1|2)', ['~lb(?:1|2)']],
    ['~a:!b', ['~a', '!b']],
    [String.raw`!~lb\d{1,3},c`, [String.raw`!~lb\d{1,3}`, 'c']],
    ['a,, b', ['a', 'b']],
    ['eu::us', ['eu', 'us']],
    ['a:b\nc, d\n\n!e', ['a', 'b', 'c', 'd', '!e']],
    ['all,!fe80::1', ['all', '!fe80::1']],
    ['2001:db8::*', ['2001:db8::*']],
    ['::1:a', ['::1:a']],
  ];
  for (const [pattern, terms] of table) {
    it(`${pattern} → ${terms.join(' | ')}`, () => {
      expect(splitTerms(pattern)).to.deep.equal(terms);
    });
  }
});

describe('localhost', () => {
  it('exists implicitly, outside of all groups, with the variables of "all"', async () => {
    const { inventory: known } = await readInventory({
      'hosts.yml': 'all: { vars: { domain: example.com }, hosts: { lb1: } }',
      'host_vars/localhost.yml': 'own: 1\n',
    });
    const local = findController(known, 'localhost');
    expect(local).to.include({ name: 'localhost', implicit: true });
    expect(local?.groups).to.deep.equal([]);
    expect(local?.layers.map(({ values }) => values)).to.deep.equal([
      { domain: 'example.com' },
      { ansible_connection: 'local' },
      { own: 1 },
    ]);
    expect(selectControllers(known, 'all').names).to.deep.equal(['lb1']);
    expect(implicitLocalhost(known, 'localhost').name).to.equal('localhost');
  });

  it('is no wrong term, as other names are that match nothing', async () => {
    const { inventory: known } = await readInventory({ hosts: '[g]\nlb1\n[h]\n' });
    expect(wrongTerms(known, 'g,localhost,none,!lb2,&h,g[5],&,lb1,~(')).to.deep.equal([
      { name: 'none' },
      { name: 'lb2' },
      { name: 'g[5]', why: '"g[5]" is out of range: there is 1 controller' },
      { name: '', why: '"&" and "!" must be followed by a name' },
      { name: '~(', why: '"~(" is not a valid regular expression' },
    ]);
  });

  it('is the one in the inventory, under any of its names', async () => {
    const { inventory: known } = await readInventory({ hosts: '127.0.0.1 mine=1\n' });
    expect(selectControllers(known, 'localhost').names).to.deep.equal(['127.0.0.1']);
    expect(findController(known, 'localhost')?.name).to.equal('127.0.0.1');
    expect(findController(known, 'elsewhere')).to.equal(undefined);
  });
});

describe('a pattern with thousands of exclusions', () => {
  it('costs no look at all controllers for each', async () => {
    const { inventory: known } = await readInventory({ hosts: 'lb[1:10000]\n' });
    let looks = 0;
    const controllers = new Map(known.controllers);
    controllers.keys = () => {
      looks += 1;
      return known.controllers.keys();
    };
    const others = Array.from({ length: 3000 }, (_, index) => `!lb${index + 1}`);
    expect(selectControllers({ ...known, controllers }, `all,${others.join(',')}`).names).to.have.length(7000);
    expect(looks).to.be.below(3);
  });
});

function hash(text: string, seed: number): number {
  let sum = seed % 1009;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1009;
  return sum;
}
