import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isSecretName } from '../../src/core/secrets/names.js';
import type { StructureEntry } from '../../src/kinds/kind_data.js';
import { builtInKinds, type Field, KindTable, type Structure } from '../../src/kinds/kind_table.js';

const table = builtInKinds();
const LINES = readFileSync('src/kinds/kinds.jsonl', 'utf8').trimEnd().split('\n').slice(1);
const ENTRIES = LINES.map((line) => JSON.parse(line) as StructureEntry & { readonly name: string });
const STRUCTURES = ENTRIES.map(({ name }) => structure(name));
const FIELDS = STRUCTURES.flatMap(({ name, fields }) => [...fields.values()].map((field) => ({ of: name, field })));

function structure(name: string): Structure {
  const found = table.structure(name);
  if (found === undefined) throw new Error(`no structure ${name}`);
  return found;
}

function field(of: Structure | undefined, path: string): Field | undefined {
  const [first = '', ...rest] = path.split('.');
  const found = of?.fields.get(first);
  return rest.length === 0 ? found : field(found?.structure, rest.join('.'));
}

function fits({ type, choices }: Field, value: string | number | boolean): boolean {
  if (typeof value === 'string') return type === 'string' && (choices?.includes(value) ?? true);
  return typeof value === 'boolean' ? type === 'boolean' : type === 'number' || Number.isInteger(value);
}

describe('the built-in table of kinds', () => {
  it('knows a pool, its fields and their structures', () => {
    const pool = table.kind('pool');
    expect(pool).to.include({ name: 'pool', path: '/api/pool/', single: false, upload: false, scope: 'cloud' });
    expect(pool?.structure.required).to.deep.equal(['name']);
    expect(field(pool?.structure, 'graceful_disable_timeout')).to.include({ type: 'integer', list: false, default: 1 });
    expect(field(pool?.structure, 'graceful_disable_timeout')?.range).to.deep.equal([1, 7200]);
    expect(field(pool?.structure, 'graceful_disable_timeout')?.special).to.deep.equal([0, -1]);
    expect(field(pool?.structure, 'health_monitor_refs')).to.include({ list: true, refers: 'healthmonitor' });
    expect(field(pool?.structure, 'servers')).to.include({ type: 'mapping', list: true });
    expect(field(pool?.structure, 'servers')?.structure?.key).to.deep.equal(['ip.addr', 'port']);
    expect(field(pool?.structure, 'servers.ip.type')?.choices).to.have.members(['V4', 'V6', 'DNS']);
  });

  it('takes choices for those of one release', () => {
    const withChoices = FIELDS.filter((one) => one.field.choices !== undefined);
    expect(withChoices).to.have.lengthOf.at.least(300);
    expect(withChoices.filter((one) => one.field.openChoices !== true)).to.deep.equal([]);
  });

  it('knows the versions that brought a field or dropped it, units, and sizes of lists', () => {
    const poolGroup = table.kind('poolgroup')?.structure;
    expect(field(poolGroup, 'enable_http2')).to.include({ type: 'boolean', since: '20.1.1', until: '30.2.1' });
    expect(field(table.kind('pool')?.structure, 'graceful_disable_timeout')?.unit).to.equal('minutes');
    expect(field(table.kind('cloud')?.structure, 'dns_resolvers')).to.include({ list: true, most: 1, since: '20.1.5' });
    const versions = FIELDS.flatMap(({ field: { since, until } }) => [since ?? '1.1', until ?? '1.1']);
    expect(versions.filter((one) => !/^\d+\.\d+(?:\.\d+)*$/.test(one))).to.deep.equal([]);
  });

  it('has every structure in a line that begins with its name, and only characters of one byte', () => {
    for (const [index, line] of LINES.entries()) {
      expect(line).to.match(/^\{"name":"\w+","/);
      expect(table.structure(ENTRIES[index]?.name ?? '')?.name).to.equal(ENTRIES[index]?.name);
    }
    // Otherwise the text would need twice the memory.
    expect(LINES.filter((line) => !/^[ -~]*$/.test(line))).to.deep.equal([]);
  });

  it('finds a kind by the path of its objects', () => {
    const found = ['/api/pool', '/api/pool/', '/api/Pool/pool-1', '/api/pool?name=x', '/api/cluster/runtime'].map(
      (path) => table.kindAt(path)?.name,
    );
    expect(found).to.deep.equal(['pool', 'pool', 'pool', 'pool', 'cluster']);
    expect(['/api/', '/api/unknown', '/api/constructor', 'pool'].map((path) => table.kindAt(path))).to.deep.equal(
      Array.from({ length: 4 }),
    );
  });

  it('knows the collection that a bare name in a reference means, of unknown fields by their name', () => {
    const meant = ['vrf_ref', 'health_monitor_refs', 'some_thing_ref'].map((name) =>
      table.referredCollection(name, '/api/pool/pool-1'),
    );
    expect(meant).to.deep.equal(['/api/vrfcontext/', '/api/healthmonitor/', '/api/something/']);
  });

  it('knows the scope in which names are unique', () => {
    const scopes = ['network', 'healthmonitor', 'tenant'].map((name) => table.kind(name)?.scope);
    expect(scopes).to.deep.equal(['cloud', 'tenant', 'controller']);
    expect(table.kind('cluster')).to.include({ single: true, path: '/api/cluster' });
  });

  it('defines every kind and structure that it names', () => {
    expect(table.names).to.have.lengthOf(107);
    for (const name of table.names) expect(table.kind(name), name).not.to.equal(undefined);
    const unknown = FIELDS.filter(({ field: { type, structure: inner, name }, of }) => {
      const word = ENTRIES.find((one) => one.name === of)?.fields[name];
      return type === 'mapping' && inner === undefined && word !== 'mapping';
    });
    expect(unknown).to.deep.equal([]);
  });

  it('requires only existing fields, and identifies list elements by fields that they have', () => {
    for (const { name, required, fields, key } of STRUCTURES) {
      for (const one of required) expect([...fields.keys()], name).to.include(one);
      for (const path of key) expect(field(structure(name), path), `${name}: ${path}`).not.to.equal(undefined);
    }
  });

  it('has defaults of the right type and among the choices', () => {
    const wrong = FIELDS.filter((one) => one.field.default !== undefined && !fits(one.field, one.field.default));
    expect(wrong).to.deep.equal([]);
  });

  it('declares for every field with a secret name whether it is a secret', () => {
    const undecided = FIELDS.filter(({ field: { name, secret } }) => isSecretName(name) && secret === undefined);
    expect(undecided.map(({ of, field: { name } }) => `${of}.${name}`)).to.deep.equal([]);
    expect(field(table.kind('sslkeyandcertificate')?.structure, 'key')?.secret).to.equal(true);
    expect(field(table.kind('stringgroup')?.structure, 'kv.key')?.secret).to.equal(false);
    expect(field(table.kind('pool')?.structure, 'name')).not.to.have.property('secret');
  });

  it('declares the kind of every reference', () => {
    const references = FIELDS.filter(({ field: { name } }) => /_refs?$/.test(name));
    const blind = references.filter(({ field: { refers } }) => refers === undefined);
    expect(blind.map(({ of, field: { name } }) => `${of}.${name}`)).to.deep.equal([
      'BuildInfo.remote_image_ref',
      'SystemReport.archive_ref',
    ]);
  });
});

describe('a table of kinds over another', () => {
  const newer = new KindTable(
    {
      kinds: { pool: 'Pool', wafpolicy: { structure: 'Waf' }, broken: 'Missing' },
      structures: {
        Pool: { fields: { name: 'string', depth: { type: 'integer', range: [1, 9] } } },
        Waf: { fields: { secret_sauce: { type: 'string', secret: 'review' }, labels: '[mapping]', extra: 'any' } },
      },
    },
    table,
  );

  it('hides the kinds of the same name, and has all others', () => {
    expect([...(newer.kind('pool')?.structure.fields.keys() ?? [])]).to.deep.equal(['name', 'depth']);
    expect(newer.kind('cloud')).to.equal(table.kind('cloud'));
    expect(newer.names).to.include.members(['cloud', 'pool', 'wafpolicy']);
  });

  it('treats fields that need review as secrets', () => {
    expect(field(newer.kind('wafpolicy')?.structure, 'secret_sauce')?.secret).to.equal(true);
  });

  it('has mappings with unknown fields, and fields of any type', () => {
    expect(field(newer.kind('wafpolicy')?.structure, 'labels')).to.include({ type: 'mapping', list: true });
    expect(field(newer.kind('wafpolicy')?.structure, 'labels')?.structure).to.equal(undefined);
    expect(field(newer.kind('wafpolicy')?.structure, 'extra')).to.include({ type: 'any', list: false });
  });

  it('has no kind whose structure is missing', () => {
    expect(newer.kind('broken')).to.equal(undefined);
  });
});
