import type { Event } from '../../src/core/model/run/event.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { createReporter } from '../../src/reporting/reporter.js';
import { controllerNames, EventMaker, masked } from './events.js';

// Shows an invented run in the terminal; continues when a key is pressed. Arguments: scenario, further options.

const CREATED = { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge' } } as const;
const CONFIGURE = { task: 'Configure', module: 'system_config' };
const DEBUG = { task: 'Say', module: 'debug', spoken: true };

type Phase = readonly Event[];

/** Three controllers, a row each. */
function* few(make: EventMaker): Generator<Phase> {
  const names = ['lb1', 'lb2', '雲'.repeat(40)];
  yield [
    make.runStarted({ simulated: true }),
    make.playStarted(names),
    make.batchStarted(names),
    make.taskStarted('lb1'),
  ];
  yield [
    make.taskFinished('lb1', 'changed', { change: CREATED }),
    make.taskFinished('lb1', 'ok', { ...DEBUG, message: 'hello\n\u001b[2Jworld' }),
    make.controllerFinished('lb1'),
    make.taskStarted('lb2'),
    make.taskFinished('lb2', 'failed', { message: `answered 400\nwith ${'many '.repeat(50)}words` }),
    make.controllerFinished('lb2'),
    make.warning('the clock of lb1 is wrong'),
  ];
  const last = make.taskFinished(names[2] ?? '', 'ok');
  yield [
    last,
    make.batchFinished(),
    make.playFinished(),
    make.runFinished({ status: 'failed', exitCode: 2, seconds: 1 }),
  ];
}

/** A thousand controllers in two batches, shown as counters. */
function* fleet(make: EventMaker): Generator<Phase> {
  const names = controllerNames(1000);
  const [first, second] = [names.slice(0, 500), names.slice(500)];
  yield [
    make.runStarted(),
    make.playStarted(names),
    make.batchStarted(first, 1, 2),
    ...first.slice(0, 20).map((name) => make.taskStarted(name)),
  ];
  yield first
    .slice(0, 250)
    .flatMap((name, index) => [
      make.taskFinished(name, 'changed', { change: CREATED }),
      index % 25 === 0
        ? make.taskFinished(name, 'failed', { ...CONFIGURE, message: 'answered 400' })
        : make.taskFinished(name, 'ok', CONFIGURE),
      make.controllerFinished(name),
    ]);
  yield [make.batchFinished(1), make.batchStarted(second, 2, 2)];
  yield [make.batchFinished(2), make.playFinished(), make.runFinished({ status: 'failed', exitCode: 2, seconds: 1 })];
}

async function main(): Promise<void> {
  const { stdout, stderr, stdin } = process;
  const [scenario, verbosity = '0'] = process.argv.slice(2);
  process.on('SIGINT', () => undefined);
  stdin.setRawMode(true);
  stdin.on('data', () => undefined);
  const options = {
    output: 'live',
    colour: true,
    secrets: new Secrets(),
    cwd: '/nowhere',
    verbosity: Number(verbosity),
  } as const;
  const reporter = createReporter({ ...options, stdout, stderr });
  const make = new EventMaker(Date.now());
  for (const phase of scenario === 'few' ? few(make) : fleet(make)) {
    for (const event of phase) reporter.handle(masked(event));
    if (phase.at(-1)?.type !== 'run-finished') await new Promise((resolve) => stdin.once('data', resolve));
  }
  await reporter.close();
  stdin.pause();
}

void main();
