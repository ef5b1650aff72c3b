import { expect } from 'chai';
import { kindsFromOpenApi } from '../../src/kinds/from_openapi.js';

type Json = Readonly<Record<string, unknown>>;

/** The problems or warnings of a document whose kind `door` has this schema. */
function said(schema: Json, more: Json = {}): readonly string[] {
  const parameters = [{ in: 'body', schema }];
  const document = { swagger: '2.0', paths: { '/api/door': { post: { parameters } } }, ...more };
  const file = '/d/a.json';
  const found = kindsFromOpenApi({
    files: new Map([[file, 'a.json']]),
    documents: new Map([[file, document]]),
    isSecret: () => false,
    builtIn: () => undefined,
  });
  return 'data' in found ? found.warnings : found.problems;
}

const DOOR = { type: 'object', properties: { width: { type: 'integer' } } };

describe('an OpenAPI document', () => {
  it('has definitions that refer to each other a hundred times at most', () => {
    const chain = (length: number): Json =>
      Object.fromEntries(
        Array.from({ length }, (_, at) => [`D${at}`, at === length - 1 ? DOOR : { $ref: `#/definitions/D${at + 1}` }]),
      );
    const first = { $ref: '#/definitions/D0' };
    expect(said(first, { definitions: chain(100) })).to.deep.equal([]);
    expect(said(first, { definitions: chain(101) })).to.deep.equal([
      'a.json: more than 100 definitions refer to each other, up to a.json#/definitions/D100',
    ]);
  });

  it('has parameters that refer to each other a hundred times at most, or to what there is not', () => {
    const chain = (length: number): Json =>
      Object.fromEntries(
        Array.from({ length }, (_, at) => [
          `P${at}`,
          at === length - 1 ? { in: 'body', schema: DOOR } : { $ref: `#/parameters/P${at + 1}` },
        ]),
      );
    const other = (reference: string): Json => ({
      '/api/door': { post: { parameters: [{ in: 'body', schema: DOOR }] } },
      '/api/gate': { post: { parameters: [{ $ref: reference }] } },
    });
    expect(said(DOOR, { paths: other('#/parameters/P0'), parameters: chain(100) })).to.deep.equal([]);
    expect(said(DOOR, { paths: other('#/parameters/P0'), parameters: chain(101) })).to.deep.equal([
      'a.json: more than 100 definitions refer to each other, up to a.json#/parameters/P100',
    ]);
    expect(said(DOOR, { paths: other('#/parameters/none') })).to.deep.equal([
      'not found, so any value passes there: #/parameters/none',
    ]);
    expect(
      said(DOOR, { paths: other('#/parameters/self'), parameters: { self: { $ref: '#/parameters/self' } } }),
    ).to.deep.equal(['not found, so any value passes there: #/parameters/self']);
  });

  it('has objects in objects a hundred levels deep at most', () => {
    const nested = (levels: number): Json =>
      levels === 1 ? DOOR : { type: 'object', properties: { x: nested(levels - 1) } };
    expect(said(nested(100))).to.deep.equal([]);
    expect(said(nested(101))).to.deep.equal([
      `a.json: it describes objects in objects, more than 100 levels deep, at Door${'_x'.repeat(28)}…`,
    ]);
  });

  it('has a limited number of kinds of objects', () => {
    const many = (count: number): Json => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, DOOR])),
    });
    expect(said(many(20_000))).to.deep.equal(['a.json: it describes more than 20000 kinds of objects, at Door_f19999']);
  });
});
