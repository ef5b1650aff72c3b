import { expect } from 'chai';
import { LARGE } from '../../../../src/core/model/values/stored.js';
import { LineTexts } from '../../../../src/record/journal/format/line_texts.js';

const TIME = Date.parse('2026-11-20T18:50:22.000Z');

/** A line about a task of a controller, milliseconds after the first. */
function line(controller: string | undefined, after = 0, more: object = {}) {
  const time = new Date(TIME + after).toISOString();
  return {
    type: 'task-finished',
    time,
    task: 'A',
    status: 'ok',
    ...(controller !== undefined && { controller }),
    ...more,
  };
}

const written = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

describe('the lines of a journal', () => {
  it('refer to an earlier one about the same step, with their own fields', () => {
    const lines = new LineTexts(7);
    const write = (...given: Parameters<typeof line>): unknown => written(lines.write(line(...given)));
    expect([
      write('lb1', 0, { message: 'a' }),
      write('lb2', 5, { message: 'b' }),
      write('lb3', 9),
      write('lb4', 12),
      write('lb5', 4, { task: 'B' }),
      write('lb6', 20, { task: 'B', status: 'failed' }),
      write('lb7', 30, { task: undefined, title: 'B' }),
      write('lb8', 31, { task: undefined, title: 'B' }),
    ]).to.deep.equal([
      { id: 7, ...line('lb1', 0, { message: 'a' }) },
      { like: 7, after: 5, controller: 'lb2', message: 'b' },
      { id: 8, ...line('lb3', 9) },
      { like: 8, after: 3, controller: 'lb4' },
      { id: 9, ...line('lb5', 4, { task: 'B' }) },
      { id: 10, ...line('lb6', 20, { task: 'B', status: 'failed' }) },
      { id: 11, ...(JSON.parse(JSON.stringify(line('lb7', 30, { task: undefined, title: 'B' }))) as object) },
      { like: 11, after: 1, controller: 'lb8' },
    ]);
  });

  it('share what names their controller with none', () => {
    const lines = new LineTexts(1);
    const write = (controller: string, target: string): unknown =>
      written(lines.write(line(controller, 0, { target })));
    expect([write('lb1', 'lb1'), write('lb2', 'lb2'), write('lb3', 'cloud'), write('lb4', 'cloud')]).to.deep.equal([
      { id: 1, ...line('lb1', 0, { target: 'lb1' }) },
      { like: 1, after: 0, controller: 'lb2', target: 'lb2' },
      { like: 1, after: 0, controller: 'lb3', target: 'cloud' },
      { like: 1, after: 0, controller: 'lb4', target: 'cloud' },
    ]);
  });

  it('share nothing if they are about no controller, or are long', () => {
    const lines = new LineTexts(1);
    for (let time = 0; time < 2; time++)
      expect(written(lines.write(line(undefined, time)))).to.deep.equal(line(undefined, time));
    const long = { message: 'x'.repeat(4096) };
    for (const name of ['lb1', 'lb2'])
      expect(written(lines.write(line(name, 0, long)))).to.deep.equal(line(name, 0, long));
    expect(written(lines.write(line('lb3')))).to.deep.equal({ id: 1, ...line('lb3') });
  });

  it('have the key of an item each, and that of a step once', () => {
    const lines = new LineTexts(1);
    const write = (controller: string, key: string): unknown => written(lines.write(line(controller, 0, { key })));
    expect([write('lb1', 'k~1'), write('lb2', 'k~1'), write('lb3', 'other~1')]).to.deep.equal([
      { id: 1, ...line('lb1', 0, { key: 'k~1' }) },
      { like: 1, after: 0, controller: 'lb2' },
      { id: 2, ...line('lb3', 0, { key: 'other~1' }) },
    ]);
    expect([write('lb1', 'i~1#a'), write('lb2', 'i~1#b')]).to.deep.equal([
      { like: 2, after: 0, controller: 'lb1', key: 'i~1#a' },
      { like: 2, after: 0, controller: 'lb2', key: 'i~1#b' },
    ]);
  });

  it('have the change that they are about last, whatever it shares', () => {
    const lines = new LineTexts(1);
    const change = { kind: 'invoke', object: 'POST /x', before: null, after: null } as const;
    const [first, second] = ['lb1', 'lb2'].map((name) => lines.write(line(name, 0, { change, message: 'm' })));
    expect([written(first), written(second)]).to.deep.equal([
      { id: 1, ...line('lb1', 0, { change, message: 'm' }) },
      { like: 1, after: 0, controller: 'lb2', message: 'm', change },
    ]);
    expect([first, second].map((text) => text?.endsWith(`,"change":${JSON.stringify(change)}}`))).to.deep.equal([
      true,
      true,
    ]);
  });

  it('are none if they would be large, so that their values are kept in files', () => {
    const lines = new LineTexts(1);
    const large = { message: 'x'.repeat(LARGE) };
    expect(lines.writeUnlessLarge(line('lb1', 0, large))).to.equal(undefined);
    expect(written(lines.writeUnlessLarge(line('lb1', 0, { message: '' })))).to.have.property('id', 1);
    expect(lines.writeUnlessLarge(line('lb2', 0, large))).to.equal(undefined);
    expect(written(lines.writeUnlessLarge(line('lb2', 0, { message: '' })))).to.have.property('like', 1);
    expect(written(lines.write(line('lb3', 0, large)))).to.have.property('like', 1);
  });

  it('refer to the last thousand that have a number', () => {
    const lines = new LineTexts(1);
    const write = (number: number): unknown => written(lines.write(line('lb1', 0, { task: `T${number}` })));
    for (let number = 1; number <= 1001; number++) expect(write(number)).to.have.property('id', number);
    expect(write(2)).to.have.property('like', 2);
    expect(write(1)).to.have.property('id', 1002);
    expect(write(3)).to.have.property('like', 3);
    expect(write(2)).to.have.property('id', 1003);
    expect(write(4)).to.have.property('like', 4);
  });

  it('refer to one of the last eight about a step, and forget each of them by itself', () => {
    const lines = new LineTexts(1);
    const write = (spoken: string): unknown => written(lines.write(line('lb1', 0, { spoken })));
    for (const [at, spoken] of 'a b c d e f g h i'.split(' ').entries())
      expect(write(spoken)).to.have.property('id', at + 1);
    expect(write('i')).to.have.property('like', 9);
    expect(write('b')).to.have.property('like', 2);
    expect(write('a')).to.have.property('id', 10);
    for (let number = 0; number < 993; number++) lines.write(line('lb1', 0, { task: `T${number}` }));
    expect(write('d')).to.have.property('like', 4);
    expect(write('c')).to.have.property('id', 1004);
  });
});
