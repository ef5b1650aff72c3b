import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, lchown, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Trust, whyNotPrivate } from '../../src/core/files/trust.js';
import { STARTED, type Ended } from '../rig/command.js';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/gate_command.js';
import { ANOTHER_USER, giveAway, needsRoot } from '../rig/users.js';

const TRACE = (name: string): string =>
  `import { appendFileSync } from 'node:fs';\nappendFileSync(process.env.RAN!, '${name}\\n');\nimport { defineFilter, defineAction } from 'evenkeel';\n`;
const HELPER = (name: string): string =>
  `${TRACE('helper')}export default defineFilter({ name: '${name}', signature: '', run: () => 1 });\n`;
const MODULE = (name: string): string =>
  `${TRACE('module')}export default defineAction({ name: '${name}', summary: 'Own.', args: {}, examples: [], run: () => ({}) });\n`;
const PROGRAM = (name: string, says: string): string => `#!/bin/sh\necho ${name} >> "$RAN"\necho '${says}'\n`;

/** A project of the user in which every kind of file is executed that Evenkeel executes. */
const FILES = {
  'evenkeel.yml': `inventory: hosts\nvault_password_file: pass\n`,
  hosts: PROGRAM('inventory', '{"all": {"hosts": ["lb9"]}}'),
  pass: PROGRAM('password', 'secret'),
  'inventory/hosts': PROGRAM('inventory', '{"all": {"hosts": ["lb9"]}}'),
  'filters/own.ts': HELPER('own'),
  'filters/_part.ts': TRACE('part'),
  'modules/mine.ts': MODULE('mine'),
  'named/other.ts': MODULE('other'),
  'roles/one/modules/ofrole.ts': MODULE('ofrole'),
  'roles/one/tasks/main.yml': '- ofrole: {}\n',
  'node_modules/acme/package.json': '{"name": "acme"}',
  'node_modules/acme/modules/ofpackage.ts': MODULE('ofpackage'),
  'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [one]\n',
  'elsewhere/x': '',
};

/** A user with a group of the same number and no other members. */
const ORDINARY = 12_345;

interface Owned {
  readonly folder: string;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly ran: () => Promise<string>;
}

function inProject(use: (project: Owned) => Promise<void>): Promise<void> {
  return inFolder(FILES, async (folder) => {
    for (const name of ['hosts', 'pass', 'inventory/hosts']) await chmod(path.join(folder, name), 0o755);
    const RAN = path.join(folder, 'ran');
    const before = process.env['RAN'];
    // Code of the project runs in this process.
    process.env['RAN'] = RAN;
    try {
      await use({
        folder,
        run: (args, env = {}) => evenkeel(args, { cwd: folder, env: { RAN, ...env } }),
        ran: () => readFile(RAN, 'utf8').catch(() => ''),
      });
    } finally {
      if (before === undefined) delete process.env['RAN'];
      else process.env['RAN'] = before;
    }
  });
}

interface Case {
  readonly what: string;
  /** Below the project. */
  readonly file: string;
  readonly args: readonly string[];
  /** What runs if the file is trusted. */
  readonly runs: string;
  /** The user named it, so it only matters who it belongs to. */
  readonly isNamed?: true;
}

const NO_PROJECT = ['--config', '/dev/null'];
const CASES: readonly Case[] = [
  { what: 'the project file', file: 'evenkeel.yml', args: ['inventory', '--graph'], runs: 'inventory' },
  { what: 'a program of the project file', file: 'hosts', args: ['inventory', '--graph'], runs: 'inventory' },
  {
    what: 'a named program',
    file: 'hosts',
    args: ['inventory', '--graph', '-i', 'hosts', ...NO_PROJECT],
    runs: 'inventory',
    isNamed: true,
  },
  {
    what: 'a program in an inventory folder',
    file: 'inventory/hosts',
    args: ['inventory', '--graph', '-i', 'inventory', ...NO_PROJECT],
    runs: 'inventory',
  },
  {
    what: 'a password script of the project file',
    file: 'pass',
    args: ['vault', 'encrypt-string', 'x'],
    runs: 'password',
  },
  {
    what: 'a named password script',
    file: 'pass',
    args: ['vault', 'encrypt-string', 'x', '--vault-password-file', 'pass', ...NO_PROJECT],
    runs: 'password',
    isNamed: true,
  },
  { what: 'a filter', file: 'filters/own.ts', args: ['inventory', '--graph', '-i', 'a,'], runs: 'helper' },
  { what: 'a part of a filter', file: 'filters/_part.ts', args: ['inventory', '--graph', '-i', 'a,'], runs: 'helper' },
  { what: 'a module', file: 'modules/mine.ts', args: ['doc', 'mine'], runs: 'module' },
  {
    what: 'a module of a named folder',
    file: 'named/other.ts',
    args: ['doc', 'other', '-M', 'named', ...NO_PROJECT],
    runs: 'module',
    isNamed: true,
  },
  {
    what: 'a module of a package',
    file: 'node_modules/acme/modules/ofpackage.ts',
    args: ['doc', 'ofpackage', '-M', 'acme', ...NO_PROJECT],
    runs: 'module',
  },
  {
    what: 'a module of a role',
    file: 'roles/one/modules/ofrole.ts',
    args: ['run', 'play.yml', '-i', 'a,', '--syntax-check'],
    runs: 'module',
  },
];

/** Ways in which another user can decide what a file contains. */
const WAYS: Readonly<Record<string, (folder: string, file: string) => Promise<void>>> = {
  'belongs to another user': (folder, file) => giveAway(path.join(folder, file)),
  'is a link to a file of another user': async (folder, file) => {
    const target = path.join(folder, 'elsewhere', path.basename(file));
    await rename(path.join(folder, file), target);
    await giveAway(target);
    await symlink(target, path.join(folder, file));
  },
  'is a link of another user': async (folder, file) => {
    const target = path.join(folder, 'elsewhere', path.basename(file));
    await rename(path.join(folder, file), target);
    await symlink(target, path.join(folder, file));
    await lchown(path.join(folder, file), ANOTHER_USER, ANOTHER_USER);
  },
};

const FOUND_WAYS: typeof WAYS = {
  'is writable for a shared group': async (folder, file) => {
    await chown(path.join(folder, file), 0, ANOTHER_USER);
    await chmod(path.join(folder, file), 0o775);
  },
  'is in a folder that is writable for a shared group': async (folder, file) => {
    await chown(path.dirname(path.join(folder, file)), 0, ANOTHER_USER);
    await chmod(path.dirname(path.join(folder, file)), 0o775);
  },
  'is in a folder of another user': (folder, file) => giveAwayFolderOf(path.join(folder, file), folder),
};

/** The working directory itself would be the checkout of that user. */
async function giveAwayFolderOf(file: string, project: string): Promise<void> {
  const folder = path.dirname(file);
  if (folder !== project) return giveAway(folder);
  await chmod(project, 0o777);
}

describe('what is executed or trusted', () => {
  for (const { what, file, args, runs, isNamed } of CASES) {
    it(`is ${what}, if it belongs to the user`, function () {
      needsRoot(this);
      return inProject(async ({ run, ran }) => {
        const { stderr } = await run(args);
        expect(stderr).not.to.match(/another user|writable/);
        expect((await ran()).split('\n')).to.include(runs);
      });
    });
    for (const [way, take] of Object.entries(isNamed === true ? WAYS : { ...WAYS, ...FOUND_WAYS }))
      it(`is not ${what} that ${way}, unless its folder is trusted`, function () {
        needsRoot(this);
        return inProject(async ({ folder, run, ran }) => {
          await take(folder, file);
          const refused = await run(args);
          expect(refused.stderr + refused.stdout).to.match(/belongs to another user|writable/);
          expect((await ran()).split('\n').filter((line) => line === runs)).to.have.length(0);
          for (const trusted of [folder, `/nowhere:${path.dirname(folder)}`, '*']) {
            const used = await run(args, { EVENKEEL_TRUSTED_FOLDERS: trusted });
            expect(used.stderr).not.to.match(/another user|writable/);
          }
          expect((await ran()).split('\n')).to.include(runs);
        });
      });
  }

  it('may be writable for a group that is the own one of the user or of root', function () {
    needsRoot(this);
    return inProject(async ({ folder, run, ran }) => {
      for (const name of ['.', 'evenkeel.yml', 'hosts', 'filters', 'filters/own.ts', 'pass'])
        await chmod(path.join(folder, name), 0o775);
      expect(await run(['inventory', '--graph'])).to.include({ code: 0, stderr: '' });
      expect(await ran()).to.include('inventory');
    });
  });

  it('may be writable for no other group: its members may be in no file of this machine', function () {
    needsRoot(this);
    return inProject(async ({ folder }) => {
      const [file, unknown] = [path.join(folder, 'hosts'), 54_321];
      for (const [group, mode, reason] of [
        [0, 0o660, undefined],
        [unknown, 0o640, undefined],
        [unknown, 0o660, `it is writable for a group of several users (gid ${unknown})`],
        [ANOTHER_USER, 0o660, `it is writable for a group of several users (gid ${ANOTHER_USER})`],
        [0, 0o606, 'it is world-writable'],
      ] as const) {
        await chown(file, 0, group);
        await chmod(file, mode);
        expect(whyNotPrivate(file), `${group} ${mode.toString(8)}`).to.equal(reason);
      }
    });
  });

  it('is not what a link leads to from a trusted folder', function () {
    needsRoot(this);
    return inProject(async ({ folder, run, ran }) => {
      await WAYS['is a link to a file of another user']?.(folder, 'inventory/hosts');
      const args = ['inventory', '--graph', '-i', 'inventory/hosts', ...NO_PROJECT];
      const inner = path.join(folder, 'inventory');
      const { code, stderr } = await run(args, { EVENKEEL_TRUSTED_FOLDERS: inner });
      expect(code).to.equal(1);
      expect(stderr).to.equal(
        `error: the inventory inventory/hosts is not run: inventory/hosts belongs to another user (uid ${ANOTHER_USER})\n` +
          '  = hint: if you trust it, name its folder in EVENKEEL_TRUSTED_FOLDERS\n\n1 error\n',
      );
      expect(await ran()).to.equal('');
    });
  });

  it('is nothing more for a relative folder', () =>
    inProject(async ({ run }) => {
      const { code, stderr } = await run(['runs'], { EVENKEEL_TRUSTED_FOLDERS: './a:/b' });
      expect(code).to.equal(1);
      expect(stderr).to.include('error: EVENKEEL_TRUSTED_FOLDERS: "./a" is not an absolute path');
    }));
});

describe('a checkout of another user', () => {
  const CHECKOUT = ['.', ...Object.keys(FILES), 'filters', 'modules', 'inventory', 'roles/one/modules'];
  const away = (folder: string): Promise<void> => giveAway(...CHECKOUT.map((name) => path.join(folder, name)));

  it('is used by root in a container, with one warning', function () {
    needsRoot(this);
    return inProject(async ({ folder, run, ran }) => {
      await away(folder);
      const env = { container: 'podman' };
      for (const args of [
        ['inventory', '--graph'],
        ['run', 'play.yml', '-i', 'a,', '--syntax-check'],
        ['lint', 'play.yml'],
        ['doc', 'mine'],
        ['runs'],
        ['vault', 'encrypt-string', 'x'],
        ['config'],
      ]) {
        const { stdout, stderr } = await run(args, env);
        const warning = `the files of another user (uid ${ANOTHER_USER}) are trusted: ${folder} belongs to that user, and you are root in a container`;
        expect((stdout + stderr).split(warning), args.join(' ')).to.have.length(2);
        const silent = await run(args, { ...env, EVENKEEL_TRUSTED_FOLDERS: folder });
        expect(silent.stdout + silent.stderr).not.to.include('another user');
      }
      expect(new Set((await ran()).trim().split('\n'))).to.deep.equal(
        new Set(['helper', 'inventory', 'password', 'module']),
      );
    });
  });

  it('is not trusted by root elsewhere, unless sudo made root of its owner', function () {
    needsRoot(this);
    return inProject(async ({ folder }) => {
      const file = path.join(folder, 'evenkeel.yml');
      await giveAway(folder);
      const refusal = `${folder} belongs to another user (uid ${ANOTHER_USER})`;
      const trust = new Trust(folder, {}, false);
      expect([trust.refusal(file), trust.folder(folder), trust.checkoutOwner]).to.deep.equal([
        refusal,
        refusal,
        undefined,
      ]);
      expect(new Trust(folder, { SUDO_UID: `${ANOTHER_USER - 1}` }, false).refusal(file)).to.equal(refusal);
      expect(new Trust(folder, { SUDO_UID: `${ANOTHER_USER}` }, false).refusal(file)).to.equal(undefined);
      expect(new Trust(folder, {}, true).checkoutOwner).to.equal(ANOTHER_USER);
    });
  });

  it('is not trusted by a user who is not root, but the files of root are', function () {
    needsRoot(this);
    return inProject(async ({ folder }) => {
      await chmod(folder, 0o755);
      const built = path.join(folder, 'copy');
      await cp(path.dirname(STARTED[1]), path.join(built, 'dist'), { recursive: true });
      await cp(path.join(path.dirname(STARTED[1]), '../package.json'), path.join(built, 'package.json'));
      await mkdir(path.join(folder, 'state'));
      await chown(path.join(folder, 'state'), ORDINARY, ORDINARY);
      await writeFile(path.join(folder, 'hosts'), '#!/bin/sh\necho \'{"all": {"hosts": ["lb9"]}}\'\n');
      const graph = async (): Promise<{ readonly out: string; readonly err: string }> => {
        const child = spawn(process.execPath, [path.join(built, 'dist/main.js'), 'inventory', '--graph'], {
          cwd: folder,
          uid: ORDINARY,
          gid: ORDINARY,
          env: { PATH: process.env['PATH'], HOME: path.join(folder, 'state'), container: 'docker', RAN: '/dev/null' },
        });
        const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
        return { out, err };
      };
      await rename(path.join(folder, 'filters'), path.join(folder, 'unused'));
      expect(await graph()).to.deep.equal({ out: '@all:\n  |--@ungrouped:\n  |  |--lb9\n', err: '' });
      // The group that has the number of the user.
      await chown(path.join(folder, 'hosts'), ORDINARY, ORDINARY);
      await chmod(path.join(folder, 'hosts'), 0o775);
      expect((await graph()).err).to.equal('');
      await chown(path.join(folder, 'hosts'), ANOTHER_USER, 0);
      expect((await graph()).err).to.include(`belongs to another user (uid ${ANOTHER_USER})`);
      await chown(folder, ANOTHER_USER, 0);
      expect((await graph()).err).to.include(
        `ignored evenkeel.yml: ${folder} belongs to another user (uid ${ANOTHER_USER})`,
      );
    });
  });
});
