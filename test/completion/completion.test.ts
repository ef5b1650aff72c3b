import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawn, type IPty } from '@lydell/node-pty';
import { expect } from 'chai';
import { bashLine } from '../../src/completion/complete.js';
import { SCRIPTS } from '../../src/completion/scripts.js';
import { ARGUMENT_VALUES, optionValue } from '../../src/completion/word_position.js';
import { OUTPUTS } from '../../src/core/model/run/choices.js';
import { command, emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const BREAKS = ' \t\n"\'@><=;|&(:';
const NAMES = [
  'my play.yml',
  'a:b.yml',
  "it's.yml",
  'say "hi".yml',
  '$(touch pwned).yml',
  '`touch pwned`.yml',
  'a;b&c.yml',
  'ü*.yml',
];

const FILES = {
  'evenkeel.yml': `inventory: inventory/dev
environments:
  dev: { inventory: inventory/dev }
  "big prod": { inventory: inventory/prod }
`,
  'inventory/dev/hosts.yml': 'all: { children: { lab: { hosts: { "lb[1:2]": } } } }\n',
  'inventory/prod/hosts.yml': 'all: { hosts: { "odd $(touch pwned)": , prod1: } }\n',
  'inventory/prod/script.sh': '#!/bin/sh\ntouch pwned\n',
  'modules/own.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('pwned', '');\n",
  'playbooks/site.yml': `- hosts: all
  tags: [site]
  tasks:
    - { name: Say it, debug: { msg: "{{ lookup('pipe', 'touch pwned') }}" }, tags: [say, "with space"] }
    - { name: Own, own: }
`,
};

describe('completion', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
    for (const name of NAMES) await project.write(`odd/${name}`, '[]\n');
    for (const id of ['20261120T180000Z-aaaaaa', '20261121T180000Z-bbbbbb'])
      await mkdir(path.join(project.directory, '.evenkeel/runs', id), { recursive: true });
  });
  afterEach(() => expect(existsSync(path.join(project.directory, 'pwned'))).to.equal(false));
  after(() => project.remove());

  const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await evenkeel(['__complete', 'zsh', ...words], { cwd: project.directory });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    return stdout
      .split('\n')
      .flatMap((line) => line.split('\t')[0] ?? [])
      .filter((word) => word !== '');
  };

  for (const [words, expected] of [
    [['ru'], ['run', 'runs']],
    [
      ['vault', 'enc'],
      ['encrypt', 'encrypt-string'],
    ],
    [
      ['run', ''],
      ['playbooks/site.yml', 'inventory/', 'modules/', 'odd/'],
    ],
    [['run', 'playbooks/'], ['playbooks/site.yml']],
    [
      ['run', '--env', ''],
      ['dev', 'big prod'],
    ],
    [['run', '--env=b'], ['--env=big prod']],
    [['run', '-CE', 'd'], ['dev']],
    [['run', '-CEd'], ['-CEdev']],
    [
      ['run', '-E', 'nowhere', '-l', 'l'],
      ['lab', 'lb1', 'lb2'],
    ],
    [
      ['run', '-l', 'lab:!lb'],
      ['lab:!lb1', 'lab:!lb2'],
    ],
    [['run', '-E', 'big prod', '-l', 'odd'], ['odd $(touch pwned)']],
    [['run', '-i', 'inventory/prod', '-l', 'pro'], ['prod1']],
    [
      ['run', '-i', 'inventory/dev', '--inventory=inventory/prod', '-l', ''],
      ['all', 'ungrouped', 'lab', 'lb1', 'lb2', 'odd $(touch pwned)', 'prod1'],
    ],
    [
      ['run', '--inventory=inventory/prod', '--inventory=inventory/dev', '-l', 'lb'],
      ['lb1', 'lb2'],
    ],
    [['run', '--inventory=inventory/prod', '-i', 'inventory/dev', '-l', 'pro'], ['prod1']],
    [
      ['run', 'playbooks/site.yml', '-t', ''],
      ['say', 'site', 'with space'],
    ],
    [['run', '-t', 'say,s'], ['say,site']],
    [
      ['run', 'playbooks/site.yml', '--start-at-task', ''],
      ['Say it', 'Own'],
    ],
    [['run', '-o', ''], OUTPUTS],
    [['run', '--diff', 'play'], ['playbooks/site.yml']],
    [['run', '--diff=f'], ['--diff=fleet']],
    [['run', '-e', '@play'], ['@playbooks/']],
    [['run', '--', '-'], []],
    [['run', '--report', 'mark'], ['markdown=']],
    [['run', '--report', 'junit=play'], ['junit=playbooks/']],
    [['run', '--rer'], ['--rerun']],
    [
      ['run', '--rerun', 'last:failed,'],
      ['last:failed,failed', 'last:failed,unreachable', 'last:failed,unstarted'],
    ],
    [['task', 'all', '-m', 'ow'], ['own']],
    [['task', 'la'], ['lab']],
    [['task', 'all', '-m', 'cloud_absent', '-a', 'n'], ['name=']],
    [['task', 'all', '-m', 'pool_present', '-a', 'name=web lb_algorithm_h'], ['name=web lb_algorithm_hash=']],
    [['task', 'all', '-m', 'cloud_present', '-a', "name='my edge' na"], []],
    [
      ['task', 'all', '-m', 'api_request', '--args=path=/api/x method=P'],
      ['--args=path=/api/x method=POST', '--args=path=/api/x method=PUT', '--args=path=/api/x method=PATCH'],
    ],
    [['task', 'all', '-m', 'cloud_present', '-a', '{na'], []],
    [['task', 'all', '-m', 'cloud_present', '-a', '@play'], ['@playbooks/']],
    [['task', 'all', '-m', 'own', '-a', ''], []],
    [['task', 'all', '-a', ''], []],
    [
      ['resume', '2026112'],
      ['20261121T180000Z-bbbbbb', '20261120T180000Z-aaaaaa'],
    ],
    [['rollback', 'l'], ['last']],
    [
      ['inventory', '--host', 'lb'],
      ['lb1', 'lb2'],
    ],
    [['inventory', '--graph', 'la'], ['lab']],
    [
      ['capture', '--kind', 'poolg'],
      ['poolgroup', 'poolgroupdeploymentpolicy'],
    ],
    [['schema', 'pr'], ['project']],
    [['doc', 'cloud_p'], ['cloud_present']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nonsense', '--wrong', ''], []],
  ] as const)
    it(`of "${words.join(' ')}"`, async () => expect(await complete(...words)).to.deep.equal(expected));

  /** Other tests do not see these folders. */
  afterEach(async () => {
    for (const name of ['bad', 'broken'])
      await rm(path.join(project.directory, name), { recursive: true, force: true });
  });

  it('leaves out names that would become part of the command line', async () => {
    await project.write('bad/a\nb.yml', '');
    await project.write('bad/\u001b[31m.yml', '');
    expect(await complete('run', 'bad/')).to.deep.equal([]);
  });

  it('answers nothing for a broken project', async () => {
    await project.write('broken/evenkeel.yml', 'environments: [\n');
    const { code, stdout, stderr } = await evenkeel(['__complete', 'fish', 'run', '-E', ''], {
      cwd: path.join(project.directory, 'broken'),
    });
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '', stderr: '' });
  });

  it('knows what every option and argument takes', async () => {
    const commands = ['', ...(await complete('')).flatMap((name) => (name === 'help' ? [] : [name]))];
    const inner = await Promise.all(
      ['vault', 'plan', 'modules'].map(async (name) => {
        const { stdout } = await evenkeel([name, '--help'], { cwd: project.directory });
        return [...stdout.matchAll(/^ {2}([a-z-]+)[ |].*\[options\]/gm)].map(([, one = '']) => `${name} ${one}`);
      }),
    );
    const unknown: string[] = [];
    for (const name of [...commands, ...inner.flat()]) {
      const words = name.split(' ').filter((word) => word !== '');
      const { stdout } = await evenkeel([...words, '--help'], { cwd: project.directory });
      for (const [, option = '', declared = '', rest = ''] of stdout.matchAll(
        /^ {2}(?:-\w, )?(--[\w-]+) ([<[][^\]>]+[\]>])([^]*?)(?=\n {2}\S|\n\n)/gm,
      ))
        if (!rest.replaceAll(/\s+/g, ' ').includes('(choices:') && optionValue(option, declared) === undefined)
          unknown.push(`${name} ${option}`);
      const [, usage = ''] = /^Usage: (.*)$/m.exec(stdout) ?? [];
      for (const [, argument = ''] of usage.replace(/.*\[options\]/, '').matchAll(/[<[]([a-z]+)(?:\.\.\.)?[\]>]/g))
        if (
          !['shell', 'command'].includes(argument) &&
          !(argument in ARGUMENT_VALUES) &&
          !(`${words.at(-1) ?? ''} ${argument}` in ARGUMENT_VALUES)
        )
          unknown.push(`${name} <${argument}>`);
    }
    expect(unknown, 'add them to src/completion/word_position.ts').to.deep.equal([]);
  });

  describe('of a line as bash has it', () => {
    for (const [line, current, word, inserted] of [
      ['evenkeel run od', 'od', 'odd/my play.yml', String.raw`odd/my\ play.yml`],
      [String.raw`evenkeel run odd/my\ pl`, 'odd/my pl', 'odd/my play.yml', String.raw`odd/my\ play.yml`],
      ['evenkeel run "odd/my pl', 'odd/my pl', 'odd/my play.yml', 'odd/my play.yml'],
      ["evenkeel run 'odd/it", 'odd/it', "odd/it's.yml", String.raw`odd/it'\''s.yml`],
      ['evenkeel run "$', '$', '$(x)"`.yml', String.raw`\$(x)\"\`.yml`],
      ['evenkeel run odd/a:', 'odd/a:', 'odd/a:b.yml', 'b.yml'],
      [String.raw`evenkeel run odd/a\:`, 'odd/a:', 'odd/a:b.yml', 'odd/a:b.yml'],
      ['evenkeel run --env=b', '--env=b', '--env=big prod', String.raw`big\ prod`],
      ['evenkeel run ~/pl', '~/pl', '~/play book/', String.raw`~/play\ book/`],
      ['evenkeel run ', '', '~x', String.raw`\~x`],
      ['evenkeel run @od', '@od', '@odd/my play.yml', String.raw`@odd/my\ play.yml`],
      ['evenkeel run --vault-id=a@od', '--vault-id=a@od', '--vault-id=a@odd/x y', String.raw`@odd/x\ y`],
      ['evenkeel run "a b"c', 'a bc', 'a bcd', 'cd'],
      ['evenkeel run a\\', 'a', 'a b', String.raw`a\ b`],
    ] as const)
      it(line, () => {
        const typed = bashLine(line, BREAKS);
        expect(typed.words).to.deep.equal(['evenkeel', 'run']);
        expect(typed.current).to.equal(current);
        expect(typed.insert(word)).to.equal(inserted);
      });
  });

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const isThere = spawnSync(shell, ['-c', 'exit 0']).status === 0;
    if (!isThere) process.stderr.write(`\nSKIPPED: ${shell} is not installed, so its completion is not tested\n`);
    (isThere ? it : it.skip)(`passes words in a real ${shell}, and executes nothing in them`, async () => {
      await writeFile(path.join(project.directory, `evenkeel.${shell}`), SCRIPTS[shell]);
      const session = new Session(shell, project);
      try {
        for (const [typed, words, quote = ''] of TYPED)
          expect(await session.wordsOf(`evenkeel ${typed}`, shell === 'bash' ? '' : quote), typed).to.deep.equal(words);
        for (const program of ['.own/evenkeel', '~/.own/evenkeel'])
          expect(await session.wordsOf(`${program} m`, ''), program).to.deep.equal(['mine']);
        if (shell !== 'fish')
          expect(await session.wordsOf('$HOME/.own/evenkeel run ~/odd/m', '')).to.deep.equal([
            'run',
            '~/odd/my play.yml',
          ]);
      } finally {
        await session.close();
      }
    });
  }

  it('prints the script of each shell, which its shell accepts', async () => {
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const { stdout, code } = await evenkeel(['completion', shell], { cwd: project.directory });
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: SCRIPTS[shell] });
      await writeFile(path.join(project.directory, `check.${shell}`), stdout);
      if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) continue;
      const checked = await command(shell, ['-n', `check.${shell}`], { cwd: project.directory });
      expect(checked).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    }
    expect((await evenkeel(['completion', 'ksh'], { cwd: project.directory })).code).to.equal(1);
  });
});

/** The text before Tab, the words that the command gets, and an open quote, which bash closes. */
const TYPED: readonly (readonly [typed: string, words: readonly string[], quote?: string])[] = [
  ['rend', ['render']],
  ['render --again', ['render', '--against']],
  ['run --env b', ['run', '--env', 'big prod']],
  ['run --env=b', ['run', '--env=big prod']],
  ['run -E big\\ prod -l od', ['run', '-E', 'big prod', '-l', 'odd $(touch pwned)']],
  ['run -l lab:lb', ['run', '-l', 'lab:lb']],
  ['run -l lab:la', ['run', '-l', 'lab:lab']],
  ['run odd/m', ['run', 'odd/my play.yml']],
  ['run odd/my\\ p', ['run', 'odd/my play.yml']],
  ['run odd/it', ['run', "odd/it's.yml"]],
  ['run odd/s', ['run', 'odd/say "hi".yml']],
  ['run odd/\\$', ['run', 'odd/$(touch pwned).yml']],
  ['run odd/\\`', ['run', 'odd/`touch pwned`.yml']],
  ['run odd/a\\;', ['run', 'odd/a;b&c.yml']],
  ['run odd/a:', ['run', 'odd/a:b.yml']],
  ['run odd/ü', ['run', 'odd/ü*.yml']],
  ['run ~/odd/m', ['run', '~/odd/my play.yml']],
  ['run -e @odd/m', ['run', '-e', '@odd/my play.yml']],
  ['task all -m cloud_absent -a na', ['task', 'all', '-m', 'cloud_absent', '-a', 'name=']],
  [
    "task all -m pool_present -a 'name=web lb_algorithm_h",
    ['task', 'all', '-m', 'pool_present', '-a', 'name=web lb_algorithm_hash='],
    "'",
  ],
];

const START: Readonly<Record<'bash' | 'zsh' | 'fish', readonly [args: readonly string[], setup: string]>> = {
  bash: [['--norc', '--noprofile', '-i'], 'source ./evenkeel.bash'],
  zsh: [['-f', '-i'], 'autoload -Uz compinit; compinit -u -D; source ./evenkeel.zsh'],
  fish: [['--no-config', '-i'], 'source ./evenkeel.fish'],
};

/** An interactive shell with the script, in which `evenkeel` only records its arguments. */
class Session {
  readonly #pty: IPty;
  readonly #project: Project;
  readonly #exited: Promise<void>;
  readonly #ready: Promise<void>;
  readonly #changes = new EventEmitter();
  #written = '';

  constructor(shell: 'bash' | 'zsh' | 'fish', project: Project) {
    this.#project = project;
    const [args, setup] = START[shell];
    const env = { HOME: project.directory, PATH: '', TERM: 'dumb', LC_ALL: 'C.UTF-8' };
    env.PATH = `${path.join(project.directory, '.noting')}:${project.env['PATH'] ?? ''}`;
    this.#pty = spawn(shell, [...args], { cols: 200, rows: 50, name: 'dumb', cwd: project.directory, env });
    this.#pty.onData((data) => {
      this.#written += data;
      this.#changes.emit('change');
    });
    this.#exited = new Promise((resolve) => {
      this.#pty.onExit(() => {
        resolve();
      });
    });
    this.#ready = this.#start(setup);
  }

  async #start(setup: string): Promise<void> {
    const real = path.join(this.#project.directory, '.bin/evenkeel');
    const note = `: > words\nfor word; do printf '%s\\n' "$word" >> words; done\necho NO"TED"\n`;
    for (const [folder, answer] of [
      ['.noting', `exec '${real}' "$@"`],
      ['.own', 'echo mine; exit'],
    ] as const) {
      const file = `${folder}/evenkeel`;
      await this.#project.write(file, `#!/bin/sh\nif [ "$1" = __complete ]; then ${answer}; fi\n${note}`);
      await chmod(path.join(this.#project.directory, file), 0o755);
    }
    await this.#until(/[$%>#] ?/);
    await this.#type(`${setup}; evenkeel\r`);
  }

  async #type(text: string): Promise<void> {
    this.#written = '';
    this.#pty.write(text);
    await this.#until(/NOTED/);
  }

  async #until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#written)) await once(this.#changes, 'change');
  }

  /** The words of the command line after Tab. */
  async wordsOf(typed: string, after: string): Promise<readonly string[]> {
    await this.#ready;
    await this.#type(`${typed}\t${after}\r`);
    const words = (await readFile(path.join(this.#project.directory, 'words'), 'utf8')).split('\n').slice(0, -1);
    return words.map((word) => word.replace(`${this.#project.directory}/odd`, '~/odd'));
  }

  async close(): Promise<void> {
    this.#pty.kill();
    await this.#exited;
  }
}
