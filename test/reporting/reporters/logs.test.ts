import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

describe('a log of many controllers', () => {
  it('names five of them in the annotation of a failure', async () => {
    const make = new EventMaker();
    const names = controllerNames(7);
    const { stdout } = await reported(
      [make.playStarted(names), ...names.map((name) => make.taskFinished(name, 'failed')), make.runFinished()],
      { github: { workspace: '/nowhere' } },
    );
    expect(stdout.split('\n').filter((line) => line.startsWith('::error'))).to.deep.equal([
      '::error file=playbooks/rollout.yml,line=4,col=7,title=Create the cloud::failed without a message (lb01, lb02, lb03, lb04, lb05 and 2 more)',
    ]);
  });

  it('shows five unfinished routes in a line of progress', async () => {
    const make = new EventMaker();
    const names = controllerNames(14);
    const routes = Object.fromEntries(names.map((name, at) => [`r${name.slice(2)}`, [at]]));
    const { stderr } = await reported([
      make.playStarted(names, { routes, tasks: 1 }),
      ...names.slice(0, 7).flatMap((name) => [make.pass(5).taskFinished(name, 'ok'), make.controllerFinished(name)]),
    ]);
    const rest = 'r08 0 of 1; r09 0 of 1; r10 0 of 1; r11 0 of 1; r12 0 of 1; 2 more routes';
    expect(stderr.trimEnd().split('\n').at(-1)).to.equal(`progress 50 % · 7 of 14 controllers · 35 s · ${rest}`);
  });

  it('has one line for changes that a template explains, if it is grouped', async () => {
    const make = new EventMaker();
    const create = (controller: string, name: string): Event =>
      make.taskFinished(controller, 'changed', {
        change: { kind: 'create', object: `cloud "${name}"`, before: null, after: { name } },
      });
    const events = [
      make.playStarted(['lb1', 'lb2', 'lb3']),
      make.batchStarted(['lb1', 'lb2', 'lb3']),
      create('lb1', 'edge-a'),
      create('lb2', 'edge-b'),
      create('lb3', 'core'),
      make.batchFinished(),
    ];
    const shown = async (writtenArguments?: () => { readonly name: string }): Promise<readonly string[]> =>
      (await reported(events, { output: 'grouped', writtenArguments })).stdout.trimEnd().split('\n').slice(1);
    expect(await shown(() => ({ name: 'edge-{{ site }}' }))).to.deep.equal([
      '    changed      2× Create the cloud: created cloud "edge-{{ site }}" (lb1, lb2)',
      '    changed      Create the cloud: created cloud "core" (lb3)',
    ]);
    expect(await shown()).to.have.length(3);
  });
});
