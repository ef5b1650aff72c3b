import { expect } from 'chai';
import { EXIT } from '../../../src/core/model/exit_code.js';
import type { Event, RunFinished } from '../../../src/core/model/run/event.js';
import { emptyStats, type Stats } from '../../../src/core/model/run/result.js';
import { recapLines } from '../../../src/reporting/run/recap.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { marks } from '../../rig/marks.js';

const palette = createPalette(false);

function finished(stats: Readonly<Record<string, Partial<Stats>>>, unstarted: readonly string[] = []): RunFinished {
  const whole = Object.fromEntries(Object.entries(stats).map(([name, one]) => [name, { ...emptyStats(), ...one }]));
  const event: Event = new EventMaker().runFinished({ stats: whole, unstarted, seconds: 754 });
  if (event.type !== 'run-finished') throw new Error('not the end of a run');
  return event;
}

describe('the recap', () => {
  it('has a line for each of up to twenty controllers', () => {
    const event = finished(
      { 'lb1.example.com': { ok: 12, changed: 3 }, 雲: { failed: 1, ignored: 2 }, lb3: { unreachable: 1 } },
      ['lb4'],
    );
    expect(recapLines(event, ['simulated'], palette)).to.deep.equal([
      'recap · simulated',
      'lb1.example.com  ok=12  changed=3   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0',
      '雲               ok=0   changed=0   unreachable=0   failed=1   skipped=0   rescued=0   ignored=2',
      'lb3              ok=0   changed=0   unreachable=1   failed=0   skipped=0   rescued=0   ignored=0',
      'lb4              not started',
      '4 controllers · 1 changed · 1 failed (1 ignored) · 1 unreachable · 1 not started · 12 min 34 s',
    ]);
  });

  it('counts controllers that were stopped before they finished, whatever they did before', () => {
    const event = { ...finished({ lb1: { ok: 2, changed: 1 }, lb2: { failed: 1 } }), cutOff: ['lb1'] };
    expect(recapLines(event, [], palette).at(-1)).to.equal('2 controllers · 1 failed · 1 cut off · 12 min 34 s');
  });

  it('counts a controller as changed that changed something only in a rescued failure', () => {
    const event = { ...finished({ lb1: { ok: 1, rescued: 1 }, lb2: { ok: 1 } }, []), changed: ['lb1'] };
    expect(recapLines(event, [], palette).at(-1)).to.equal(
      '2 controllers · 1 ok · 1 changed (1 rescued) · 12 min 34 s',
    );
  });

  it('leaves out counts that are 0 for all controllers if the terminal is too narrow', () => {
    const event = finished({ 'lb1.example.com': { ok: 12, changed: 3 }, lb2: { failed: 1 } }, ['lb3']);
    const wide = recapLines(event, [], palette);
    const width = Math.max(...wide.map((line) => line.length));
    expect(recapLines(event, [], palette, { columns: width })).to.deep.equal(wide);
    expect(recapLines(event, [], palette, { columns: width - 1 })).to.deep.equal([
      'recap',
      'lb1.example.com  ok=12  changed=3   failed=0',
      'lb2              ok=0   changed=0   failed=1',
      'lb3              not started',
      '3 controllers · 1 changed · 1 failed · 1 not started · 12 min 34 s',
    ]);
    expect(recapLines(finished({ lb1: {} }), [], palette, { columns: 60 })[1]).to.equal('lb1  ok=0');
  });

  it('names only controllers with problems if there are more than twenty, the worst first', () => {
    const names = controllerNames(1000);
    const stats = Object.fromEntries(names.map((name) => [name, name.endsWith('50') ? { unreachable: 1 } : { ok: 1 }]));
    const lines = recapLines(finished({ ...stats, lb0777: { failed: 1 } }), [], palette);
    expect(lines).to.have.length(13);
    expect(lines[1]).to.match(/^lb0777 {2}ok=0 .* failed=1 /);
    expect(lines[2]).to.match(/^lb0050 {2}ok=0 .*unreachable=1 /);
    expect(lines.at(-1)).to.equal('1,000 controllers · 989 ok · 1 failed · 10 unreachable · 12 min 34 s');
  });

  it('names controllers that were cut off or did not start, for a fleet in one line each', () => {
    const few = { ...finished({ lb1: { ok: 2 }, lb2: { ok: 1 } }), cutOff: ['lb1'], unstarted: ['lb3'] };
    expect(recapLines(few, [], palette).slice(1, 4)).to.deep.equal([
      'lb1  ok=2   changed=0   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0  cut off',
      'lb2  ok=1   changed=0   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0',
      'lb3  not started',
    ]);
    const names = controllerNames(40);
    const stats = Object.fromEntries(names.slice(0, 20).map((name) => [name, { ok: 1 }]));
    const fleet = { ...finished({ ...stats, lb02: { failed: 1 } }), cutOff: ['lb01'], unstarted: names.slice(20) };
    expect(recapLines(fleet, [], palette).slice(1)).to.deep.equal([
      'lb02  ok=0   changed=0   unreachable=0   failed=1   skipped=0   rescued=0   ignored=0',
      'cut off      lb01',
      'not started  lb21, lb22, lb23, lb24, lb25 and 15 more',
      '40 controllers · 18 ok · 1 failed · 1 cut off · 20 not started · 12 min 34 s',
    ]);
  });

  it('cuts texts that are too long to read', () => {
    const names = controllerNames(50);
    const lines = recapLines(finished(Object.fromEntries(names.map((name) => [name, { failed: 1 }]))), [], palette);
    expect(lines.slice(-2)).to.deep.equal(['… and 30 more with problems', '50 controllers · 50 failed · 12 min 34 s']);
    const long = recapLines(finished({ ['x'.repeat(60)]: { ok: 1 } }), [], palette);
    expect(long[1]).to.match(/^x{39}… {2}ok=1 /);
    const alike = ['01', '02'].map((number) => `lb-production-emea-madrid-edge-controller-${number}.example.com`);
    const cut = recapLines(finished(Object.fromEntries(alike.map((name) => [name, { ok: 1 }]))), [], palette);
    expect(cut.slice(1, 3).map((line) => line.split('  ')[0])).to.deep.equal([
      '…roller-01.example.com',
      '…roller-02.example.com',
    ]);
  });

  it('colours names, counts and totals by how controllers ended, and what is 0 not at all', () => {
    const event = {
      ...finished(
        {
          a: { ok: 2, changed: 1, skipped: 3 },
          b: { ok: 1, rescued: 1, ignored: 1 },
          c: { failed: 1 },
          d: { unreachable: 1 },
          e: { ok: 1 },
        },
        ['f', 'a'],
      ),
      cutOff: ['e'],
      status: 'interrupted',
      exitCode: EXIT.gated,
    } as const;
    const routes = new Map(Object.entries({ a: 'madrid', c: 'madrid', d: 'paris', e: 'paris', f: 'rome' }));
    expect(recapLines(event, ['simulated', 'check'], marks, { columns: 60, routes })).to.deep.equal([
      '*recap · simulated · check*',
      '~a~  +ok=2  + ~changed=1  ~ .unreachable=0  . .failed=0  . @skipped=3  @ .rescued=0  . .ignored=0.',
      '+b+  +ok=1  + .changed=0  . .unreachable=0  . .failed=0  . .skipped=0  . ?rescued=1  ? ?ignored=1?',
      '!c!  .ok=0  . .changed=0  . .unreachable=0  . !failed=1  ! .skipped=0  . .rescued=0  . .ignored=0..  via madrid.',
      '!d!  .ok=0  . .changed=0  . !unreachable=1  ! .failed=0  . .skipped=0  . .rescued=0  . .ignored=0..  via paris.',
      '?e?  +ok=1  + .changed=0  . .unreachable=0  . .failed=0  . .skipped=0  . .rescued=0  . .ignored=0.  ?cut off?.  via paris.',
      '?f?  ?not started?.  via rome.',
      '6 controllers · +1 ok+ ?(1 rescued, 1 ignored)? · ~1 changed~ · !1 failed! · !1 unreachable! · ?1 cut off? · ?1 not started? · !gate failed! · ?interrupted? · 12 min 34 s',
    ]);
  });

  it('has the routes of a fleet, those with problems first, and twenty at most', () => {
    const names = controllerNames(24);
    const stats = Object.fromEntries(names.map((name) => [name, { ok: 1 }]));
    const event = {
      ...finished({ ...stats, lb05: { failed: 1 }, lb06: { unreachable: 1 }, lb07: { failed: 1 } }, [
        'x2',
        'x10',
        'x1',
      ]),
      cutOff: ['lb09', 'lb08'],
    };
    const own = new Map(names.slice(0, 22).map((name, at) => [name, `r${at + 1}`]));
    const lines = recapLines(event, [], marks, { routes: own, named: new Set(['lb05', 'lb06']) });
    const one = (name: string) => `${name.padEnd(3)}  1 controller`;
    expect(lines).to.deep.equal([
      '*recap*',
      '!lb07!  .ok=0  . .changed=0  . .unreachable=0  . !failed=1  ! .skipped=0  . .rescued=0  . .ignored=0..  via r7.',
      '?cut off    ?  lb08, lb09',
      '?not started?  x1, x2, x10',
      `${one('r5')} · !1 failed!`,
      `${one('r6')} · !1 unreachable!`,
      `${one('r7')} · !1 failed!`,
      ...[1, 2, 3, 4].map((at) => `${one(`r${at}`)} · +1 ok+`),
      ...[8, 9].map((at) => `${one(`r${at}`)} · ?1 cut off?`),
      ...[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((at) => `${one(`r${at}`)} · +1 ok+`),
      '.… and 3 more routes.',
      '27 controllers · +19 ok+ · !2 failed! · !1 unreachable! · ?2 cut off? · ?3 not started? · 12 min 34 s',
    ]);
  });
});
