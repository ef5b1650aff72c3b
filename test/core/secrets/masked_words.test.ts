import { expect } from 'chai';
import type { Change } from '../../../src/core/model/run/result.js';
import { MaskedWords, UsedVariables } from '../../../src/core/secrets/masked_words.js';
import { ordinaryWordsIn } from '../../../src/core/secrets/secret_finder.js';

/** Variables that a template looks up. */
class Looked {
  constructor(private readonly onName: (name: string) => void = () => undefined) {}

  traced(onName: (name: string) => void): Looked {
    return new Looked(onName);
  }

  get(...names: readonly string[]): void {
    for (const name of names) this.onName(name);
  }
}

describe('the words that tasks with no_log left in variables', () => {
  it('are of one controller and one variable, as the task set them last', () => {
    const words = new MaskedWords();
    expect(words.isPossible).to.equal(false);
    words.set('lb1', ['a', 'b'], ['horse']);
    words.set('lb1', ['c'], ['battery']);
    words.set('lb2', ['a'], ['staple']);
    const of = (controller: string) => ['a', 'b', 'c', 'd'].map((name) => words.words(controller, name).join());
    expect([of('lb1'), of('lb2'), of('lb3')]).to.deep.equal([
      ['horse', 'horse', 'battery', ''],
      ['staple', '', '', ''],
      ['', '', '', ''],
    ]);
    words.set('lb1', ['a'], ['donkey', 'mule']);
    words.set('lb1', ['b'], undefined);
    words.set('lb3', ['b'], undefined);
    expect(of('lb1')).to.deep.equal(['donkey,mule', '', 'battery', '']);
    expect(of('lb2')).to.deep.equal(['staple', '', '', '']);
  });

  it('stay those of all controllers together', () => {
    const words = new MaskedWords();
    words.set('lb1', ['a'], ['horse', 'mule']);
    words.set('lb2', ['a'], ['staple', 'mule']);
    words.set('lb1', ['a'], ['donkey']);
    words.set('lb2', ['a'], undefined);
    expect([...words.wordsAnywhere('a')]).to.deep.equal(['horse', 'mule', 'staple', 'donkey']);
    expect([...words.wordsAnywhere('b')]).to.deep.equal([]);
  });

  it('are ordinary: letters, of which only the first may be a capital', () => {
    const words = ['horse', 'Horse', 'HORSE', 'hOrse', 'horse7', 'two words', '', 'é', 'Äpfel'];
    expect(ordinaryWordsIn(words)).to.deep.equal(['horse', 'Horse', 'é', 'Äpfel']);
    expect(ordinaryWordsIn({ a: ['horse', { b: 'horse', c: 'mule' }], d: 12_345_678, e: null })).to.deep.equal([
      'horse',
      'mule',
    ]);
  });
});

describe('the variables that a task uses', () => {
  const task = (...names: readonly string[]): UsedVariables => {
    const words = new MaskedWords();
    words.set('lb1', ['animal'], ['horse']);
    words.set('lb1', ['short'], ['ox']);
    words.set('lb1', ['unused'], ['unused']);
    words.set('lb2', ['animal'], ['donkey']);
    words.set('lb2', ['other'], ['mule']);
    const used = new UsedVariables(words, 'lb1');
    used.watch(new Looked()).get(...names);
    return used;
  };
  const ALL = 'horse ox donkey mule unused';

  it('have their words masked in what it shows, those of its controller', () => {
    for (const [names, shown] of [
      [[], ALL],
      [['animal'], '******** ox donkey mule unused'],
      [['animal', 'short'], '******** ******** donkey mule unused'],
      [['hostvars'], ALL],
      [['other'], ALL],
      [['hostvars', 'animal'], '******** ox ******** mule unused'],
      [['other', 'hostvars'], 'horse ox donkey ******** unused'],
    ] as const)
      expect(task(...names).text(ALL), names.join()).to.equal(shown);
  });

  it('have them masked in each letter case, and in longer words if they are not short', () => {
    const used = task('animal', 'short');
    expect(used.text('HORSE Horse hORSE horses, Racehorse-HORSEshoe')).to.equal(
      '******** ******** hORSE ********s, Race********-********shoe',
    );
    expect(used.text('ox OX Ox oxen box')).to.equal('******** ******** ******** oxen box');
    expect(used.text('horse7 7horse_horse')).to.equal('********7 7********_********');
  });

  it('have each spelling of a word masked, in longer words from four letters on', () => {
    const words = new MaskedWords();
    words.set('lb1', ['a'], ['mule', 'cat', 'heLLo', 'WORLD']);
    const used = new UsedVariables(words, 'lb1');
    used.watch(new Looked()).get('a');
    expect(used.text('mules cats heLLo hello HellO world World wORLD')).to.equal(
      '********s cats ******** ******** HellO ******** ******** wORLD',
    );
  });

  it('have them masked in values, at any depth, but not in names', () => {
    const used = task('animal');
    const value = { horse: 'horse', list: ['a horse', ['horse'], { a: 'horse', b: 1 }], n: 5, none: null, yes: true };
    expect(used.value(value)).to.deep.equal({
      horse: '********',
      list: ['a ********', ['********'], { a: '********', b: 1 }],
      n: 5,
      none: null,
      yes: true,
    });
    expect(task().value(value)).to.equal(value);
  });

  it('have them masked in changes', () => {
    const [before, after] = [{ a: 'horse 1' }, { a: 'horse 2' }];
    const [mask1, mask2] = [{ a: '******** 1' }, { a: '******** 2' }];
    const object = 'pool horse';
    const shown = 'pool ********';
    const changes: readonly (readonly [Change, object])[] = [
      [{ kind: 'none' }, { kind: 'none' }],
      [
        { kind: 'create', object, after },
        { kind: 'create', object: shown, after: mask2 },
      ],
      [
        { kind: 'delete', object, before },
        { kind: 'delete', object: shown, before: mask1 },
      ],
      [
        { kind: 'update', object, before, after },
        { kind: 'update', object: shown, before: mask1, after: mask2 },
      ],
      [
        { kind: 'update', object, before: null, after },
        { kind: 'update', object: shown, before: null, after: mask2 },
      ],
      [
        { kind: 'invoke', object },
        { kind: 'invoke', object: shown },
      ],
    ] as never;
    for (const [change, expected] of changes) {
      expect(task('animal').change(change), change.kind).to.deep.equal(expected);
      expect(task('other').change(change), change.kind).to.equal(change);
    }
  });

  it('leave words in what it sets: all ordinary ones if it is masked, else those that it used', () => {
    const used = task('animal', 'short');
    const left = { a: 'Racehorse', b: ['cat', 'box'], c: { d: 'donkey' } };
    expect(used.wordsLeft(left, true)).to.deep.equal(['Racehorse', 'cat', 'box', 'donkey']);
    expect(used.wordsLeft(left, false)).to.deep.equal(['horse']);
    expect(used.wordsLeft({ a: 'an OX', b: 'horse', c: 'horse' }, false)).to.deep.equal(['ox', 'horse']);
    expect(used.wordsLeft({ a: 'cat' }, false)).to.equal(undefined);
    expect(used.wordsLeft({ a: 'two words' }, true)).to.equal(undefined);
    expect(task().wordsLeft(left, false)).to.equal(undefined);
  });
});
