import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { STARTED } from '../../rig/command.js';
import { cutOff } from '../../rig/cut_off.js';
import { Terminal } from '../../rig/terminal.js';
import { Scene } from './rig.js';

const SITE = `- hosts: all
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
    - system_config: { dns_configuration: { search_domain: new.example.com } }
`;

describe('a run that was cut off and rolled back', () => {
  let scene: Scene;
  const runCutOff = async (...options: readonly string[]): Promise<void> => {
    const { fleet, project } = scene;
    const cut = { cwd: project.directory, fleet, controller: 'lb1', nth: 1, signal: 'SIGINT' } as const;
    expect((await cutOff(['run', 'site.yml', ...options], cut)).code).to.equal(130);
  };
  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': SITE }, { controllers: 1 });
    await runCutOff();
  });
  afterEach(() => scene.close());

  it('is not resumed, because restored objects would count as done', async () => {
    expect((await scene.evenkeel('rollback', 'last', '--yes')).code).to.equal(0);
    const [run = '', rollback = ''] = await scene.runs();
    scene.forgetRequests();
    const { code, stderr } = await scene.evenkeel('resume', run);
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      `error: run ${run} was rolled back by ${rollback}: tasks that were rolled back would count as done\n` +
        '  = hint: run the playbook again, or pass --force to do only what the run had not done\n\n1 error\n',
    );
    expect(scene.writes()).to.deep.equal([]);
    const forced = await scene.evenkeel('resume', run, '--force');
    expect(forced.code, forced.stdout + forced.stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  describe('while another one asks', () => {
    const PROJECT = 'inventory: inventory.yml\nenvironments: { lab: { inventory: inventory.yml, confirm: true } }\n';
    /** Types the answer once the other has ended. */
    const afterwards = async (args: readonly string[], other: readonly string[], answer: string): Promise<string> => {
      const size = { columns: 120, rows: 40, cwd: scene.project.directory };
      const terminal = new Terminal(process.execPath, [...STARTED, ...args], size);
      try {
        await terminal.shows('Type "');
        const { code, stdout, stderr } = await scene.evenkeel(...other);
        expect(code, stdout + stderr).to.equal(0);
        scene.forgetRequests();
        terminal.press(`${answer}\r`);
        expect(await terminal.exited).to.equal(1);
        expect(scene.writes()).to.deep.equal([]);
        return terminal.screen.text;
      } finally {
        await terminal.close();
      }
    };

    it('is not rolled back as it was before a resume', async () => {
      const [run = ''] = await scene.runs();
      const text = await afterwards(['rollback', run], ['resume', run], 'yes');
      expect(text).to.match(new RegExp(`run ${run} went on meanwhile [^]*: nothing was\\s+contacted`));
    });

    it('is not run again as it was before a resume', async () => {
      await scene.project.write('evenkeel.yml', PROJECT);
      scene.set('lb1', { mtu: 1500 });
      await runCutOff('--env', 'lab', '--yes');
      const [, run = ''] = await scene.runs();
      const text = await afterwards(['run', '--rerun', run], ['resume', run, '--yes'], 'lab');
      expect(text).to.match(new RegExp(`run ${run} went on meanwhile [^]*: nothing was\\s+contacted`));
    });

    it('is not run again as it was before a rollback', async () => {
      await scene.project.write('evenkeel.yml', PROJECT);
      scene.set('lb1', { mtu: 1500 });
      await runCutOff('--env', 'lab', '--yes');
      const [, run = ''] = await scene.runs();
      const text = await afterwards(['run', '--rerun', run], ['rollback', run, '--yes'], 'lab');
      expect(text).to.include(`run ${run} was rolled back meanwhile, by`);
    });

    it('is resumed if the rollback that was known is no longer kept', async () => {
      await scene.project.write('evenkeel.yml', PROJECT);
      scene.set('lb1', { mtu: 1500 });
      await runCutOff('--env', 'lab', '--yes');
      const [, run = ''] = await scene.runs();
      expect((await scene.evenkeel('rollback', run, '--yes')).code).to.equal(0);
      const [, , rollback = ''] = await scene.runs();
      const size = { columns: 120, rows: 40, cwd: scene.project.directory };
      const terminal = new Terminal(process.execPath, [...STARTED, 'resume', run, '--force'], size);
      try {
        await terminal.shows('Type "');
        await rm(path.join(scene.project.directory, '.evenkeel', 'runs', rollback), { recursive: true });
        terminal.press('lab\r');
        expect(await terminal.exited, terminal.screen.text).to.equal(0);
      } finally {
        await terminal.close();
      }
    });

    it('is not resumed as it was before a rollback', async () => {
      await scene.project.write('evenkeel.yml', PROJECT);
      scene.set('lb1', { mtu: 1500 });
      await runCutOff('--env', 'lab', '--yes');
      const [, run = ''] = await scene.runs();
      const text = await afterwards(['resume', run], ['rollback', run, '--yes'], 'lab');
      expect(text).to.include(`run ${run} was rolled back meanwhile, by`);
    });
  });

  it('is resumed after a rollback --check', async () => {
    expect((await scene.evenkeel('rollback', 'last', '--check')).code).to.equal(0);
    const [run = ''] = await scene.runs();
    const { code, stdout, stderr } = await scene.evenkeel('resume', run);
    expect(code, stdout + stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":9000}');
  });
});
