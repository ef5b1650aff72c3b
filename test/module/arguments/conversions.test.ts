import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { validateArguments, type ArgumentCheck } from '../../../src/module/arguments/validation.js';
import type { Module } from '../../../src/module/contract.js';
import { itemSchema, schemaTypes, type Schema } from '../../../src/module/schema.js';
import { declarations } from '../../rig/schemas.js';

/** A value, and what it must be taken as. */
type Pair = readonly [written: Value, meant: Value];

/** Ansible converts by the declared type: `str` and `list`, with elements of `str` or `int`. */
function pairsFor(schema: Schema): readonly Pair[] {
  const types = schemaTypes(schema);
  const items = schemaTypes(itemSchema(schema) ?? {});
  const isNumber = types.includes('integer') || types.includes('number');
  const isAny = isNumber || types.length === 0;
  if (types.includes('string')) return isAny ? [] : [[1000, '1000']];
  const lists: readonly Pair[] = types.includes('array')
    ? [
        ...(items.includes('string') ? ([['a,b', ['a', 'b']]] as const) : []),
        ...(items.includes('integer') ? ([['7,8', [7, 8]]] as const) : []),
        ...(items.includes('string') && !isAny ? ([[1000, ['1000']]] as const) : []),
      ]
    : [];
  const inner = Object.entries(schema.properties ?? {});
  const mappings = inner.flatMap(([name, field]) =>
    pairsBelow(field).map(([a, b]): Pair => [{ [name]: a }, { [name]: b }]),
  );
  const elements = schema.items?.properties === undefined ? [] : pairsBelow(schema.items);
  return [...lists, ...mappings, ...elements.map(([a, b]): Pair => [[a], [b]])];
}

/** Structures contain each other. */
let depth = 0;
function pairsBelow(schema: Schema): readonly Pair[] {
  if (depth > 2) return [];
  depth += 1;
  try {
    return pairsFor(schema);
  } finally {
    depth -= 1;
  }
}

/** What a module gets, or why it is refused, without the value. */
function outcome(check: ArgumentCheck): unknown {
  return 'args' in check
    ? check.args
    : check.problems.map(({ path, message }) => [path, message.replace(/not .*/, '')]);
}

describe('the values of every argument of every module', () => {
  it('can be a whole number for a text, and one text or number for a list', async () => {
    const { modules } = await declarations();
    const different: string[] = [];
    let compared = 0;
    const known = new Set<Schema>();
    const judge = (module: Module, name: string, [written, meant]: Pair): void => {
      for (const mode of ['static', 'rendered'] as const) {
        compared += 1;
        const [a, b] = [written, meant].map((value) => outcome(validateArguments(module, { [name]: value }, mode)));
        if (JSON.stringify(a) !== JSON.stringify(b))
          different.push(`${module.name}: ${name}: ${JSON.stringify(written)} ${mode}: ${JSON.stringify(a)}`);
      }
    };
    for (const module of modules) {
      const knownFields: Schema = (module.type === 'resource' ? module.knownFields : undefined) ?? {};
      for (const { properties = {} } of [module.args as Schema, knownFields])
        for (const [name, schema] of Object.entries(properties)) {
          if (known.has(schema) || schema.expression === true || schema.prose === true) continue;
          known.add(schema);
          for (const pair of pairsFor(schema)) judge(module, name, pair);
        }
    }
    expect(different.join('\n')).to.equal('');
    expect(compared).to.be.above(2000);
  });
});
