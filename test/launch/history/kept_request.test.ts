import { mkdir, symlink } from 'node:fs/promises';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { movedRequest, openKept } from '../../../src/launch/history/kept_request.js';
import { loadProject } from '../../../src/project/project/project.js';
import { EventMaker, masked } from '../../rig/events.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { beginRun } from '../../rig/kept.js';
import { worded } from '../../rig/loaded.js';

const FIRST = '20260101T000000Z-000001';
const SECOND = '20260102T000000Z-000001';
const REQUEST: Mapping = {
  command: { type: 'run', playbooks: ['site.yml'] },
  fingerprintKey: 'key',
  answers: [],
};

describe('an earlier run', () => {
  const opened = (name: string, invocation: Mapping | undefined, files: Files = {}, simulated = false) =>
    inFolder({ 'evenkeel.yml': 'forks: 3\n', ...files }, async (cwd) => {
      const make = new EventMaker();
      const kept = invocation && { cwd, ...invocation };
      const journal = await beginRun(`${cwd}/.evenkeel`, { id: FIRST, start: { invocation: kept, cwd, simulated } });
      journal.keep(masked(make.taskFinished('lb1', 'failed')));
      await journal.close();
      const undo = await beginRun(`${cwd}/.evenkeel`, { id: SECOND, start: { undoes: FIRST, simulated } });
      await undo.close();
      const found = await openKept(name, { cwd, env: {} }, ({ invocation: read, outcome, undoneBy, kept: run }) =>
        Promise.resolve([read.cwd === cwd, read.command.type, outcome.inState('failed'), undoneBy, run.header.id]),
      );
      return found.status === 'ok'
        ? found.value
        : found.diagnostics.map(worded).map((one) => one.replaceAll(cwd, 'DIR'));
    });

  it('is opened with its request, its outcome, and the rollback that undid it', async () => {
    for (const simulated of [false, true])
      expect(await opened(FIRST.slice(0, 8), REQUEST, {}, simulated)).to.deep.equal([
        true,
        'run',
        ['lb1'],
        SECOND,
        FIRST,
      ]);
    const plan = { ...REQUEST, command: { type: 'apply', file: '/p', plan: 'p' } };
    expect(await opened(FIRST, plan)).to.deep.equal([true, 'apply', ['lb1'], SECOND, FIRST]);
  });

  it('is refused if there is none, or its request cannot be read', async () => {
    expect(await opened('2027', REQUEST)).to.deep.equal([
      `there is no run "2027" in DIR/.evenkeel/runs — the newest is ${SECOND}; evenkeel runs lists them`,
    ]);
    expect(await opened(FIRST, undefined)).to.deep.equal([`run ${FIRST} has no recorded request`]);
    expect(await opened(FIRST, { ...REQUEST, answers: 1 })).to.deep.equal([
      `this version cannot read the request of run ${FIRST}`,
    ]);
  });

  it('is refused with the warnings about the project, too', () =>
    inFolder({ 'evenkeel.yml': '' }, async (cwd) => {
      const found = await openKept('last', { cwd, env: { EVENKEEL_FORKZ: '3' } }, () => Promise.resolve());
      const said = found.status === 'ok' ? [] : found.diagnostics;
      expect(said.map(({ severity, message }) => [severity, message.replace(cwd, 'DIR')])).to.deep.equal([
        ['warning', 'unknown environment variable EVENKEEL_FORKZ'],
        ['error', 'there are no runs in DIR/.evenkeel/runs yet'],
      ]);
    }));

  it('is refused with what is wrong with the project', async () => {
    expect(await opened(FIRST, REQUEST, { 'evenkeel.yml': 'forkz: 3\n' })).to.deep.equal([
      'evenkeel.yml:1:1 "forkz" is not a keyword of evenkeel.yml — did you mean "forks"?',
    ]);
  });

  it('of a plan is refused where its folder is gone, or has another state folder', async () => {
    const plan = { ...REQUEST, command: { type: 'apply', file: '/p', plan: 'p' } };
    expect(await opened(FIRST, { ...plan, cwd: '/gone' })).to.deep.equal([
      `run ${FIRST} was started in /gone, which is not on this machine`,
    ]);
    await inFolder({}, async (other) => {
      await symlink('loop', `${other}/loop`);
      expect(await opened(FIRST, { ...plan, cwd: `${other}/loop/x` })).to.deep.equal([
        `run ${FIRST} was started in ${other}/loop/x, which cannot be examined: its links form a loop`,
      ]);
    });
    await inFolder({ 'evenkeel.yml': '' }, async (other) => {
      expect(await opened(FIRST, { ...plan, cwd: other })).to.deep.equal([
        `run ${FIRST} was started in ${other}, which has another state folder: continue it there`,
      ]);
    });
  });
});

describe('the request of a run from elsewhere', () => {
  const PROJECT = { 'evenkeel.yml': '', 'sub/site.yml': '', 'config/other.yml': '' };
  const moved = (request: (there: string) => object, env: object = {}, own = '') =>
    inFolder(PROJECT, (there) =>
      inFolder(PROJECT, async (here) => {
        await mkdir(`${here}/state`);
        const cwd = `${here}${own}`;
        const workspace = {
          cwd,
          env: JSON.parse(JSON.stringify(env).replaceAll('HERE', here)) as Record<string, string>,
        };
        const project = await loadProject(cwd, workspace.env, new Diagnostics());
        const given = request(there) as Parameters<typeof movedRequest>[0];
        const text = JSON.stringify(await movedRequest(given, project, workspace));
        return JSON.parse(text.replaceAll(there, 'THERE').replaceAll(here, 'HERE')) as unknown;
      }),
    );

  it('has the folders of this project in place of its own', async () => {
    const modulePath = (there: string) => [`${there}/modules`, 'package', '/elsewhere/modules', `${there}2/modules`];
    const modules = ['HERE/modules', 'package', '/elsewhere/modules', 'THERE2/modules'];
    expect(
      await moved((there) => ({ cwd: `${there}/sub`, modulePath: modulePath(there), limit: 'lb1' })),
    ).to.deep.equal({
      cwd: 'HERE/sub',
      modulePath: modules,
      limit: 'lb1',
    });
    // The project of a run whose folder is gone began there.
    expect(await moved((there) => ({ cwd: `${there}/gone`, modulePath: [`${there}/gone/modules`] }))).to.deep.equal({
      cwd: 'HERE',
      modulePath: ['HERE/modules'],
    });
  });

  it('has only its working folder and what is below replaced, if its project file was named', async () => {
    const request = (there: string) => ({
      cwd: `${there}/sub`,
      config: `${there}/config/other.yml`,
      modulePath: [`${there}/sub/a`, `${there}/b`],
    });
    expect(await moved(request, {}, '/sub')).to.deep.equal({
      cwd: 'HERE/sub',
      config: 'THERE/config/other.yml',
      modulePath: ['HERE/sub/a', 'THERE/b'],
    });
    expect(await moved((there) => ({ ...request(there), config: `${there}/sub/own.yml` }), {}, '/sub')).to.deep.include(
      {
        cwd: 'HERE',
        config: 'HERE/own.yml',
      },
    );
  });

  it('stays as it is if the state folder is the same', async () => {
    const request = (there: string) => ({ cwd: `${there}/sub`, config: `${there}/config/other.yml` });
    const same = { cwd: 'THERE/sub', config: 'THERE/config/other.yml' };
    const [outside, inside] = [{ EVENKEEL_STATE_DIR: '/elsewhere' }, { EVENKEEL_STATE_DIR: 'HERE/state' }];
    expect(await moved(request, outside)).to.deep.equal(same);
    expect(await moved(request, inside)).to.not.deep.equal(same);
    expect(await moved(request, {})).to.not.deep.equal(same);
    await inFolder(PROJECT, async (folder) => {
      const project = await loadProject(folder, {}, new Diagnostics());
      const own = { cwd: `${folder}/sub` };
      expect(await movedRequest(own, project, { cwd: folder, env: {} })).to.equal(own);
      const other = { ...project, directory: '/elsewhere' };
      expect(await movedRequest(own, other, { cwd: '/elsewhere', env: {} })).to.equal(own);
    });
  });
});
