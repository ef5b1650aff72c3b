import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { UnsettledWrites } from '../../../src/engine/input/unsettled_writes.js';
import { runText, type TextOptions } from '../../rig/run_text.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const CLOUDS = '/api/cloud/';
const SITE = `
- hosts: fleet
  strategy: linear
  tasks:
    - { name: edge, cloud_present: { name: edge, mtu: 1500 } }
    - { name: again, cloud_present: { name: edge, mtu: 1400 } }
    - { name: other, cloud_present: { name: other, mtu: 1500 } }
    - { name: last, debug: { msg: hi } }
`;

describe('objects with a write that may still take effect', () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 3 });
  });
  afterEach(() => fleet.dispose());

  /** The writes to each controller that have settled long since; changes the controllers after their last task. */
  async function run(options: TextOptions = {}) {
    const unsettled = new UnsettledWrites((identity) => identity);
    unsettled.add(
      fleet.names.map((name) => ({ place: fleet.url(name), time: Date.now() - 3_600_000, object: 'cloud "edge"' })),
    );
    const inventory = fleet.inventory.replace('write_settles: 0', 'write_settles: 60');
    const watch = (event: Event): void => {
      if (event.type !== 'task-finished' || event.task !== 'last') return;
      const controller = fleet.controller(event.controller);
      const clouds = controller.objects(CLOUDS).map((one) => ({ ...one, mtu: 9000 }));
      if (event.controller === 'lb1') controller.setObjects(CLOUDS, clouds);
      if (event.controller === 'lb2')
        controller.behaviour = { faults: [{ type: 'answer', status: 422, body: { error: 'no' }, when: {} }] };
    };
    const ran = await runText(SITE, { inventory, unsettled, watch, ...options });
    const last = ran.tasks.findLastIndex(({ task }) => task === 'last');
    return { ran, late: ran.tasks.slice(last + 1) };
  }

  it('are read again at the end, and fail their last task if they have changed since, or cannot be read', async () => {
    const { ran, late } = await run();
    expect(
      late
        .toSorted((a, b) => (a.controller < b.controller ? -1 : 1))
        .map(({ controller, task, status, message, hint, check, diff, change }) => [
          `${controller} ${task} ${status} ${String(check)} ${String(diff)}`,
          message,
          hint,
          change?.kind,
        ]),
    ).to.deep.equal([
      [
        'lb1 again failed undefined true',
        'cloud "edge" has changed since it was verified: a write from before may have taken effect late',
        'run again; a higher controller_write_settles makes runs wait longer for such writes',
        'update',
      ],
      [
        'lb2 again failed undefined true',
        'cloud "edge" could not be read again at the end of the run: GET /api/cloud/?name=edge: the controller answered 422: no',
        undefined,
        undefined,
      ],
    ]);
    expect(ran.finished).to.deep.include({ status: 'failed', exitCode: 2 });
    expect(fleet.names.map((name) => ran.finished.stats[name]?.failed)).to.deep.equal([1, 1, 0]);
    // They were only read.
    expect(fleet.controller('lb1').requests.at(-1)?.method).to.equal('GET');
  });

  it('are waited for before anything is sent, which is said once for each controller, and can be interrupted', async () => {
    const unsettled = new UnsettledWrites((identity) => identity);
    const write = (name: string, object?: string) => ({ place: fleet.url(name), time: Date.now(), object });
    unsettled.add([write('lb1', 'cloud "edge"'), write('lb2')]);
    const stop = new AbortController();
    const waiting: string[] = [];
    const timeless = (text: string): string => text.replace(/\b3[56]\d\d\b/, 'MANY');
    const inventory = fleet.inventory.replace('write_settles: 0', 'write_settles: 3600');
    const { events, tasks } = await runText(SITE.replace('linear', 'host_pinned'), {
      inventory,
      unsettled,
      drain: stop.signal,
      watch: (event) => {
        if (event.type !== 'task-progressed') return;
        waiting.push(timeless(`${event.controller} ${event.message} ${String(event.seconds)}`));
        if (waiting.length === 2) stop.abort();
      },
    });
    expect(waiting.toSorted()).to.deep.equal([
      'lb1 waiting for a write to cloud "edge" from before to settle MANY',
      'lb2 waiting for a write from before to settle MANY',
    ]);
    const said = events.flatMap((event) =>
      event.type === 'warning' ? [timeless(`${event.controller ?? ''} ${event.message}`)] : [],
    );
    expect(said.toSorted()).to.deep.equal([
      'lb1 a write to cloud "edge" from before may still take effect: waiting MANY s (controller_write_settles)',
      'lb2 a write from before may still take effect: waiting MANY s (controller_write_settles)',
    ]);
    const ends = tasks.flatMap(({ controller, status, message }) =>
      controller !== 'lb3' && status === 'interrupted' ? [`${controller} ${message ?? ''}`] : [],
    );
    expect(ends.toSorted()).to.deep.equal([
      'lb1 interrupted while a write to cloud "edge" from before settled',
      'lb2 interrupted while a write from before settled',
    ]);
    expect(['lb1', 'lb2'].flatMap((name) => fleet.controller(name).requests)).to.deep.equal([]);
  });

  it('are not read again in check mode', async () => {
    const { ran, late } = await run({ check: true });
    expect([late, ran.finished.exitCode]).to.deep.equal([[], 0]);
  });
});
