// Renews src/kinds/kinds.jsonl, the table of the built-in kinds, from the facts of a public schema. What people decided stays: what a kind
// is, which kinds exist once, the keys of lists, and which fields are secrets.
// usage: node scripts/kinds.mjs FACTS.json
// FACTS.json: {collections: {KIND: STRUCTURE}, definitions: {STRUCTURE: {required, properties: {FIELD: {type, default, readonly, …}}}}}
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const TABLE = path.resolve(import.meta.dirname, '../src/kinds/kinds.jsonl');
const UNITS = { SEC: 'seconds', MIN: 'minutes', MB: 'MB', GB: 'GB', KB: 'KB', MEGA_BYTES: 'MB' };
/** Say nothing about a number. */
const NO_UNITS = ['METRIC_COUNT', 'RATIO', 'WORD'];

const [head, ...lines] = readFileSync(TABLE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const { collections, definitions } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const decided = new Map(lines.map((one) => [one.name, one]));

/** A type alone, with the version that brought the field (`string 20.1.1`), or with other facts. */
function field(known, { items, ...facts }) {
  const { type, $ref, since, unit, readonly, ...rest } = { ...facts, ...items, default: facts.default };
  const { default: standard, enum: choices, range, special, refers, until, least, most } = rest;
  const word = $ref ?? type;
  const all = {
    type: `${items === undefined ? word : `[${word}]`}${since === undefined ? '' : ` ${since}`}`,
    ...(range !== undefined && { range }),
    ...(special?.length > 0 && { special }),
    ...(standard !== undefined && { default: standard }),
    ...(choices !== undefined && { choices }),
    ...(refers !== undefined && { refers }),
    ...(readonly === true && { readOnly: true }),
    ...(until !== undefined && { until }),
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(unit !== undefined &&
      !NO_UNITS.includes(unit) && { unit: UNITS[unit] ?? unit.toLowerCase().replace('_', ' ') }),
    ...(known?.secret !== undefined && { secret: known.secret }),
  };
  return Object.keys(all).length === 1 ? all.type : all;
}

const byName = ([a], [b]) => (a < b ? -1 : 1);
const kinds = Object.entries(collections).map(([name, structure]) => [name, { ...head.kinds[name], structure }]);
const structures = Object.entries(definitions).map(([name, { required, properties }]) => {
  const earlier = decided.get(name);
  const needed = required ?? earlier?.required ?? [];
  const fields = Object.entries(properties).map(([one, facts]) => [one, field(earlier?.fields[one], facts)]);
  return [
    name,
    {
      name,
      ...(earlier?.key !== undefined && { key: earlier.key }),
      ...(needed.length > 0 && { required: needed }),
      fields: Object.fromEntries(fields.toSorted(byName)),
    },
  ];
});
const all = [
  { ...head, kinds: Object.fromEntries(kinds.toSorted(byName)) },
  ...structures.toSorted(byName).map(([, one]) => one),
];
writeFileSync(TABLE, all.map((one) => `${JSON.stringify(one)}\n`).join(''));
