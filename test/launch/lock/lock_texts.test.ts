import { expect } from 'chai';
import { lateRefusal, refusals, unusable, waitingText } from '../../../src/launch/lock/lock_texts.js';
import { type LockHolder, LockFolderError } from '../../../src/record/locks/lock_folder.js';
import type { LockConflict } from '../../../src/record/locks/locks.js';

const holder = (run: string, since = '2026-01-02T03:04:05.678Z'): LockHolder => ({
  run,
  process: { host: 'ops1', pid: 77 },
  user: 'ann',
  command: 'evenkeel run a.yml',
  since,
});
const conflict = (run: string | undefined, places: readonly string[], elsewhere = false): LockConflict => ({
  holder: run === undefined ? undefined : holder(run),
  file: `/locks/${run ?? 'odd'}.json`,
  elsewhere,
  places,
});

const PLACES = new Map([
  ['p1', ['lb1', 'twin']],
  ['p2', ['lb2']],
]);
const BY = '(evenkeel run a.yml, started by ann on ops1 at 2026-01-02T03:04:05Z, process 77)';
const ELSEWHERE = 'this machine cannot see whether that run is still active: if it is not, remove /locks/r3.json';

describe('the texts about locks', () => {
  it('name each run that is in the way, its controllers, and what to do', () => {
    const rivals = [
      conflict('r1', ['p2', 'p1', 'p9']),
      conflict('r2', ['p9']),
      conflict('r3', ['p2'], true),
      conflict(undefined, ['p1']),
    ];
    const [severity, none] = ['error', 'nothing was contacted'] as const;
    const unclear = 'the lock /locks/odd.json cannot be understood, so it may be on any controller';
    expect(refusals(rivals, PLACES)).to.deep.equal([
      {
        severity,
        message: `run r1 holds the lock on lb2, lb1 and twin ${BY}: ${none}`,
        hint: '--wait waits until it is done',
      },
      { severity, message: `run r2 is already running ${BY}: ${none}`, hint: '--wait waits until it is done' },
      { severity, message: `run r3 holds the lock on lb2 ${BY}: ${none}`, hint: ELSEWHERE },
      { severity, message: `${unclear}: ${none}`, hint: 'remove it if no run is active' },
    ]);
    expect(waitingText(rivals.slice(1), PLACES)).to.equal(
      `waiting: run r2 is already running ${BY}; run r3 holds the lock on lb2 ${BY}; ${unclear} (Ctrl-C to stop waiting)`,
    );
  });

  it('name up to five controllers', () => {
    const named = (...names: readonly string[]) =>
      refusals([conflict('r1', ['p'])], new Map([['p', names]]))[0]?.message.split(' (')[0];
    expect(named('a', 'b', 'c', 'd', 'e')).to.equal('run r1 holds the lock on a, b, c, d and e');
    expect(named('a', 'b', 'c', 'd', 'e', 'f')).to.equal('run r1 holds the lock on a, b, c, d, e and 1 more');
  });

  it('say why a controller that is known late is not contacted, by the first run in the way', () => {
    const late = (...rivals: readonly LockConflict[]) => lateRefusal(rivals, 'https://lb1');
    expect(late()).to.equal('another run holds the lock on https://lb1');
    expect(late(conflict('r1', []), conflict('r2', []))).to.equal(
      `run r1 holds the lock on https://lb1 ${BY}: nothing was sent to it; run it again for this controller`,
    );
    expect(late(conflict('r3', [], true))).to.equal(
      `run r3 holds the lock on https://lb1 ${BY}: nothing was sent to it; ${ELSEWHERE}`,
    );
    expect(late(conflict(undefined, []))).to.equal(
      'the lock /locks/odd.json cannot be understood, so it may be on any controller: nothing was sent to it; remove it if no run is active',
    );
  });

  it('say that nothing was contacted if the folder cannot be used', () => {
    expect(unusable(new LockFolderError('/locks is not a folder'))).to.deep.equal({
      severity: 'error',
      message: 'cannot find out which other runs are active: /locks is not a folder; nothing was contacted',
      hint: 'EVENKEEL_LOCK_DIR names another folder for locks; EVENKEEL_LOCK_DIR=off runs without them',
    });
  });
});
