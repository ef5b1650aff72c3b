import { join } from 'node:path';
import { expect } from 'chai';
import type { Loop, Task } from '../../../src/core/model/playbook/step.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import {
  allHold,
  conditionText,
  firstFalse,
  loopItems,
  loopLayer,
  loopVariables,
  renderFlag,
  renderFlagOr,
  renderNumber,
  renderNumberOr,
  renderTitle,
  renderUnlessOmitted,
} from '../../../src/engine/keywords/rendered_keywords.js';
import { BUILT_IN_LIBRARY, Library } from '../../../src/language/library.js';
import { sequence } from '../../../src/language/library/lookups/lists.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, HERE, layer, variables } from '../../language/scopes.js';
import { inFolder } from '../../rig/folder.js';

const scope = variables({ on: ' Yes ', off: 'no', blank: '  ', nothing: null, seven: '7', word: 'many', list: [1] });
const at = (value: Value) => ({ value, source: HERE });

describe('a keyword with a template', () => {
  it('is a flag in each way that Ansible writes one, with blanks around it', () => {
    for (const [value, flag] of [
      [true, true],
      [false, false],
      ['{{ on }}', true],
      ['{{ off }}', false],
      ['{{ blank }}', false],
      ['{{ nothing }}', false],
      [' true ', true],
      ['y', true],
      ['1', true],
      [1, true],
      [0, false],
      ['off', false],
    ] as const)
      expect(renderFlag('diff', at(value), scope), JSON.stringify(value)).to.equal(flag);
    for (const [value, shown] of [
      ['{{ word }}', 'a text'],
      [2, 'the number 2'],
      ['{{ list }}', 'a list'],
    ] as const)
      expect(failure(() => renderFlag('diff', at(value), scope)))
        .to.have.property('message')
        .that.equals(`diff must be true or false, not ${shown}`);
  });

  it('is a number, also as text', () => {
    expect(
      [5, '5', ' 5.5 ', '{{ seven }}', '-1'].map((value) => renderNumber('delay', at(value), scope)),
    ).to.deep.equal([5, 5, 5.5, 7, -1]);
    for (const value of ['{{ word }}', '', ' ', '{{ blank }}', '{{ nothing }}', true, '1e999', [1]])
      expect(
        failure(() => renderNumber('delay', at(value), scope)),
        JSON.stringify(value),
      )
        .to.have.property('message')
        .that.matches(/^delay must be a number, not /);
  });

  it('has its default if it is absent or omitted', () => {
    const omitted = at('{{ gone | default(omit) }}');
    for (const absent of [undefined, omitted]) {
      expect(renderUnlessOmitted(absent, scope)).to.equal(undefined);
      expect([renderFlagOr(true, 'diff', absent, scope), renderFlagOr(false, 'diff', absent, scope)]).to.deep.equal([
        true,
        false,
      ]);
      expect(renderNumberOr(3, 'delay', absent, scope)).to.equal(3);
    }
    expect(renderFlagOr(true, 'diff', at(false), scope)).to.equal(false);
    expect([
      renderFlagOr(false, 'diff', at('{{ on }}'), scope),
      renderNumberOr(3, 'delay', at('{{ seven }}'), scope),
    ]).to.deep.equal([true, 7]);
    expect(renderNumberOr(3, 'delay', at(0), scope)).to.equal(0);
  });
});

describe('a keyword that is omitted', () => {
  it('has the value of the nearest around it that is not', () => {
    const omitted = at('{{ gone | default(omit) }}');
    const around = { ...omitted, outer: { ...omitted, outer: at('{{ seven }}') } };
    expect(renderUnlessOmitted(around, scope)).to.deep.equal({ value: '7', source: HERE });
    expect(renderNumberOr(3, 'delay', around, scope)).to.equal(7);
    expect(renderUnlessOmitted({ ...omitted, outer: omitted }, scope)).to.equal(undefined);
  });
});

describe('the title of a step', () => {
  it('is its name, else its module, after its role', () => {
    const title = (step: object, given = () => scope): string => renderTitle(step as Task, given, undefined);
    const task = { type: 'task', module: 'debug', args: {} };
    for (const [step, expected] of [
      [task, 'debug'],
      [{ ...task, name: at('Say {{ seven }}') }, 'Say 7'],
      [{ ...task, name: at('Say {{ gone }}') }, 'Say {{ gone }}'],
      [{ ...task, name: at('Say'), role: 'web' }, 'web : Say'],
      [{ ...task, role: 'web' }, 'web : debug'],
      [{ type: 'include', module: 'include_role', args: { name: 'db' } }, 'include_role : db'],
      [{ type: 'include', module: 'include_role', args: 'name=db' }, 'include_role'],
      [{ type: 'include', module: 'include_tasks', args: { name: 'db' } }, 'include_tasks'],
      [{ type: 'meta', action: 'noop' }, 'meta: noop'],
    ] as const)
      expect(title(step)).to.equal(expected);
    const needsNone = (): never => {
      throw new Error('it has no template');
    };
    expect(title({ ...task, name: at('Say') }, needsNone)).to.equal('Say');
  });
});

describe('the conditions of a step', () => {
  const all = (...expressions: readonly Value[]) => expressions.map((expression) => ({ expression, source: HERE }));

  it('are evaluated in order, up to the first that is false', () => {
    expect(firstFalse(all('seven == "7"', 'on is defined', true), scope)).to.equal(undefined);
    expect(firstFalse(all('true', 'seven == "8"', 'false', 'gone.x'), scope)?.expression).to.equal('seven == "8"');
    expect([allHold([], scope), allHold(all(true, false), scope), allHold(all(true), scope)]).to.deep.equal([
      true,
      false,
      true,
    ]);
    const last = { file: 'when.yml', line: 9, column: 3 };
    expect(failure(() => allHold([...all(true), { expression: 'gone.x', source: last }], scope))).to.deep.include({
      message: 'variable "gone" is not defined',
      source: last,
    });
    expect(conditionText(all('a == 1', true, [1]))).to.equal('a == 1 and true and [1]');
  });
});

describe('a loop over something else than a list', () => {
  const message = (value: Value, lookup?: string) => {
    const loop = { lookup, over: at(value), variable: 'item', indexVariable: undefined, label: undefined } as const;
    const more = { pause: undefined, extended: false, allItems: true, breakWhen: undefined, parallel: undefined };
    const error = failure(() => loopItems({ ...loop, ...more }, scope)) as { message: string; hint?: string };
    return [error.message, error.hint];
  };

  it('is refused, with what to write for a mapping', () => {
    expect(message({ a: 1 })).to.deep.equal([
      'loop needs a list, not a mapping',
      'for a mapping write: loop: "{{ variable | dict2items }}"',
    ]);
    expect(message('text')).to.deep.equal(['loop needs a list, not a text', undefined]);
    expect(message(5)).to.deep.equal(['loop needs a list, not the number 5', undefined]);
  });
});

function entries(mapping: Mapping): readonly Value[] {
  return Object.entries(mapping).map(([key, value]) => ({ key, value }));
}

function loopOver(keyword: string, value: Value): Loop {
  return {
    lookup: keyword === 'loop' ? undefined : keyword.replace('with_', ''),
    over: { value, source: HERE },
    variable: 'item',
    indexVariable: undefined,
    label: undefined,
    pause: undefined,
    extended: false,
    allItems: true,
    breakWhen: undefined,
    parallel: undefined,
  };
}

describe('loop items', () => {
  const users = [
    { name: 'ann', keys: ['k1', 'k2'], ssh: { ports: [22] } },
    { name: 'bob', keys: ['k3'] },
    { name: 'eve', skipped: true },
  ];
  const scope = variables({ users, limits: { mtu: 1500, vips: 20 }, zones: ['a', 'b'] });

  // As ansible-core 2.14 answers, but for sequences given as a mapping, which it cannot read.
  const table: readonly [string, Value, readonly Value[]][] = [
    ['loop', [1, [2, 3]], [1, [2, 3]]],
    ['loop', [], []],
    ['loop', '{{ zones }}', ['a', 'b']],
    ['with_list', ['a', ['b']], ['a', ['b']]],
    ['with_items', ['a', ['b', ['c']]], ['a', 'b', ['c']]],
    ['with_items', 'a', ['a']],
    ['with_items', '{{ limits }}', ['mtu', 'vips']],
    ['with_dict', { a: 1, b: { c: 2 } }, entries({ a: 1, b: { c: 2 } })],
    ['with_dict', [{ a: 1 }, { b: 2 }], entries({ a: 1, b: 2 })],
    ['with_sequence', 'start=1 end=3', ['1', '2', '3']],
    ['with_sequence', ['count=2', 'start=7 end=8'], ['1', '2', '7', '8']],
    ['with_sequence', { start: 4, end: 6, stride: 2 }, ['4', '6']],
    ['with_sequence', 2, ['1', '2']],
    ['with_flattened', [['a', ['b', ['c']]], 'd', [[]], null, 5], ['a', 'b', 'c', 'd', null, 5]],
    ['with_flattened', '{{ [zones, [zones]] }}', ['a', 'b', 'a', 'b']],
    [
      'with_nested',
      ['{{ zones }}', [[1, 2], 3]],
      [
        ['a', 1, 2],
        ['a', 3],
        ['b', 1, 2],
        ['b', 3],
      ],
    ],
    [
      'with_nested',
      ['foo', [1, 2]],
      [
        ['foo', 1],
        ['foo', 2],
      ],
    ],
    [
      'with_nested',
      ['{{ limits }}', [1]],
      [
        ['mtu', 1],
        ['vips', 1],
      ],
    ],
    [
      'with_cartesian',
      [['a'], [1, [2, 3]]],
      [
        ['a', 1],
        ['a', 2, 3],
      ],
    ],
    [
      'with_together',
      ['{{ zones }}', [1, 2, [3, 4]]],
      [
        ['a', 1],
        ['b', 2],
        [null, 3, 4],
      ],
    ],
    ['with_together', ['foo', [1]], [['foo', 1]]],
    [
      'with_indexed_items',
      ['a', ['b', 'c']],
      [
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
      ],
    ],
    [
      'with_subelements',
      ['{{ users }}', 'keys'],
      [
        [{ name: 'ann', ssh: { ports: [22] } }, 'k1'],
        [{ name: 'ann', ssh: { ports: [22] } }, 'k2'],
        [{ name: 'bob' }, 'k3'],
      ],
    ],
    [
      'with_subelements',
      ['{{ users }}', 'ssh.ports', { skip_missing: 'yes' }],
      [[{ name: 'ann', keys: ['k1', 'k2'], ssh: {} }, 22]],
    ],
    ['with_vars', ['zones'], [['a', 'b']]],
    ['with_varnames', ['^zon'], ['zones']],
    ['with_env', ['EVENKEEL_NOT_SET'], ['']],
    ['with_lines', ['echo a; echo b'], ['a', 'b']],
    ['with_pipe', ['echo a; echo b'], ['a\nb']],
  ];
  for (const [keyword, value, items] of table) {
    it(`${keyword}: ${JSON.stringify(value)}`, () => {
      expect(loopItems(loopOver(keyword, value), scope)).to.deep.equal(items);
    });
  }

  const mistakes: readonly [string, Value, string][] = [
    ['loop', 'abc', 'loop needs a list, not a text'],
    ['loop', { a: 1 }, 'loop needs a list, not a mapping'],
    ['with_list', null, 'with_list needs a list, not null'],
    ['with_dict', [1], 'with_dict: a mapping is needed, not the number 1'],
    ['with_sequence', true, 'with_sequence: it needs a text such as "start=1 end=5", not true'],
    ['with_nested', [], 'with_nested: it needs at least one list'],
    ['with_together', 'foo', 'with_together needs a list, not a text'],
    ['with_together', ['{{ zone }}', [1]], 'variable "zone" is not defined'],
    [
      'with_subelements',
      ['{{ users }}'],
      'with_subelements: it needs a list of mappings, the key of a list in them, and perhaps {"skip_missing": true}',
    ],
    ['with_subelements', ['{{ users }}', 'ssh.ports'], 'an item has no "ssh"; it has name, keys'],
    ['with_subelements', ['{{ users }}', 'name'], 'with_subelements: "name" must be a list, not a text'],
    ['with_vars', ['zone'], 'with_vars: variable "zone" is not defined'],
  ];
  for (const [keyword, value, message] of mistakes) {
    it(`${keyword}: ${JSON.stringify(value)} is a mistake`, () => {
      const error = failure(() => loopItems(loopOver(keyword, value), scope));
      expect(error).to.include({ message, source: HERE });
    });
  }
});

describe('with_first_found', () => {
  const FILES = {
    'files/one.conf': '',
    'files/two.conf': '',
    'vars/two.conf': '',
    'beside.conf': '',
  };
  // As ansible-core 2.14 answers, but for a mapping that is not in a list, which it cannot read.
  const table: readonly [Value, string | undefined][] = [
    [['zzz', 'one.conf'], 'files/one.conf'],
    ['two.conf', 'files/two.conf'],
    [['{{ nope }}.conf', 'beside.conf'], 'beside.conf'],
    [['{{ nope }}', ['zz', 'two.conf']], 'files/two.conf'],
    [[{ files: ['zzz', 'two.conf'], paths: ['files'] }], 'files/two.conf'],
    [{ files: ['zzz', 'two.conf'], paths: ['files'] }, 'files/two.conf'],
    [[{ files: 'x.yml,two.conf', paths: 'zz:files' }], 'files/two.conf'],
    [[{ files: ['{{ nope }}', 'two.conf'] }, 'one.conf'], 'files/one.conf'],
    [['one.conf', { files: ['two.conf'] }], 'files/two.conf'],
    [['one.conf', { files: ['two.conf'], paths: ['files'] }], 'files/one.conf'],
    [[{ files: ['zzz'], skip: true }], undefined],
    [[{ files: ['zzz'] }, { files: ['yyy'], skip: 'yes' }], undefined],
  ];
  for (const [value, found] of table) {
    it(JSON.stringify(value), () =>
      inFolder(FILES, (folder) => {
        const items = loopItems(loopOver('with_first_found', value), variables({ playbook_dir: folder }));
        expect(items).to.deep.equal(found === undefined ? [] : [join(folder, found)]);
        return Promise.resolve();
      }),
    );
  }

  const mistakes: readonly [Value, string][] = [
    [['zzz', 'yyy'], 'none of zzz, yyy exists'],
    [['one.conf,two.conf'], 'none of one.conf,two.conf exists'],
    [['{{ nope }}'], 'no file name was given; a name with an undefined variable is skipped'],
    [
      [{ files: ['{{ nope }}', 'two.conf'], skip: true }, 'zzz'],
      'none of zzz exists; a name with an undefined variable is skipped',
    ],
    [[{ files: ['zzz'], skip: true }, 'yyy'], 'none of zzz, yyy exists'],
    [[], 'no file name was given'],
  ];
  for (const [value, message] of mistakes) {
    it(`${JSON.stringify(value)} finds nothing`, () =>
      inFolder(FILES, (folder) => {
        const scope = variables({ playbook_dir: folder });
        const error = failure(() => loopItems(loopOver('with_first_found', value), scope));
        expect(error).to.include({ message: `with_first_found: ${message}`, source: HERE });
        return Promise.resolve();
      }));
  }

  it('looks in vars/ for include_vars', () =>
    inFolder(FILES, (folder) => {
      const loop = loopOver('with_first_found', ['two.conf']);
      const items = loopItems(loop, variables({ playbook_dir: folder }), 'include_vars');
      expect(items).to.deep.equal([join(folder, 'vars/two.conf')]);
      return Promise.resolve();
    }));
});

describe('with_sequence', () => {
  // Recorded from ansible-core 2.14.
  const table: readonly [string, readonly string[]][] = [
    ['5', ['1', '2', '3', '4', '5']],
    ['5-8', ['5', '6', '7', '8']],
    ['2-10/2', ['2', '4', '6', '8', '10']],
    ['4:host%02d', ['host01', 'host02', 'host03', 'host04']],
    ['start=5 end=11 stride=2 format=0x%02x', ['0x05', '0x07', '0x09', '0x0b']],
    ['count=5', ['1', '2', '3', '4', '5']],
    ['start=0x0f00 count=4 format=%04x', ['0f00', '0f01', '0f02', '0f03']],
    ['start=0 count=5 stride=2', ['0', '2', '4', '6', '8']],
    ['start=1 count=5 stride=2', ['1', '3', '5', '7', '9']],
    ['start=3 end=1 stride=-1', ['3', '2', '1']],
    ['start=10 end=0 stride=-5', ['10', '5', '0']],
    ['count=0', []],
    ['start=9 end=11 format="lb%3d.example"', ['lb  9.example', 'lb 10.example', 'lb 11.example']],
    ['start=8 end=9 format=%o', ['10', '11']],
    ['start=-2 end=0 format=%03d', ['-02', '-01', '000']],
  ];
  for (const [term, texts] of table) {
    it(term, () => {
      expect(sequence(term)).to.deep.equal(texts);
    });
  }

  const mistakes: readonly [string, string][] = [
    ['start=1', 'with_sequence needs either end or count'],
    ['end=2 count=3', 'with_sequence needs either end or count'],
    ['start=5 end=1', 'with_sequence: to count backwards make stride negative'],
    ['start=1 end=5 stride=-1', "with_sequence: to count forward don't make stride negative"],
    ['end=x', 'with_sequence: end must be a whole number, not "x"'],
    ['end=5 step=2', 'with_sequence does not know step'],
    ['end=5 format=lb', 'with_sequence cannot use the format "lb"'],
    ['one two', 'with_sequence cannot read "one"'],
  ];
  for (const [term, message] of mistakes) {
    it(`${term} is a mistake`, () => {
      expect(() => sequence(term)).to.throw(message);
    });
  }
});

describe('loop variables', () => {
  const loop: Loop = {
    ...loopOver('loop', []),
    variable: 'cloud',
    indexVariable: 'number',
    extended: true,
  };

  it('are the item, its index and, if extended, ansible_loop', () => {
    expect(loopVariables(loop, ['a', 'b', 'c'], 1, variables({}))).to.deep.equal({
      cloud: 'b',
      ansible_loop_var: 'cloud',
      number: 1,
      ansible_index_var: 'number',
      ansible_loop: {
        allitems: ['a', 'b', 'c'],
        index: 2,
        index0: 1,
        first: false,
        last: false,
        length: 3,
        revindex: 2,
        revindex0: 1,
        previtem: 'a',
        nextitem: 'c',
      },
    });
  });

  it('lack all items with extended_allitems: false', () => {
    const { ansible_loop: extended } = loopVariables({ ...loop, allItems: false }, ['a', 'b'], 0, variables({}));
    expect(extended).to.include({ length: 2, nextitem: 'b' }).and.not.have.property('allitems');
  });

  it('have no neighbours beyond the ends', () => {
    const { ansible_loop: extended } = loopVariables(loop, ['a'], 0, variables({}));
    expect(extended).to.include({ first: true, last: true }).and.not.have.any.keys('previtem', 'nextitem');
  });
});

describe('the items of a loop whose text has a gap', () => {
  it('keep what was written, each its own', () => {
    for (const keyword of ['loop', 'with_items', 'with_list']) {
      const library = new Library(BUILT_IN_LIBRARY.table);
      const scope = new Variables([layer({ stage: '' })], undefined, undefined, library);
      const loop = loopOver(keyword, ['a{{ stage }}', 'b{{ stage }}']);
      const items = loopItems(loop, scope);
      expect(items).to.deep.equal(['a', 'b']);
      const written = items.map((_, index) => library.gaps.writtenIn(loopVariables(loop, items, index, scope), 'item'));
      expect(written, keyword).to.deep.equal(['a{{ stage }}', 'b{{ stage }}']);
    }
  });

  it('keep it in a copy', () => {
    const library = new Library(BUILT_IN_LIBRARY.table);
    const values = { stage: '', names: ['a{{ stage }}'] };
    const scope = new Variables([layer(values)], undefined, undefined, library);
    const items = loopItems(loopOver('loop', '{{ names | list }}'), scope);
    expect(library.gaps.writtenIn(items, '0')).to.equal('a{{ stage }}');
  });
});

describe('the variables of an item', () => {
  it('are data, stronger than those of the task, or those of an include', () => {
    const values = { item: '{{ a }}' };
    expect(loopLayer(values)).to.deep.equal([{ level: 'magic', origin: 'loop', values, literal: true }]);
    expect(loopLayer(values, 'include params')).to.deep.equal([
      { level: 'include params', origin: 'loop', values, literal: true },
    ]);
    expect(loopLayer(undefined)).to.deep.equal([]);
  });
});
