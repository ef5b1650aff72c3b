import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { liveLines } from '../../../src/reporting/reporters/live_view.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { EventMaker } from '../../rig/events.js';
import { playbookFolder, type PlaybookFolder } from '../../rig/playbook_file.js';
import { reported } from '../../rig/report.js';

const CREATED = { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge' } } as const;
const CHECK = {
  task: 'Portal answers',
  module: 'api_request',
  round: 1,
  source: { file: 'playbooks/rollout.yml', line: 8, column: 7 },
};

/** Two controllers; the first has reached its gate. */
function beforeGate(make: EventMaker): readonly Event[] {
  return [
    make.runStarted(),
    make.playStarted(['lb1', 'lb2']),
    make.batchStarted(['lb1'], 1, 2),
    make.taskFinished('lb1', 'changed', { change: CREATED }),
    make.controllerFinished('lb1'),
    make.batchFinished(1),
  ];
}

const REASON = 'the gate of batch 1 of 2 failed: "Portal answers" on lb1';

function ended(make: EventMaker): readonly Event[] {
  return [
    make.playFinished(),
    make.runFinished({ status: 'failed', exitCode: 6, reason: REASON, unstarted: ['lb2'], seconds: 3 }),
  ];
}

describe('gates in the output', () => {
  let folder: PlaybookFolder;
  before(async () => {
    folder = await playbookFolder();
  });
  after(() => folder.dispose());

  const failing = (make: EventMaker, action: 'stop' | 'rollback'): readonly Event[] => [
    ...beforeGate(make),
    make.gateStarted(['lb1', 'lb3'], { failures: 2 }),
    make.taskFinished('lb1', 'failed', { ...CHECK, message: 'answered 503' }),
    make.gateChecked(1, ['lb1']),
    make.pass(2).taskFinished('lb1', 'failed', { ...CHECK, round: 2, message: 'answered 500' }),
    make.gateChecked(2, ['lb1']),
    make.gateFinished(action, 'failed'),
    ...ended(make),
  ];

  it('are reported with the cause, and with the controllers to run again', async () => {
    const { cwd } = folder;
    const commandFor = (way: string): string => `evenkeel ${way}`;
    const { stdout } = await reported(failing(new EventMaker(), 'stop'), { cwd, commandFor });
    expect(stdout).to.equal(`evenkeel 0.1.0 · playbooks/rollout.yml

play Roll out · 2 controllers · 2 tasks
batch 1 of 2 · 1 controller
changed      lb1  Create the cloud: created cloud "edge"
gate · 2 controllers · 1 may fail
failed       lb1  Portal answers (gate): answered 503
gate round 1 failed on lb1 · 1 of 2 failures
failed       lb1  Portal answers (gate): answered 500
gate round 2 failed on lb1 · 2 of 2 failures
✖ gate failed · 2 rounds · 2.0 s · rollout stopped

failed: answered 500
  --> playbooks/rollout.yml:8:7 Portal answers (api_request)
     |
   6 |         name: edge
   7 |         mtu: '{{mtu}}'
   8 |     - name: Configure
     |       ^^^^
   9 |       system_config:
  10 |         dns_configuration:
  = controller: lb1
  = gate: of batch 1, round 2
  = written before: cloud "edge"

ended early: ${REASON}

recap
lb1  ok=1   changed=1   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0
lb2  not started
2 controllers · 1 changed · 1 not started · gate failed · 3.0 s

continue with: evenkeel resume
or roll back with: evenkeel rollback
`);
  });

  it('are annotated in GitHub Actions', async () => {
    const github = { workspace: folder.cwd };
    const { stdout } = await reported(failing(new EventMaker(), 'stop'), { cwd: folder.cwd, github });
    expect(stdout).to.include(
      '::error file=playbooks/rollout.yml,line=8,col=7,title=Portal answers::answered 500 (lb1)\n',
    );
  });

  it('take one line each when they pass, and one more for each of several rounds', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      ...beforeGate(make),
      make.gateStarted(['lb1']),
      make.taskFinished('lb1', 'ok', CHECK),
      make.gateChecked(),
      make.gateFinished(),
      make.gateStarted(['lb1'], { batch: 2, passes: 2 }),
      make.gateChecked(),
      make.pass(5).gateChecked(2),
      make.gateFinished(),
      make.playFinished(),
      make.runFinished(),
    ]);
    expect(stdout.split('\n').slice(4, 12)).to.deep.equal([
      'changed      lb1  Create the cloud: created cloud "edge"',
      'gate · 1 controller',
      '✔ gate passed · 0.0 s',
      'gate · 1 controller · 2 rounds in a row must pass',
      'gate round 1 passed · 1 of 2',
      'gate round 2 passed · 2 of 2',
      '✔ gate passed · 2 rounds · 5.0 s',
      '',
    ]);
  });

  it('are not a failure if the user continues anyway', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      ...beforeGate(make),
      make.gateStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { ...CHECK, message: 'answered 503' }),
      make.gateChecked(1, ['lb1']),
      make.gateFinished('continue', 'failed'),
      make.playFinished(),
      make.runFinished(),
    ]);
    expect(stdout).to.include('✖ gate failed · 0.0 s · continuing with the next batch\n');
    expect(stdout).to.not.include('failed: answered 503').and.to.not.include('continue with');
  });

  it('show in a terminal what they wait for', () => {
    const make = new EventMaker(0);
    const [, started, ...rest] = beforeGate(make);
    if (started?.type !== 'play-started') throw new Error('no play');
    const progress = new PlayProgress(started);
    const show = (events: readonly Event[], now: number): string | undefined => {
      for (const event of events) progress.handle(event);
      return liveLines(progress, { columns: 100, rows: 40, now, palette: createPalette(false) })[1];
    };
    const begun = show([...rest, make.gateStarted(['lb1'], { passes: 3, failures: 2 }), make.taskStarted('lb1')], 0);
    expect(begun).to.equal('gate  round 1 on 1 controller · 0 of 3 passed');
    expect(show([make.gateChecked(1)], 1_000)).to.equal('gate  next round in 4.0 s · 1 of 3 passed');
    expect(show([make.pass(5).taskStarted('lb1'), make.gateChecked(2, ['lb1'])], 6_000)).to.equal(
      'gate  next round in 4.0 s · 0 of 3 passed · 1 of 2 failures, last on lb1',
    );
    expect(progress.outcomes, 'its checks are none of the work').to.include({ changed: 1, failed: 0 });
    expect(show([make.gateFinished()], 6_000)).to.not.include('gate');
  });

  it('report in a log what they wait for', async () => {
    const make = new EventMaker();
    const { stderr } = await reported([
      ...beforeGate(make),
      make.gateStarted(['lb1'], { passes: 100 }),
      make.gateChecked(1),
      make.pass(31).gateChecked(2),
      make.playFinished(),
      make.runFinished({ status: 'interrupted', exitCode: 130 }),
    ]);
    expect(stderr).to.equal('progress gate  next round in 5.0 s · 2 of 100 passed · 31 s\n');
  });
});
