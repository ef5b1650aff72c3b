import { expect } from 'chai';
import type { PlanMaker, PlannedStep } from '../../../../src/core/model/run/plan.js';
import { Foresight, ReadyStep } from '../../../../src/engine/execution/plan/kept_steps.js';
import { StepJournal } from '../../../../src/engine/journal/step_journal.js';

const SOURCE = { file: 'site.yml', line: 1, column: 1 };

const upload = (host: string, written = host): ReadyStep => {
  const about = { place: '0:1', written, title: 'Upload', play: 'all', module: 'file_upload', source: SOURCE };
  const step: PlannedStep = { ...about, decided: { type: 'in place', late: true } };
  return new ReadyStep(host, new StepJournal(undefined, undefined, { controller: host, place: '0:1' }), step);
};

function begin(): { readonly foresight: Foresight; readonly kept: readonly string[] } {
  const kept: string[] = [];
  const plan: PlanMaker = {
    type: 'make',
    digest: String,
    keep: (controller, { written }) => void kept.push(`${controller} ${written}`),
    reached: () => undefined,
  };
  return { foresight: new Foresight(plan), kept };
}

/** The steps of all iterators of maps meanwhile. */
function countSteps(work: () => void): number {
  const iterators = Object.getPrototypeOf(new Map().values()) as { next: (this: unknown) => unknown };
  const { next } = iterators;
  let steps = 0;
  iterators.next = function () {
    steps += 1;
    return next.call(this);
  };
  try {
    work();
  } finally {
    iterators.next = next;
  }
  return steps;
}

describe('what a plan foresees', () => {
  it('ends at an address with what it does not foresee, and everywhere if the address is not known', () => {
    const { foresight } = begin();
    expect(foresight.foresees('a')).to.equal(true);
    foresight.noteUnforeseen('a', 'lb1');
    expect([foresight.foresees('a'), foresight.foresees('b')]).to.deep.equal([false, true]);
    foresight.noteUnforeseen('', 'lb1');
    expect(foresight.foresees('b')).to.equal(false);
  });

  it('leaves the plan with what was idle at that address, but for the steps of the host itself', () => {
    const { foresight, kept } = begin();
    for (const [address, step] of [
      ['a', upload('lb1')],
      ['a', upload('lb2', 'first')],
      ['a', upload('lb2', 'second')],
      ['b', upload('lb3')],
    ] as const)
      foresight.noteIdle(address, step);
    foresight.noteUnforeseen('a', 'lb1');
    expect(kept).to.deep.equal(['lb2 first', 'lb2 second']);
    foresight.noteUnforeseen('', 'lb3');
    expect(kept.slice(2)).to.deep.equal(['lb1 lb1']);
    foresight.noteUnforeseen('', 'lb1');
    expect(kept.slice(3)).to.deep.equal(['lb3 lb3']);
  });

  for (const [what, address] of [
    ['own', (host: string) => host],
    ['unknown', () => ''],
  ] as const)
    it(`is as soon known for each controller of a large fleet, at an ${what} address`, () => {
      const { foresight } = begin();
      const hosts = Array.from({ length: 500 }, (_, at) => `lb${at}`);
      for (const host of hosts) foresight.noteIdle(host, upload(host));
      const steps = countSteps(() => {
        for (const host of hosts)
          for (let task = 0; task < 10; task += 1) foresight.noteUnforeseen(address(host), host);
      });
      expect(steps).to.be.below(30 * hosts.length);
    });
});
