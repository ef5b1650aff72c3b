import { expect } from 'chai';
import {
  aboutFields,
  describeArgument,
  describeCheckMode,
  describeOtherArguments,
  summaryText,
  moduleText,
  topicText,
} from '../../src/doc/module_reference.js';
import type { Topic } from '../../src/doc/topics.js';
import type { ArgumentDescription, ModuleDescription } from '../../src/module/description.js';

const SIZE: ArgumentDescription = { path: 'size', type: 'integer', required: false };
const MODULE: ModuleDescription = {
  name: 'pool_present',
  type: 'resource',
  summary: 'declares a pool',
  checkMode: 'full',
  arguments: [],
  open: false,
  fields: [],
  examples: [],
};

describe('the facts of an argument', () => {
  const many = (number: number): readonly string[] => Array.from({ length: number }, (_, at) => `c${at + 1}`);
  for (const [given, text] of [
    [{}, 'integer'],
    [{ required: true, secret: true }, 'integer, required, secret: masked in all output'],
    [{ secret: false }, 'integer'],
    [{ minimum: 0 }, 'integer, at least 0'],
    [{ minimum: 1, maximum: 3 }, 'integer, from 1 to 3'],
    [{ minimum: 1, maximum: 3, special: [0, 9] }, 'integer, from 1 to 3 or 0 or 9'],
    [{ maximum: 3 }, 'integer'],
    [{ unit: 'seconds' }, 'integer, in seconds'],
    [{ unit: 'per second' }, 'integer, per second'],
    [{ minItems: 1 }, 'integer, at least 1 of them'],
    [{ maxItems: 4 }, 'integer, at most 4 of them'],
    [{ minItems: 1, maxItems: 4 }, 'integer, at least 1 of them, at most 4 of them'],
    [{ since: '22.1', until: '30.1' }, 'integer, since 22.1, until 30.1'],
    [{ default: 0 }, 'integer, default 0'],
    [{ default: null }, 'integer, default null'],
    [{ default: 'a' }, 'integer, default "a"'],
    [{ choices: ['a', 1, true] }, 'integer, one of a, 1, true'],
    [{ choices: many(60) }, `integer, one of ${many(60).join(', ')}`],
    [{ choices: many(61) }, `integer, one of ${many(10).join(', ')} and 51 more`],
    [
      { required: true, choices: ['a'], minimum: 1, unit: 'MB', since: '1', default: 2 },
      'integer, required, one of a, at least 1, in MB, since 1, default 2',
    ],
  ] as const)
    it(text.slice(0, 60), () => {
      expect(describeArgument({ ...SIZE, ...given })).to.equal(text);
    });
});

describe('what is said of a module', () => {
  it('is how it behaves in a check, unless its description says so', () => {
    const said = (checkMode: ModuleDescription['checkMode'], description?: string): string =>
      describeCheckMode({ ...MODULE, checkMode, ...(description !== undefined && { description }) });
    expect(said('full')).to.equal('Supports check mode, diff and verification.');
    expect(said('runs')).to.equal('Runs in check mode, too.');
    expect(said('skipped')).to.equal('Is skipped in check mode.');
    expect(said('depends on the arguments')).to.equal(
      'Is skipped in check mode if its arguments can change something.',
    );
    expect(said('full', 'It is skipped in Check Mode.')).to.equal('');
    expect(said('full', 'It checks everything.')).to.not.equal('');
  });

  it('is what its other arguments and fields are', () => {
    expect(describeOtherArguments(MODULE)).to.equal(
      'Any other argument is a field of the object, which Evenkeel sends unchanged.',
    );
    expect(describeOtherArguments({ ...MODULE, type: 'action' })).to.equal('Other arguments are allowed.');
    expect(aboutFields(MODULE)).to.match(/^Fields known beyond the API document \(/);
    expect(aboutFields({ ...MODULE, structure: 'Pool' })).to.match(/^Fields of Pool \(.*; "required": to create it\)$/);
  });

  it('is a list of names and summaries', () => {
    expect(summaryText([MODULE, { name: 'debug', summary: 'prints' }])).to.equal(
      'pool_present  declares a pool\ndebug         prints\n',
    );
    expect(summaryText([])).to.equal('');
  });
});

describe('the reference of a module', () => {
  it('has only the parts that there are', () => {
    expect(moduleText(MODULE, 80)).to.equal(
      'pool_present (resource): declares a pool\n\n  Supports check mode, diff and verification.\n',
    );
  });

  it('has its arguments, fields and examples, in the width of the terminal', () => {
    const text = moduleText(
      {
        ...MODULE,
        description: 'It is a pool of many servers that answer.',
        open: true,
        arguments: [
          { ...SIZE, description: 'How many servers there are at most in it.' },
          { ...SIZE, path: 'other' },
        ],
        fields: [{ ...SIZE, path: 'field' }],
        examples: ['- pool_present:\n    name: web', '- pool_present: {}'],
      },
      40,
    );
    expect(text.replace(/^Fields known.*$/m, 'FIELDS')).to.equal(`pool_present (resource): declares a pool

  It is a pool of many servers that
  answer. Supports check mode, diff and
  verification.

Arguments
  size  integer
      How many servers there are at most
      in it.
  other  integer
  Any other argument is a field of the object, which Evenkeel sends unchanged.

FIELDS
  field  integer

Examples
  - pool_present:
      name: web

  - pool_present: {}
`);
  });

  it('is at most 100 columns wide', () => {
    const description = 'word '.repeat(60).trim();
    const widest = (columns: number): number =>
      Math.max(
        ...moduleText({ ...MODULE, description }, columns)
          .split('\n')
          .map(({ length }) => length),
      );
    expect([widest(60), widest(200)]).to.deep.equal([56, 96]);
  });
});

describe('the reference of a topic', () => {
  const topic: Topic = {
    name: 'serial',
    type: 'keyword',
    text: 'Batches.',
    examples: [],
    page: 'docs/rollouts.md',
    facts: [['Takes', 'a number']],
  };

  it('has its facts in a column, and where to read on', () => {
    expect(topicText(topic, 80)).to.equal(
      'serial (keyword): Batches.\n\n  Takes    a number\n  Read on  docs/rollouts.md\n',
    );
    const long = {
      ...topic,
      facts: [['Allowed in it', 'plays and other things'] as const],
      examples: ['{{ a }}', '{{ b }}'],
    };
    expect(topicText(long, 34)).to.equal(`serial (keyword): Batches.

  Allowed in it  plays and other
                 things
  Read on        docs/rollouts.md

Examples
  {{ a }}
  {{ b }}
`);
  });
});
