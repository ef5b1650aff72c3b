import { expect } from 'chai';
import fc from 'fast-check';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { ChangeGroups } from '../../../src/reporting/diff/change_groups.js';
import { foldedPlace, foldedValues, withTemplates } from '../../../src/reporting/diff/folded_values.js';
import { sortNames } from '../../../src/reporting/text/words.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const ARGS = { name: 'edge', mtu: '{{ mtu }}', dns: { domain: 'x.{{ domain }}', ttl: 5 }, servers: ['{{ a }}', 'b'] };

function update(after: Mapping, before: Mapping = { name: 'edge', mtu: 1 }): Change {
  return { kind: 'update', object: 'cloud "edge"', before, after: { name: 'edge', ...after } };
}

function folds(after: Mapping, args: Mapping = ARGS): readonly string[] {
  return foldedValues(update(after), args).map(({ template, value }) => `${template}=${value}`);
}

describe('values of a change that come from templates', () => {
  it('have the same place in the arguments, also of resource_present', () => {
    expect(folds({ mtu: 9, dns: { domain: 'x.a', ttl: 5 } })).to.deep.equal(['{{ mtu }}=9', 'x.{{ domain }}=x.a']);
    expect(folds({ mtu: 9 }, { kind: 'cloud', name: 'edge', properties: { mtu: '{{ mtu }}' } })).to.deep.equal([
      '{{ mtu }}=9',
    ]);
    expect(folds({ servers: ['q', 'b'] })).to.deep.equal(['{{ a }}=q']);
  });

  it('do not include values whose variable is uncertain', () => {
    expect(folds({ dns: { domain: 'y.a' } }), 'another text').to.deep.equal([]);
    expect(folds({ servers: ['q', 'b', 'c'] }), 'a list that was merged').to.deep.equal([]);
    expect(folds({ servers: 'q' }, { servers: ['{{ a }}'] }), 'no list').to.deep.equal([]);
    expect(folds({ servers: null }, { servers: ['{{ a }}'] }), 'null').to.deep.equal([]);
    expect(folds({ other: 9 }), 'a field that is not declared').to.deep.equal([]);
    expect(folds({ mtu: 9 }, { mtu: '{{ item.mtu }}' }), 'an item of a loop').to.deep.equal([]);
    expect(folds({ mtu: 9 }, { mtu: '{% if x %}9{% endif %}' }), 'a statement').to.deep.equal([]);
    expect(folds({ mtu: '********' }), 'a secret').to.deep.equal([]);
    expect(folds({ mtu: '‹secret changed›' }), 'a secret that changes').to.deep.equal([]);
    expect(folds({ mtu: 'ab' }, { mtu: 'ab{{ x }}b' }), 'literals that overlap').to.deep.equal([]);
    const many = '{{ a }}'.repeat(100);
    expect(folds({ mtu: 'a'.repeat(900) }, { mtu: `${many}b` }), 'many expressions').to.deep.equal([]);
    expect(foldedValues(update({ mtu: 9 }), undefined), 'arguments that are not known').to.deep.equal([]);
  });
});

describe('the literal parts of a template', () => {
  for (const [template, value, isFolded] of [
    ['{{ a }}.x', 'q.x', true],
    ['{{ a }}.x', 'q.y', false],
    ['{{ a }}-{{ b }}', 'q-r', true],
    ['{{ a }}-{{ b }}', 'qr', false],
    ['a{{ a }}b{{ b }}c{{ c }}d', 'a1b2c3d', true],
    ['a{{ a }}b{{ b }}c{{ c }}d', 'a1c2b3d', false],
    ['a{{ a }}b{{ b }}b', 'a1b', false],
    ['{{ a }}', '', true],
    ['x', 'x', false],
    ['{{ a', '{{ a', false],
    ['{{ a }}', 'x'.repeat(1000), true],
    ['{{ a }}', 'x'.repeat(1001), false],
    ['{# a #}{{ a }}', 'x', false],
    ['{{ ansible_loop.index }}', '1', false],
    ['{{ items }}', '1', true],
  ] as const)
    it(`${isFolded ? 'are' : 'are not all'} in the value: ${template} and ${value.slice(0, 10)}`, () => {
      expect(folds({ mtu: value }, { mtu: template })).to.have.lengthOf(isFolded ? 1 : 0);
    });

  it('are not looked for where nothing is left, or nothing is known', () => {
    const args = { name: '{{ name }}' };
    expect(foldedValues({ kind: 'none' }, args)).to.deep.equal([]);
    expect(foldedValues({ kind: 'delete', object: 'x', before: { name: 'edge' }, after: null }, args)).to.deep.equal(
      [],
    );
    expect(foldedValues(update({ mtu: 9 }, {}), ['{{ mtu }}'])).to.deep.equal([]);
    expect(folds({ mtu: { a: 1 } }, { mtu: '{{ mtu }}' })).to.deep.equal([]);
    expect(folds({ mtu: 9 }, { mtu: { a: '{{ mtu }}' } })).to.deep.equal([]);
    expect(folds({ mtu: null }, { mtu: '{{ mtu }}' })).to.deep.equal([]);
  });
});

describe('templates in place of values', () => {
  const put = (change: Change, args: Mapping): Change => withTemplates(change, foldedValues(change, args));

  it('are put where the values were, in lists and mappings, and leave the others', () => {
    const args = { a: { list: ['x', { to: '{{ to }}', at: '{{ at }}' }] }, b: '{{ b }}', c: 'c' };
    const after = { a: { list: ['x', { to: 'q', at: 7 }], more: [1] }, b: true, c: 'c' };
    const change = update(after, {});
    expect(foldedValues(change, args).map((one) => [one.path.join('.'), one.value])).to.deep.equal([
      ['a.list.1.to', 'q'],
      ['a.list.1.at', 7],
      ['b', true],
    ]);
    expect(put(change, args)).to.deep.equal({
      kind: 'update',
      object: 'cloud "edge"',
      before: {},
      after: { name: 'edge', a: { list: ['x', { to: '{{ to }}', at: '{{ at }}' }], more: [1] }, b: '{{ b }}', c: 'c' },
    });
  });

  it('are found for single fields of objects that exist', () => {
    const args = {
      servers: [
        { ip: '{{ one }}', port: 1 },
        { ip: '{{ two }}', port: 2 },
      ],
      deep: { to: '{{ three }}' },
    };
    const at = (ip: string, other: string, to: string) => ({
      servers: [
        { ip, port: 1 },
        { ip: other, port: 2 },
      ],
      deep: { to },
    });
    const found = foldedValues(update(at('a', 'c', 'y'), at('a', 'b', 'x')), args);
    expect(found.map((one) => `${one.path.join('.')} ${one.template} ${one.value}`)).to.deep.equal([
      'servers.1.ip {{ two }} c',
      'deep.to {{ three }} y',
    ]);
    expect(found.map(foldedPlace)).to.deep.equal(['servers[1].ip\n{{ two }}', 'deep.to\n{{ three }}']);
    const longer = { ...args, servers: [...args.servers, { ip: 'z', port: 3 }] };
    expect(foldedValues(update(at('a', 'c', 'x'), at('a', 'b', 'x')), longer)).to.deep.equal([]);
    expect(foldedValues(update(at('a', 'c', 'x'), at('a', 'b', 'x')), { servers: { 1: '{{ x }}' } })).to.deep.equal([]);
    expect(foldedValues(update({ a: { b: 1 } }, { a: { b: 0 } }), { a: '{{ a }}' })).to.deep.equal([]);
  });

  it('are not those of objects that are removed, or of prose', () => {
    const args = { name: 'x-{{ n }}', text: '{{ t }}' };
    const none = { kind: 'delete', object: 'cloud "x-1"', before: { name: 'x-1' }, after: null } as const;
    expect(foldedValues(none, args)).to.deep.equal([]);
    expect(withTemplates(none, [{ path: ['name'], template: 'x-{{ n }}', value: 'x-1' }])).to.equal(none);
    expect(folds({ text: 'a'.repeat(1000) }, { text: '{{ t }}' })).to.have.length(1);
    expect(folds({ text: 'a'.repeat(1001) }, { text: '{{ t }}' })).to.deep.equal([]);
    expect(folds({ text: 'a-c' }, { text: '{{ a }}-{{ b }}' })).to.have.length(1);
    expect(folds({ text: 'ac' }, { text: '{{ a }}-{{ b }}' })).to.deep.equal([]);
  });

  it('name the object as well, on both sides if it had that name before', () => {
    const args = { name: 'x-{{ n }}' };
    const renamed = (before: Mapping | null): Change => ({
      kind: 'update',
      object: 'cloud "x-1" of "x-1"',
      before,
      after: { name: 'x-1', mtu: 2 },
    });
    expect(put(renamed({ name: 'x-1', mtu: 1 }), args)).to.deep.equal({
      kind: 'update',
      object: 'cloud "x-{{ n }}" of "x-1"',
      before: { name: 'x-{{ n }}', mtu: 1 },
      after: { name: 'x-{{ n }}', mtu: 2 },
    });
    expect(put(renamed({ name: 'y' }), args)).to.deep.include({ before: { name: 'y' } });
    expect(put(renamed(null), args)).to.deep.include({ before: null });
  });
});

describe('groups of equal changes', () => {
  const value = fc.record({ mtu: fc.nat(3), domain: fc.constantFrom('a', 'b'), before: fc.nat(2) });

  it('contain every controller once, with its value', () => {
    fc.assert(
      fc.property(fc.array(value), (fleet) => {
        const groups = new ChangeGroups();
        for (const [index, { mtu, domain, before }] of fleet.entries())
          groups.add(
            { controller: `lb${index}` },
            update({ mtu: mtu + 10, dns: { domain: `x.${domain}` } }, { mtu: before }),
            ARGS,
          );
        const members = groups.sorted.flatMap(({ controllers }) => [...controllers]);
        expect([...members].sort()).to.deep.equal(fleet.map((_, index) => `lb${index}`).sort());
        const sizes = groups.sorted.map(({ controllers }) => controllers.size);
        expect(sizes).to.deep.equal([...sizes].sort((a, b) => b - a));
        for (const group of groups.sorted) {
          for (const name of group.controllers) {
            const own = fleet[Number(name.slice(2))];
            const shown = own && { '{{ mtu }}': String(own.mtu + 10), 'x.{{ domain }}': `x.${own.domain}` };
            for (const { template, values } of group.varied) {
              const mine = values.filter(([, names]) => names.includes(name)).map(([text]) => text);
              expect(mine).to.deep.equal([shown?.[template as keyof typeof shown]]);
            }
          }
        }
      }),
    );
  });

  it('are the same and in the same order, whichever controller finishes first', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), fc.func(fc.nat()), (fleet, rank) => {
        const finished = fleet.map((one, index) => ({ ...one, name: `lb${index}` }));
        const groupsOf = (order: typeof finished): unknown => {
          const groups = new ChangeGroups();
          for (const { name, mtu, domain, before } of order)
            groups.add(
              { controller: name },
              update({ mtu: mtu + 10, dns: { domain: `x.${domain}` } }, { mtu: before }),
              ARGS,
            );
          return groups.sorted.map(({ controllers, varied }) => [
            sortNames(controllers),
            varied.map(({ template, values }) => [template, values.map(([text, names]) => [text, sortNames(names)])]),
          ]);
        };
        const shuffled = [...finished].sort((a, b) => rank(a.name) - rank(b.name));
        expect(groupsOf(shuffled)).to.deep.equal(groupsOf(finished));
      }),
    );
  });

  it('are the most frequent first, else that of the first controller, and name the delegates', () => {
    const groups = new ChangeGroups();
    for (const [controller, mtu] of [
      ['lb10', 1],
      ['lb9', 2],
      ['lb3', 3],
      ['lb2', 3],
      ['lb8', 2],
      ['lb1', 4],
    ] as const)
      groups.add({ controller, ...(mtu === 4 && { delegatedTo: 'lb7' }) }, update({ mtu }), {});
    expect(groups.sorted.map(({ controllers }) => [...controllers].join())).to.deep.equal([
      'lb3,lb2',
      'lb9,lb8',
      'lb1 → lb7',
      'lb10',
    ]);
  });

  it('list values by how many have them, then in order', () => {
    const groups = new ChangeGroups();
    for (const [controller, mtu] of [
      ['lb1', 10],
      ['lb2', 9],
      ['lb3', 8],
      ['lb4', 8],
    ] as const)
      groups.add({ controller }, update({ mtu }), { mtu: '{{ mtu }}' });
    expect(groups.sorted[0]?.varied).to.deep.equal([
      {
        template: '{{ mtu }}',
        values: [
          ['8', ['lb3', 'lb4']],
          ['9', ['lb2']],
          ['10', ['lb1']],
        ],
      },
    ]);
    expect(groups.sorted[0]?.change).to.deep.include({ after: { name: 'edge', mtu: '{{ mtu }}' } });
  });

  it('name what objects refer to, because the address and the uuid are those of one controller', () => {
    const uuids: Readonly<Record<string, string>> = { lb1: 'x', lb2: 'y' };
    const at = (name: string, pool: string, uuid = uuids[name] ?? 'z'): Mapping => ({
      pool_ref: `https://${name}/api/pool/${uuid}#${pool}`,
      monitor_refs: [`/api/healthmonitor/${uuid}#m`, `/api/healthmonitor/${uuid}`],
    });
    const groups = new ChangeGroups();
    for (const [name, pool] of [
      ['lb1', 'web'],
      ['lb2', 'web'],
      ['lb2', 'db'],
    ] as const) {
      const { monitor_refs, ...after } = at(name, pool);
      groups.add({ controller: name }, { kind: 'create', object: 'vs', before: null, after });
      groups.add(
        { controller: name },
        { kind: 'delete', object: 'vs', before: { ...after, monitor_refs: monitor_refs ?? null }, after: null },
      );
    }
    const shown = groups.sorted.map(({ controllers, lines }) => [[...controllers].join(' '), ...lines]);
    expect(shown).to.deep.include(['lb1 lb2', 'vs (new)', '+ pool_ref: /api/pool/?name=web']);
    expect(shown).to.deep.include(['lb2', 'vs (new)', '+ pool_ref: https://lb2/api/pool/y#db']);
    expect(shown).to.have.length(5);
    const deleted = new ChangeGroups();
    for (const name of ['lb1', 'lb2']) {
      const set = { uuid: uuids[name] ?? '', url: `https://${name}/api/vs/${uuids[name] ?? ''}`, _last_modified: name };
      const before = { ...set, mtu: 1, own: { uuid: 'z' } };
      deleted.add({ controller: name }, { kind: 'delete', object: 'vs', before, after: null });
    }
    expect(deleted.sorted.map(({ lines }) => lines)).to.deep.equal([
      ['vs (deleted)', '- mtu: 1', '- own:', '-   uuid: z'],
    ]);
    const replaced = new ChangeGroups();
    for (const name of ['lb1', 'lb2']) {
      const [before, after] = [at(name, 'web'), at(name, 'web', `new-${uuids[name] ?? ''}`)];
      replaced.add({ controller: name }, { kind: 'update', object: 'vs', before, after });
    }
    expect(replaced.sorted).to.have.length(2);
  });

  it('are a thousand at most', () => {
    const groups = new ChangeGroups();
    for (let mtu = 1; mtu <= 1002; mtu++) {
      const group = groups.add({ controller: `lb${mtu}` }, update({ mtu }), {});
      expect(group === undefined, String(mtu)).to.equal(mtu > 1000);
    }
    expect(groups.add({ controller: 'lb0' }, update({ mtu: 5 }), {})?.controllers.size).to.equal(2);
    expect([...groups.others]).to.deep.equal(['lb1001', 'lb1002']);
    expect(groups.sorted).to.have.length(1000);
  });

  it('do not mix changes that differ only behind what is shown of them', () => {
    const addresses = Array.from({ length: 300 }, (_, at) => ({ addr: `10.0.${at}.1`, type: 'V4' }));
    for (const [one, other] of [
      [{ addrs: addresses }, { addrs: [...addresses.slice(0, -1), { addr: '10.9.9.9', type: 'V4' }] }],
      [{ script: 'x'.repeat(12_000) }, { script: `${'x'.repeat(11_999)}y` }],
    ] as const) {
      const groups = new ChangeGroups();
      const created = (after: Mapping): Change => ({ kind: 'create', object: 'group "x"', before: null, after });
      for (const [at, after] of [one, one, other].entries()) groups.add({ controller: `lb${at}` }, created(after), {});
      expect(groups.sorted.map(({ controllers }) => [...controllers])).to.deep.equal([['lb0', 'lb1'], ['lb2']]);
    }
  });

  it('are equal if only the names of the controllers differ, in values, names of fields and paths', () => {
    const groups = new ChangeGroups();
    for (const name of ['lb1', 'lb2'])
      groups.add({ controller: name }, update({ labels: { [name]: [{ [`on ${name}`]: `of\n${name}` }] } }), {});
    expect(groups.sorted).to.have.length(1);
  });

  it('do not mix controllers with different earlier values, and show a value that all of them have', () => {
    const groups = new ChangeGroups();
    groups.add({ controller: 'lb1' }, update({ mtu: 9 }, { mtu: 1 }), ARGS);
    groups.add({ controller: 'lb2' }, update({ mtu: 9 }, { mtu: 1 }), ARGS);
    groups.add({ controller: 'lb3' }, update({ mtu: 9 }, { mtu: 2 }), ARGS);
    expect(groups.sorted.map(({ lines }) => lines.slice(-2))).to.deep.equal([
      ['- mtu: 1', '+ mtu: 9'],
      ['- mtu: 2', '+ mtu: 9'],
    ]);
  });
});

describe('the name of an object from a template', () => {
  const args = { name: 'edge-{{ inventory_hostname }}', mtu: 9 };

  it('is not a difference of an update, and needs no list of values', () => {
    const groups = new ChangeGroups();
    for (const name of ['lb1', 'lb2']) {
      const object = `cloud "edge-${name}"`;
      const [before, after] = [1, 9].map((mtu) => ({ name: `edge-${name}`, mtu }));
      groups.add({ controller: name }, { kind: 'update', object, before: before ?? {}, after: after ?? {} }, args);
    }
    expect(groups.sorted.map(({ lines, varied }) => ({ lines, varied }))).to.deep.equal([
      { lines: ['cloud "edge-{{ inventory_hostname }}"', '- mtu: 1', '+ mtu: 9'], varied: [] },
    ]);
  });
});

describe('the diff of a fleet', () => {
  const source = { file: 'p.yml', line: 4, column: 7 };
  const whole = { a: 1, b: 2, c: 3, d: 4, e: 5 };

  async function diff(changes: readonly Change[], args: Mapping = ARGS): Promise<string> {
    const make = new EventMaker();
    const names = changes.map((_, index) => `lb${index + 1}`);
    const events = [
      make.playStarted(names, { tasks: 1 }),
      ...names.map((name, index) =>
        make.taskFinished(name, 'changed', { diff: true, source, change: changes[index] ?? { kind: 'none' } }),
      ),
      make.playFinished(),
    ];
    const { stdout } = await reported(events, { diff: 'fleet', writtenArguments: () => args });
    return stdout.slice(stdout.indexOf('diff of'));
  }

  it('shows the template where values differ, and the values', async () => {
    const changes = [9, 9, 8].map((mtu) => update({ mtu }));
    expect(await diff(changes)).to.equal(`diff of Create the cloud
  cloud "edge" on 3 controllers: lb1, lb2, lb3
    - mtu: 1
    + mtu: "{{ mtu }}"
    {{ mtu }}: 2 values: 9 (2 controllers), 8 (lb3)
`);
  });

  it('counts values that differ on every controller, also in the name of the object', async () => {
    const changes = [1, 2, 3, 4].map((number): Change => {
      const name = `edge-${number}`;
      return { kind: 'create', object: `cloud "${name}"`, before: null, after: { name } };
    });
    expect(await diff(changes, { name: 'edge-{{ number }}' })).to.equal(`diff of Create the cloud
  cloud "edge-{{ number }}" (new) on 4 controllers: lb1, lb2, lb3, lb4
    + name: edge-{{ number }}
    edge-{{ number }}: 4 values
`);
  });

  it('shows an outlier against the majority', async () => {
    const before = { a: 0, b: 0, c: 0, d: 0, e: 0 };
    const changes = [update(whole, before), update(whole, before), update({ ...whole, c: 7 }, before)];
    expect(await diff(changes, {})).to.equal(`diff of Create the cloud
  cloud "edge" on 2 controllers: lb1, lb2
    + name: edge
    - a: 0
    + a: 1
    - b: 0
    + b: 2
    - c: 0
    + c: 3
    - d: 0
    + d: 4
    - e: 0
    + e: 5
  cloud "edge" on lb3
    - c: 0
    + c: 7
    … and 9 lines as in the first diff
`);
  });
});
