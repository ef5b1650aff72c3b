import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { command, emptyProject, type Project, STARTED } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { judge, schemasFor } from '../rig/schemas.js';
import { startFleet } from '../rig/simulated.js';
import { Terminal } from '../rig/terminal.js';

const PROJECT = [
  'evenkeel.yml',
  'inventory/development/controllers.yml',
  'inventory/development/group_vars/all.yml',
  'inventory/production/controllers.yml',
  'inventory/production/group_vars/all.yml',
  'playbooks/rollout.yml',
];

describe('evenkeel init', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  beforeEach(async () => {
    project = await emptyProject();
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
    await project.remove();
  });

  const at = (...parts: readonly string[]): string => path.join(project.directory, ...parts);
  const init = (...args: readonly string[]): ReturnType<typeof evenkeel> =>
    evenkeel(['init', '--yes', ...args], { cwd: project.directory });
  const filesIn = async (folder: string): Promise<readonly string[]> => {
    const entries = await readdir(at(folder), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(at(folder), path.join(entry.parentPath, entry.name)));
  };

  it('says that it reads no piped answers, and what to use instead', async () => {
    const { code, stderr } = await evenkeel(['init', 'piped'], { cwd: project.directory });
    expect({ code, stderr }).to.deep.equal({
      code: 0,
      stderr:
        'stdin is not a terminal, so init reads no answers and uses defaults; set them with --env, --controllers, --confirm and --dialect\n',
    });
  });

  for (const dialect of ['generic', 'avi']) {
    it(`creates a project; the printed commands work (${dialect})`, async () => {
      const { code, stdout, stderr } = await init('my lab', '--dialect', dialect);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const lines = [...stdout.matchAll(/^ {2}((?:cd|evenkeel) .*?)(?: {2}# .*)?$/gm)].map(([, line = '']) =>
        line.trim(),
      );
      expect(lines).to.deep.equal([
        "cd 'my lab'",
        'evenkeel run playbooks/rollout.yml --simulate --check --diff',
        'evenkeel run playbooks/rollout.yml --simulate',
        'evenkeel drift playbooks/rollout.yml --simulate',
      ]);
      const script = ['set -e', ...lines, 'evenkeel lint --strict'].join('\n');
      const ended = await command('bash', ['-c', script], { cwd: project.directory, env: project.env });
      expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
      expect(ended.stdout).to.include('no drift: 3 controllers as playbooks/rollout.yml declares');
    });
  }

  it('creates a playbook that leaves the DNS settings of a real controller alone until they are entered', async () => {
    const fleet = await startFleet();
    try {
      await init('--env', 'lab', '--controllers', 'lb1');
      const dns = (): unknown => fleet.controller('lb1').object('/api/systemconfiguration')['dns_configuration'];
      const connection = {
        controller_url: fleet.url('lb1'),
        controller_ca_file: fleet.caFile,
        controller_password: fleet.password,
      };
      const dnsAfterRun = async (): Promise<unknown> => {
        const args = ['run', 'playbooks/rollout.yml', '-e', JSON.stringify(connection)];
        const { code, stdout, stderr } = await evenkeel(args, { cwd: project.directory });
        expect(code, stdout + stderr).to.equal(0);
        return dns();
      };
      const before = dns();
      expect(await dnsAfterRun()).to.deep.equal(before);
      const variables = 'inventory/lab/group_vars/all.yml';
      const entered = (await readFile(at(variables), 'utf8')).replaceAll(/^# (?=dns:| )/gm, '');
      await project.write(variables, entered);
      expect(await dnsAfterRun()).to.deep.equal({
        search_domain: 'example.com',
        server_list: [{ type: 'V4', addr: '10.0.0.53' }],
      });
    } finally {
      await fleet.dispose();
    }
  });

  it('writes files that its schemas accept', async () => {
    await init(
      '--controllers',
      'production=10.0.0.1,lb[01:12].example.com,2024.example.com',
      '--env',
      'development,production',
    );
    expect(await filesIn('.')).to.include.members([...PROJECT, '.gitignore', '.vscode/settings.json']);
    const errors = await judge();
    for (const file of PROJECT) {
      const [schema = ''] = schemasFor(file);
      expect(errors(schema, await readFile(at(file), 'utf8')), file).to.deep.equal([]);
    }
    const { stdout } = await evenkeel(['inventory', '-E', 'production', '--graph'], { cwd: project.directory });
    expect(stdout)
      .to.include('--10.0.0.1\n')
      .and.to.include('--lb12.example.com\n')
      .and.to.include('--2024.example.com\n');
  });

  describe('which environments ask before a run writes', () => {
    const none = 'No environment asks before a run writes (confirm in evenkeel.yml).';
    for (const [env, asking, usual] of [
      ['dev,staging,prod,dr', 'prod, dr', 'dev'],
      ['prod,dev', 'prod', 'dev'],
      ['production,live,dr,prd', 'production, live, dr, prd', undefined],
      ['prod-eu,eu_prod,LIVE2,euProd,DRSite,dev', 'prod-eu, eu_prod, LIVE2, euProd, DRSite', 'dev'],
      ['production', 'production', undefined],
      ['lab', '', 'lab'],
      ['red,green,blue', 'green, blue', 'red'],
      ['drone,product,alive,delivery', 'product, alive, delivery', 'drone'],
    ] as const)
      it(env, async () => {
        const { stdout } = await init('--yes', '--env', env);
        const says = `A run asks before it writes in: ${asking} (confirm in evenkeel.yml).`;
        expect(stdout.split('\n')).to.include(asking === '' ? none : says);
        const written: unknown = parse(await readFile(at('evenkeel.yml'), 'utf8'));
        const environments = env.split(',').map((name) => {
          const confirm = asking.split(', ').includes(name) ? { confirm: true } : {};
          return [name, { inventory: `inventory/${name}`, ...confirm }] as const;
        });
        const inventory = usual === undefined ? {} : { inventory: `inventory/${usual}` };
        expect(written).to.deep.equal({ ...inventory, environments: Object.fromEntries(environments) });
        expect(stdout).to.include(usual === undefined ? 'rollout.yml --env ' : 'rollout.yml --simulate');
      });

    it('is what --confirm says', async () => {
      const { stdout } = await init('--env', 'a,prod,b', '--confirm', 'a', '--confirm', 'b');
      expect(stdout).to.include('A run asks before it writes in: a, b (').and.to.include('PROD_CONTROLLER_PASSWORD');
      expect(await readFile(at('evenkeel.yml'), 'utf8')).to.include('\ninventory: inventory/prod\n');
      expect((await init('other', '--env', 'a,prod', '--confirm', 'none')).stdout).to.include(none);
    });

    it('needs --env if all do; the printed commands name it', async () => {
      const { stdout } = await init('--env', 'live,prod');
      const lines = [...stdout.matchAll(/^ {2}(evenkeel .*?) {2}# /gm)].map(([, line = '']) => line.trim());
      expect(lines).to.have.length(3);
      const script = ['set -e', ...lines, 'evenkeel lint --strict'].join('\n');
      const ended = await command('bash', ['-c', script], { cwd: project.directory, env: project.env });
      expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
      const without = await evenkeel(['run', 'playbooks/rollout.yml', '--simulate'], { cwd: project.directory });
      expect(without.code).to.equal(1);
      expect(without.stderr).to.include('no inventory was given\n  = hint: pass --env NAME (live, prod) or -i FILE\n');
    });
  });

  it('overwrites no file', async () => {
    await mkdir(at('playbooks'));
    await writeFile(at('playbooks/rollout.yml'), 'mine\n');
    await mkdir(at('.vscode'));
    for (const name of ['.gitignore', '.vscode/settings.json']) await writeFile(at(name), 'mine\n');
    const { code, stdout, stderr } = await init();
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('error: playbooks/rollout.yml already exists; nothing was written\n');
    expect(await filesIn('.')).to.have.members([
      'playbooks/rollout.yml',
      '.gitignore',
      '.vscode/settings.json',
      '.bin/evenkeel',
    ]);
    await rm(at('playbooks/rollout.yml'));
    const kept = await init('--env', 'dev,prod,dr');
    expect(kept.stdout).to.equal(`Created a project:
  evenkeel.yml           settings and environments
  inventory/dev/         the controllers of dev, and their variables
  inventory/prod/        the controllers of prod, and their variables
  inventory/dr/          the controllers of dr, and their variables
  playbooks/rollout.yml  the desired state of the controllers
  .vscode/               completion and checks in editors
A run asks before it writes in: prod, dr (confirm in evenkeel.yml).
Kept .gitignore, which existed. It should contain: .evenkeel/
Kept .vscode/settings.json, which existed. It should contain what docs/editor.md of Evenkeel says.

Try it. --simulate contacts no controller:
  evenkeel run playbooks/rollout.yml --simulate --check --diff  # show what would change
  evenkeel run playbooks/rollout.yml --simulate                 # change it
  evenkeel drift playbooks/rollout.yml --simulate               # compare: exit 0 is no drift

For real controllers, edit what playbooks/rollout.yml declares, set DEV_CONTROLLER_PASSWORD, and leave out --simulate.
`);
    expect(await readFile(at('.gitignore'), 'utf8')).to.equal('mine\n');
    expect((await init()).stderr).to.include('error: evenkeel.yml exists: this is a project already\n');
  });

  it('completes a partly written project', async () => {
    await init('lab');
    const file = at('lab/evenkeel.yml');
    const whole = await readFile(file, 'utf8');
    await Promise.all([rm(file), rm(at('lab/inventory/production'), { recursive: true })]);
    expect((await init('lab')).code).to.equal(0);
    expect(await readFile(file, 'utf8')).to.equal(whole);
  });

  it('does not write through links, and reports what it cannot write', async () => {
    await mkdir(at('linked'));
    await symlink(at('elsewhere'), at('linked/.gitignore'));
    const linked = await init('linked');
    expect(linked.code).to.equal(1);
    expect(linked.stderr).to.match(/^error: cannot write to linked: file already exists; written so far: inventory/);
    await writeFile(at('taken'), '');
    expect((await init('taken')).stderr).to.match(
      /^error: cannot write to taken: not a directory; nothing was written\n/,
    );
    expect(await filesIn('.')).to.not.include('elsewhere');
  });

  if (process.geteuid?.() !== 0)
    it('reports a folder that it may not write', async () => {
      await mkdir(at('closed'));
      await chmod(at('closed'), 0o555);
      expect((await init('closed')).stderr).to.include(
        'cannot write to closed: permission denied; nothing was written',
      );
    });

  if (process.platform === 'linux')
    it('fails if the folder cannot be created', async () => {
      expect((await init('/proc/lab')).stderr).to.match(
        /^error: cannot write to \/proc\/lab: .*; nothing was written\n/,
      );
    });

  it('warns of a folder whose settings commands ignore', async () => {
    await mkdir(at('open'));
    await chmod(at('open'), 0o777);
    const { code, stderr } = await init('open');
    expect(code).to.equal(0);
    expect(stderr).to.match(/^warning: commands will ignore evenkeel\.yml: .*open is world-writable\n/);
  });

  for (const [args, message] of [
    [['--env', 'Prod,prod'], 'two environments have the same name'],
    [
      ['--env', 'lab,eu-west,eu_west'],
      'the environments "eu-west" and "eu_west" would both read their password from EU_WEST_CONTROLLER_PASSWORD: rename one of them',
    ],
    [['--env', '../x'], '"../x" cannot name an environment: begin with a letter, and use letters, digits, "-" and "_"'],
    [['--env', ','], 'name at least one environment'],
    [
      ['--controllers', 'staging=lb1'],
      '--controllers names the environment "staging", which the project does not have',
    ],
    [['--controllers', 'lb1,lb1'], '--controllers: two controllers have the same name'],
    [
      ['--controllers', "lb1,'$(id)'"],
      `--controllers: "'$(id)'" cannot name a controller: use a host name, an IPv4 address or a range`,
    ],
    [['--controllers', '75'], '--controllers: "75" is neither a host name nor an IPv4 address'],
    [['--controllers', '10.0.0.300'], '--controllers: "10.0.0.300" is neither a host name nor an IPv4 address'],
    [['--controllers', 'foo bar'], '--controllers: "foo bar" has a space: put commas between controllers'],
    [['--controllers', 'lb[05:01]'], '--controllers: the range [05:01] in "lb[05:01]" goes backwards; write [01:05]'],
    [
      ['--controllers', 'lb[01:0x]'],
      '--controllers: the range [01:0x] in "lb[01:0x]" has bounds that are neither two numbers nor two letters',
    ],
    [
      ['--confirm', 'prod'],
      '--confirm: "prod" is not an environment of the project: use development, production or none',
    ],
    [['--confirm', 'none,production'], '--confirm: "none" is not an environment of the project'],
    [['--confirm', ''], '--confirm: name an environment, or answer none'],
    [['--dialect', 'arista'], '--dialect "arista": it takes one of generic, avi\n(for example: --dialect generic)'],
  ] as const)
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, stderr } = await init(...args);
      expect(code).to.equal(1);
      expect(stderr).to.include(message);
      expect(await filesIn('.')).to.deep.equal(['.bin/evenkeel']);
    });

  function start(...args: readonly string[]): Terminal {
    const size = { columns: 120, rows: 40, cwd: project.directory };
    terminal = new Terminal(process.execPath, [...STARTED, 'init', ...args], size);
    return terminal;
  }

  it('asks on a terminal, again after a wrong answer, and not for what options say', async () => {
    const typed = start('lab', '--dialect', 'avi');
    await typed.shows('Environments have an inventory each; --env NAME picks one.');
    await typed.shows('Environments [development, production]:');
    typed.press('staging, live\r');
    await typed.shows('Environments in which a run asks before it writes [live]:');
    typed.press('lvie\r');
    await typed.shows('"lvie" is not an environment of the project: use staging, live or none');
    typed.press('none\r');
    await typed.shows('Controllers of staging [lb[01:03].staging.example.com]:');
    typed.press('lb1;rm\r');
    await typed.shows(/"lb1;rm" cannot name a controller.*\s+Controllers of staging \[.*\]:\s*$/);
    typed.press('lb1, 10.0.0.2\r');
    await typed.shows('Controllers of live [lb[01:03].live.example.com]:');
    typed.press('\r');
    expect(await typed.exited, typed.screen.text).to.equal(0);
    expect(await readFile(at('lab/inventory/staging/controllers.yml'), 'utf8')).to.include(
      "    lb1:\n    '10.0.0.2':\n",
    );
    expect(await readFile(at('lab/evenkeel.yml'), 'utf8')).to.not.include('confirm');
    expect(await readFile(at('lab/inventory/staging/group_vars/all.yml'), 'utf8')).to.include(
      'controller_dialect: avi\n',
    );
  });

  it('writes nothing if the questions are interrupted', async () => {
    const typed = start('lab');
    await typed.shows('Environments [');
    typed.press('\x03');
    expect(await typed.exited).to.equal(130);
    expect(typed.screen.text).to.include('evenkeel: interrupted: nothing was written');
    expect(await filesIn('lab')).to.deep.equal([]);
  });

  it('asks nothing with --yes, and executes nothing of the folder', async () => {
    await mkdir(at('lab/modules'), { recursive: true });
    await writeFile(at('lab/modules/own.mjs'), "throw new Error('loaded');\n");
    const typed = start('lab', '--yes');
    expect(await typed.exited, typed.screen.text).to.equal(0);
  });
});
