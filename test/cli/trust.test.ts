import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type Ended } from '../rig/command.js';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/gate_command.js';
import { ANOTHER_USER, giveAway, needsRoot } from '../rig/users.js';

const PROGRAM = `#!/bin/sh
echo program >> "$(dirname "$0")/ran"
echo '{"all": {"hosts": ["lb9"]}}'
`;
const CODE = (name: string, folder: string): string =>
  `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(path.join(folder, 'ran'))}, '${name}\\n');\n` +
  `import { defineFilter, defineAction } from 'evenkeel';\n`;

interface Trap {
  /** Absolute; `mine` in it is the working directory. */
  readonly folder: string;
  readonly run: (args: readonly string[], where?: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;
  /** What ran, a line each. */
  readonly ran: () => Promise<string>;
}

/** A folder with a project file, a filter and a module that another user may have put there. */
function inTrap(use: (trap: Trap) => Promise<void>): Promise<void> {
  return inFolder({ 'mine/x': '', 'evenkeel.yml': 'inventory: hosts\n' }, async (folder) => {
    await writeFile(path.join(folder, 'hosts'), PROGRAM, { mode: 0o755 });
    for (const name of ['filters', 'modules']) {
      await mkdir(path.join(folder, name));
      const file = path.join(folder, name, 'own.ts');
      const made =
        name === 'filters'
          ? `export default defineFilter({ name: 'own', signature: '', run: () => 1 });`
          : `export default defineAction({ name: 'own', summary: 'Own.', args: {}, examples: [], run: () => ({}) });`;
      await writeFile(file, CODE(name, folder) + made);
    }
    await use({
      folder,
      run: (args, where = 'mine', env = {}) => evenkeel(args, { cwd: path.join(folder, where), env }),
      ran: () => readFile(path.join(folder, 'ran'), 'utf8').catch(() => ''),
    });
  });
}

function ignored(file: string, folder: string): string {
  return [
    `warning: ignored ${file}: ${folder} is world-writable`,
    `  = hint: if you trust it, name it with --config or EVENKEEL_CONFIG`,
  ].join('\n');
}

describe('a project file that another user may have written', () => {
  it('is ignored in a world-writable folder, and so is what is beside it', () =>
    inTrap(async ({ folder, run, ran }) => {
      await chmod(folder, 0o1777);
      const file = path.join(folder, 'evenkeel.yml');
      const graph = await run(['inventory', '--graph', '-i', 'a,']);
      expect(graph.code).to.equal(0);
      expect(graph.stderr).to.equal(`${ignored(file, folder)}\n\n1 warning\n`);
      for (const args of [['doc', '-l'], ['runs'], ['lint', 'x'], ['schema', 'playbook'], ['resume', 'last']]) {
        const { stdout, stderr } = await run(args);
        expect(stdout + stderr, args.join(' ')).to.include(`ignored ${file}: ${folder} is world-writable`);
      }
      expect(await ran()).to.equal('');
    }));

  it('is ignored if it or the target of its link is world-writable', () =>
    inTrap(async ({ folder, run, ran }) => {
      const file = path.join(folder, 'evenkeel.yml');
      await chmod(file, 0o666);
      expect((await run(['inventory', '--graph', '-i', 'a,'])).stderr).to.include(ignored(file, file));
      const open = path.join(folder, 'open');
      await mkdir(open);
      await chmod(open, 0o777);
      await writeFile(path.join(open, 'evenkeel.yml'), 'inventory: [hosts]\n');
      await symlink('../open/evenkeel.yml', path.join(folder, 'mine/evenkeel.yml'));
      expect((await run(['inventory', '--graph', '-i', 'a,'])).stderr).to.include(ignored('evenkeel.yml', open));
      expect(await ran()).to.equal('');
    }));

  it('is used if the option or the variable names it', () =>
    inTrap(async ({ folder, run, ran }) => {
      await chmod(folder, 0o1777);
      const named = await run(['inventory', '--graph', '--config', '../evenkeel.yml']);
      expect(named).to.deep.equal({ code: 0, stderr: '', stdout: '@all:\n  |--@ungrouped:\n  |  |--lb9\n' });
      expect(await ran()).to.equal('filters\nprogram\nprogram\n');
      expect(await run(['inventory', '--graph'], 'mine', { EVENKEEL_CONFIG: '../evenkeel.yml' })).to.deep.equal(named);
      const missing = await run(['inventory', '--graph', '--config', 'none.yml'], 'mine', {
        EVENKEEL_CONFIG: '../evenkeel.yml',
      });
      expect(missing.code).to.equal(1);
      expect(missing.stderr).to.include(
        'error: cannot read the project file none.yml (--config or EVENKEEL_CONFIG): there is no such file',
      );
    }));

  it('named for a run is the one that its resume and rollback use', () =>
    inTrap(async ({ folder, run }) => {
      const play =
        '- hosts: all\n  gather_facts: false\n  tasks:\n    - fail: {msg: broken}\n      when: fails is defined\n';
      await writeFile(path.join(folder, 'mine/play.yml'), play);
      await writeFile(path.join(folder, 'other.yml'), 'inventory: [mine/hosts.yml]\nstate_dir: kept\n');
      await writeFile(path.join(folder, 'mine/hosts.yml'), 'all: {hosts: {lb1: }}\n');
      const failed = await run(['run', 'play.yml', '-e', 'fails=1', '--config', '../other.yml']);
      expect(failed.stdout).to.match(/evenkeel run --rerun \S+ --config \.\.\/other\.yml/);
      const again = await run(['run', '--rerun', 'last', '--config', '../other.yml']);
      expect(again.code).to.equal(2);
      const done = await run(['resume', 'last', '--config', '../other.yml']);
      expect(done.stderr).to.match(/hint: evenkeel run --rerun \S+ --config \.\.\/other\.yml runs it again on/);
      const elsewhere = await run(['run', '--rerun', 'last'], '.', {
        EVENKEEL_STATE_DIR: path.join(folder, 'kept'),
      });
      expect(elsewhere.stderr).to.equal('');
      expect(elsewhere.code).to.equal(2);
    }));

  it('is found upward only through folders of the user, of root and of the owner of the working directory', function () {
    needsRoot(this);
    return inTrap(async ({ folder, run, ran }) => {
      await giveAway(folder);
      const foreign = await run(['inventory', '--graph', '-i', 'a,']);
      const warning = `warning: ignored ${path.join(folder, 'evenkeel.yml')}: ${folder} belongs to another user (uid ${ANOTHER_USER})`;
      expect(foreign.stderr).to.include(warning);
      await mkdir(path.join(folder, 'mine/deep'));
      await giveAway(path.join(folder, 'mine'));
      expect((await run(['inventory', '--graph', '-i', 'a,'], 'mine/deep')).stderr).to.equal('');
      expect(await ran()).to.equal('');
    });
  });

  it('of a checkout that belongs to another user, as containers mount it, is used', function () {
    needsRoot(this);
    return inTrap(async ({ folder, run, ran }) => {
      const names = ['.', 'mine', 'evenkeel.yml', 'hosts', 'filters', 'filters/own.ts', 'modules', 'modules/own.ts'];
      await giveAway(...names.map((name) => path.join(folder, name)));
      for (const where of ['.', 'mine']) {
        const env = { container: 'podman' };
        const { code, stdout, stderr } = await run(['inventory', '--graph'], where, env);
        expect(code).to.equal(0);
        expect(stderr).to.match(
          /^warning: the files of another user \(uid 65534\) are trusted: .*\n.*\n\n1 warning\n$/,
        );
        expect(stdout).to.include('lb9');
      }
      expect(await ran()).to.include('filters\nprogram\n');
    });
  });
});

describe('code that another user may have written', () => {
  it('is not loaded from "filters" and "modules" beside a playbook', () =>
    inTrap(async ({ folder, run, ran }) => {
      await writeFile(path.join(folder, 'play.yml'), '- hosts: all\n  tasks:\n    - own: {}\n');
      await chmod(folder, 0o1777);
      const { code, stderr } = await run(['run', '../play.yml', '-i', 'a,', '--syntax-check']);
      expect(code).to.equal(1);
      expect(stderr).to.include(`ignored ${path.join(folder, 'filters')}: ${folder} is world-writable`);
      expect(stderr).to.include(`ignored ${path.join(folder, 'modules')}: ${folder} is world-writable`);
      expect(await ran()).to.equal('');
    }));

  it('is not loaded from a package that Node finds further up', () =>
    inTrap(async ({ folder, run, ran }) => {
      const modules = path.join(folder, 'node_modules/acme/modules');
      await mkdir(modules, { recursive: true });
      await writeFile(path.join(folder, 'node_modules/acme/package.json'), '{"name": "acme"}');
      await writeFile(path.join(modules, 'own.ts'), await readFile(path.join(folder, 'modules/own.ts'), 'utf8'));
      expect((await run(['doc', 'own', '-M', 'acme'])).code).to.equal(0);
      const before = await ran();
      await chmod(folder, 0o1777);
      const { code, stderr } = await run(['doc', 'own', '-M', 'acme']);
      expect(code).to.equal(1);
      expect(stderr).to.include(`ignored ${path.join(folder, 'node_modules')}: ${folder} is world-writable`);
      expect(await ran()).to.equal(before);
    }));

  it('is not run from an inventory folder, unless the program is named', () =>
    inTrap(async ({ folder, run, ran }) => {
      const inventory = path.join(folder, 'mine/inventory');
      await mkdir(inventory);
      await writeFile(path.join(inventory, 'hosts'), PROGRAM, { mode: 0o755 });
      await chmod(inventory, 0o1777);
      const { code, stderr } = await run(['inventory', '--graph', '-i', 'inventory', '--config', '/dev/null']);
      expect(code).to.equal(1);
      expect(stderr).to.include(`error: the inventory inventory/hosts is not run: inventory is world-writable`);
      expect(await ran()).to.equal('');
      const named = await run(['inventory', '--graph', '-i', 'inventory/hosts', '--config', '/dev/null']);
      expect(named.code).to.equal(0);
      expect(named.stdout).to.include('lb9');
    }));
});

describe('a state folder', () => {
  const play = '- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: {msg: done}\n';
  const files = { 'play.yml': play, 'hosts.yml': 'all: {hosts: {lb1: }}\n' };
  const inState = (use: (folder: string, run: (...args: string[]) => Promise<Ended>) => Promise<void>): Promise<void> =>
    inFolder(files, async (folder) => {
      const run = (...args: string[]): Promise<Ended> => evenkeel(args, { cwd: folder });
      expect((await run('run', 'play.yml', '-i', 'hosts.yml')).code).to.equal(0);
      await use(folder, run);
    });

  for (const [mode, can] of [
    [0o640, 'read'],
    [0o604, 'read'],
    [0o620, 'write to'],
    [0o666, 'read and write to'],
  ] as const) {
    it(`whose key others can ${can} (${mode.toString(8)}) is not used`, () =>
      inState(async (folder, run) => {
        const key = path.join(folder, '.evenkeel/key');
        expect((await stat(key)).mode & 0o777).to.equal(0o600);
        await chmod(key, mode);
        const message = `other users can ${can} the key .evenkeel/key`;
        const rolledBack = await run('rollback', 'last', '-i', 'hosts.yml');
        expect(rolledBack.code).to.equal(1);
        expect(rolledBack.stderr).to.equal(
          `error: ${message}\n  = hint: if you trust them all, run: chmod 600 .evenkeel/key\n\n1 error\n`,
        );
        expect((await run('resume', 'last')).stderr).to.include(message);
        expect((await run('run', 'play.yml', '-i', 'hosts.yml', '--simulate')).stderr).to.include(message);
        await chmod(key, 0o600);
        expect((await run('runs', 'last')).code).to.equal(0);
      }));
  }

  it('is not used if world-writable', () =>
    inState(async (folder, run) => {
      const state = path.join(folder, '.evenkeel');
      await chmod(state, 0o777);
      const { code, stderr } = await run('rollback', 'last');
      expect(code).to.equal(1);
      expect(stderr).to.include('error: .evenkeel cannot be trusted: it is world-writable');
    }));

  it('is not used if another user made it in a world-writable folder', function () {
    needsRoot(this);
    return inState(async (folder, run) => {
      const state = path.join(folder, '.evenkeel');
      await giveAway(state, path.join(state, 'key'));
      // All files of a container's checkout belong to another user.
      expect((await run('runs', 'last')).code).to.equal(0);
      await chmod(folder, 0o1777);
      const { code, stderr } = await run('rollback', 'last');
      expect(code).to.equal(1);
      expect(stderr).to.include(`error: .evenkeel cannot be trusted: it belongs to another user (uid ${ANOTHER_USER})`);
    });
  });

  it('is used if everybody may add files but not replace them, and the user owns the runs and the key', function () {
    needsRoot(this);
    return inState(async (folder, run) => {
      const state = path.join(folder, '.evenkeel');
      await chmod(state, 0o1777);
      expect((await run('runs', 'last')).code).to.equal(0);
      await giveAway(path.join(state, 'runs'));
      const { code, stderr } = await run('rollback', 'last');
      expect(code).to.equal(1);
      expect(stderr).to.include('error: .evenkeel/runs cannot be trusted: it belongs to another user');
    });
  });
});
