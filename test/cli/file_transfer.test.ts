import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { emptyProject, exampleProject, STARTED, type Ended, type Project, ownHome } from '../rig/command.js';
import { tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet } from '../rig/simulated.js';

const MIB = 2 ** 20;

interface Scene {
  readonly lb1: AviController;
  readonly project: Project;
}

async function scene(behaviour: Behaviour = {}, variables: Mapping = {}): Promise<Scene> {
  const lb1 = await startAviController(behaviour);
  const project = await emptyProject();
  await lb1.writeInventory(project.directory, variables);
  return { lb1, project };
}

async function end({ lb1, project }: Scene): Promise<void> {
  await lb1.close();
  await project.remove();
}

async function run({ project }: Pick<Scene, 'project'>, task: Mapping, ...options: string[]): Promise<Ended> {
  await project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
  return evenkeel(['run', 'p.yml', '-i', 'inventory.yml', ...options], { cwd: project.directory });
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const messageOf = ({ stdout }: Ended): string => tasksOf(stdout)[0]?.message ?? '';

describe('file_upload', () => {
  const image = { file_upload: { path: '/api/image', src: 'controller-22.1.4.pkg' } };
  const file = { file_upload: { path: '/api/fileservice/hsmpackages', src: 'hsm.tar' } };
  let here: Scene;

  afterEach(() => end(here));

  async function begin(behaviour?: Behaviour): Promise<void> {
    here = await scene(behaviour);
    await here.project.write('files/controller-22.1.4.pkg', 'the image');
    await here.project.write('hsm.tar', 'the package');
    here.lb1.take();
  }

  const listed = async (at: string): Promise<readonly JsonObject[]> =>
    (await here.lb1.client.object('GET', at))['results'] as unknown as readonly JsonObject[];
  const posts = (): readonly string[] => here.lb1.take().filter((line) => line.startsWith('POST /api'));

  it('sends a file once: the second run reads its digest and has nothing to do', async () => {
    await begin();
    for (const task of [image, file]) {
      const first = await run(here, task);
      expect(first.stdout + first.stderr).to.match(/changed=1 .*failed=0/);
      expect(posts()).to.have.length(1);
      const second = await run(here, task);
      expect(second.stdout + second.stderr).to.match(/changed=0 .*failed=0/);
      expect(posts()).to.deep.equal([]);
    }
    expect(await listed('/api/image')).to.have.nested.property(
      '[0].controller_info.hash',
      sha256(Buffer.from('the image')),
    );
  });

  it('finds an image whose name comes from its content, and sends a changed file again', async () => {
    await begin();
    await run(here, image);
    expect(messageOf(await run(here, withArgs(image, { filename: 'other.pkg' }), '-o', 'json'))).to.include(
      'has other.pkg',
    );
    await run(here, file);
    await here.project.write('hsm.tar', 'another package');
    expect((await run(here, file)).stdout).to.include('changed=1');
    const [kept, ...others] = await listed('/api/fileservice?uri=controller://hsmpackages');
    expect(others).to.deep.equal([]);
    expect(kept).to.deep.include({ size: 15, sha256: sha256(Buffer.from('another package')) });
  });

  describe('of a package that the controller shows only by its version', () => {
    const shown = (...results: readonly Mapping[]): Behaviour => ({
      faults: [
        {
          type: 'answer',
          status: 200,
          body: { count: results.length, results },
          when: { method: 'GET', path: '/api/image' },
        },
        {
          type: 'answer',
          status: 409,
          body: { error: 'Image 22.1.4-9196-20230605.040021 already exists' },
          when: { method: 'POST', path: '/api/image' },
        },
      ],
    });
    const SYSTEM = { name: '22.1.4-9196-20230605.040021', uuid: 'image-1', type: 'IMAGE_TYPE_SYSTEM' };
    const build = { version: '22.1.4', build_no: 9196 };
    const patch = { name: '22.1.4-2p1-9010-20230701.010101', type: 'IMAGE_TYPE_PATCH' };

    const there: readonly (readonly [src: string, entry: Mapping])[] = [
      ['controller-22.1.4-9196.pkg', SYSTEM],
      ['controller-22.1.4.pkg', SYSTEM],
      ['controller-22.1.4-9196.pkg', { name: 'system', controller_info: { build } }],
      ['controller-22.1.4.pkg', { name: 'system', version: '22.1.4' }],
      ['controller-22.1.4.pkg', { ...SYSTEM, img_state: { state: 'IMAGE_FSM_COMPLETED' } }],
      ['controller-22.1.4.pkg', { name: 'controller-22.1.4.pkg' }],
      ['se_patch-22.1.4-2p1-9010.pkg', { ...patch, se_patch_info: {} }],
    ];
    for (const [src, entry] of there)
      it(`sends nothing if ${src} is there: ${JSON.stringify(entry)}`, async () => {
        await begin(shown({ name: 'other-9.9.9' }, entry));
        await here.project.write(src, 'the image');
        const ended = await run(here, withArgs(image, { src }));
        expect(ended.stdout).to.match(/ok=1 .*changed=0 .*failed=0/);
        expect(posts()).to.deep.equal([]);
      });

    it('names the version that the list shows', async () => {
      for (const [src, entry, version] of [
        ['controller-22.1.4.pkg', SYSTEM, '22.1.4-9196'],
        ['controller-22.1.4.pkg', { name: 'system', controller_info: { build } }, '22.1.4-9196'],
        ['se_patch-22.1.4-2p1-9010.pkg', { ...patch, se_patch_info: {} }, '22.1.4-2p1-9010'],
      ] as const) {
        await begin(shown({ name: 'other-9.9.9' }, entry));
        await here.project.write(src, 'the image');
        const message = messageOf(await run(here, withArgs(image, { src }), '-o', 'json'));
        expect(message).to.equal(`the controller has ${src}, which it shows as version ${version}`);
        await end(here);
      }
      await begin();
    });

    it('names the versions that are there if the list does not show the new one', async () => {
      await begin({
        faults: [
          {
            type: 'answer',
            status: 200,
            body: { count: 1, results: [SYSTEM] },
            when: { method: 'GET', path: '/api/image' },
          },
        ],
      });
      await here.project.write('controller-22.1.5.pkg', 'the image');
      const message = messageOf(await run(here, withArgs(image, { src: 'controller-22.1.5.pkg' }), '-o', 'json'));
      expect(message).to.equal(
        'the controller accepted controller-22.1.5.pkg (9 bytes), but does not show it; it shows 22.1.4-9196',
      );
    });

    const absent: readonly (readonly [src: string, entry: Mapping])[] = [
      ['controller-22.1.4.pkg', { ...SYSTEM, img_state: { state: 'IMAGE_FSM_FAILED' } }],
      ['upgrade.pkg', { ...SYSTEM, img_state: { state: 'IMAGE_FSM_IN_PROGRESS' } }],
      ['upgrade.pkg', { name: '22.1.4' }],
      ['upgrade.pkg', { ...SYSTEM, size: 10 }],
      ['controller-22.1.4-9197.pkg', { name: '22.1.4-9196' }],
      ['controller-22.1.5.pkg', { name: '22.1.4-9196' }],
      ['controller-22.1.4.pkg', patch],
      ['controller_patch-22.1.4-2p1-9010.pkg', { ...patch, se_patch_info: {} }],
      ['controller-22.1.4.pkg', { name: '22.1.4', controller_info: { hash: 'a'.repeat(64) } }],
    ];
    for (const [src, entry] of absent)
      it(`sends ${src} although there is ${JSON.stringify(entry)}`, async () => {
        await begin(shown(entry));
        await here.project.write(src, 'the image');
        const ended = await run(here, withArgs(image, { src }));
        expect(ended.stdout).to.match(/failed=1/);
        expect(posts()).to.deep.equal(['POST /api/image']);
      });

    it('takes a conflict with an image of the list for the package, and continues', async () => {
      await begin(shown(SYSTEM));
      await here.project.write('upgrade.pkg', 'the image');
      const ended = await run(here, withArgs(image, { src: 'upgrade.pkg' }));
      expect(ended.stdout).to.match(/ok=1 .*changed=0 .*failed=0/);
      expect(posts()).to.deep.equal(['POST /api/image']);
      const again = messageOf(await run(here, withArgs(image, { src: 'upgrade.pkg' }), '-o', 'json'));
      expect(again).to.equal(`the controller has upgrade.pkg, as ${SYSTEM.name}`);
      const vendor = { avi_api_image: { file_path: 'controller-22.1.4-9196.pkg' } };
      await here.project.write('controller-22.1.4-9196.pkg', 'the image');
      expect((await run(here, vendor)).stdout).to.match(/ok=1 .*changed=0 .*failed=0/);
    });
  });

  it('sends 40 MiB with form fields, in order', async () => {
    await begin();
    const content = randomBytes(40 * MIB);
    await writeFile(path.join(here.project.directory, 'hsm.tar'), content);
    const { stdout } = await run(here, withArgs(file, { fields: { uri: 'controller://hsmpackages' } }));
    expect(stdout).to.include('changed=1');
    const [kept] = await listed('/api/fileservice?uri=controller://hsmpackages');
    expect(kept).to.deep.include({ size: content.length, sha256: sha256(content) });
  });

  it('contacts nothing if the file is missing, unreadable, or not a file', async () => {
    await begin();
    await mkdir(path.join(here.project.directory, 'folder'));
    for (const [src, reason] of [
      ['nowhere.pkg', /there is no file nowhere\.pkg; looked in .*files\/nowhere\.pkg/],
      [
        'controler-22.1.4.pkg',
        /there is no file controler-22\.1\.4\.pkg; .*; did you mean "controller-22\.1\.4\.pkg"\?$/,
      ],
      ['folder', /cannot read .*folder: it is not a regular file/],
      ['/dev/zero', /cannot read \/dev\/zero: it is not a regular file/],
    ] as const) {
      const ended = await run(here, withArgs(image, { src }), '-o', 'json');
      expect(ended.code).not.to.equal(0);
      expect(messageOf(ended)).to.match(reason);
      expect(tasksOf(ended.stdout)[0]?.source).to.include({ file: 'p.yml', line: 1 });
    }
    expect(here.lb1.take()).to.deep.equal([]);
  });

  it('fails if the file changes while it is sent', async () => {
    await begin();
    const name = path.join(here.project.directory, 'hsm.tar');
    await writeFile(name, randomBytes(20 * MIB));
    const upload = run(here, withArgs(file, { compare: false }), '-o', 'json');
    const writing = setInterval(() => void appendFile(name, 'more'), 5);
    const ended = await upload;
    clearInterval(writing);
    expect(messageOf(ended)).to.match(/POST \/api\/fileservice\/hsmpackages: .*hsm\.tar changed during the upload/);
    expect(await listed('/api/fileservice?uri=controller://hsmpackages')).to.deep.equal([]);
  });

  it('sends nothing in check mode', async () => {
    await begin();
    expect((await run(here, image, '--check')).stdout).to.match(/changed=1 .*failed=0/);
    expect(posts()).to.deep.equal([]);
  });

  it('fails when an upload is cut off, and never repeats it; the next run does', async () => {
    await begin({ faults: [{ type: 'drop', when: { method: 'POST', path: '/api/image', first: 1 } }] });
    const cut = await run(here, image, '-o', 'json');
    expect(cut.code).not.to.equal(0);
    expect(messageOf(cut)).to.match(/POST \/api\/image: .*it may have taken effect/);
    expect(posts()).to.have.length(1);
    expect((await run(here, image)).stdout).to.match(/changed=1 .*failed=0/);
    expect((await run(here, image)).stdout).to.match(/changed=0 .*failed=0/);
  });

  it('detects by reading that an upload with a lost answer arrived', async () => {
    await begin({ faults: [{ type: 'drop', applied: true, when: { method: 'POST', path: '/api/image', first: 1 } }] });
    expect((await run(here, image)).stdout).to.match(/changed=1 .*failed=0/);
    expect(posts()).to.have.length(1);
  });

  it('is looked for in a resume, and sent again only if it is not there', async () => {
    for (const applied of [true, false]) {
      await begin({ faults: [{ type: 'hang', applied, when: { method: 'POST', path: '/api/image' } }] });
      await killDuringUpload(image);
      const { stdout, stderr } = await resume();
      expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
      expect(posts()).to.have.length(applied ? 0 : 1);
      expect(await listed('/api/image')).to.have.length(1);
      if (applied) await end(here);
    }
  });

  it('is not sent again in a resume if nothing shows whether it is there', async () => {
    await begin({ faults: [{ type: 'hang', when: { method: 'POST', path: '/api/image' } }] });
    await killDuringUpload(withArgs(image, { compare: false }));
    const { code, stdout } = await resume();
    expect(code).not.to.equal(0);
    expect(stdout).to.include('it is unknown whether POST /api/image took effect when the run was cut off');
    expect(posts()).to.deep.equal([]);
  });

  /** Kills a run whose upload gets no answer. */
  async function killDuringUpload(task: Mapping): Promise<void> {
    await here.project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
    const child = spawn(process.execPath, [...STARTED, 'run', 'p.yml', '-i', 'inventory.yml'], {
      cwd: here.project.directory,
      env: { ...ownHome(here.project.directory) },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const isSent = (): boolean =>
      here.lb1.controller.requests.some(({ method, path: at }) => method === 'POST' && at === '/api/image');
    while (!isSent()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGKILL');
    await ended;
    here.lb1.take();
  }

  async function resume(): Promise<Ended> {
    here.lb1.controller.behaviour = {};
    return evenkeel(['resume', 'last'], { cwd: here.project.directory });
  }

  it("fails with the controller's message", async () => {
    await begin();
    await run(here, image);
    await here.project.write('files/controller-22.1.4.pkg', 'another image');
    const ended = await run(here, image, '-o', 'json');
    expect(messageOf(ended)).to.include('POST /api/image answered 409: Image with name 22.1.4 already exists.');
  });

  it('shows the content in neither traces nor the journal', async () => {
    await begin();
    await here.project.write('hsm.tar', 'planted-in-the-file');
    const { stdout, stderr } = await run(here, file, '-vvvv');
    expect(stdout).to.include('changed=1');
    expect(stdout + stderr).not.to.include('planted-in-the-file');
    const names = await readdir(here.project.directory, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile() && one.parentPath.includes('.evenkeel'));
    expect(files).not.to.be.empty;
    for (const { parentPath, name } of files)
      expect((await readFile(path.join(parentPath, name))).includes('planted-in-the-file'), name).to.equal(false);
  });
});

describe('file_download', () => {
  const task = { file_download: { path: '/api/configuration/export', dest: 'backup/{{ inventory_hostname }}.json' } };
  let here: Scene;

  afterEach(() => end(here));

  const saved = (): string => path.join(here.project.directory, 'backup/lb1.json');
  const folder = (): Promise<readonly string[]> => readdir(path.join(here.project.directory, 'backup'));

  it('saves the answer in a private file, and is ok if nothing changed', async () => {
    here = await scene();
    const first = await run(here, task);
    expect(first.stdout + first.stderr).to.match(/changed=1 .*failed=0/);
    expect(JSON.parse(await readFile(saved(), 'utf8'))).to.have.nested.property('META.version.Version');
    expect((await stat(saved())).mode & 0o777).to.equal(0o600);
    expect((await run(here, task)).stdout).to.match(/changed=0 .*failed=0/);
    await chmod(saved(), 0o644);
    expect((await run(here, task)).stdout).to.include('changed=1');
    expect((await stat(saved())).mode & 0o777).to.equal(0o600);
    await here.lb1.client.object('POST', '/api/pool', { name: 'web' });
    expect((await run(here, task)).stdout).to.include('changed=1');
    expect(await folder()).to.deep.equal(['lb1.json']);
  });

  it('saves the answer under the longest name that files can have', async () => {
    here = await scene();
    const name = `${'x'.repeat(250)}.json`;
    const { stdout, stderr } = await run(here, { file_download: { ...task.file_download, dest: `backup/${name}` } });
    expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    expect(await folder()).to.deep.equal([name]);
  });

  it('names the version of an exported configuration', async () => {
    here = await scene();
    expect(messageOf(await run(here, task, '-o', 'json'))).to.match(
      /^saved \d+ bytes as .*lb1\.json, of version \d+\.\d+\.\d+$/,
    );
    expect(messageOf(await run(here, task, '-o', 'json'))).to.match(/is the same, of version \d+\.\d+\.\d+$/);
    const other = withArgs(task, { path: '/api/systemconfiguration' });
    expect(messageOf(await run(here, other, '-o', 'json'))).to.not.include('version');
  });

  it('writes and reads nothing in check mode', async () => {
    here = await scene();
    here.lb1.take();
    expect((await run(here, task, '--check')).stdout).to.match(/skipped=1/);
    expect(here.lb1.take()).to.deep.equal([]);
    expect(await readdir(here.project.directory)).not.to.include('backup');
  });

  it('keeps the existing file when the answer is cut off', async () => {
    here = await scene({ faults: [{ type: 'cut', when: { path: '/api/configuration/export' } }] });
    await here.project.write('backup/lb1.json', 'the old one');
    const { code } = await run(here, task);
    expect(code).not.to.equal(0);
    expect([await readFile(saved(), 'utf8'), await folder()]).to.deep.equal(['the old one', ['lb1.json']]);
  });

  it('repeats the request after a cut, from the beginning', async () => {
    here = await scene({ faults: [{ type: 'cut', when: { path: '/api/configuration/export', first: 1 } }] });
    expect((await run(here, task)).stdout).to.match(/changed=1 .*failed=0/);
    expect(JSON.parse(await readFile(saved(), 'utf8'))).to.have.property('META');
  });

  it('keeps the existing file when the controller refuses', async () => {
    here = await scene({ faults: [{ type: 'answer', status: 403, when: { path: '/api/configuration/export' } }] });
    await here.project.write('backup/lb1.json', 'the old one');
    const ended = await run(here, task, '-o', 'json');
    expect(messageOf(ended)).to.include('GET /api/configuration/export answered 403');
    expect(await readFile(saved(), 'utf8')).to.equal('the old one');
  });

  it('never replaces the file of one controller by that of another', async () => {
    here = await scene();
    const project = await exampleProject();
    const download = (dest: string): Promise<Ended> => {
      const args = `path=/api/systemconfiguration dest=${dest}`;
      const options = ['-m', 'file_download', '-a', args, '--simulate', '-o', 'json', '-f', '1'];
      return evenkeel(['task', 'all', ...options], { cwd: project.directory });
    };
    const ended = tasksOf((await download('x.json')).stdout);
    expect(ended.length).to.be.greaterThan(1);
    expect(ended.map(({ status }) => status)).to.deep.equal(ended.map((_, at) => (at === 0 ? 'changed' : 'failed')));
    expect(ended[1]?.message).to.match(
      /x\.json\.simulated is the file of \S+ in this run: use \{\{ inventory_hostname \}\} in its name$/,
    );
    expect((await download('{{inventory_hostname}}.json')).code).to.equal(0);
    await project.remove();
  });

  it('contacts nothing when the file cannot be written', async () => {
    here = await scene();
    here.lb1.take();
    for (const dest of ['.', 'new/', 'inventory.yml/x', '/dev/null']) {
      const ended = await run(here, withArgs(task, { dest }), '-o', 'json');
      expect(messageOf(ended), dest).to.match(/^cannot write /);
    }
    expect(here.lb1.take()).to.deep.equal([]);
  });
});

describe('file_download, killed', () => {
  it('leaves nothing that a later run to the same file does not remove', async () => {
    const trickle = { type: 'trickle', milliseconds: 20, when: { path: '/api/configuration/export' } } as const;
    const here = await scene({ faults: [trickle] });
    const task = { file_download: { path: '/api/configuration/export', dest: 'backup.json' } };
    await here.project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
    const child = spawn(process.execPath, [...STARTED, 'run', 'p.yml', '-i', 'inventory.yml'], {
      cwd: here.project.directory,
      env: { ...ownHome(here.project.directory) },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const folder = path.join(here.project.directory, '.backup.json.part');
    const drafts = (): Promise<readonly string[]> => readdir(folder).catch(() => []);
    while ((await drafts()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGKILL');
    await ended;
    expect(await drafts()).to.have.length(1);
    // Another machine writes there, and another stopped long ago.
    await here.project.write('.backup.json.part/00000000-1-now', 'x');
    await here.project.write('.backup.json.part/00000001-1-old', 'x');
    await utimes(path.join(folder, '00000001-1-old'), new Date(0), new Date(0));
    here.lb1.controller.behaviour = {};
    expect((await run(here, task)).stdout).to.match(/changed=1 .*failed=0/);
    expect(await drafts()).to.deep.equal(['00000000-1-now']);
    await rm(path.join(folder, '00000000-1-now'));
    expect((await run(here, task)).stdout).to.match(/changed=0 .*failed=0/);
    const names = await readdir(here.project.directory);
    expect(names.filter((name) => name.includes('backup'))).to.deep.equal(['backup.json']);
    await end(here);
  });
});

describe('file_download, interrupted', () => {
  it('ends at once, leaves nothing, and a resume saves the whole file', async () => {
    const trickle = { type: 'trickle', milliseconds: 20, when: { path: '/api/configuration/export' } } as const;
    const here = await scene({ faults: [trickle] });
    const task = { file_download: { path: '/api/configuration/export', dest: 'backup.json' } };
    await here.project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
    const child = spawn(process.execPath, [...STARTED, 'run', 'p.yml', '-i', 'inventory.yml'], {
      cwd: here.project.directory,
      env: { ...ownHome(here.project.directory) },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const saved = async (): Promise<readonly string[]> =>
      (await readdir(here.project.directory)).filter((name) => name.includes('backup'));
    while ((await saved()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect(await ended).not.to.equal(0);
    expect(await saved()).to.deep.equal([]);
    here.lb1.controller.behaviour = {};
    const { stdout, stderr } = await evenkeel(['resume', 'last'], { cwd: here.project.directory });
    expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    expect(JSON.parse(await readFile(path.join(here.project.directory, 'backup.json'), 'utf8'))).to.have.property(
      'META',
    );
    await end(here);
  });
});

describe('transfers with --simulate', () => {
  it('write no real file, and have nothing to do in the second run', async () => {
    const here = await scene();
    await here.project.write('backup/lb1.json', 'a real backup');
    await here.project.write('hsm.tar', 'the package');
    for (const [task, name] of [
      [{ file_download: { path: '/api/configuration/export', dest: 'backup/lb1.json' } }, 'backup/lb1.json.simulated'],
      [{ file_upload: { path: '/api/image', src: 'hsm.tar' } }, undefined],
    ] as const) {
      const first = await run(here, task, '--simulate');
      expect(first.stdout + first.stderr).to.match(/changed=1 .*failed=0/);
      expect((await run(here, task, '--simulate')).stdout).to.match(/changed=0 .*failed=0/);
      if (name !== undefined)
        expect(JSON.parse(await readFile(path.join(here.project.directory, name), 'utf8'))).to.have.property('META');
    }
    expect(await readFile(path.join(here.project.directory, 'backup/lb1.json'), 'utf8')).to.equal('a real backup');
    expect(here.lb1.take()).to.deep.equal([]);
    await end(here);
  });
});

describe('playbooks/backup.yml', () => {
  it('runs twice on simulated controllers, and saves the file of each once', async () => {
    const project = await exampleProject();
    const backup = (): Promise<Ended> =>
      evenkeel(['run', 'playbooks/backup.yml', '--simulate'], { cwd: project.directory });
    const first = await backup();
    expect(first.code, first.stdout + first.stderr).to.equal(0);
    const files = await readdir(path.join(project.directory, 'playbooks/backups'));
    expect(files).to.have.length.greaterThan(1);
    expect(files.every((name) => name.endsWith('.json.simulated'))).to.equal(true);
    expect((await backup()).stdout).not.to.match(/changed=[1-9]/);
    await project.remove();
  });
});

describe('transfers with a controller of the API document', () => {
  it('upload every time if the controller shows no files, as it cannot be compared', async () => {
    const fleet = await startFleet({
      behaviour: {
        faults: [
          { type: 'answer', status: 404, when: { method: 'GET', path: '/api/files' } },
          { type: 'latency', milliseconds: 50, when: { method: 'POST' } },
          { type: 'answer', status: 201, body: {}, when: { method: 'POST', path: '/api/files' } },
        ],
      },
    });
    await writeFile(path.join(fleet.directory, 'x.bin'), 'content');
    const project = {
      directory: fleet.directory,
      write: (name: string, text: string) => writeFile(path.join(fleet.directory, name), text),
    };
    const task = { file_upload: { path: '/api/files', src: 'x.bin' } };
    for (let time = 1; time <= 2; time += 1) {
      const { stdout, stderr } = await run({ project: project as Project }, task);
      expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    }
    await fleet.dispose();
  });

  it('upload and warn every time if the list shows the file by another name, without size or digest', async () => {
    const list = (entries: readonly JsonObject[]): Behaviour => ({
      faults: [
        { type: 'answer', status: 200, body: { count: entries.length, results: entries }, when: { method: 'GET' } },
        { type: 'answer', status: 201, body: {}, when: { method: 'POST' } },
      ],
    });
    const fleet = await startFleet({ behaviour: list([{ uuid: 'file-1' }]) });
    const controller = fleet.controller('lb1');
    await writeFile(path.join(fleet.directory, 'x.bin'), 'content');
    const project = {
      directory: fleet.directory,
      write: (name: string, text: string) => writeFile(path.join(fleet.directory, name), text),
    };
    const task = { file_upload: { path: '/api/files', src: 'x.bin' } };
    for (let count = 2; count <= 3; count += 1) {
      const entries = Array.from({ length: count }, (_, at) => ({ uuid: `file-${at}` }));
      const upload = run({ project: project as Project }, task);
      while (!controller.requests.some(({ method }) => method === 'POST'))
        await new Promise((resolve) => setTimeout(resolve, 2));
      controller.behaviour = list(entries);
      const { stdout, stderr } = await upload;
      expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
      expect(stdout + stderr).to.include(
        'the controller shows the uploaded file only by another name, without size or digest',
      );
      controller.clearRequests();
    }
    const unchanged = await run({ project: project as Project }, task, '-o', 'json');
    expect(messageOf(unchanged)).to.equal('the controller accepted x.bin (7 bytes), but does not show it');
    await fleet.dispose();
  });

  it('aborts an endless answer, and keeps the existing file', async () => {
    const fleet = await startFleet({
      behaviour: { faults: [{ type: 'endless', part: 'body', when: { path: '/api/big' } }] },
    });
    const project = {
      directory: fleet.directory,
      write: (name: string, text: string) => writeFile(path.join(fleet.directory, name), text),
    };
    await mkdir(path.join(fleet.directory, 'big'));
    await project.write('big/big.json', 'the old one');
    const task = { file_download: { path: '/api/big', dest: 'big/big.json', max_size: 2 } };
    const ended = await run({ project: project as Project }, task, '-o', 'json');
    expect(messageOf(ended)).to.equal('GET /api/big: the answer is larger than 2 MiB; max_size is the limit');
    expect(await readdir(path.join(fleet.directory, 'big'))).to.deep.equal(['big.json']);
    expect(await readFile(path.join(fleet.directory, 'big/big.json'), 'utf8')).to.equal('the old one');
    expect(fleet.controller('lb1').requests.filter(({ path: at }) => at === '/api/big')).to.have.length(1);
    await fleet.dispose();
  });

  it('saves an answer that is larger than any other may be', async () => {
    const fleet = await startFleet({
      behaviour: { faults: [{ type: 'huge', megabytes: 24, when: { path: '/api/big' } }] },
    });
    const project = {
      directory: fleet.directory,
      write: (name: string, text: string) => writeFile(path.join(fleet.directory, name), text),
    };
    const task = { file_download: { path: '/api/big', dest: 'big.json' } };
    const { stdout, stderr } = await run({ project: project as Project }, task, '-vvvv');
    expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    expect((await stat(path.join(fleet.directory, 'big.json'))).size).to.be.greaterThan(24 * MIB);
    await fleet.dispose();
  });
});

/** The task with other arguments. */
function withArgs(task: Mapping, more: Mapping): Mapping {
  return Object.fromEntries(Object.entries(task).map(([name, args]) => [name, { ...(args as Mapping), ...more }]));
}
