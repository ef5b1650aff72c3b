import { expect } from 'chai';
import { LoadError } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { TaskProblem } from '../../../src/engine/keywords/failed_result.js';
import { connectionFindings, type ConnectionInput } from '../../../src/engine/preflight/connection_findings.js';
import { definesConnection } from '../../../src/engine/preflight/expectation.js';
import { toPreflightFinding } from '../../../src/engine/preflight/findings.js';
import { LaterVariables } from '../../../src/engine/preflight/later_variables.js';
import { notCalling, previewLibrary, readingLibrary } from '../../../src/engine/preflight/preview_library.js';
import { BUILT_IN_LIBRARY, Library } from '../../../src/language/library.js';
import { renderText } from '../../../src/language/render.js';
import { NotKnownYet, TemplateError } from '../../../src/language/runtime/errors.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, HERE, layer, variables } from '../../language/scopes.js';

const rendering = (text: string, scope: Variables): unknown => failure(() => renderText(text, scope));

describe('an error before a run', () => {
  const find = (error: unknown, scope?: Variables) => toPreflightFinding(error, 'lb1', HERE, scope);

  it('is no finding if the value is known only during the run, and thrown if it is not expected', () => {
    expect(find(new NotKnownYet('x'))).to.equal(undefined);
    expect(() => find(new RangeError('other'))).to.throw(RangeError, 'other');
  });

  it('is at its own place, else at that of the step', () => {
    const place = { file: 'a.yml', line: 1, column: 2 };
    for (const error of [new TaskProblem('wrong', place, 'hint'), new LoadError('wrong', place, 'hint')])
      expect(find(error)).to.deep.equal({ controller: 'lb1', message: 'wrong', hint: 'hint', source: place });
    for (const error of [new TaskProblem('wrong'), new LoadError('wrong')])
      expect(find(error)).to.deep.equal({ controller: 'lb1', message: 'wrong', hint: undefined, source: HERE });
    expect(find(new TemplateError('wrong', { source: place, hint: 'hint' }))).to.deep.equal({
      controller: 'lb1',
      message: 'wrong',
      hint: 'hint',
      source: place,
      inInventory: false,
    });
    expect(find(new TemplateError('wrong'))).to.deep.include({ source: HERE, inInventory: false, hint: undefined });
  });

  it('of a variable of the inventory says so, and one of the command line has no place', () => {
    const ofHost = new Variables([layer({ a: '{{ b }}' }, 'inventory host vars', 'hosts')]);
    expect(find(rendering('{{ a }}', ofHost), ofHost)).to.deep.equal({
      controller: 'lb1',
      message: 'variable "b" is not defined (from "a")',
      hint: undefined,
      source: { file: 'hosts', line: 1, column: 1 },
      inInventory: true,
    });
    const ofPlay = variables({ a: '{{ b }}' });
    expect(find(rendering('{{ a }}', ofPlay), ofPlay)).to.deep.include({ inInventory: false });
    const typed = new Variables([
      { level: 'extra vars', origin: '--extra-vars', values: { a: '{{ b }}', c: { d: '{{ missing }}' } } },
    ]);
    for (const [text, message] of [
      ['{{ a }}', '--extra-vars: variable "b" is not defined (from "a")'],
      ['{{ c.d }}', '--extra-vars: variable "missing" is not defined (from "c.d")'],
    ] as const)
      expect(find(rendering(text, typed), typed)).to.deep.equal({
        controller: 'lb1',
        message,
        hint: undefined,
        source: undefined,
      });
    const error = rendering('{{ a }}', typed);
    expect(find(error)).to.deep.include({ source: HERE });
    const later = new Variables(new LaterVariables(['a']).layers, typed);
    expect(find(error, later)).to.deep.include({ message: '--extra-vars: variable "b" is not defined (from "a")' });
  });
});

describe('variables that tasks may set', () => {
  const ask = (later: LaterVariables, name: string) => {
    const scope = variables({ weak: 1 }).child(later.layers);
    try {
      return scope.get(name);
    } catch (error) {
      return error instanceof NotKnownYet ? 'later' : error;
    }
  };

  it('are unknown by their names, or all of them, also those that others share', () => {
    const shared = new LaterVariables(['ours']);
    const later = new LaterVariables(['mine'], shared);
    const seen = () => ['mine', 'ours', 'weak', 'other'].map((name) => ask(later, name));
    expect([seen(), later.anything]).to.deep.equal([['later', 'later', 1, undefined], false]);
    later.add(['weak']);
    shared.add(['other']);
    expect(seen()).to.deep.equal(['later', 'later', 'later', 'later']);
    expect([ask(shared, 'mine'), ask(shared, 'weak')]).to.deep.equal([undefined, 1]);
    shared.add('anything');
    expect([later.anything, shared.anything, ask(later, 'x'), ask(new LaterVariables(), 'x')]).to.deep.equal([
      true,
      true,
      'later',
      undefined,
    ]);
    const own = new LaterVariables();
    expect(own.layers).to.deep.equal([]);
    own.add('anything');
    expect([own.anything, own.layers.length, ask(own, 'weak')]).to.deep.equal([true, 1, 'later']);
  });
});

describe('the filters of a preview', () => {
  const scope = (library: Library, values: Mapping = {}) =>
    new Variables([layer(values)], undefined, undefined, library);

  it('are those of a run, but lookups read no files, and unset variables are told', () => {
    const unset: string[] = [];
    const preview = previewLibrary(BUILT_IN_LIBRARY, (name) => unset.push(name));
    expect(renderText('{{ "a" | upper }}', scope(preview))).to.equal('A');
    expect(rendering("{{ lookup('file', 'x') }}", scope(preview))).to.be.instanceOf(NotKnownYet);
    expect(renderText("{{ lookup('env', 'NO_SUCH_VARIABLE') }}", scope(preview))).to.equal('');
    expect(unset).to.deep.equal(['NO_SUCH_VARIABLE']);
    const reading = readingLibrary(BUILT_IN_LIBRARY);
    expect(rendering("{{ lookup('file', '/no/such/file') }}", scope(reading))).to.be.instanceOf(TemplateError);
    expect(rendering("{{ lookup('pipe', 'echo x') }}", scope(reading))).to.be.instanceOf(NotKnownYet);
  });

  it('of a project are not called', () => {
    const own = BUILT_IN_LIBRARY.table.filter('upper');
    if (own === undefined) throw new Error('no filter');
    const table = BUILT_IN_LIBRARY.table.with(new Map([['site', own]]));
    for (const library of [previewLibrary(new Library(table), () => undefined), readingLibrary(new Library(table))]) {
      expect(String(rendering('{{ "a" | site }}', scope(library)))).to.include('the result of site');
      expect(renderText('{{ "a" | upper }}', scope(library))).to.equal('A');
    }
    const without = new Library(notCalling(['upper', 'no_such'], BUILT_IN_LIBRARY.table));
    expect(rendering('{{ "a" | upper }}', scope(without))).to.be.instanceOf(NotKnownYet);
    expect(renderText('{{ "A" | lower }}', scope(without))).to.equal('a');
  });
});

describe('connection settings before a run', () => {
  const GOOD = {
    controller_url: 'https://lb1.example.com',
    controller_username: 'me',
    controller_password: 'x',
    controller_api_version: '22.1.3',
  };
  const inHost = (values: Mapping) => new Variables([layer({ ...GOOD, ...values }, 'inventory host vars', 'hosts')]);
  const find = (scope: Variables, input: Partial<ConnectionInput> = {}) =>
    connectionFindings('lb1', scope, { settingSources: {}, unset: new Set(), ...input });

  it('are none if they are complete, also with typed credentials', () => {
    expect(find(inHost({}))).to.deep.equal([]);
    const { controller_username: _, controller_password: __, ...bare } = GOOD;
    const scope = new Variables([layer(bare)]);
    expect(find(scope, { credentials: { username: 'me', password: 'x' } })).to.deep.equal([]);
    expect(
      find(scope).map(({ message, general, source, inInventory }) => [message, general, source, inInventory]),
    ).to.deep.equal([
      ['lb1 has no controller_username', 'no controller_username', undefined, false],
      ['lb1 has no controller_password', 'no controller_password', undefined, false],
    ]);
  });

  it('are wrong at the place of the variable, which the inventory may have', () => {
    expect(find(inHost({ controller_url: '' }))).to.deep.equal([
      {
        controller: 'lb1',
        message: 'controller_url of lb1 is empty',
        hint: 'set it to https:// and the address of the controller; if it comes from the environment, export that variable',
        source: { file: 'hosts', line: 1, column: 1 },
        inInventory: true,
        general: 'controller_url is empty',
      },
    ]);
    const [ofPlay] = find(inHost({}).child([layer({ controller_timeout: 'x' })]));
    expect([ofPlay?.source?.file, ofPlay?.inInventory]).to.deep.equal(['vars.yml', false]);
    const typed = {
      level: 'extra vars',
      origin: '--extra-vars',
      values: { controller_timeout: 'x', controller_url: '' },
    } as const;
    const found = find(inHost({}).child([typed]));
    expect(
      found.map(({ message, general, source }) => [
        message.replace(/^.*( \(from)/, '…$1'),
        general?.replace(/^.*( \(from)/, '…$1'),
        source,
      ]),
    ).to.deep.equal([
      ['… (from --extra-vars)', '… (from --extra-vars)', undefined],
      ['… (from --extra-vars)', undefined, undefined],
    ]);
  });

  it('are reported once for a variable that cannot be rendered, and not at all if it comes later', () => {
    const found = find(inHost({ controller_url: 'https://{{ absent }}', controller_password: '' }));
    expect(found.map(({ message }) => message)).to.deep.equal([
      'variable "absent" is not defined (from "controller_url")',
      'controller_password of lb1 is empty',
    ]);
    const later = inHost({ controller_url: 'x' }).child(new LaterVariables(['controller_url']).layers);
    expect(find(later)).to.deep.equal([]);
  });

  it('name the proxy of the environment that cannot be used', () => {
    const env = { HTTPS_PROXY: 'ftp://proxy' };
    const [found] = find(inHost({}), { env });
    expect(found).to.deep.include({ controller: 'lb1', source: undefined, inInventory: false });
    expect(found?.message).to.include('HTTPS_PROXY');
    expect(found?.hint).to.be.a('string');
  });

  it('have the problems of a simulation, if there is one', () => {
    const scope = inHost({ controller_simulation: { slow: 1 } });
    const examineSimulation = (value: unknown) => [`a ${JSON.stringify(value)}`, 'b'];
    expect(find(scope, { examineSimulation })).to.deep.equal([
      ...['a {"slow":1}', 'b'].map((problem) => ({
        controller: 'lb1',
        message: `controller_simulation: ${problem}`,
        inInventory: true,
        source: { file: 'hosts', line: 1, column: 1 },
      })),
    ]);
    expect(find(scope)).to.deep.equal([]);
    expect(find(inHost({}), { examineSimulation })).to.deep.equal([]);
  });

  it('name the variable of the environment that is not set only where a value is empty because of it', () => {
    const unset = new Set<string>();
    const library = previewLibrary(BUILT_IN_LIBRARY, (name) => unset.add(name));
    const values = {
      ...GOOD,
      controller_password: "{{ lookup('env', 'NO_SUCH_PASSWORD') }}",
      controller_api_version: "{{ lookup('env', 'NO_SUCH_VERSION') | default('newest', true) }}",
    };
    const scope = new Variables([layer(values, 'inventory host vars', 'hosts')], undefined, undefined, library);
    expect(find(scope, { unset }).map(({ message, hint }) => [message, hint])).to.deep.equal([
      [
        'controller_password of lb1 is empty: the environment variable NO_SUCH_PASSWORD is not set',
        'export NO_SUCH_PASSWORD before the run',
      ],
      ['controller_api_version must be three numbers, such as "22.1.3", not "newest"', undefined],
    ]);
  });

  it('name a variable with a similar name, or the beginning of one', () => {
    const { controller_username: _, controller_api_version: __, ...bare } = GOOD;
    const hints = (values: Mapping) => find(new Variables([layer({ ...bare, ...values })])).map(({ hint }) => hint);
    expect(hints({ controller_user: 'a', controller_api_versoin: '1' })).to.deep.equal([
      '"controller_user" is set: did you mean "controller_username"?',
      '"controller_api_versoin" is set: did you mean "controller_api_version"?',
    ]);
    expect(hints({ contoller_username: 'a', controller_api_version: '22.1.3' })).to.deep.equal([
      '"contoller_username" is set: did you mean "controller_username"?',
    ]);
    const plain = hints({});
    for (const other of [{ username: 'a' }, { controller_zone: 'a' }, { x_controller_user: 'a' }])
      expect(hints(other)).to.deep.equal(plain);
  });

  it('warn of a misspelt variable, whose default would be taken', () => {
    const { controller_username: _, controller_password: __, ...bare } = GOOD;
    for (const [name, meant] of [
      ['controller_tennant', 'controller_tenant'],
      ['controller_tenent', 'controller_tenant'],
      ['controller_usrename', 'controller_username'],
      ['controller_pasword', 'controller_password'],
      ['controller_rotue', 'controller_route'],
      ['controler_tenant', 'controller_tenant'],
      ['contorller_route', 'controller_route'],
    ] as const) {
      const values = { ...bare, ansible_user: 'ann', ansible_password: 'swordfish', [name]: 'blue' };
      expect(
        find(new Variables([layer(values)])).map(({ message, hint, isWarning }) => [message, hint, isWarning]),
      ).to.deep.equal([[`"${name}" is not a connection variable`, `did you mean "${meant}"?`, true]]);
    }
    const words = 'role note root router header routes zone uri auto author shard tokens'.split(' ');
    const others = Object.fromEntries(words.map((word) => [`controller_${word}`, 'a']));
    expect(
      find(inHost({ ...others, crawler_tenant: 'a', controller_tiemout: 5, controller_timeout: 6 })),
    ).to.deep.equal([]);
  });

  it('are those of a step if one of its variables is a connection variable', () => {
    expect(definesConnection([layer({ x: 1 }), layer({ controller_tenant: 'blue' })])).to.equal(true);
    expect(definesConnection([layer({ a: 1, ansible_host: 'x' })])).to.equal(true);
    expect([definesConnection([layer({ x: 1 })]), definesConnection([])]).to.deep.equal([false, false]);
  });
});
