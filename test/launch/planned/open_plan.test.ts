import { appendFile, chmod, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { PlanGuide } from '../../../src/core/model/run/plan.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { loadPlanned, openPlan, whyNotNow } from '../../../src/launch/planned/open_plan.js';
import { readKey } from '../../../src/record/journal/format/project_key.js';
import { readPlanHeader } from '../../../src/record/plan/plan_file.js';
import { PlanWriter } from '../../../src/record/plan/plan_writer.js';
import { inFolder } from '../../rig/folder.js';
import { evenkeel } from '../../rig/in_process.js';
import { worded } from '../../rig/loaded.js';

const FILES = {
  'inv.yml': `all:
  hosts: { lb1: , lb2: { api_token: planted-secret } }
  vars: { controller_url: 'https://{{inventory_hostname}}.example', controller_api_version: 22.1.3 }
`,
  'site.yml': `- hosts: all
  tasks:
    - cloud_present: { name: '{{ shout(inventory_hostname) }}', vtype: CLOUD_NONE }
    - pool_present: { name: web }
`,
  'filters/shout.mjs': `import { defineFilter } from 'evenkeel';
export default defineFilter({ name: 'shout', signature: 'text', run: (text) => text.toUpperCase() });
`,
};

/** In a project with a plan of two tasks on two controllers. */
function planned<T>(use: (project: { readonly cwd: string; readonly file: string }) => Promise<T>): Promise<T> {
  return inFolder(FILES, async (cwd) => {
    const words = ['plan', 'site.yml', '-i', 'inv.yml', '--simulate', '--out', 'a.plan'];
    const { code, stdout, stderr } = await evenkeel(words, { cwd });
    expect(code, stdout + stderr).to.equal(0);
    return use({ cwd, file: path.join(cwd, 'a.plan') });
  });
}

/** What a plan is for, with which request it was made, or why it is refused. */
async function opened(file: string, cwd: string): Promise<unknown> {
  const found = await openPlan(file, { cwd, env: {} }, ({ file: plan, inputs, invocation, stateDirectory }) => [
    plan.summary.controllers,
    inputs.playbooks,
    invocation.command,
    path.relative(cwd, stateDirectory),
  ]);
  return found.status === 'ok' ? found.value : found.diagnostics.map(worded);
}

async function writePlan(cwd: string, invocation: Mapping): Promise<string> {
  const file = path.join(cwd, 'own.plan');
  const key = (await readKey(path.join(cwd, '.evenkeel'))) ?? expect.fail('no key');
  const writer = await PlanWriter.create(file, key, {
    id: 'p1',
    created: '2026-01-01T00:00:00.000Z',
    version: '1.0.0',
  });
  const inputs = { invocation, playbooks: [], answers: {}, written: {}, secrets: [], code: {} };
  await writer.finish(inputs, { controllers: [], unplanned: {}, connections: {} });
  return file;
}

describe('a saved plan', () => {
  it('is opened with the key of its project, or refused', () =>
    planned(async ({ cwd, file }) => {
      const command = { type: 'run', playbooks: ['site.yml'] };
      expect(await opened(file, cwd)).to.deep.equal([['lb1', 'lb2'], ['site.yml'], command, '.evenkeel']);
      const { value: plan } = (await openPlan(file, { cwd, env: {} }, (open) => open.file)) as never as {
        readonly value: { readonly inputs: () => unknown };
      };
      expect(() => plan.inputs(), 'closed').to.throw();
      await expectThrown(
        openPlan(file, { cwd, env: {} }, () => expect.fail('of the caller')),
        'of the caller',
      );

      const text = path.join(cwd, 'site.yml');
      expect(await opened(text, cwd)).to.deep.equal([`${text} is not a plan — evenkeel plan … --out FILE makes one`]);
      const strange = await writePlan(cwd, { command: { type: 'dance' } });
      expect(await opened(strange, cwd)).to.deep.equal([
        `this version cannot read the request of the plan ${strange} — make a new plan`,
      ]);
      const state = path.join(cwd, '.evenkeel');
      await chmod(path.join(state, 'key'), 0o644);
      expect(JSON.stringify(await opened(file, cwd))).to.include('.evenkeel/key');
      await rename(state, path.join(cwd, 'gone'));
      expect(await opened(file, cwd)).to.deep.equal([
        `${file} cannot be opened: there is no key in ${state} — apply a plan in the project that made it`,
      ]);
      await writeFile(path.join(cwd, 'evenkeel.yml'), 'forks: many\n');
      expect(JSON.stringify(await opened(file, cwd)))
        .to.include('forks')
        .and.not.include('no key');
    }));

  it('guides a run of what it was made from, whatever has become of the files', () =>
    planned(async ({ cwd, file }) => {
      await writeFile(path.join(cwd, 'site.yml'), 'gone');
      const { id } = readPlanHeader(file);
      const load = async (plan = id, of = file) => {
        const [diagnostics, secrets] = [new Diagnostics(), new Secrets()];
        const workspace = { cwd, env: {}, secrets };
        const loaded = await loadPlanned({ file: of, plan }, { inventory: ['inv.yml'] }, workspace, diagnostics);
        return { loaded, secrets, said: diagnostics.list.map(worded) };
      };
      const { loaded, secrets, said } = await load();
      expect(said).to.deep.equal([]);
      expect(secrets.mask('planted-secret')).to.equal('********');
      expect([...(loaded?.target.inventory.controllers.keys() ?? [])]).to.deep.equal(['lb1', 'lb2']);
      expect(loaded?.playbooks.map(({ plays }) => plays.length)).to.deep.equal([1]);
      const guide = loaded?.plan as PlanGuide;
      expect([guide.type, guide.madeBy]).to.deep.equal([
        'follow',
        'evenkeel plan site.yml -i inv.yml --simulate --out a.plan',
      ]);
      const titles = (name: string): readonly string[] => guide.steps(name).map(({ module }) => module);
      expect(['lb1', 'lb2', 'lb3'].map(titles)).to.deep.equal([
        ['cloud_present', 'pool_present'],
        ['cloud_present', 'pool_present'],
        [],
      ]);
      const [first, second] = guide.steps('lb2');
      expect(guide.find('lb2', first?.place ?? '', () => true)).to.deep.equal(first);
      expect(guide.find('lb2', second?.place ?? '', ({ module }) => module === 'pool_present')).to.deep.equal(second);
      expect(guide.find('lb2', second?.place ?? '', ({ module }) => module === 'cloud_present')).to.equal(undefined);
      expect(guide.connections('lb3')).to.deep.equal([]);
      const begun = [await guide.begin('lb1', 'r1'), await guide.begin('lb1', 'r2'), await guide.begin('lb2', 'r2')];
      expect(begun).to.deep.equal([undefined, 'r1', undefined]);

      expect(await load('p2')).to.deep.include({
        loaded: undefined,
        said: [`${file} now contains another plan — the run applied the plan p2`],
      });
      const task = await writePlan(cwd, { command: { type: 'task', pattern: 'all', module: 'debug' }, cwd });
      expect((await load('p1', task)).said).to.have.length(1);
      const filter = path.join(cwd, 'filters/shout.mjs');
      await appendFile(filter, '// Changed.\n');
      expect(await load()).to.deep.include({
        loaded: undefined,
        said: [`${filter} has changed since the plan was made, and the plan depends on it — make a new plan`],
      });
      await chmod(path.join(cwd, '.evenkeel/key'), 0o644);
      expect((await load()).said.map((one) => one.replace(/ —.*/, ''))).to.deep.equal([
        `other users can read the key ${cwd}/.evenkeel/key`,
      ]);
    }));

  it('is applied for some days, by clocks that may differ by a minute', () => {
    const said = (days: number, maxAge?: number, cwd = '/'): unknown => {
      const created = new Date(Date.now() - days * 86_400_000).toISOString();
      const refused = whyNotNow('p', cwd, created, maxAge);
      return refused?.diagnostics.map(({ message, hint }) => [message.replace(created, 'THEN'), hint]);
    };
    const old = 'make a new plan; or apply this one with --max-age DAYS';
    expect([said(6.9), said(9.9, 10), said(-0.0005)]).to.deep.equal([undefined, undefined, undefined]);
    expect(said(7.9)).to.deep.equal([['p is 7 days old, and plans are applied for 7', old]]);
    expect(said(2.1, 1)).to.deep.equal([['p is 2 days old, and plans are applied for 1', old]]);
    expect(said(-0.001)).to.deep.equal([
      [
        'p was made in the future, at THEN: the clock of this machine, or of the one that made the plan, is wrong',
        'set the clock; then make a new plan if this one is old',
      ],
    ]);
    expect(said(0, 7, '/gone')).to.deep.equal([
      [
        'p was made in /gone, which is not on this machine',
        'apply it in a copy of the project at the same place, or make a new plan',
      ],
    ]);
  });
});

async function expectThrown(promise: Promise<unknown>, message: string): Promise<void> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  expect(error).to.be.instanceOf(Error).with.property('message', message);
}
