import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { WriteIntended } from '../../../src/core/model/run/journal.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { loadRollback, loadRollbackAgain, readUndoneRun } from '../../../src/launch/undo/load_rollback.js';
import type { RunStart } from '../../../src/record/journal/format/run_header.js';
import { ownIdentity } from '../../../src/record/locks/process_identity.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { anIntent, beginRun, reaching } from '../../rig/kept.js';
import { worded } from '../../rig/loaded.js';

const WAY_OUT = 'to restore it, pass -i with an inventory that has its name and its address';

const FILES = {
  'evenkeel.yml': 'inventory: inv.yml\n',
  'inv.yml': `all:
  vars: { controller_url: 'https://{{ inventory_hostname }}.example' }
  hosts: { lb3: , lb1: , lb2: { controller_url: https://new.example }, lb4: }
`,
  'site.yml': '- { hosts: all, tasks: [] }\n',
};
const url = (name: string): string => `https://${name}.example`;
const FINGERPRINT = { version: '1', files: {}, programs: {}, controllers: ['lb1', 'lb2', 'lb5'], plays: [] };

interface Given {
  /** The controllers that the run wrote to, with more about each write. */
  readonly writes: readonly (readonly [controller: string, more?: Partial<WriteIntended>])[];
  readonly start?: Partial<RunStart>;
  /** Of the rollback. */
  readonly options?: Parameters<typeof loadRollback>[1];
  readonly files?: Files;
  /** The warnings. */
  readonly said?: readonly string[];
  /** The working directory, below the folder of the project file. */
  readonly below?: string;
  /** With which the run reached the controllers. */
  readonly headers?: Mapping;
}

/** The rollback of a run of a process that has ended. */
function loaded<T>(
  { writes, start = {}, options = {}, files = {}, said = [], below = '', headers = {} }: Given,
  use: (found: {
    readonly done: Awaited<ReturnType<typeof loadRollback>>;
    readonly secrets: Secrets;
    readonly id: string;
    readonly cwd: string;
  }) => T | Promise<T>,
): Promise<T> {
  return inFolder({ ...FILES, ...files }, async (folder) => {
    const [state, cwd] = [path.join(folder, '.evenkeel'), path.join(folder, below)];
    await mkdir(state, { mode: 0o700 });
    const secrets = new Secrets();
    const ended = { ...ownIdentity(), pid: 2 ** 30 };
    const journal = await beginRun(state, {
      start: { cwd, process: ended, fingerprint: FINGERPRINT, ...start },
      secrets,
    });
    for (const [name, more] of writes) {
      const change = {
        kind: 'update',
        object: 'cloud "edge"',
        before: { uuid: 'c', mtu: 1 },
        after: { uuid: 'c', mtu: 2 },
      };
      const { account, url: place } = more?.reached ?? { ...reaching(name), url: url(name) };
      const reached = { account, url: place, controller: journal.digest([place, headers]) };
      const own = { controller: name, target: name, method: 'PUT', path: '/api/cloud/c', change };
      const given = { ...own, ...more, reached } as never;
      const write = await journal.intend(anIntent(given));
      journal.record({ type: 'write-finished', controller: name, write, outcome: 'applied' });
    }
    await journal.close();
    const diagnostics = new Diagnostics();
    const undone = await readUndoneRun(state, { run: journal.id }, diagnostics);
    if (undone === undefined) throw new Error(diagnostics.list.map(worded).join('\n'));
    await undone.release();
    const known = new Secrets();
    const done = await loadRollback(undone, options, { cwd, env: {}, secrets: known }, diagnostics);
    expect(diagnostics.list.map(worded)).to.deep.equal(said);
    return use({ done, secrets: known, id: journal.id, cwd });
  });
}

describe('a rollback that is loaded', () => {
  it('restores controllers at their addresses in the order of the inventory, and skips the others with a reason', () =>
    loaded({ writes: [['lb1'], ['lb2'], ['lb3'], ['lb5']] }, ({ done: { plan, loaded: run } }) => {
      expect([...plan.undos.keys()]).to.deep.equal(['lb3', 'lb1']);
      expect([...plan.skipped]).to.deep.equal([
        ['lb2', `was at https://lb2.example and is now at https://new.example: ${WAY_OUT}`],
        ['lb5', `is no longer in the inventory: ${WAY_OUT}`],
      ]);
      expect([...(run.target.limit ?? [])]).to.deep.equal(['lb3', 'lb1']);
      expect(run.rollback?.added).to.deep.equal([]);
      expect(run.rollback?.addresses.get('lb1')).to.equal(url('lb1'));
      expect(run.playbooks).to.have.length(1);
    }));

  describe('of which a controller was renamed', () => {
    const RENAMED = 'warning: 1 controller of that run has another name at the same address now: lb5 → lb9';
    const at = (name: string, more = ''): string => `${name}: { controller_url: 'https://lb5.example'${more} }`;
    const found = (hosts: string, given: Partial<Given> = {}): Promise<unknown> => {
      const files = { 'inv.yml': FILES['inv.yml'].replace('lb4:', hosts) };
      return loaded({ writes: [['lb5']], files, ...given }, ({ done: { plan, loaded: run } }) => [
        [...plan.undos.keys()],
        [...plan.skipped.keys()],
        run.rollback?.addresses.get('lb9'),
      ]);
    };
    const restored = [['lb9'], [], url('lb5')];
    const alone = [[], ['lb5'], undefined];

    it('restores it by its address, if one host has it that wrote nothing by itself', async () => {
      expect(await found(at('lb9'), { said: [RENAMED] })).to.deep.equal(restored);
      expect(await found(`${at('lb9')}, ${at('lb8')}`)).to.deep.equal(alone);
      const own = { reached: { ...reaching('lb5'), url: url('lb5') } };
      expect(await found(at('lb9'), { writes: [['lb5'], ['lb9', own]] })).to.deep.equal(restored);
    });

    it('says so also if its last write was by a connection of its own, which stays', async () => {
      const own = { path: '/api/cloud/d', connection: { controller_url: url('lb5') } };
      const writes = [['lb5'], ['lb5', { ...own, reached: { ...reaching('lb5'), url: url('lb5') } }]] as const;
      expect(await found(at('lb9'), { writes, said: [RENAMED] })).to.deep.equal([['lb9'], ['lb5'], url('lb5')]);
    });

    it('leaves it alone if the host at its address has other headers, which can choose another controller', async () => {
      const site = (name: string): string => at('lb9', `, controller_headers: { X-Site: ${name}, X-Hops: 2 }`);
      const headers = { 'X-Hops': '2', 'X-Site': 'a' };
      expect(await found(site('a'), { headers, said: [RENAMED] })).to.deep.equal(restored);
      expect(await found(site('b'), { headers })).to.deep.equal(alone);
      expect(await found(site("'{{ missing }}'"), { headers })).to.deep.equal(alone);
      expect(await found(site("'{{ missing }}'"))).to.deep.equal(alone);
      expect(await found(at('lb9'), { headers })).to.deep.equal(alone);
      expect(await found(site('a'))).to.deep.equal(alone);
    });

    it('leaves it alone if the inventory of the run had the host at its address, or is not known', async () => {
      const moved = { start: { fingerprint: { ...FINGERPRINT, controllers: ['lb5', 'lb9'] } } };
      expect(await found(at('lb9'), moved)).to.deep.equal(alone);
      expect(await found(at('lb9'), { start: { fingerprint: { version: '0' } } })).to.deep.equal(alone);
    });
  });

  it('takes the address of a controller also from variables beside the playbook', async () => {
    const skipped = (files: Files): Promise<unknown> =>
      loaded({ writes: [['lb1'], ['lb3']], files }, ({ done: { plan } }) => [...plan.skipped.keys()]);
    const moved = 'controller_url: https://moved.example\n';
    const groups = `${FILES['inv.yml']}  children: { eu: { hosts: { lb3: } } }\n`;
    expect(await skipped({})).to.deep.equal([]);
    expect(await skipped({ 'host_vars/lb1.yml': moved })).to.deep.equal(['lb1']);
    expect(await skipped({ 'group_vars/all.yml': moved })).to.deep.equal(['lb3', 'lb1']);
    expect(await skipped({ 'group_vars/eu.yml': moved, 'inv.yml': groups })).to.deep.equal(['lb3']);
  });

  it('is refused while the run goes on', () =>
    inFolder(FILES, async (cwd) => {
      const state = path.join(cwd, '.evenkeel');
      const said = async (start: Partial<RunStart>, force?: boolean): Promise<readonly string[]> => {
        const journal = await beginRun(state, { start: { cwd, ...start } });
        await journal.close();
        const diagnostics = new Diagnostics();
        await (await readUndoneRun(state, { run: journal.id, force }, diagnostics))?.release();
        return diagnostics.list.map(({ message }) => message.replace(journal.id, 'RUN').replace(/\(.*/, ''));
      };
      const ended = { ...ownIdentity(), pid: 2 ** 30 };
      for (const force of [false, true]) {
        expect(await said({}, force)).to.deep.equal(['run RUN is still running ']);
        expect(await said({ process: ended }, force)).to.deep.equal([]);
        expect(await said({ process: { ...ended, host: 'ci-7', boot: 'another' } }, force)).to.deep.equal(
          force ? [] : ['run RUN was started on ci-7: this machine cannot see whether it is still running'],
        );
      }
    }));

  it('restores what tasks wrote by a connection of their own, also of controllers that the run added', () => {
    const over = (at: string) => ({
      reached: { ...reaching(at), url: url(at) },
      connection: { controller_url: url(at) },
    });
    return loaded(
      {
        writes: [
          ['lb2', over('a')],
          ['lb5', over('b')],
          ['lb6', over('c')],
        ],
      },
      ({ done: { plan, loaded: run } }) => {
        expect([...plan.undos.keys()]).to.deep.equal(['lb2', 'lb6']);
        expect([...plan.skipped]).to.deep.equal([['lb5', `is no longer in the inventory: ${WAY_OUT}`]]);
        expect(run.rollback?.added).to.deep.equal(['lb6']);
        expect([...run.target.inventory.controllers.keys()]).to.deep.equal(['lb3', 'lb1', 'lb2', 'lb4', 'lb6']);
      },
    );
  });

  it('knows the kinds of objects beside its playbooks, in the working directory and beside the project file', async () => {
    const table = (name: string): string =>
      JSON.stringify({ format: 'evenkeel-kinds-1', kinds: { [name]: 'X' }, structures: { X: { fields: {} } } });
    const files = Object.fromEntries(
      ['one', 'two', 'here', '.'].map((folder) => [`${folder}/modules/a.kinds.json`, table(`kind_${folder}`)]),
    );
    const found = (start: Partial<RunStart>): Promise<readonly string[]> =>
      loaded({ writes: [['lb1'], ['lb3']], files, below: 'here', start }, async ({ done }) =>
        (await done.loaded.kinds()).names.filter((name) => name.startsWith('kind_')),
      );
    expect(await found({ command: 'task', playbooks: [] })).to.deep.equal(['kind_.', 'kind_here']);
    expect(await found({ playbooks: ['../one/site.yml', '../two/site.yml'] })).to.deep.equal(
      ['.', 'here', 'one', 'two'].map((name) => `kind_${name}`),
    );
  });

  it('restores the controllers of a limit only', () =>
    loaded({ writes: [['lb1'], ['lb3']], options: { limit: 'lb3' } }, ({ done: { plan } }) => {
      expect([[...plan.undos.keys()], [...plan.skipped]]).to.deep.equal([['lb3'], []]);
    }));

  it('restores what its run wrote outside the limit of its environment, and within that of another', async () => {
    const environments =
      'environments: { one: { inventory: inv.yml, limit: lb1 }, two: { inventory: inv.yml, limit: lb3 } }\n';
    const files = { 'evenkeel.yml': environments };
    const start = { invocation: { env: 'one' } };
    const found = (options: NonNullable<Given['options']>): Promise<unknown> =>
      loaded(
        { writes: [['lb1'], ['lb3']], files, start, options },
        ({
          done: {
            plan,
            loaded: { rollback },
          },
        }) => [[...plan.undos.keys()], rollback?.limit && [...rollback.limit]],
      );
    expect(await found({ env: 'one' })).to.deep.equal([['lb3', 'lb1'], undefined]);
    expect(await found({ env: 'one', limit: 'lb3' })).to.deep.equal([['lb3'], ['lb3']]);
    expect(await found({ env: 'two' })).to.deep.equal([['lb3'], ['lb3']]);
  });

  it('restores a renamed controller whose new name belongs to another shard', () => {
    const hosts = "lb9: { controller_url: 'https://lb5.example' }";
    const files = { 'inv.yml': FILES['inv.yml'].replace('lb4:', hosts) };
    const said = ['warning: 1 controller of that run has another name at the same address now: lb5 → lb9'];
    const shards = ['1/2', '2/2'].map((shard) =>
      loaded({ writes: [['lb5']], files, said, options: { shard } }, ({ done: { plan } }) => [...plan.undos.keys()]),
    );
    return Promise.all(shards).then((found) => expect(found).to.deep.equal([['lb9'], ['lb9']]));
  });

  it('knows the values that no_log hid', () => {
    const change = {
      kind: 'update',
      object: 'cloud "edge"',
      before: { uuid: 'c', note: 'planted-before', open: 'shown' },
      after: { uuid: 'c', note: 'planted-after', open: 'shown' },
    } as const;
    const visible = { ...change, after: { uuid: 'c', note: 'visible', open: 'shown' } };
    const gone = {
      kind: 'delete',
      object: 'cloud "old"',
      before: { uuid: 'cloud-9', name: 'old', note: 'planted-gone' },
      after: null,
    } as const;
    return loaded(
      {
        writes: [
          ['lb1', { change, hidden: true }],
          ['lb3', { change: visible }],
          ['lb3', { change: gone, hidden: true, method: 'DELETE', path: '/api/cloud/cloud-9' }],
        ],
      },
      ({ secrets }) => {
        expect(secrets.mask('planted-before planted-after planted-gone shown visible')).to.equal(
          '******** ******** ******** shown visible',
        );
      },
    );
  });

  it('is loaded again for a resume, or refused if its run is gone', () =>
    loaded({ writes: [['lb1'], ['lb3']] }, async ({ id, cwd }) => {
      const again = async (run: string): Promise<unknown> => {
        const diagnostics = new Diagnostics();
        const found = await loadRollbackAgain({ run, allowLockout: false }, {}, { cwd, env: {} }, diagnostics);
        return [found && [...(found.target.limit ?? [])], diagnostics.list.map(({ message }) => message)];
      };
      expect(await again(id)).to.deep.equal([['lb3', 'lb1'], []]);
      expect(await again('last')).to.deep.equal([['lb3', 'lb1'], []]);
      const process = { ...ownIdentity(), host: 'ci-7', boot: 'another' };
      const elsewhere = await beginRun(path.join(cwd, '.evenkeel'), {
        start: { cwd, process, fingerprint: FINGERPRINT },
      });
      await elsewhere.close();
      expect(await again(elsewhere.id)).to.deep.equal([[], []]);
      const [none, said] = (await again('20200101T000000Z-000000')) as [undefined, readonly string[]];
      expect([none, said.length]).to.deep.equal([undefined, 1]);
    }));
});
