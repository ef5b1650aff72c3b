import { expect } from 'chai';
import * as Type from 'typebox';
import { valueAt, type Mapping } from '../../../src/core/model/values/value.js';
import { knownFieldSchemas, fieldProblems, fieldWarnings } from '../../../src/module/arguments/advice.js';
import { versionAdvice } from '../../../src/module/arguments/kind_schema.js';
import type { ArgumentProblem } from '../../../src/module/arguments/violation.js';
import { defineAction, defineResource, type Module } from '../../../src/module/contract.js';
import type { Schema } from '../../../src/module/schema.js';

const DOOR: Schema = {
  type: 'object',
  structure: 'Door',
  properties: {
    colour: { enum: ['COLOUR_RED', 'COLOUR_DARK_RED', 'COLOUR_BLUE', 7], type: 'string' },
    finish: { enum: ['MATT', 'GLOSSY'], openChoices: true, type: 'string' },
    width: { type: 'integer', minimum: 1, maximum: 9, special: [0, 99] },
    weight: { type: 'number', minimum: 1 },
    depth: { type: 'integer', maximum: 3 },
    bare: { type: 'array' },
    hinges: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { type: 'object', structure: 'Hinge', properties: { metal: { type: 'string' }, screws: {} } },
    },
    loose: { type: 'object', properties: { metal: { enum: ['IRON', 'TIN'], type: 'string' } } },
    open: { type: 'boolean' },
    only: { enum: ['LONE'], type: 'string' },
    urls: { type: 'string' },
    height: { type: 'integer', minimum: 1, maximum: 2 },
    plain: { type: 'integer' },
    either: { type: ['string', 'integer'] },
    arch: { type: 'object', properties: { lintel: { type: 'string' } } },
    deep: { type: 'object', properties: { er: { type: 'object', properties: { sill: { type: 'string' } } } } },
    frame: { type: 'object', properties: { inner: { type: 'object', properties: { lintel: { type: 'string' } } } } },
  },
};

const more: Schema = {
  type: 'object',
  properties: { width: { type: 'integer', maximum: 5 }, knob: { type: 'string' } },
};

const module = (knownFields: Schema | undefined, knownFieldsFor?: () => readonly Schema[]): Module =>
  defineResource({
    name: 'door_present',
    summary: '',
    args: Type.Object({ name: Type.String(), url: Type.Optional(Type.String()) }),
    examples: [],
    ...(knownFields !== undefined && { knownFields }),
    ...(knownFieldsFor !== undefined && { knownFieldsFor }),
    object: () => 'door',
    read: () => Promise.resolve(undefined),
    plan: () => ({ change: { kind: 'none' } }),
    apply: () => Promise.resolve(),
  });

const worded = (problems: readonly ArgumentProblem[]): readonly string[] =>
  problems.map(({ path, message, hint }) => `${path.join('/')}: ${message}${hint === undefined ? '' : ` (${hint})`}`);

describe('problems of fields of known structures', () => {
  for (const [args, messages] of [
    [
      { colour: 'colour_red' },
      [
        'colour: "colour" must be "COLOUR_RED", "COLOUR_DARK_RED", "COLOUR_BLUE" or 7, not "colour_red" (did you mean "COLOUR_RED"?)',
      ],
    ],
    [
      { colour: 'COLOUR_REDD' },
      [
        'colour: "colour" must be "COLOUR_RED", "COLOUR_DARK_RED", "COLOUR_BLUE" or 7, not "COLOUR_REDD" (did you mean "COLOUR_RED"?)',
      ],
    ],
    [{ colour: 'COLOUR_RED' }, []],
    [{ colour: 'COLOUR_OF_ANOTHER_RELEASE' }, []],
    // Open choices take similar ones.
    [{ finish: 'MATTE' }, []],
    [{ finish: 'matt' }, ['finish: "finish" must be "MATT" or "GLOSSY", not "matt" (did you mean "MATT"?)']],
    [{ hingse: 1 }, ['hingse: "hingse" is not a field of Door (did you mean "hinges"?)']],
    [{ uuid: 1, url: 1, something_else: 1, either: 'x', hinges: [{ metal: 'x', screws: 5 }] }, []],
    [{ only: 'LONEE' }, ['only: "only" must be "LONE", not "LONEE" (did you mean "LONE"?)']],
    [
      { hinges: [{ metl: 1 }, { metal: [] }] },
      [
        'hinges/0/metl: "hinges[0].metl" is not a field of Hinge (did you mean "metal"?)',
        'hinges/1/metal: "hinges[1].metal" must be a string, not a list',
      ],
    ],
    // No structure declares what is in it.
    [{ loose: { metal: 'IRN', metl: 1 } }, []],
    [{ loose: null, width: null, bare: [1, { a: 1 }] }, []],
    [
      { width: 'wide', bare: {}, open: 1 },
      [
        'width: "width" must be an integer, not "wide"',
        'bare: "bare" must be a list, not a mapping',
        'open: "open" must be true or false, not 1',
      ],
    ],
  ] as readonly (readonly [Mapping, readonly string[]])[])
    it(`of ${JSON.stringify(args)}`, () => {
      const found = fieldProblems([DOOR], args);
      expect(worded(found.map(({ problem }) => problem))).to.deep.equal(messages);
      for (const { problem, value } of found)
        expect(value).to.deep.equal(
          problem.message.includes('is not a field') ? undefined : valueAt(args, problem.path),
        );
    });

  it('of all that is known come in order, each with its value', () => {
    const found = fieldProblems([DOOR, more], { width: 'x', knob: 5 });
    expect(found.map(({ problem: { path }, value }) => [path, value])).to.deep.equal([
      [['width'], 'x'],
      [['width'], 'x'],
      [['knob'], 5],
    ]);
  });

  it('are looked for in what a module knows, and in patterns of elements if there are any', () => {
    const both = module(DOOR, () => [more]);
    expect(knownFieldSchemas(both, {})).to.deep.equal([DOOR, more]);
    const withPatterns = [DOOR, { type: 'object', properties: { without: DOOR } }, more];
    expect(knownFieldSchemas(both, { without: {} })).to.deep.equal(withPatterns);
    const withMatch = [DOOR, { type: 'object', properties: { match: DOOR } }, more];
    expect(knownFieldSchemas(both, { match: {} })).to.deep.equal(withMatch);
    expect(knownFieldSchemas(module({ type: 'object' }), { without: {} })).to.deep.equal([{ type: 'object' }]);
    expect(knownFieldSchemas(module(undefined), { without: {} })).to.deep.equal([]);
  });
});

describe('warnings about fields', () => {
  const SENT = 'sent unchanged';
  for (const [args, messages] of [
    [{ width: 10 }, [`width: "width" should be an integer from 1 to 9, or 0, or 99; ${SENT}`]],
    [{ width: 0, depth: 3, weight: 1 }, []],
    [{ width: 1, height: 2, plain: 1e20, either: 'x', only: 'LONE', bare: [], hinges: [{ screws: 5 }] }, []],
    [{ either: 5 }, []],
    [
      { height: 3, either: true, weight: 2n ** 70n, arch: [] },
      [
        `height: "height" should be an integer from 1 to 2; ${SENT}`,
        `either: "either" should be a string or an integer; ${SENT}`,
        `arch: "arch" should be a mapping; ${SENT}`,
      ],
    ],
    [{ width: 'wide' }, [`width: "width" should be an integer from 1 to 9, or 0, or 99; ${SENT}`]],
    [{ colour: 8 }, [`colour: "colour" should be "COLOUR_RED", "COLOUR_DARK_RED", "COLOUR_BLUE" or 7; ${SENT}`]],
    [{ width: 5 }, []],
    [{ width: 6 }, [`width: "width" should be an integer; ${SENT}`]],
    [
      { depth: 4, weight: 0.5 },
      [`depth: "depth" should be an integer; ${SENT}`, `weight: "weight" should be a number; ${SENT}`],
    ],
    [{ depth: 1.5 }, [`depth: "depth" should be an integer; ${SENT}`]],
    [{ depth: -(2n ** 70n), weight: 1.5 }, []],
    [{ hinges: [] }, [`hinges: "hinges" should have at least 1 element; ${SENT}`]],
    [{ hinges: [{}] }, []],
    [{ hinges: [{}, {}] }, []],
    [
      { hinges: [{}, { metl: 1 }, { metal: 5 }] },
      [
        `hinges: "hinges" should have at most 2 elements; ${SENT}`,
        `hinges/1/metl: unknown field "hinges[1].metl" of door_present; ${SENT} (did you mean "metal"?)`,
        `hinges/2/metal: "hinges[2].metal" should be a string; ${SENT}`,
      ],
    ],
    [
      { hinges: [{ other: 1 }] },
      [`hinges/0/other: unknown field "hinges[0].other" of door_present; ${SENT} ("hinges" takes metal, screws)`],
    ],
    [
      { colour: 'red' },
      [
        `colour: "colour" should be "COLOUR_RED", "COLOUR_DARK_RED", "COLOUR_BLUE" or 7; ${SENT} (did you mean "COLOUR_RED"?)`,
      ],
    ],
    [
      { colour: 'dark_red' },
      [
        `colour: "colour" should be "COLOUR_RED", "COLOUR_DARK_RED", "COLOUR_BLUE" or 7; ${SENT} (did you mean "COLOUR_DARK_RED"?)`,
      ],
    ],
    [
      { colour: 'COLOUR_BLU' },
      [
        `colour: "colour" should be "COLOUR_RED", "COLOUR_DARK_RED", "COLOUR_BLUE" or 7; ${SENT} (did you mean "COLOUR_BLUE"?)`,
      ],
    ],
    [{ colour: 'unlike' }, [`colour: "colour" should be "COLOUR_RED", "COLOUR_DARK_RED", "COLOUR_BLUE" or 7; ${SENT}`]],
    [{ sill: 1 }, [`sill: unknown field "sill" of door_present; ${SENT} (did you mean "deep.er.sill"?)`]],
    [{ lintel: 1 }, [`lintel: unknown field "lintel" of door_present; ${SENT} (did you mean "arch.lintel"?)`]],
    [
      { frame: { lintel: 1 } },
      [`frame/lintel: unknown field "frame.lintel" of door_present; ${SENT} (did you mean "frame.inner.lintel"?)`],
    ],
    [
      { loose: { lintel: 1 } },
      [`loose/lintel: unknown field "loose.lintel" of door_present; ${SENT} (did you mean "arch.lintel"?)`],
    ],
    [{ bare: [{ x: 1 }], unheard_of: 1, width: '{{ w }}', open: null, knob: 'x' }, []],
    // A declared argument, though the controller sets fields of that kind.
    [
      { uuid: 'u', url: 'x', _last_modified: '1' },
      [
        'uuid: "uuid" is set by the controller; this value is ignored',
        '_last_modified: "_last_modified" is set by the controller; this value is ignored',
      ],
    ],
  ] as readonly (readonly [Mapping, readonly string[]])[])
    it(`of ${Object.entries(args)
      .map(([name, value]) => `${name}: ${typeof value === 'bigint' ? value : JSON.stringify(value)}`)
      .join(', ')}`, () => {
      expect(
        worded(
          fieldWarnings(
            module(DOOR, () => [more]),
            { name: 'a', ...args },
          ),
        ),
      ).to.deep.equal(messages);
    });

  it('are no matter of actions', () => {
    const action = defineAction({
      name: 'knock',
      summary: '',
      args: Type.Object({}),
      examples: [],
      check: true,
      knownFieldsFor: () => [DOOR],
      run: () => Promise.resolve({ status: 'ok' as const }),
    });
    expect(fieldWarnings(action, { uuid: 'u', width: 10 })).to.deep.equal([]);
    expect(knownFieldSchemas(action, {})).to.deep.equal([DOOR]);
  });
});

describe('fields that not every version has', () => {
  const versioned: Schema = {
    type: 'object',
    properties: {
      bell: { type: 'string', since: '20.1.1' },
      slot: { type: 'string', until: '22.1' },
      spy: { type: 'object', since: '18.1', until: '21', properties: { lens: { type: 'string', since: '30.1' } } },
      hinges: { type: 'array', items: { type: 'object', properties: { oil: { type: 'string', since: '30.1' } } } },
      bare: { type: 'array' },
    },
  };
  const HINT = '(the controller may refuse or ignore it: leave it out, or change the version)';
  const written = (): Mapping => ({
    name: 'a',
    bell: 'x',
    slot: 'x',
    spy: { lens: 'x', other: 1 },
    hinges: [{}, { oil: 'a' }, { oil: 'b' }],
    bare: [1],
  });
  const since = (path: string, name: string, version: string, here: string) =>
    `${path}: "${name}" exists since version ${version} of the API, and the version here is ${here} ${HINT}`;
  const until = (name: string, version: string, here: string) =>
    `${name}: "${name}" no longer exists since version ${version} of the API, and the version here is ${here} ${HINT}`;

  for (const [version, expected] of [
    [
      '18.0',
      [
        since('bell', 'bell', '20.1.1', '18.0'),
        since('spy', 'spy', '18.1', '18.0'),
        since('spy/lens', 'spy.lens', '30.1', '18.0'),
        since('hinges/1/oil', 'hinges[1].oil', '30.1', '18.0'),
      ],
    ],
    [
      '20.1.1',
      [since('spy/lens', 'spy.lens', '30.1', '20.1.1'), since('hinges/1/oil', 'hinges[1].oil', '30.1', '20.1.1')],
    ],
    [
      '22.1',
      [
        until('slot', '22.1', '22.1'),
        until('spy', '21', '22.1'),
        since('spy/lens', 'spy.lens', '30.1', '22.1'),
        since('hinges/1/oil', 'hinges[1].oil', '30.1', '22.1'),
      ],
    ],
    ['30.1', [until('slot', '22.1', '30.1'), until('spy', '21', '30.1')]],
  ] as const)
    it(`are named once each, for version ${version}`, () => {
      expect(worded(versionAdvice(module(versioned), written(), version))).to.deep.equal(expected);
    });

  it('may be null, and are not mixed up with those of other arguments', () => {
    expect(versionAdvice(module(versioned), { bell: null, spy: null }, '18.0')).to.deep.equal([]);
    expect(worded(versionAdvice(module(versioned), { slot: 'x' }, '30.1'))).to.deep.equal([
      until('slot', '22.1', '30.1'),
    ]);
  });
});
