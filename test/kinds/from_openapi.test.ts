import { expect } from 'chai';
import { kindsFromOpenApi, type OpenApiInput } from '../../src/kinds/from_openapi.js';
import { KindTable } from '../../src/kinds/kind_table.js';
import { filesReferredTo } from '../../src/kinds/openapi_schema.js';

const read = (documents: Readonly<Record<string, unknown>>, more: Partial<OpenApiInput> = {}) =>
  kindsFromOpenApi({
    files: new Map(Object.keys(documents).map((file) => [`/d/${file}`, file])),
    documents: new Map(Object.entries(documents).map(([file, document]) => [`/d/${file}`, document])),
    isSecret: (name) => name.endsWith('word'),
    builtIn: () => undefined,
    ...more,
  });
const body = (schema: unknown) => ({ parameters: [{ in: 'body', schema }] });
/** A document whose kind `door` has these properties. */
const door = (properties: unknown, more: object = {}) => ({
  swagger: '2.0',
  paths: { '/api/door': { post: body({ type: 'object', properties }) } },
  ...more,
});
const fieldsOf = (properties: unknown, more: object = {}, input: Partial<OpenApiInput> = {}) => {
  const found = read({ 'a.json': door(properties, more) }, input);
  return 'data' in found ? found.data.structures['Door']?.fields : found.problems;
};

describe('fields of an OpenAPI document', () => {
  const described = (description: string, type = 'integer') => fieldsOf({ x: { type, description } });

  for (const [what, field, expected] of [
    ['types', { type: 'string' }, 'string'],
    ['unknown types', { type: 'file' }, 'any'],
    ['no type', {}, 'any'],
    ['objects', { type: 'object' }, 'mapping'],
    ['what may be null', { type: ['null', 'boolean'] }, 'boolean'],
    ['several types', { type: ['string', 'boolean'] }, 'any'],
    ['lists', { type: 'array', items: { type: 'number' } }, '[number]'],
    ['lists without a type', { items: { type: 'string' } }, '[string]'],
    ['lists of anything', { type: 'array' }, '[any]'],
    ['limits', { type: 'integer', minimum: 1, maximum: 5 }, { type: 'integer', range: [1, 5] }],
    ['one limit', { type: 'integer', minimum: 1 }, 'integer'],
    ['limits of texts', { type: 'string', minimum: 1, maximum: 5 }, 'string'],
    [
      'limits of elements',
      { type: 'array', items: { type: 'number', minimum: 1, maximum: 5 } },
      { type: '[number]', range: [1, 5] },
    ],
    ['choices', { type: 'string', enum: ['A', 'B', null] }, { type: 'string', choices: ['A', 'B'] }],
    ['choices that are no texts', { type: 'string', enum: ['A', true] }, 'string'],
    ['no choices', { type: 'string', enum: [] }, 'string'],
    [
      'choices of elements',
      { type: 'array', items: { type: 'string', enum: ['A'] } },
      { type: '[string]', choices: ['A'] },
    ],
    ['choices of numbers', { type: 'integer', enum: ['A'] }, 'integer'],
    ['defaults', { type: 'boolean', default: false }, { type: 'boolean', default: false }],
    ['defaults of lists', { type: 'array', items: { type: 'string' }, default: 'x' }, '[string]'],
    ['defaults that are mappings', { type: 'string', default: {} }, 'string'],
    ['passwords', { type: 'string', format: 'password' }, { type: 'string', secret: 'review' }],
    ['passwords that are numbers', { type: 'integer', format: 'password' }, 'integer'],
    ['what only controllers set', { type: 'string', readOnly: true }, { type: 'string', readOnly: true }],
    ['what clients set', { type: 'string', readOnly: false }, 'string'],
    ['fractions as defaults', { type: 'number', default: 1.5 }, { type: 'number', default: 1.5 }],
    [
      'outer choices',
      { type: 'array', enum: ['B'], items: { type: 'string', enum: ['A'] } },
      { type: '[string]', choices: ['B'] },
    ],
    ['descriptions that are no texts', { type: 'string', description: 5 }, 'string'],
    ['what says nothing', true, 'any'],
    ['no properties', { properties: {} }, 'mapping'],
    ['combined lists', { allOf: [5, {}, { type: 'array', items: { type: 'string' } }] }, '[string]'],
    ['lists of one alternative', { anyOf: [{ type: 'array', items: { anyOf: [5, { type: 'string' }] } }] }, '[string]'],
    ['an alternative', { oneOf: [{ type: 'null' }, { type: 'string' }] }, 'string'],
    ['alternatives', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'any'],
    [
      'what is combined',
      { allOf: [{ type: 'string' }, { default: 'a' }], default: 'b' },
      { type: 'string', default: 'b' },
    ],
  ] as const)
    it(`know ${what}`, () => {
      expect(fieldsOf({ x: field })).to.deep.equal({ x: expected });
    });

  it('add to what they refer to', () => {
    const definitions = { Num: { type: 'integer', minimum: 1, maximum: 5 }, 'a/b~c d': { type: 'string' } };
    const properties = {
      own: { $ref: '#/definitions/Num', maximum: 9 },
      same: { $ref: '#/definitions/Num' },
      lost: { $ref: '#/definitions/No', type: 'string', description: 'Field introduced in 20.1.' },
      odd: { $ref: '#/definitions/a~1b~0c%20d' },
      inherited: { $ref: '#/definitions/constructor' },
    };
    expect(fieldsOf(properties, { definitions })).to.deep.equal({
      own: { type: 'integer', range: [1, 9] },
      same: { type: 'integer', range: [1, 5] },
      lost: { type: 'any', since: '20.1' },
      odd: 'string',
      inherited: 'any',
    });
  });

  it('know what descriptions say', () => {
    expect(described('Allowed values are 1-7200. Special values are 0 - Immediate, -1 - Infinite.')).to.deep.equal({
      x: { type: 'integer', range: [1, 7200], special: [0, -1] },
    });
    expect(described('Allowed values are -5-5.', 'number')).to.deep.equal({ x: { type: 'number', range: [-5, 5] } });
    expect(described('Special values are 0 - Never.')).to.deep.equal({ x: 'integer' });
    expect(described('Enum options - A_1, B.', 'string')).to.deep.equal({
      x: { type: 'string', choices: ['A_1', 'B'] },
    });
    expect(described('Field introduced in 20.1.1. Field deprecated in 30.2. X', 'string')).to.deep.equal({
      x: { type: 'string', since: '20.1.1', until: '30.2' },
    });
    expect(described('It is a reference to an object of type HealthMonitor.', 'string')).to.deep.equal({
      x: { type: 'string', refers: 'healthmonitor' },
    });
  });

  it('are secrets by decision, by the built-in table, or by their names', () => {
    const properties = {
      password: { type: 'string' },
      keyword: { type: 'string' },
      other: { type: 'string' },
      pool_ref: { type: 'string' },
    };
    const table = new KindTable({
      kinds: {},
      structures: {
        Door: {
          fields: {
            keyword: { type: 'string', secret: false },
            other: { type: 'string', secret: true },
            pool_ref: { type: 'string', refers: 'pool' },
          },
        },
      },
    });
    const known = { builtIn: (name: string) => table.structure(name) };
    expect(fieldsOf(properties)).to.deep.equal({
      password: { type: 'string', secret: 'review' },
      keyword: { type: 'string', secret: 'review' },
      other: 'string',
      pool_ref: 'string',
    });
    expect(fieldsOf(properties, {}, known)).to.deep.equal({
      password: { type: 'string', secret: 'review' },
      keyword: { type: 'string', secret: false },
      other: { type: 'string', secret: true },
      pool_ref: { type: 'string', refers: 'pool' },
    });
    const earlier = {
      structures: {
        Door: {
          fields: {
            password: { type: 'string', secret: false },
            keyword: { type: 'string', secret: 'review' as const },
            other: 'string',
          },
        },
      },
    };
    expect(fieldsOf(properties, {}, { ...known, earlier })).to.deep.include({
      password: { type: 'string', secret: false },
      keyword: { type: 'string', secret: false },
    });
  });
});

describe('structures of OpenAPI documents', () => {
  const structures = (documents: Readonly<Record<string, unknown>>) => {
    const found = read(documents);
    return 'data' in found ? found.data.structures : found.problems;
  };

  it('have names of their definitions, or of where they are, each once', () => {
    const definitions = {
      Hinge: { type: 'object', required: ['metal', 'gone'], properties: { metal: { type: 'string' } } },
      string: { type: 'object', properties: { a: {} } },
      Self: {
        type: 'object',
        properties: {
          me: { $ref: '#/definitions/Self' },
          all: { type: 'array', items: { $ref: '#/definitions/Self' } },
        },
      },
      Same: { allOf: [{ $ref: '#/definitions/Hinge' }], description: 'x' },
      More: {
        allOf: [{ $ref: '#/definitions/Hinge' }, { properties: { pin: { type: 'boolean' } } }],
        required: ['pin'],
      },
    };
    const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
    const properties = {
      one: ref('Hinge'),
      two: { type: 'array', items: ref('Hinge') },
      three: ref('string'),
      self: ref('Self'),
      same: ref('Same'),
      more: ref('More'),
      here: { properties: { x: { type: 'number' } } },
      lost: ref('Lost'),
    };
    expect(structures({ 'a.json': door(properties, { definitions }) })).to.deep.equal({
      Door: {
        fields: {
          one: 'Hinge',
          two: '[Hinge]',
          three: 'string_2',
          self: 'Self',
          same: 'Hinge',
          more: 'More',
          here: 'Door_here',
          lost: 'any',
        },
      },
      Door_here: { fields: { x: 'number' } },
      Hinge: { required: ['metal'], fields: { metal: 'string' } },
      More: { required: ['metal', 'pin'], fields: { metal: 'string', pin: 'boolean' } },
      Self: { fields: { me: 'mapping', all: '[mapping]' } },
      string_2: { fields: { a: 'any' } },
    });
  });

  it('that are written in place have the names of all around them', () => {
    const inner = { properties: { x: { properties: { y: {} } } } };
    const found = structures({ 'a.json': door({ one: inner, two: { type: 'array', items: inner }, three: {} }) });
    expect(found).to.deep.equal({
      Door: { fields: { one: 'Door_one', two: '[Door_two]', three: 'any' } },
      Door_one: { fields: { x: 'Door_one_x' } },
      Door_one_x: { fields: { y: 'any' } },
      Door_two: { fields: { x: 'Door_two_x' } },
      Door_two_x: { fields: { y: 'any' } },
    });
    expect(Object.keys(found)).to.deep.equal(['Door', 'Door_one', 'Door_one_x', 'Door_two', 'Door_two_x']);
  });

  it('are found in other files, and told apart there', () => {
    const common = (type: string) => ({ definitions: { Ip: { type: 'object', properties: { addr: { type } } } } });
    const ref = (file: string) => ({ $ref: `${file}#/definitions/Ip` });
    const properties = {
      a: ref('b.json'),
      b: ref('./x/../b.json'),
      c: ref('c.json'),
      d: { $ref: 'whole.json' },
      e: ref('e.json'),
    };
    const documents = {
      'a.json': door(properties),
      'b.json': common('string'),
      'c.json': common('integer'),
      'whole.json': { type: 'object', properties: { x: {} } },
      'e.json': { swagger: '2.0', ...common('boolean') },
    };
    const whole = read(documents);
    expect('data' in whole && [whole.data.format, whole.warnings]).to.deep.equal(['evenkeel-kinds-1', []]);
    expect(structures(documents)).to.deep.equal({
      Door: { fields: { a: 'Ip', b: 'Ip', c: 'Ip_2', d: 'whole', e: 'Ip_3' } },
      Ip_3: { fields: { addr: 'boolean' } },
      Ip: { fields: { addr: 'string' } },
      Ip_2: { fields: { addr: 'integer' } },
      whole: { fields: { x: 'any' } },
    });
    const shared = { $ref: 'http://x/y.json' };
    const others = filesReferredTo('/d/a.json', {
      list: [{ $ref: 'b.json#/x' }, { $ref: '/e/c%20d.json' }],
      shared,
      again: shared,
      own: { $ref: '#/x' },
      odd: { $ref: 5 },
    });
    expect([...others].toSorted()).to.deep.equal(['/d/b.json', '/e/c d.json']);
  });
});

describe('kinds of OpenAPI documents', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const json = (type: string) => ({ requestBody: { content: { [type]: { schema } } } });
  const kinds = (paths: object, more: object = {}) => {
    const found = read({ 'a.json': { openapi: '3.0.0', paths, ...more } });
    return 'data' in found ? [found.data.kinds, found.warnings] : found.problems;
  };

  it('are created by POST, or exist once and are replaced by PUT', () => {
    expect(
      kinds(
        {
          '/api/pool': { post: json('application/json'), put: json('application/json') },
          '/cluster/': { put: json('*/*') },
          '/api/old': { parameters: [{ in: 'query' }, { in: 'body', schema }], post: {} },
          '/api/shared': { $ref: '#/items/shared' },
          '/api/other': { post: json('text/plain') },
          '/api/pool/{uuid}': { put: json('application/json') },
          '/api/get': { get: json('application/json') },
          '/api/Bad-name': { post: json('application/json') },
        },
        {
          items: { shared: { post: { requestBody: { $ref: '#/bodies/one' } } } },
          bodies: { one: json('application/json').requestBody },
        },
      ),
    ).to.deep.equal([
      { cluster: { structure: 'Cluster', single: true }, old: 'Old', pool: 'Pool', shared: 'Shared' },
      ['a.json: /api/Bad-name is left out: names of kinds have lowercase letters and digits only'],
    ]);
  });

  it('come from several files: the last one counts', () => {
    const second = { openapi: '3.0.0', paths: { '/pool': { post: json('application/json') } } };
    const found = read({ 'a.json': { ...second }, 'b.json': second, 'c.json': { openapi: '3.0.0', paths: {} } });
    expect('warnings' in found && found.warnings).to.deep.equal([
      'b.json: /pool replaces the definition in an earlier file',
      'c.json describes no kind: no path such as /pool has a POST or PUT with a schema',
    ]);
  });

  it('are refused with the reason', () => {
    const problems = (documents: Readonly<Record<string, unknown>>) => {
      const found = read(documents);
      return 'problems' in found ? found.problems : found.warnings;
    };
    expect(problems({ 'a.json': {}, 'b.json': [] })).to.deep.equal(
      ['a.json', 'b.json'].map((file) => `${file} is not an OpenAPI document: it has neither "swagger" nor "openapi"`),
    );
    expect(problems({ 'a.json': { swagger: '2.0' } })).to.deep.equal([
      'a.json describes no kind: no path such as /pool has a POST or PUT with a schema',
    ]);
    expect(problems({})).to.deep.equal(['these files describe no kind']);
    const lost = {
      swagger: '2.0',
      paths: { '/pool': { post: body({ $ref: '#/b' }) }, '/vs': { post: body({ $ref: '#/a' }) } },
    };
    expect(problems({ 'a.json': lost })).to.deep.equal([
      'a.json: the schema of /pool has no properties; not found: #/b',
      'a.json: the schema of /vs has no properties; not found: #/a, #/b',
    ]);
    expect(problems({ 'a.json': { swagger: '2.0', paths: { '/pool': { post: body({}) } } } })).to.deep.equal([
      'a.json: the schema of /pool has no properties',
    ]);
    expect(problems({ 'a.json': door({ x: { $ref: '#/z' }, y: { $ref: 'none.json' } }) })).to.deep.equal([
      'not found, so any value passes there: #/z, none.json',
    ]);
  });
});

describe('a table of kinds', () => {
  const lower = () =>
    new KindTable({
      kinds: { old: 'Old', both: 'Old' },
      structures: {
        Old: {
          required: ['a'],
          key: ['a'],
          fields: {
            a: 'string',
            old_ref: { type: 'string', refers: 'x' },
            lower_ref: { type: 'string', refers: 'lower' },
          },
        },
      },
    });
  let [below, table] = [lower(), lower()];
  const upper = () =>
    new KindTable(
      {
        openChoices: true,
        kinds: {
          both: 'New',
          one: { structure: 'Inner', single: true, upload: true, about: 'one', reported: true },
          none: 'None',
        },
        structures: {
          New: {
            fields: {
              name: 'string',
              tenant_ref: 'string',
              inner: '[Inner]',
              old_ref: { type: 'string', refers: 'new' },
            },
          },
          Inner: JSON.stringify({
            name: 'Inner',
            fields: {
              cloud_ref: 'string',
              mode: { type: 'string 20.1', choices: ['A'], secret: 'review' },
              deep_ref: { type: 'string', refers: 'deep' },
            },
          }),
        },
      },
      below,
    );

  beforeEach(() => {
    below = lower();
    table = upper();
  });

  it('lies over another', () => {
    expect(table.names).to.deep.equal(['both', 'none', 'old', 'one']);
    expect([table.kind('old'), table.structure('Old')]).to.deep.equal([below.kind('old'), below.structure('Old')]);
    expect([table.kind('none'), table.kind('other'), table.kind('constructor')]).to.deep.equal(
      Array(3).fill(undefined),
    );
    expect(table.kind('both')).to.equal(table.kind('both'));
    const { structure: _structure, ...one } = table.kind('one') ?? {};
    expect(one).to.deep.equal({
      name: 'one',
      about: 'one',
      path: '/api/one',
      single: true,
      upload: true,
      reported: true,
      scope: 'cloud',
    });
    const { structure, ...both } = table.kind('both') ?? {};
    expect(both).to.deep.equal({
      name: 'both',
      about: undefined,
      path: '/api/both/',
      single: false,
      upload: false,
      reported: undefined,
      scope: 'tenant',
    });
    expect([structure?.required, structure?.key, below.kind('old')?.scope]).to.deep.equal([[], [], 'controller']);
    expect([below.structure('Old')?.required, below.structure('Old')?.key]).to.deep.equal([['a'], ['a']]);
    expect(structure?.fields.get('inner')).to.deep.include({
      type: 'mapping',
      list: true,
      structure: table.structure('Inner'),
    });
    expect(table.structure('Inner')?.fields.get('mode')).to.deep.equal({
      name: 'mode',
      type: 'string',
      list: false,
      structure: undefined,
      since: '20.1',
      choices: ['A'],
      openChoices: true,
      secret: true,
    });
  });

  it('finds kinds at paths', () => {
    const at = (path: string) => [table.kindAt(path)?.name, table.kindAtPath(path)?.name];
    expect(['/api/both', '/api/Both/', '/api/both/1', '/api/both/1/', '/api/one'].map(at)).to.deep.equal([
      ['both', 'both'],
      ['both', 'both'],
      ['both', 'both'],
      ['both', 'both'],
      ['one', 'one'],
    ]);
    expect(['/api/both/1/runtime', '/api/both?name=x', 'x/api/both', '/api/other'].map(at)).to.deep.equal([
      ['both', undefined],
      ['both', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('knows what references refer to: of the kind, of any kind, of the table below', () => {
    const refers = (field: string, kind?: string) =>
      table.refersTo(field, kind === undefined ? undefined : table.kind(kind));
    expect([refers('old_ref', 'both'), refers('old_ref'), refers('old_ref', 'old')]).to.deep.equal(['new', 'new', 'x']);
    expect([
      refers('deep_ref', 'both'),
      refers('deep_ref'),
      refers('lower_ref', 'both'),
      refers('none_ref'),
    ]).to.deep.equal(['deep', 'deep', 'lower', undefined]);
    expect([
      table.referredCollection('old_ref', '/api/old/1'),
      table.referredCollection('web_app_refs', '/api/old/1'),
    ]).to.deep.equal(['/api/x/', '/api/webapp/']);
  });
});
