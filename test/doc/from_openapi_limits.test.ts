import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

type Definitions = Readonly<Record<string, object>>;
type Entry = readonly [name: string, definition: object];

/** A document whose kind "thing" is the definition A0. */
function document(definitions: Definitions): string {
  const post = { parameters: [{ in: 'body', schema: { $ref: '#/definitions/A0' } }] };
  return JSON.stringify({ swagger: '2.0', paths: { '/thing': { post } }, definitions });
}

/** A0 to A(count - 1), each made from a reference to the next one, and the last. */
function chain(count: number, link: (next: object) => object, last: object): Definitions {
  const links = Array.from({ length: count }, (_, at): Entry => [`A${at}`, link({ $ref: `#/definitions/A${at + 1}` })]);
  return Object.fromEntries<object>([...links, [`A${count}`, last]]);
}

const NAME = { properties: { name: { type: 'string' } } };
const x = { properties: { x: {} } };

/** `times` levels of brackets around a text. */
function nested(times: number, before: string, text: string, after: string): string {
  return before.repeat(times) + text + after.repeat(times);
}

describe('evenkeel modules from-openapi, with small files that mean a lot', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({});
  });
  afterEach(() => project.remove());

  async function convert(name: string, text: string): Promise<Awaited<ReturnType<typeof evenkeel>>> {
    await project.write(name, text);
    return evenkeel(['modules', 'from-openapi', name], { cwd: project.directory });
  }

  it('combines each definition once, however often others refer to it', async () => {
    const doubled = chain(60, (next) => ({ allOf: [next, next] }), NAME);
    expect(await convert('api.json', document(doubled))).to.deep.include({ code: 0, stderr: '' });
    const table = await readFile(path.join(project.directory, 'modules/controller.kinds.json'), 'utf8');
    expect(JSON.parse(table)).to.have.nested.property('structures.A0.fields.name', 'string');
  });

  const circle = Array.from({ length: 30 }, (_, at): Entry => [
    `A${at}`,
    { allOf: [`A${at + 1}`, `A${at + 1}`, 'A0'].map((name) => ({ $ref: `#/definitions/${name}` })) },
  ]);
  const wide = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`f${at}`, {}]));
  const shared = `&a0 {type: object}\n${Array.from(
    { length: 40 },
    (_, at) => `x${at}: &a${at + 1} [*a${at}, *a${at}]\n`,
  ).join('')}`;
  const cases: readonly (readonly [title: string, name: string, text: string, message: string])[] = [
    [
      'circles of references that multiply',
      'api.json',
      document(Object.fromEntries<object>([...circle, ['A30', { properties: wide }]])),
      'error: api.json: its schemas combine more than 5000000 fields, because they refer to each other',
    ],
    [
      'a long way of references',
      'api.json',
      document(chain(5000, (next) => next, NAME)),
      'error: api.json: more than 100 definitions refer to each other, up to api.json#/definitions/A100',
    ],
    [
      'an object that adds a field to itself, in itself',
      'api.json',
      document({
        A0: { properties: { a: { allOf: [{ $ref: '#/definitions/A0' }, { properties: { x: {} } }], ...x } } },
      }),
      'error: api.json: it describes objects in objects, more than 100 levels deep, at A0_a_a',
    ],
    [
      'objects that double at each level',
      'api.json',
      document(chain(60, (next) => ({ properties: { a: { allOf: [next], ...x }, b: { allOf: [next], ...x } } }), NAME)),
      'error: api.json: it describes more than 20000 kinds of objects, at A0_a_a',
    ],
    [
      'nested properties in JSON',
      'api.json',
      `{"swagger": "2.0", "definitions": {"A0": ${nested(5000, '{"properties": {"a": ', '{}', '}}')}}}`,
      'api.json:1:3',
    ],
    [
      'nested properties in YAML',
      'api.yaml',
      `swagger: "2.0"\ndefinitions: ${nested(5000, '{properties: {a: ', '{}', '}}')}\n`,
      'api.yaml:2:',
    ],
    ['aliases that multiply', 'api.yaml', `swagger: "2.0"\nx: ${shared}`, 'aliases make this document too large'],
  ];
  for (const [title, name, text, message] of cases) {
    it(`refuses ${title}`, async () => {
      const { code, stderr } = await convert(name, text);
      expect(stderr).to.include(message).and.not.include('internal error');
      expect(code).to.equal(1);
    });
  }
});
