import { expect } from 'chai';
import type { Warning } from '../../../src/core/model/run/event.js';
import { EqualTexts } from '../../../src/reporting/text/equal_texts.js';
import { EqualWarnings } from '../../../src/reporting/text/equal_warnings.js';
import { EventMaker } from '../../rig/events.js';

type Told = readonly [text: string, controller?: string, about?: string];

function joined(...all: readonly Told[]): readonly string[] {
  const texts = new EqualTexts();
  for (const one of all) texts.add(...one);
  return texts.joined.map(({ text, controllers }) => `${text} on ${[...controllers].join()}`);
}

describe('equal texts about controllers', () => {
  it('are one if only the name of the controller differs, or what varies by chance', () => {
    expect(joined(['cloud "lb1"', 'lb1'], ['cloud "lb2"', 'lb2'], ['cloud "lb2"', 'lb3'])).to.deep.equal([
      'cloud "<controller>" on lb1,lb2',
      'cloud "lb2" on lb3',
    ]);
    expect(joined(['away after 3 attempts', 'lb1'], ['away after 3 attempts', 'lb1'])).to.deep.equal([
      'away after 3 attempts on lb1',
    ]);
    expect(joined(['away after 3 attempts', 'lb1'], ['away after 4 attempts', 'lb1'])).to.deep.equal([
      'away after <number> attempts on lb1',
    ]);
  });

  it('are one if each controller has its own address, and each has its name if one controller has all', () => {
    const [a, b, c] = ['pool "10.0.0.1"', 'pool "10.0.0.2"', 'pool "10.0.0.3"'] as const;
    expect(joined([a, 'lb1'], [b, 'lb1'])).to.deep.equal([`${a} on lb1`, `${b} on lb1`]);
    expect(joined([a, 'lb1'], [b, 'lb2'])).to.deep.equal(['pool "<address>" on lb1,lb2']);
    expect(joined([a, 'lb1'], [b, 'lb1'], [c, 'lb2'])).to.deep.equal(['pool "<address>" on lb1,lb2']);
    expect(joined([a, 'lb1'], [a, 'lb2'], [b, 'lb2'])).to.deep.equal([`${a} on lb1,lb2`, `${b} on lb2`]);
    expect(joined([a], [b], [a])).to.deep.equal([`${a} on `, `${b} on `]);
  });

  it('are about the controller to which the task was delegated', () => {
    expect(joined(['cloud "lb1"', 'lb1', 'lb9'], ['cloud "lb2"', 'lb2', 'lb9'])).to.deep.equal([
      'cloud "<controller>" on lb9',
    ]);
  });
});

describe('equal warnings', () => {
  it('are one for several controllers, and each is shown if one controller, or none, has several', () => {
    const make = new EventMaker();
    const shown = (most: number, ...all: readonly (readonly [message: string, controller?: string])[]) => {
      const warnings = new EqualWarnings(most);
      for (const [message, controller] of all)
        warnings.add(make.warning(message, controller === undefined ? {} : { controller }) as Warning);
      return warnings.joined.map(({ message, controller }) => [message, controller]);
    };
    const left = (address: string) => `pool "${address}" was created: a rollback deletes nothing`;
    const [a, b] = [left('10.0.0.1'), left('10.0.0.2')];
    expect(shown(9, [a, 'lb1'], [b, 'lb1'])).to.deep.equal([
      [a, 'lb1'],
      [b, 'lb1'],
    ]);
    expect(shown(9, [a, 'lb2'], [b, 'lb1'])).to.deep.equal([[left('<address>'), '2 controllers: lb1, lb2']]);
    expect(shown(9, [a], [b])).to.deep.equal([
      [a, undefined],
      [b, undefined],
    ]);
    expect(shown(1, [a], [b], ['other'])).to.deep.equal([[a, undefined]]);
  });
});
