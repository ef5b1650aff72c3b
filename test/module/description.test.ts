import { expect } from 'chai';
import * as Type from 'typebox';
import { MASK } from '../../src/core/secrets/secrets.js';
import { defineAction, defineResource } from '../../src/module/contract.js';
import { describeModule } from '../../src/module/description.js';

const common = { summary: 'S.', examples: ['\n- knock:\n', 'second'] };
const run = () => Promise.resolve({ status: 'ok' as const });
const action = (check: boolean | (() => boolean)) =>
  defineAction({ ...common, name: 'knock', args: Type.Object({}), check, run });

describe('the description of a module', () => {
  const args = Type.Object(
    {
      name: Type.String({ description: 'Its name.' }),
      count: Type.Integer({ minimum: 1, maximum: 5, default: 2 }),
      code: Type.Optional(Type.String({ secret: true, default: 'hunter2' })),
      how: Type.Optional(Type.Enum(['a', 'b'])),
      when: Type.Optional(Type.Unknown({ expression: true })),
      either: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Integer())])),
      anything: Type.Optional(Type.Unknown()),
      things: Type.Optional(Type.Array(Type.Unknown())),
      doors: Type.Array(
        Type.Object({ side: Type.String(), hinges: Type.Optional(Type.Array(Type.Object({ pin: Type.Null() }))) }),
      ),
    },
    { additionalProperties: false },
  );
  const knock = defineAction({ ...common, name: 'knock', description: 'D.', args, check: true, run });

  it('has each argument, also inside of others', () => {
    const { arguments: described, ...rest } = describeModule(knock);
    expect(rest).to.deep.equal({
      name: 'knock',
      type: 'action',
      summary: 'S.',
      description: 'D.',
      checkMode: 'runs',
      open: false,
      fields: [],
      examples: ['- knock:', 'second'],
    });
    const said = described.map((one) => Object.entries(one).filter(([, value]) => value !== undefined));
    expect(said.map((one): unknown => Object.fromEntries(one))).to.deep.equal([
      { path: 'name', type: 'string', required: true, description: 'Its name.' },
      { path: 'count', type: 'integer', required: false, default: 2, minimum: 1, maximum: 5 },
      { path: 'code', type: 'string', required: false, default: MASK, secret: true },
      { path: 'how', type: 'string', required: false, choices: ['a', 'b'] },
      { path: 'when', type: 'expression', required: false },
      { path: 'either', type: 'string or list of integers', required: false },
      { path: 'anything', type: 'any', required: false },
      { path: 'things', type: 'list', required: false },
      { path: 'doors', type: 'list of mappings', required: true },
      { path: 'doors[].side', type: 'string', required: true },
      { path: 'doors[].hinges', type: 'list of mappings', required: false },
      { path: 'doors[].hinges[].pin', type: 'null', required: true },
    ]);
  });

  it('says what check mode does', () => {
    const modes = [true, false, () => true].map((check) => describeModule(action(check)).checkMode);
    expect(modes).to.deep.equal(['runs', 'skipped', 'depends on the arguments']);
  });

  it('of a resource has the known fields that are no arguments, with all that is known', () => {
    const knownFields = {
      structure: 'Door',
      properties: {
        name: { type: 'string' },
        width: {
          type: 'integer',
          minimum: 1,
          maximum: 9,
          special: [0],
          unit: 'inches',
          since: '20.1',
          until: '30.1',
          secret: false,
          description: 'W.',
          default: null,
        },
        tags: { type: 'array', items: { type: ['string', 'integer'] }, minItems: 1, maxItems: 3 },
      },
    };
    const resource = (more: object) =>
      describeModule(
        defineResource({
          ...common,
          name: 'door_present',
          args: Type.Object({ name: Type.String() }),
          ...more,
          object: () => 'door',
          read: () => Promise.resolve(undefined),
          plan: () => ({ change: { kind: 'none' } }),
          apply: () => Promise.resolve(),
        }),
      );
    const { fields, structure, checkMode, open, ...rest } = resource({ knownFields });
    expect([structure, checkMode, open, rest.arguments.map(({ path }) => path)]).to.deep.equal([
      'Door',
      'full',
      true,
      ['name'],
    ]);
    expect(rest).not.to.have.property('description');
    const none = { description: undefined, unit: undefined, since: undefined, until: undefined, secret: undefined };
    expect(fields).to.deep.equal([
      {
        path: 'width',
        type: 'integer',
        required: false,
        default: null,
        minimum: 1,
        maximum: 9,
        special: [0],
        unit: 'inches',
        since: '20.1',
        until: '30.1',
        minItems: undefined,
        maxItems: undefined,
        secret: false,
        description: 'W.',
      },
      {
        path: 'tags',
        type: 'list of string or integers',
        required: false,
        ...none,
        minItems: 1,
        maxItems: 3,
        minimum: undefined,
        maximum: undefined,
        special: undefined,
      },
    ]);
    expect(resource({})).not.to.have.property('structure');
    expect(resource({}).fields).to.deep.equal([]);
  });
});
