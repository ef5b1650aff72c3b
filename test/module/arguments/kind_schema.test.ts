import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { KindTable, type Kind } from '../../../src/kinds/kind_table.js';
import { builtInFields, completeCreate, structureSchema } from '../../../src/module/arguments/kind_schema.js';
import type { Plan } from '../../../src/module/contract.js';

/** Nothing of one table is known in another. */
const door = (): Kind => {
  const table = new KindTable({
    openChoices: true,
    kinds: { door: 'Door' },
    structures: {
      Door: {
        required: ['name', 'hinge'],
        fields: {
          uuid: 'string',
          name: { type: 'string', description: 'What it is called.' },
          colour: { type: 'string', choices: ['RED', 'BLUE'], default: 'RED' },
          width: { type: 'integer', range: [1, 9], special: [0, -1], unit: 'inches', default: 0 },
          code: { type: 'string', secret: true },
          key_name: { type: 'string', secret: false },
          tags: { type: '[string]', least: 1, most: 3, since: '20.1', until: '30.2' },
          extra: 'any',
          labels: 'mapping',
          notes: '[mapping]',
          things: '[any]',
          hinge: 'Hinge 22.1',
          spares: { type: '[Hinge]', description: 'Others.', most: 2 },
        },
      },
      Hinge: {
        required: ['metal', 'screws'],
        fields: { metal: 'string', screws: { type: 'integer', default: 4 }, inner: 'Plate', pins: '[Pin]' },
      },
      Plate: { required: ['metal'], fields: { metal: 'string' } },
      Pin: { required: ['length'], fields: { length: 'integer' } },
    },
  });
  const kind = table.kind('door');
  if (kind === undefined) throw new Error('there is no door');
  return kind;
};

describe('the schema of a structure', () => {
  it('says all that the table says, but for the fields that the controller sets', () => {
    const { structure } = door();
    const schema = structureSchema(structure);
    const hinge = schema.properties?.['hinge'];
    const metal = { type: 'string' };
    expect(schema).to.deep.include({ type: 'object', structure: 'Door', required: ['name', 'hinge'] });
    const { hinge: _hinge, spares, ...fields } = schema.properties ?? {};
    expect(fields).to.deep.equal({
      name: { type: 'string', description: 'What it is called.' },
      colour: { type: 'string', enum: ['RED', 'BLUE'], openChoices: true, default: 'RED' },
      width: { type: 'integer', minimum: 1, maximum: 9, special: [0, -1], default: 0, unit: 'inches' },
      code: { type: 'string', secret: true },
      key_name: { type: 'string', secret: false },
      tags: { type: 'array', items: { type: 'string' }, since: '20.1', until: '30.2', minItems: 1, maxItems: 3 },
      extra: {},
      labels: { type: 'object' },
      notes: { type: 'array', items: { type: 'object' } },
      things: { type: 'array', items: {} },
    });
    expect(hinge).to.deep.include({ type: 'object', structure: 'Hinge', since: '22.1' });
    expect(hinge?.properties?.['metal']).to.deep.equal(metal);
    expect(spares).to.deep.include({ type: 'array', description: 'Others.', maxItems: 2 });
    expect(spares?.items).to.deep.include({ type: 'object', structure: 'Hinge', required: ['metal', 'screws'] });
  });

  it('is made once for each rigour, and refuses no typos where it is lenient', () => {
    const { structure } = door();
    const [strict, lenient] = [structureSchema(structure), structureSchema(structure, 'lenient')];
    expect([structureSchema(structure, 'strict') === strict, structureSchema(structure, 'lenient') === lenient]).to.eql(
      [true, true],
    );
    expect(lenient).not.to.have.property('structure');
    expect(lenient.properties?.['hinge']).not.to.have.property('structure');
    expect(lenient.properties?.['spares']?.items).not.to.have.property('structure');
    expect(strict.properties?.['spares']?.items).to.have.property('structure', 'Hinge');
  });

  it('is a hint for the arguments of a module of that kind that declare more than a name', () => {
    expect(builtInFields('pool', { name: 'a' })).to.deep.equal([]);
    const defaults = { replace: false, secrets: 'on_create' };
    expect(builtInFields('pool', { name: 'a', tenant: 'blue', ...defaults })).to.deep.equal([]);
    expect(builtInFields('pool', { ...defaults, lb_algorithm: 'x' })).to.have.lengthOf(1);
    expect(builtInFields('none_such', { name: 'a', port: 1 })).to.deep.equal([]);
    const [knownFields, ...others] = builtInFields('pool', { name: 'a', lb_algorithm: 'x' });
    expect([knownFields?.structure, knownFields?.properties?.['lb_algorithm']?.type, others]).to.deep.equal([
      undefined,
      'string',
      [],
    ]);
    const [, ...matched] = builtInFields('pool', { name: 'a', match: { lb_algorithm: 'x' } });
    expect(matched).to.deep.equal([{ type: 'object', properties: { match: knownFields } }]);
  });
});

describe('creating an object', () => {
  const create = (after: Mapping): Plan => ({ change: { kind: 'create', object: 'door "a"', before: null, after } });
  const NEEDS = 'door "a" does not exist, and a new door needs';

  for (const [what, after, refusal] of [
    ['nothing is declared', {}, `${NEEDS} "name", "hinge"`],
    ['null is declared', { name: null, hinge: { metal: 'iron' } }, `${NEEDS} "name"`],
    [
      'inner objects lack fields without a default',
      { hinge: { screws: null, inner: {} }, spares: [{ metal: 'iron' }, { pins: [{ length: 1 }, {}] }] },
      `${NEEDS} "name", "hinge.metal", "hinge.inner.metal", "spares[1].metal", "spares[1].pins[1].length"`,
    ],
    ['only optional fields lack', { name: 'a', hinge: { metal: 'iron' } }, undefined],
    ['texts are in place of objects', { name: 'a', hinge: 'x', spares: ['y'], labels: { x: 1 } }, undefined],
  ] as const)
    it(`is ${refusal === undefined ? 'allowed' : 'refused'} where ${what}`, () => {
      const plan = create(after);
      expect(completeCreate(door(), plan)).to.deep.equal(refusal === undefined ? plan : { ...plan, refusal });
    });

  it('keeps an earlier refusal, and updates may lack anything', () => {
    const refused = { ...create({}), refusal: 'no' };
    expect(completeCreate(door(), refused)).to.deep.equal(refused);
    const update: Plan = { change: { kind: 'update', object: 'door "a"', before: {}, after: {} } };
    expect(completeCreate(door(), update)).to.deep.equal(update);
  });
});
