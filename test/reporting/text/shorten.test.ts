import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const MILLIONS = 'out of the pool '.repeat(200_000);
const NAMES = ['lb1', 'lb22', 'lb333'];

function failing(message: (controller: string) => string): readonly Event[] {
  const make = new EventMaker();
  return [
    make.runStarted(),
    make.playStarted(NAMES),
    ...NAMES.map((name) => make.taskFinished(name, 'failed', { message: message(name), hint: MILLIONS })),
    make.playFinished(),
    make.runFinished({ exitCode: 2, reason: MILLIONS }),
  ];
}

describe('long texts', () => {
  for (const output of ['lines', 'quiet'] as const)
    it(`of failures are cut, and are the same cause for all controllers: ${output}`, async () => {
      const { stdout } = await reported(
        failing((name) => `${name} says: ${MILLIONS}`),
        { output },
      );
      expect(stdout).to.have.length.below(12_000);
      expect(stdout).to.include('failed: <controller> says: out of the pool out');
      expect(stdout).to.include('… (cut here: -o json shows all)\n');
      expect(stdout).to.include('= 3 controllers: lb1, lb22, lb333');
    });

  it('are not cut in JSON', async () => {
    const { stdout } = await reported(
      failing(() => MILLIONS),
      { output: 'json' },
    );
    expect(stdout.split(MILLIONS)).to.have.lengthOf(8);
  });

  it('of GitHub annotations are cut', async () => {
    const { stdout } = await reported(
      failing(() => MILLIONS),
      { github: { workspace: '/nowhere' } },
    );
    expect(stdout).to.match(/::error .*\(cut here: -o json shows all\) \(lb1, lb22, lb333\)\n/);
    expect(stdout).to.have.length.below(20_000);
  });

  it('of warnings and tasks are cut', async () => {
    const make = new EventMaker();
    const events = [
      make.playStarted(['lb1']),
      make.warning(MILLIONS),
      make.taskFinished('lb1', 'changed', { task: MILLIONS }),
    ];
    const { stdout, stderr } = await reported(events);
    expect(stderr).to.include('warning: out of the pool').and.to.have.length.below(2_100);
    expect(stdout).to.have.length.below(10_000);
  });

  it('of debug are cut much later', async () => {
    const make = new EventMaker();
    const message = `${'seven.\n'.repeat(9_000)}${MILLIONS}`;
    const { stdout } = await reported([make.taskFinished('lb1', 'ok', { spoken: true, message })]);
    expect(stdout.match(/ {4}seven\.\n/g)).to.have.lengthOf(9_000);
    expect(stdout).to.include('… (cut here: -o json shows all)\n');
    expect(stdout).to.have.length.below(120_000);
  });

  it('do not show a part of a secret that became known later', async () => {
    const secret = 'Qx7vLw93TzKd';
    const events = (at: number): readonly Event[] =>
      failing(() => `${'x'.repeat(at - 6)}${secret}${'y'.repeat(9_000)}`);
    for (const at of [2_000, 8_000]) {
      const secrets = new Secrets();
      const { stdout } = await reported(learntLate(events(at), secrets, secret), { secrets, output: 'quiet' });
      expect(stdout, `at ${at}`).not.to.include(secret.slice(0, 4));
    }
  });

  it('do not show a part of a secret if the mask is much shorter than the secret', async () => {
    const long = 'Zr4k'.repeat(30);
    const secrets = new Secrets();
    const events = failing(() => `${long} `.repeat(200));
    const { stdout } = await reported(learntLate(events, secrets, long), { secrets, output: 'quiet' });
    expect(stdout).to.include('failed: … (cut here');
    expect(stdout).not.to.include('Zr4k');
  });

  it('in diffs begin a little before the first difference', async () => {
    const make = new EventMaker();
    const change = {
      kind: 'update',
      object: 'cloud "edge"',
      before: { notes: `${MILLIONS}old${MILLIONS}` },
      after: { notes: `${MILLIONS}new${MILLIONS}` },
    } as const;
    const { stdout } = await reported([make.taskFinished('lb1', 'changed', { change, diff: true })]);
    expect(stdout).to.match(/ {4}- notes: .*pool oldout of.*\n {4}\+ notes: .*pool newout of.*\n/);
    expect(stdout).to.have.length.below(25_000);
  });

  it('in diffs and values are cut after a total number of characters', async () => {
    const make = new EventMaker();
    const after = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`notes${at}`, MILLIONS]));
    const change = { kind: 'create', object: 'cloud "edge"', before: null, after } as const;
    const { stdout } = await reported([make.taskFinished('lb1', 'changed', { change, diff: true })]);
    expect(stdout).to.include('… cut here, after 11 lines\n');
    expect(stdout).to.have.length.below(120_000);
  });
});

/** The secret is learned after all events but the last one. */
function* learntLate(events: readonly Event[], secrets: Secrets, secret: string): Iterable<Event> {
  yield* events.slice(0, -1);
  secrets.add(secret);
  yield* events.slice(-1);
}
