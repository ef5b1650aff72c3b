import { expect } from 'chai';
import { captureControllers, type CaptureInput } from '../../../src/capture/playbook/capture.js';
import type { FleetObject, PlacedController } from '../../../src/capture/playbook/fleet_object.js';
import { TemplateText, toContent, yamlFile, type Content } from '../../../src/capture/playbook/yaml_file.js';
import { HIDDEN, Unsafe, type Mapping } from '../../../src/core/model/values/value.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';

function lines(content: Parameters<typeof yamlFile>[0], ...comment: readonly string[]): readonly string[] {
  return yamlFile(content, comment).split('\n').slice(comment.length, -1);
}

const scalar = (content: Content): string => (lines({ a: content })[1] ?? '').replace(/^a: /, '');

describe('a captured file', () => {
  it('begins with its comment, and indents lists and mappings', () => {
    expect(yamlFile([], ['One', '', 'two'])).to.equal('# One\n#\n# two\n---\n[]\n');
    expect(lines({ a: { b: [1, { c: 2, d: [] }, [3, 4]], e: {} }, f: null })).to.deep.equal([
      '---',
      'a:',
      '  b:',
      '    - 1',
      '    - c: 2',
      '      d: []',
      '    - - 3',
      '      - 4',
      '  e: {}',
      'f: null',
    ]);
  });

  it('quotes what YAML would read as something else, and marks what looks like a template', () => {
    const cases: readonly (readonly [Content, string])[] = [
      ['plain text-1', 'plain text-1'],
      ['/api/x', '/api/x'],
      ['', '""'],
      ['1500', '"1500"'],
      ['Yes', '"Yes"'],
      ['yes it is', 'yes it is'],
      ['a  b', '"a  b"'],
      ['a: b', '"a: b"'],
      ['x'.repeat(200), 'x'.repeat(200)],
      ['x'.repeat(201), `"${'x'.repeat(201)}"`],
      ['{{ a }}', '!unsafe "{{ a }}"'],
      ['{% if %}', '!unsafe "{% if %}"'],
      ['{# a', '!unsafe "{# a"'],
      ['a\u0085b\u2028\ufeff', '"a\\u0085b\\u2028\\ufeff"'],
      [true, 'true'],
      [12n, '12'],
      [1.5, '1.5'],
      [-0, '-0.0'],
      [1e20, '1e+20'],
      [1e21, '1e+21'],
      [-6.161843400996529e16, '-6.161843400996529e+16'],
      [2 ** 53, '9007199254740992'],
      [0, '0'],
      [new TemplateText('a | b'), "'{{ a | b }}'"],
    ];
    for (const [content, text] of cases) expect(scalar(content), text).to.equal(text);
    expect(lines({ 'x y': 1, on: 1, '1': 1, 'a{{b': 1 }).slice(1)).to.deep.equal([
      '"1": 1',
      'x y: 1',
      '"on": 1',
      '"{{ \\"a{{b\\" }}": 1',
    ]);
  });

  it('has texts of several lines as blocks, unless something would be lost', () => {
    expect(lines({ a: 'one\n two\n\nthree\n', b: { c: 'one\ntwo' } }).slice(1)).to.deep.equal([
      'a: |',
      '  one',
      '   two',
      '',
      '  three',
      'b:',
      '  c: |-',
      '    one',
      '    two',
    ]);
    for (const text of [
      'one\n',
      'one\ntwo\n\n',
      ' one\ntwo',
      '- one\ntwo',
      '# one\ntwo',
      'one \ntwo',
      'one\n\ttwo',
      'one\n{{ two }}',
      'onö\ntwo',
    ])
      expect(lines({ a: text }), JSON.stringify(text)).to.have.length(2);
    expect(lines([{ a: [{ b: 'one\n\ntwo' }] }]).slice(1)).to.deep.equal([
      '- a:',
      '    - b: |-',
      '        one',
      '',
      '        two',
    ]);
    expect(lines(['one\ntwo']).slice(1)).to.deep.equal(['- "one\\ntwo"']);
  });

  it('has the data of a controller as it is', () => {
    expect(toContent({ a: [1, { b: 'x' }], c: null, d: new Unsafe('{{ x }}') })).to.deep.equal({
      a: [1, { b: 'x' }],
      c: null,
      d: null,
    });
  });
});

describe('the playbook of a capture', () => {
  const object = (
    kind: string,
    name: string | undefined,
    fields: Mapping,
    more: Partial<FleetObject> = {},
  ): FleetObject => ({
    kind,
    name,
    cloud: undefined,
    tenant: undefined,
    refers: [],
    builtIn: false,
    fields: name === undefined ? fields : { name, ...fields },
    ...more,
  });
  const controller = (
    name: string,
    objects: readonly FleetObject[],
    given: Partial<PlacedController> = {},
  ): PlacedController => ({
    name,
    objects,
    kinds: new Set(objects.map(({ kind }) => kind)),
    place: {},
    ...given,
  });
  const captured = (controllers: readonly PlacedController[], given: Partial<CaptureInput> = {}) =>
    captureControllers({ controllers, groups: [], table: builtInKinds(), all: false, hosts: undefined, ...given });
  const playbook = (...given: Parameters<typeof captured>) => lines(captured(...given).playbook).slice(1);
  const variables = (project: ReturnType<typeof captured>, name?: string) =>
    lines(project.levels.contentByName(name === undefined ? { type: 'all' } : { type: 'controller', name })).slice(1);

  it('says where the controllers are: once what all have, and a variable for what differs', () => {
    const place = (tenant: string | null, dialect: string, headers: Mapping | string | null) => ({
      place: { controller_tenant: tenant, controller_dialect: dialect, controller_headers: headers },
    });
    const project = captured([
      controller('lb1', [], place('a', 'avi', { X: 'one' })),
      controller('lb2', [], place('b', 'avi', HIDDEN)),
      controller('lb3', [], place(null, 'avi', null)),
    ]);
    expect(lines(project.playbook).slice(1)).to.deep.equal([
      '- name: Captured configuration',
      '  hosts: all',
      '  vars:',
      "    controller_tenant: '{{ captured_controller_tenant }}'",
      '    controller_dialect: avi',
      '  tasks: []',
    ]);
    expect(variables(project, 'lb1')).to.deep.equal(['captured_controller_tenant: a']);
    expect(variables(project, 'lb3')).to.deep.equal(['captured_controller_tenant: null']);
    const named = playbook([controller('lb1', [], { tenant: 'web', ...place('web', 'avi', null) })], {
      hosts: ['lb1'],
    });
    expect(named.slice(0, 3)).to.deep.equal([
      '- name: Captured configuration of the tenant web',
      '  hosts:',
      '    - lb1',
    ]);
  });

  it('declares objects of a list, and those that exist once where they do', () => {
    const [cloud, other] = [object('cloud', 'a', { mtu: 1 }), object('cloud', 'b', { mtu: 2 })];
    const system = object('systemconfiguration', undefined, { dns_configuration: { search_domain: 'x' } });
    const project = captured([
      controller('lb1', [cloud, other, system]),
      controller('lb2', [cloud]),
      controller('lb3', [cloud]),
    ]);
    expect(lines(project.playbook).slice(1)).to.deep.equal([
      '- name: Captured configuration',
      '  hosts: all',
      '  vars: {}',
      '  tasks:',
      '    - name: cloud',
      '      resource_present:',
      '        kind: cloud',
      "        name: '{{ item.name }}'",
      "        properties: '{{ item }}'",
      "      loop: '{{ captured_cloud_list + captured_cloud_list_host | default([]) }}'",
      '      loop_control:',
      "        label: '{{ item.name }}'",
      '    - name: systemconfiguration',
      '      resource_present:',
      '        kind: systemconfiguration',
      "        properties: '{{ captured_systemconfiguration }}'",
      '      when: "captured_systemconfiguration | default(none) is mapping"',
    ]);
    expect(variables(project)).to.deep.equal(['captured_cloud_list:', '  - name: a', '    mtu: 1']);
    expect(variables(project, 'lb1')).to.include.members(['captured_cloud_list_host:', '  - name: b', '    mtu: 2']);
    const everywhere = playbook([controller('lb1', [system]), controller('lb2', [system])]);
    expect(everywhere.some((line) => line.includes('when'))).to.equal(false);
  });

  it('takes objects from the list of all, of each group, and of the controller, in this order', () => {
    const pool = (name: string) => object('pool', name, {});
    const groups = [
      { name: 'west', members: ['lb1', 'lb2'] },
      { name: 'east', members: ['lb3', 'lb4'] },
    ];
    const east = [pool('of all'), pool('of east')];
    const project = captured(
      [
        controller('lb1', [pool('of lb1'), pool('of west'), pool('of all')]),
        controller('lb2', [pool('of west'), pool('of all')]),
        controller('lb3', east),
        controller('lb4', east),
      ],
      { groups },
    );
    expect(lines(project.playbook).join('\n')).to.include(
      "loop: '{{ captured_pool_list + captured_pool_list_group_east | default([]) + captured_pool_list_group_west | default([]) + captured_pool_list_host | default([]) }}'",
    );
    const west = project.levels.contentByName({ type: 'group', name: 'west' });
    expect(lines(west).slice(1)).to.deep.equal(['captured_pool_list_group_west:', '  - name: of west']);
  });

  it('declares once what several controllers have that no group contains', () => {
    const pool = object('pool', 'web', { x: 1 });
    const others = ['lb3', 'lb4', 'lb5'].map((name) => controller(name, [], { kinds: new Set(['pool']) }));
    const project = captured([controller('lb1', [pool]), controller('lb2', [pool]), ...others]);
    expect(variables(project)).to.deep.equal(['captured_pool_web:', '  name: web', '  x: 1']);
    for (const name of ['lb1', 'lb2'])
      expect(variables(project, name)).to.deep.equal(['captured_pool_list_host:', "  - '{{ captured_pool_web }}'"]);
  });

  it('declares all of what exists once, the defaults too: it is never created', () => {
    const system = object('systemconfiguration', undefined, { rekey_time_limit: 'none' });
    const pool = object('pool', 'web', { enabled: true });
    const project = captured([controller('lb1', [system, pool])]);
    expect(variables(project)).to.deep.equal([
      'captured_pool_list:',
      '  - name: web',
      'captured_systemconfiguration:',
      '  rekey_time_limit: none',
    ]);
  });

  it('names what a controller lacks of what most have', () => {
    const cloud = object('cloud', 'a', { mtu: 1 });
    const having = ['lb1', 'lb2', 'lb3', 'lb4'].map((name) => controller(name, [cloud]));
    const project = captured([...having, controller('lb5', [], { kinds: new Set(['cloud']) })]);
    expect(lines(project.playbook).join('\n')).to.include(
      `loop: '{{ captured_cloud_list | rejectattr("name", "in", captured_cloud_absent) }}'`,
    );
    expect(variables(project, 'lb5')).to.deep.equal(['captured_cloud_absent:', '  - a']);
    expect(variables(project)).to.include('captured_cloud_absent: []');
  });

  it('declares what others refer to before them, and says what refers in a circle', () => {
    const key = (kind: string, name: string): string => JSON.stringify([kind, name]);
    const tasks = (objects: readonly FleetObject[]) => {
      const project = captured([controller('lb1', objects)], { all: true });
      const names = lines(project.playbook).flatMap((line) => /^ {4}- name: (.*)/.exec(line)?.[1] ?? []);
      return [...names, ...project.circular.map((one) => `circle: ${one}`)];
    };
    const refers = (...names: readonly string[]) => ({ refers: names });
    expect(
      tasks([
        object('pool', 'p', {}, refers(key('healthmonitor', 'h'), key('cloud', 'gone'), key('pool', 'p'))),
        object('virtualservice', 'v', {}, refers(key('pool', 'p'))),
        object('healthmonitor', 'h', {}),
      ]),
    ).to.deep.equal(['healthmonitor', 'pool', 'virtualservice']);
    expect(
      tasks([
        object('pool', 'p1', {}, refers(key('cloud', 'c2'))),
        object('pool', 'p2', {}),
        object('cloud', 'c1', {}),
        object('cloud', 'c2', {}, refers(key('pool', 'p2'))),
        object('cloud', 'c3', {}),
      ]),
    ).to.deep.equal(['cloud', 'pool', 'cloud', 'pool']);
    expect(
      tasks([object('pool', 'p', {}, refers(key('cloud', 'c'))), object('cloud', 'c', {}, refers(key('pool', 'p')))]),
    ).to.deep.equal(['pool', 'cloud', 'circle: pool "p"']);
  });
});
