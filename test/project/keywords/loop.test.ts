import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { Cursor } from '../../../src/project/document/cursor.js';
import { checkKeyword, isLoop, isWord, keywordsAt, loopLookup } from '../../../src/project/keywords/keywords.js';
import { readLoop } from '../../../src/project/keywords/step_keywords.js';
import { worded } from '../../rig/loaded.js';

const place = (path: readonly (string | number)[]) => ({ file: path.join('/'), line: 1, column: 1 });

function cursorOf(value: Value): { readonly cursor: Cursor; readonly found: Diagnostics } {
  const found = new Diagnostics();
  return { cursor: new Cursor(value, { diagnostics: found, locate: place, locateKey: place }), found };
}

function loopOf(task: Value) {
  const { cursor, found } = cursorOf(task);
  return { loop: readLoop(cursor), said: found.list.map(worded) };
}

const at = (file: string) => ({ file, line: 1, column: 1 });

describe('the loop of a task', () => {
  it('has the variable item and shows all items, unless it is told otherwise', () => {
    const plain = {
      over: { value: [1, 2], source: at('loop') },
      lookup: undefined,
      variable: 'item',
      indexVariable: undefined,
      label: undefined,
      pause: undefined,
      extended: false,
      allItems: true,
      breakWhen: undefined,
      parallel: undefined,
    };
    expect(loopOf({ loop: [1, 2] })).to.deep.equal({ loop: plain, said: [] });
    const control = {
      loop_var: 'one',
      index_var: 'n',
      label: '{{ one }}',
      pause: 0,
      extended: true,
      extended_allitems: false,
      break_when: 'one > 1',
      parallel: 1,
    };
    const source = (name: string) => at(`loop_control/${name}`);
    expect(loopOf({ loop: [1, 2], loop_control: control })).to.deep.equal({
      loop: {
        ...plain,
        variable: 'one',
        indexVariable: 'n',
        label: { value: '{{ one }}', source: source('label') },
        pause: { value: 0, source: source('pause') },
        extended: true,
        allItems: false,
        breakWhen: [{ expression: 'one > 1', source: source('break_when') }],
        parallel: { value: 1, source: source('parallel') },
      },
      said: [],
    });
  });

  it('is that of a lookup by its name, which takes what the lookup takes', () => {
    const taken: readonly (readonly [string, Value])[] = [
      ['with_items', 'one'],
      ['with_items', ['a']],
      ['with_dict', { a: 1 }],
      ['with_ansible.builtin.nested', [['a'], ['b']]],
      ['with_first_found', 'a.yml'],
      ['with_first_found', { files: ['a'] }],
      ['loop', '{{ all }}'],
    ];
    for (const [name, over] of taken) {
      const { loop, said } = loopOf({ [name]: over });
      const lookup = name === 'loop' ? undefined : name.replace(/^with_(?:ansible\.builtin\.)?/, '');
      expect([loop?.lookup, loop?.over, said], name).to.deep.equal([lookup, { value: over, source: at(name) }, []]);
    }
    expect([loopOf({ debug: null }), loopOf({ loop: null, with_items: null })]).to.deep.equal(
      Array(2).fill({ loop: undefined, said: [] }),
    );
  });

  const refused: readonly (readonly [task: Readonly<Record<string, Value>>, ...said: readonly string[]])[] = [
    [{ loop: 'all' }, 'loop:1:1 "loop" must be a list, not text — for a variable, write "{{all}}"'],
    [{ loop: '1, b.c' }, 'loop:1:1 "loop" must be a list, not text — write [1, b.c]'],
    [{ loop: '' }, 'loop:1:1 "loop" must be a list, not text'],
    [{ loop: 5 }, 'loop:1:1 "loop" must be a list, not 5'],
    [{ loop: { a: 1 } }, 'loop:1:1 "loop" must be a list, not a mapping'],
    [{ with_items: { a: 1 } }, 'with_items:1:1 "with_items" must be a list, not a mapping'],
    [{ with_dict: 'x y' }, 'with_dict:1:1 "with_dict" must be a mapping, not text — for a variable, write "{{x y}}"'],
    [{ with_first_found: 5 }, 'with_first_found:1:1 "with_first_found" must be a text, a mapping or a list, not 5'],
    [{ loop_control: { loop_var: 'x' } }, 'loop_control:1:1 "loop_control" without a loop does nothing'],
  ];
  for (const [task, ...said] of refused)
    it(`is refused: ${JSON.stringify(task)}`, () => {
      expect(loopOf(task)).to.deep.equal({ loop: undefined, said });
    });

  it('is one, with settings that are valid', () => {
    const control = { loop_var: 'a-b', extended: 5, extended_allitems: '{{ x }}', pause: -1, parallel: 0, labels: 'x' };
    const { loop, said } = loopOf({ loop: [1], with_items: [2], loop_control: control });
    expect(said).to.deep.equal([
      'with_items:1:1 a task has one loop; this one has "loop" already',
      'loop_control/labels:1:1 "labels" is not a keyword of loop_control — did you mean "label"?',
      'loop_control/loop_var:1:1 "a-b" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'loop_control/pause:1:1 "pause" must be a number from 0, not -1',
      'loop_control/extended:1:1 "extended" must be true or false, not 5',
      'loop_control/extended_allitems:1:1 "extended_allitems" must be true or false: it is needed before the run',
      'loop_control/parallel:1:1 "parallel" must be a whole number from 1, not 0',
    ]);
    expect([loop?.variable, loop?.extended, loop?.allItems, loop?.over.value]).to.deep.equal([
      'item',
      false,
      true,
      [1],
    ]);
    expect(loopOf({ loop: [1], loop_control: [1] }).said).to.deep.equal([
      'loop_control:1:1 "loop_control" must be a mapping, not a list',
    ]);
  });
});

describe('a word of the playbook language', () => {
  it('is a keyword of any place, one for hosts, or a loop', () => {
    const words = ['when', 'hosts', 'loop_var', 'become', 'poll', 'with_items', 'with_anything'];
    expect(words.filter(isWord)).to.deep.equal(words);
    expect(['whn', 'debug', 'xwith_items', ''].filter(isWord)).to.deep.equal([]);
    expect(['loop', 'with_items', 'with_ansible.builtin.items'].every((name) => isLoop(name))).to.equal(true);
    expect(['loops', 'with_nothing', 'items', 'until'].some((name) => isLoop(name))).to.equal(false);
    expect(
      ['with_items', 'with_ansible.builtin.nested', 'with_none', 'items'].map((name) => loopLookup(name)),
    ).to.deep.equal(['items', 'nested', undefined, undefined]);
  });

  it('is refused under the rule of a misspelt or of a misplaced one', () => {
    const checked = (name: string, vocabulary = keywordsAt('task'), hint?: string) => {
      const { cursor, found } = cursorOf({ [name]: true });
      for (const item of cursor.entries()) checkKeyword(item, vocabulary, hint);
      return found.list.map((one) => ({ ...one, source: one.source?.file }));
    };
    const error = { severity: 'error', source: 'x' } as const;
    const refused = (name: string, owner: string, rule: string, hint: string | undefined) => [
      { ...error, source: name, message: `"${name}" is not a keyword of ${owner}`, hint, rule },
    ];
    expect(checked('whn')).to.deep.equal(refused('whn', 'a task', 'unknown-key', 'did you mean "when"?'));
    expect(checked('serial')).to.deep.equal(refused('serial', 'a task', 'misplaced-key', 'it belongs to a play'));
    expect(checked('serial', keywordsAt('task'), 'own hint')).to.deep.equal(
      refused('serial', 'a task', 'misplaced-key', 'own hint'),
    );
    expect(checked('qqqq', keywordsAt('play'))).to.deep.equal(refused('qqqq', 'a play', 'unknown-key', undefined));
    expect(checked('loop', keywordsAt('import_role'))).to.deep.equal(
      refused(
        'loop',
        'import_role',
        'misplaced-key',
        'an import happens before the run; use include_role, which can loop',
      ),
    );
    expect([checked('when'), checked('with_items'), checked('with_ansible.builtin.items')]).to.deep.equal([[], [], []]);
    expect(checked('with_itms').map(({ message, hint }) => [message, hint])).to.deep.equal([
      ['"with_itms" is not a loop: there is no lookup "itms"', 'did you mean "with_items"?'],
    ]);
    expect(checked('become').map(({ severity, rule }) => [severity, rule])).to.deep.equal([['warning', 'no-effect']]);
    expect(checked('gather_facts').map(({ message }) => message)).to.deep.equal([
      '"gather_facts" is not a keyword of a task',
    ]);
  });
});
