import { expect } from 'chai';
import { EntryReader } from '../../../../src/record/journal/read/entry.js';

const TIME = '2026-11-20T18:50:22.000Z';
const STEP = {
  type: 'step-settled',
  time: TIME,
  controller: 'lb1',
  place: '0:1',
  module: 'm',
  title: 'T',
  end: 'completed',
  counted: { status: 'ok' },
};
const WARNING = { type: 'warning', time: TIME, run: 'r', message: 'w' };
const line = (value: unknown): string => JSON.stringify(value);
const broken = (problem: string): unknown => ({ type: 'broken', problem });
const REFERS = { ...(broken('an earlier line that it refers to is damaged or missing') as object), refers: true };

describe('a line of a journal', () => {
  it('is an event, a record with its sealed part, or of a later version', () => {
    const reader = new EntryReader();
    expect(reader.parse(line(WARNING))).to.deep.equal({ type: 'event', event: WARNING });
    expect(reader.parse(line(STEP))).to.deep.equal({
      type: 'record',
      record: { type: 'step-settled', shown: STEP, sealed: undefined },
    });
    expect(reader.parse(line({ ...STEP, sealed: 'abc', item: 3 }))).to.deep.equal({
      type: 'record',
      record: { type: 'step-settled', shown: { ...STEP, item: 3 }, sealed: 'abc' },
    });
    expect(reader.parse(line({ type: 'from-the-future', time: TIME }))).to.deep.equal({ type: 'other' });
  });

  it('says what is wrong with it', () => {
    const reader = new EntryReader();
    for (const [text, problem] of [
      ['{"type":', 'it is not JSON'],
      ['[]', 'it is not a record'],
      ['5', 'it is not a record'],
      ['{}', 'it is not a record'],
      ['{"type":5}', 'it is not a record'],
      [line({ ...STEP, end: 'never' }), '"end" of step-settled is invalid'],
      [line({ ...STEP, item: 'a' }), '"item" of step-settled is invalid'],
      [line({ ...STEP, sealed: 5 }), '"sealed" of step-settled is invalid'],
      [line({ ...WARNING, message: 5 }), '"message" of warning is invalid'],
    ] as const)
      expect(reader.parse(text), text).to.deep.equal(broken(problem));
  });

  it('has what it shares with an earlier one, at its own time', () => {
    const reader = new EntryReader();
    const { controller: _, ...shared } = STEP;
    reader.parse(line({ id: 7, ...STEP }));
    reader.parse(line({ id: 8, ...STEP, title: 'Other' }));
    const like = (id: number, own: object): unknown => reader.parse(line({ like: id, after: 1500, ...own }));
    const record = (fields: object): unknown => ({
      type: 'record',
      record: {
        type: 'step-settled',
        shown: { ...shared, ...fields, time: '2026-11-20T18:50:23.500Z' },
        sealed: undefined,
      },
    });
    expect(like(7, { controller: 'lb2' })).to.deep.equal(record({ controller: 'lb2' }));
    expect(like(8, { controller: 'lb3' })).to.deep.equal(record({ controller: 'lb3', title: 'Other' }));
    expect(like(9, { controller: 'lb2' })).to.deep.equal(REFERS);
    expect(reader.parse(line({ like: 7, after: 'x', controller: 'lb2' }))).to.deep.equal(broken('"after" is invalid'));
    expect(like(7, { end: 'never' })).to.deep.equal(broken('"end" of step-settled is invalid'));
    reader.parse(line({ id: 10, ...STEP, end: 'never' }));
    expect(like(10, { controller: 'lb2' })).to.deep.equal(REFERS);
    expect(like(10, { end: 'failed' })).to.deep.equal(record({ controller: 'lb1', end: 'failed' }));
    reader.parse(line({ id: 11, ...STEP, time: 5 }));
    expect(like(11, {})).to.deep.equal(broken('"after" is invalid'));
  });

  it('is skipped by its type, and others may refer to it nevertheless', () => {
    const reader = new EntryReader();
    const skips = (value: unknown, ...types: readonly string[]): boolean => {
      const bytes = Buffer.from(`xx${line(value)}yy`);
      return reader.skips(new Set(types), bytes, 2, bytes.length - 2);
    };
    expect(skips(WARNING, 'warning')).to.equal(true);
    expect(skips({ time: TIME, run: 'r', type: 'warning', message: 'w' }, 'warning')).to.equal(true);
    expect(skips(WARNING, 'step-settled')).to.equal(false);
    expect(skips({ id: 12, ...STEP }, 'warning')).to.equal(false);
    expect(skips({ like: 12, after: 1 }, 'step-settled')).to.equal(false);
    expect(skips({ id: 12, ...STEP }, 'step-settled')).to.equal(true);
    expect(skips({ id: 9, ...STEP, type: 'step-declined' }, 'step-declined')).to.equal(true);
    expect(skips({ like: 12, after: 1 }, 'step-settled')).to.equal(true);
    expect(skips({ like: 9, after: 1 }, 'step-settled')).to.equal(false);
    expect(skips({ like: 9, after: 1 }, 'step-declined')).to.equal(true);
    expect(reader.parse(line({ like: 12, after: 0, controller: 'lb9' }))).to.have.nested.property(
      'record.shown.controller',
      'lb9',
    );
  });
});
