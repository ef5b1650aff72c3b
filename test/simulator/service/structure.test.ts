import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { builtInKinds, type Field, type Structure } from '../../../src/kinds/kind_table.js';
import type { SimulatedJson } from '../../../src/simulator/protocol/exchange.js';
import { smallestObject } from '../../../src/simulator/service/structure.js';

const table = builtInKinds();
const [, ...lines] = readFileSync('src/kinds/kinds.jsonl', 'utf8').trimEnd().split('\n');
const structures = lines.flatMap((line) => table.structure((JSON.parse(line) as { name: string }).name) ?? []);

function fits(value: SimulatedJson | undefined, field: Field): boolean {
  if (field.list) return Array.isArray(value);
  if (field.structure !== undefined) return typeof value === 'object';
  if (typeof value === 'number') return /integer|number/.test(field.type) && value >= (field.range?.[0] ?? value);
  if (typeof value === 'string') return field.type === 'string' && (field.choices?.includes(value) ?? true);
  return field.type === 'boolean' && typeof value === 'boolean';
}

describe('the smallest object of a structure', () => {
  it('has all that it requires, each of its type, in every structure', () => {
    const misfits = structures.flatMap((structure: Structure) => {
      const made = smallestObject(structure);
      const fields = structure.required.flatMap((name) => structure.fields.get(name) ?? []);
      return fields.filter((field) => !fits(made[field.name], field)).map(({ name }) => `${structure.name}.${name}`);
    });
    expect(misfits).to.deep.equal([]);
    const required = structures.flatMap(({ fields, required: names }) => names.map((name) => fields.get(name)?.type));
    expect(required).to.include.members(['boolean', 'integer', 'string']);
  });
});
