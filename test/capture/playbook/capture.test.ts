import { expect } from 'chai';
import fc from 'fast-check';
import { captureControllers, type CapturedProject } from '../../../src/capture/playbook/capture.js';
import { fleetObjectKey, type FleetObject, type PlacedController } from '../../../src/capture/playbook/fleet_object.js';
import type { CaptureGroup } from '../../../src/capture/playbook/levels.js';
import { yamlFile, type Content, type ContentMapping } from '../../../src/capture/playbook/yaml_file.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { HIDDEN, isList, isMapping, Unsafe, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';
import { parseYaml } from '../../../src/project/yaml/parse_yaml.js';
import { anyText } from '../../rig/any_text.js';
import { SEED } from '../../rig/random_seed.js';

const KINDS = new Set(['cloud', 'pool', 'systemconfiguration']);

function object(kind: string, name: string | undefined, fields: Mapping, more: Partial<FleetObject> = {}): FleetObject {
  const all = name === undefined ? fields : { ...fields, name };
  return { kind, name, cloud: undefined, fields: all, refers: [], builtIn: false, ...more };
}

function controller(name: string, objects: readonly FleetObject[]): PlacedController {
  return { name, kinds: KINDS, objects, place: {} };
}

interface Asked {
  readonly groups?: readonly CaptureGroup[];
  readonly all?: boolean;
}

function capture(controllers: readonly PlacedController[], { groups = [], all = false }: Asked = {}): CapturedProject {
  return captureControllers({ controllers, groups, table: builtInKinds(), all, hosts: undefined });
}

/** Through a file, as a run reads it. */
function read(content: ContentMapping | readonly Content[]): Value {
  const diagnostics = new Diagnostics();
  const parsed = parseYaml(yamlFile(content, ['Captured.']), 'captured.yml', diagnostics);
  expect(diagnostics.list).to.deep.equal([]);
  return parsed?.value ?? {};
}

const OMITTED = Symbol('omitted');

/** The variables of one controller, with the few expressions that a capture has. */
class Resolver {
  readonly #variables: Readonly<Record<string, Value>>;

  constructor({ levels }: CapturedProject, name: string, groups: readonly CaptureGroup[]) {
    const own = groups.filter(({ members }) => members.includes(name));
    const all = [
      levels.contentByName({ type: 'all' }),
      ...own.map((group) => levels.contentByName({ type: 'group', name: group.name })),
      levels.contentByName({ type: 'controller', name }),
    ];
    this.#variables = Object.assign({}, ...all.map(read)) as Record<string, Value>;
  }

  value(value: Value): Value | typeof OMITTED {
    if (value instanceof Unsafe) return value.text;
    if (isList(value)) return value.map((item) => this.value(item) as Value);
    if (isMapping(value))
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, item]) => {
          const found = this.value(item);
          return found === OMITTED ? [] : [[name, found] as const];
        }),
      );
    const [, expression] = typeof value === 'string' ? (/^\{\{ (.*) \}\}$/.exec(value) ?? []) : [];
    return expression === undefined ? value : this.expression(expression);
  }

  expression(text: string): Value | typeof OMITTED {
    if (text === 'omit') return OMITTED;
    const terms = text.split(' + ').map((term) => {
      const [, name = '', otherwise, absent] =
        /^(\w+)(?: \| default\((.*)\))?(?: \| rejectattr\("name", "in", (\w+)\))?$/.exec(term) ?? [];
      const found = this.#variables[name];
      if (absent !== undefined) return this.without(found ?? [], this.expression(absent) as readonly Value[]);
      if (found !== undefined) return this.value(found);
      expect(otherwise, text).to.be.oneOf(['omit', '[]']);
      return otherwise === 'omit' ? OMITTED : [];
    });
    return terms.length === 1 ? (terms[0] ?? null) : terms.flatMap((term) => term as Value[]);
  }

  without(list: Value, names: readonly Value[]): readonly Value[] {
    const items = this.value(list) as readonly Mapping[];
    return items.filter((item) => !names.includes(item['name'] ?? null));
  }

  has(variable: string): boolean {
    const found = this.#variables[variable] ?? null;
    return found !== null;
  }
}

interface WrittenTask {
  readonly name: string;
  readonly resource_present: { readonly kind?: string; readonly path?: string; readonly properties: string };
  readonly loop?: string;
  readonly when?: string;
}

/** The objects that a run would declare on one controller, in order. */
function declared(
  captured: CapturedProject,
  controllerName: string,
  groups: readonly CaptureGroup[],
): readonly (readonly [string, Value])[] {
  const resolver = new Resolver(captured, controllerName, groups);
  const [play] = read(captured.playbook) as unknown as readonly { readonly tasks: readonly WrittenTask[] }[];
  return (play?.tasks ?? []).flatMap(({ name: kind, resource_present: { properties }, loop, when }) => {
    if (loop !== undefined) return (resolver.value(loop) as readonly Value[]).map((one) => [kind, one] as const);
    const defined = when === undefined || resolver.has(when.replace(' | default(none) is mapping', ''));
    return defined ? [[kind, resolver.value(properties) as Value] as const] : [];
  });
}

/** Fields that can be declared: hidden secrets cannot. */
function withoutSecrets(value: Value): Value {
  if (isList(value)) return value.map(withoutSecrets);
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== HIDDEN && !(isList(item) && item.includes(HIDDEN)));
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutSecrets(item)]));
}

const NAMES = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'];

const leaf: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Value>(1, 2, true, '', HIDDEN, 'yes', '0o17', '1e3', '{{ x }}', ' a: #b ') },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.string(), anyText(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  },
  { weight: 1, arbitrary: fc.constantFrom('one\ntwo\n', 'one\n  two', '- a\n\n', '\u0085', '{% if %}', 'edge 😀') },
);
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 1, arbitrary: fc.array(leaf, { maxLength: 2 }) },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'on'), leaf, { maxKeys: 2 }) },
  { weight: 1, arbitrary: fc.array(fc.dictionary(fc.constantFrom('a', 'b'), leaf, { maxKeys: 2 }), { maxLength: 2 }) },
);
const fields = fc.dictionary(fc.constantFrom('f', 'g', 'x.y', '1'), value, { maxKeys: 3 });
const named = (kind: string) =>
  fc
    .record({ name: fc.constantFrom('web', 'Web', 'edge 1', 'host'), fields })
    .map((one) => object(kind, one.name, one.fields));
const single = fields.map((one) => object('systemconfiguration', undefined, one));
const objects = fc
  .array(fc.oneof(named('pool'), named('cloud'), single), { maxLength: 5 })
  .map((all) => [...new Map(all.map((one) => [fleetObjectKey(one), one])).values()]);
const groups = fc
  .array(fc.subarray(NAMES, { minLength: 1 }), { maxLength: 4 })
  .map((all) => all.map((members, at): CaptureGroup => ({ name: `g-${at}`, members })));

/** Most controllers of a fleet are like others. */
const fleet = fc
  .record({
    kinds: fc.array(objects, { minLength: 1, maxLength: 3 }),
    picks: fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }),
  })
  .map(({ kinds, picks }) => NAMES.map((name, at) => controller(name, kinds[(picks[at] ?? 0) % kinds.length] ?? [])));

describe('the capture of a fleet', () => {
  it('declares the objects of every controller', () => {
    fc.assert(
      fc.property(fleet, groups, fc.boolean(), (controllers, inGroups, all) => {
        const captured = capture(controllers, { groups: inGroups, all });
        for (const { name, objects: had } of controllers) {
          const expected = had.map((one) => [one.kind, withoutSecrets(one.fields)] as const);
          expect(declared(captured, name, inGroups)).to.have.deep.members(expected);
        }
      }),
      { seed: SEED, numRuns: 150 },
    );
  });

  it('declares common values once, values of a group in its group, and the rest for each controller', () => {
    const pool = (port: number) => [object('pool', 'web', { port, fail_action: { type: 'close' } })];
    const controllers = [80, 443, 443, 8080].map((port, at) => controller(`lb${at + 1}`, pool(port)));
    const { levels } = capture(controllers, { groups: [{ name: 'emea', members: ['lb2', 'lb3'] }] });
    expect(read(levels.contentByName({ type: 'all' }))).to.deep.equal({
      captured_pool_list: [{ name: 'web', fail_action: { type: 'close' }, port: '{{ captured_pool_web_port }}' }],
    });
    expect(levels.contentByName({ type: 'group', name: 'emea' })).to.deep.equal({ captured_pool_web_port: 443 });
    expect(levels.contentByName({ type: 'controller', name: 'lb1' })).to.deep.equal({ captured_pool_web_port: 80 });
    expect(levels.contentByName({ type: 'controller', name: 'lb2' })).to.deep.equal({});
  });

  it('prefers the largest group, and of equally large ones the most specific', () => {
    const controllers = [1, 2, 2, 2, 3, 4].map((mtu, at) =>
      controller(`lb${at + 1}`, [object('cloud', 'edge', { mtu })]),
    );
    const members = ['lb2', 'lb3', 'lb4'];
    const inGroups = [
      { name: 'world', members },
      { name: 'emea', members },
      { name: 'berlin', members: ['lb3', 'lb4'] },
    ];
    const { levels } = capture(controllers, { groups: inGroups });
    expect(levels.contentByName({ type: 'group', name: 'emea' })).to.deep.equal({ captured_cloud_edge_mtu: 2 });
    for (const name of ['world', 'berlin']) expect(levels.contentByName({ type: 'group', name })).to.deep.equal({});
  });

  describe('with exceptions', () => {
    const FLEET = Array.from({ length: 20 }, (_, at) => `lb${at + 1}`);
    const fleetOf = (contentOf: (name: string) => readonly FleetObject[]) =>
      FLEET.map((name) => controller(name, contentOf(name)));
    const written = (captured: CapturedProject) => {
      const own = FLEET.map(
        (name) => [name, read(captured.levels.contentByName({ type: 'controller', name }))] as const,
      );
      return {
        all: read(captured.levels.contentByName({ type: 'all' })),
        own: Object.fromEntries(own.filter(([, found]) => Object.keys(found as Mapping).length > 0)),
      };
    };
    const pool = (fields: Mapping) => [object('pool', 'web', fields)];

    it('declares the value of most controllers for all, and the others only where they are', () => {
      const servers = (ratio: number) => [
        { ip: { addr: '10.0.0.1', type: 'V4' }, ratio: 3 },
        { ip: { addr: '10.0.0.2', type: 'V4' }, ratio },
      ];
      const captured = capture(
        fleetOf((name) =>
          pool({
            default_server_port: name === 'lb7' ? 81 : 82,
            servers: servers(name === 'lb8' ? 9 : 5),
            ...(name === 'lb9' ? {} : { description: 'a' }),
            ...(name === 'lb10' ? { analytics_policy: { enable_realtime_metrics: true } } : {}),
            ...(name === 'lb11' ? {} : { fail_action: { type: name === 'lb12' ? 'x' : 'y' } }),
          }),
        ),
      );
      const variable = (path: string) => `captured_pool_web_${path}`;
      expect(written(captured)).to.deep.equal({
        all: {
          captured_pool_list: [
            {
              name: 'web',
              analytics_policy: `{{ ${variable('analytics_policy')} | default(omit) }}`,
              default_server_port: `{{ ${variable('default_server_port')} }}`,
              description: `{{ ${variable('description')} | default(omit) }}`,
              fail_action: `{{ ${variable('fail_action')} | default(omit) }}`,
              servers: [
                { ip: { addr: '10.0.0.1', type: 'V4' }, ratio: 3 },
                { ip: { addr: '10.0.0.2', type: 'V4' }, ratio: `{{ ${variable('servers_10_0_0_2_v4_ratio')} }}` },
              ],
            },
          ],
          [variable('default_server_port')]: 82,
          [variable('description')]: 'a',
          [variable('fail_action')]: { type: `{{ ${variable('fail_action_type')} }}` },
          [variable('fail_action_type')]: 'y',
          [variable('servers_10_0_0_2_v4_ratio')]: 5,
        },
        own: {
          lb7: { [variable('default_server_port')]: 81 },
          lb8: { [variable('servers_10_0_0_2_v4_ratio')]: 9 },
          lb9: { [variable('description')]: '{{ omit }}' },
          lb10: { [variable('analytics_policy')]: { enable_realtime_metrics: true } },
          lb11: { [variable('fail_action')]: '{{ omit }}' },
          lb12: { [variable('fail_action_type')]: 'x' },
        },
      });
    });

    it('declares objects of most controllers for all, and names what a controller lacks', () => {
      const one = object('pool', 'one', { ratio: 1 });
      const two = object('pool', 'two', {});
      const system = object('systemconfiguration', undefined, { a: 1 });
      const captured = capture(
        fleetOf((name) => [...(name === 'lb3' ? [] : [one]), two, ...(name === 'lb4' ? [] : [system])]),
      );
      expect(written(captured).own).to.deep.equal({
        lb3: { captured_pool_absent: ['one'] },
        lb4: { captured_systemconfiguration: null },
      });
      expect(declared(captured, 'lb3', []).map(([, found]) => (found as Mapping)['name'])).to.deep.equal([
        'two',
        undefined,
      ]);
      expect(declared(captured, 'lb4', []).map(([, found]) => (found as Mapping)['name'])).to.deep.equal([
        'one',
        'two',
      ]);
    });

    for (const [size, members] of [9, 4].map((count) => [count, FLEET.slice(0, count)] as const))
      it(`declares the value of most controllers of a group of ${size} for the group`, () => {
        const ports = (name: string) => (name === 'lb2' ? 1 : members.includes(name) ? 443 : 80);
        const captured = capture(
          fleetOf((name) => pool({ port: ports(name) })),
          { groups: [{ name: 'emea', members }] },
        );
        expect(captured.levels.contentByName({ type: 'group', name: 'emea' })).to.deep.equal({
          captured_pool_web_port: 443,
        });
        expect(written(captured)).to.have.nested.property('all.captured_pool_web_port', 80);
        expect(written(captured).own).to.deep.equal({ lb2: { captured_pool_web_port: 1 } });
      });
  });

  it('omits defaults unless they differ or are requested', () => {
    const web = (port: number, ratio: number) => [
      object('pool', 'web', { default_server_port: port, servers: [{ port: 1, ratio }] }),
    ];
    const one = (all: boolean, ...ports: readonly number[]) =>
      read(
        capture(
          ports.map((port, at) => controller(`lb${at}`, web(port, 1))),
          { all },
        ).levels.contentByName({ type: 'all' }),
      );
    expect(one(false, 80, 80)).to.deep.equal({ captured_pool_list: [{ name: 'web', servers: [{ port: 1 }] }] });
    expect(one(false, 80, 81)).to.have.nested.property(
      'captured_pool_list[0].default_server_port',
      '{{ captured_pool_web_default_server_port }}',
    );
    expect(one(true, 80)).to.have.nested.property('captured_pool_list[0].default_server_port', 80);
  });

  it('lists secrets, and declares them after the user has filled them in', () => {
    const edge = object('cloud', 'edge', { vcenter_configuration: { password: HIDDEN, username: 'admin' } });
    const captured = capture([controller('lb1', [edge]), controller('lb2', [edge])]);
    expect(captured.secrets).to.deep.equal([
      {
        variable: 'captured_cloud_edge_vcenter_configuration_password_secret',
        object: 'cloud "edge"',
        path: 'vcenter_configuration.password',
        controllers: 2,
      },
    ]);
    expect(read(captured.levels.contentByName({ type: 'all' }))).to.have.nested.property(
      'captured_cloud_list[0].vcenter_configuration.password',
      '{{ captured_cloud_edge_vcenter_configuration_password_secret | default(omit) }}',
    );
  });

  it('names the path instead of the kind if the table would refuse a field or a value', () => {
    const target = (fields: Mapping) => {
      const [play] = read(
        capture([controller('lb1', [object('pool', 'web', fields)])]).playbook,
      ) as unknown as readonly {
        tasks: readonly WrittenTask[];
      }[];
      const { kind, path } = play?.tasks[0]?.resource_present ?? {};
      return { kind, path };
    };
    expect(target({ servers: [{ hostname: 'a' }], future: 1 })).to.deep.equal({ kind: 'pool', path: undefined });
    expect(target({ srevers: [] })).to.deep.equal({ kind: undefined, path: '/api/pool/' });
    expect(target({ servers: [{ hostnane: 'a' }] })).to.deep.equal({ kind: undefined, path: '/api/pool/' });
  });

  it('orders objects after those that they refer to, and reports cycles', () => {
    const refers = (kind: string, name: string) => JSON.stringify([kind, name]);
    const order = (all: readonly FleetObject[]) => {
      const { playbook, circular } = capture([controller('lb1', all)]);
      const [play] = read(playbook) as unknown as readonly { tasks: readonly { name: string }[] }[];
      return { tasks: play?.tasks.map(({ name }) => name), circular };
    };
    const service = object('virtualservice', 'web', {}, { refers: [refers('pool', 'web'), refers('vsvip', 'gone')] });
    const pool = object('pool', 'web', {}, { refers: [refers('cloud', 'edge')] });
    const system = object('systemconfiguration', undefined, {}, { refers: [refers('virtualservice', 'web')] });
    const edge = object('cloud', 'edge', {});
    const straight = ['cloud', 'pool', 'virtualservice', 'systemconfiguration'];
    expect(order([system, service, pool, edge])).to.deep.equal({ tasks: straight, circular: [] });
    const circle = object('cloud', 'edge', {}, { refers: [refers('virtualservice', 'web')] });
    expect(order([service, pool, circle]).circular).to.deep.equal(['virtualservice "web"']);
  });

  it('omits built-in objects unless they differ, were configured, or are requested', () => {
    const builtIn = { builtIn: true };
    const monitor = (timeout: number) => object('pool', 'System-Pool', { timeout }, builtIn);
    const cloud = (mtu: number) => object('cloud', 'Default-Cloud', { mtu, license_tier: 'ENTERPRISE' }, builtIn);
    const captured = (first: readonly FleetObject[], second: readonly FleetObject[], all = false) => {
      const { objects: kept, leftOut } = capture([controller('lb1', first), controller('lb2', second)], { all });
      return [kept, leftOut];
    };
    expect(captured([monitor(1), cloud(1500)], [monitor(1), cloud(1500)])).to.deep.equal([0, 2]);
    expect(captured([monitor(1), cloud(1500)], [monitor(1), cloud(1500)], true)).to.deep.equal([2, 0]);
    expect(captured([monitor(1)], [monitor(2)])).to.deep.equal([1, 0]);
    expect(captured([monitor(1)], [])).to.deep.equal([1, 0]);
    const unread = { ...controller('lb2', []), kinds: new Set(['cloud']) };
    expect(capture([controller('lb1', [monitor(1)]), unread]).leftOut).to.equal(1);
    expect(captured([cloud(9000)], [cloud(9000)])).to.deep.equal([1, 0]);
  });
});
