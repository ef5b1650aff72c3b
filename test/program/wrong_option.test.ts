import { expect } from 'chai';
import { Command, Option } from 'commander';
import { unknownInHelp } from '../../src/program/help_all.js';
import { wordUnknown } from '../../src/program/wrong_option.js';

function program(...args: readonly string[]): Command {
  const command = (name: string, ...options: readonly Option[]): Command =>
    options.reduce((made, option) => made.addOption(option), new Command(name));
  const all = new Command('evenkeel')
    .addCommand(
      command(
        'run',
        new Option('-f, --forks <number>'),
        new Option('-C, --check'),
        new Option('--rerun <run>'),
        new Option('-l, --limit <x>'),
        new Option('-o, --output <kind>').choices(['live', 'lines', 'quiet']),
      ),
    )
    .addCommand(command('runs', new Option('--list'), new Option('--out <file>')).alias('history'))
    .addCommand(
      command('plan')
        .addCommand(command('show', new Option('--depth <n>')))
        .addCommand(command('drop')),
    )
    .addCommand(command('apply'))
    .addCommand(
      command('vault')
        .addCommand(command('edit', new Option('--only-here')))
        .addCommand(command('view').alias('cat')),
    );
  all.args = [...args];
  const called = all.commands.find((one) => one.name() === args[0]);
  if (called !== undefined) called.args = args.slice(1);
  return all;
}

describe('an unknown option', () => {
  const said = (given: string, command = 'run', near = ''): string =>
    wordUnknown(`error: unknown option '${given}'${near}`, program(command, given), () => undefined).replace(
      `error: unknown option '${given}'`,
      'unknown',
    );

  it('has what is meant, here or in other commands', () => {
    for (const [given, command, expected] of [
      ['--forsk', 'run', '(Did you mean --forks?)'],
      ['--dry-run', 'run', '(Did you mean --check?)'],
      ['--quiet', 'run', '(Did you mean --output quiet?)'],
      ['--one-line', 'run', '(Did you mean --output lines?)'],
      ['--dry-run', 'plan', '("plan" never writes to a controller: leave it out)'],
      ['-C', 'plan', '("plan" never writes to a controller: leave it out)'],
      ['-Cx', 'plan', '("plan" never writes to a controller: leave it out)'],
      ['--check', 'apply', '("evenkeel plan show FILE" shows what it will do)'],
      ['-o', 'runs', '(-o is the kind of output. To name a file or folder: --out)'],
      ['--output', 'runs', '(-o is the kind of output. To name a file or folder: --out)'],
      ['--json', 'runs', '(--list prints JSON already)'],
      ['--limit', 'plan', '(It is an option of run)'],
      ['--limti', 'plan', '(--limit is an option of run)'],
      ['--limit', 'apply', '(an apply uses the options of its plan: leave it out)'],
      ['--limti', 'apply', '(an apply uses the options of its plan: leave --limit out)'],
      ['-L', 'run', '(Did you mean -l?)'],
      ['-lx', 'apply', undefined],
      ['-F', 'plan', '(-f is an option of run)'],
      ['--zzzzzzzzz', 'run', undefined],
      ['-z', 'run', undefined],
    ] as const)
      expect(said(given, command), `${command} ${given}`).to.equal(
        expected === undefined ? 'unknown' : `unknown\n${expected}`,
      );
  });

  it('keeps what commander found, unless it is one of another tool', () => {
    expect(said('--fork', 'run', '\n(Did you mean --forks?)')).to.equal('unknown\n(Did you mean --forks?)');
    expect(said('--limit', 'runs', '\n(Did you mean --list?)')).to.equal('unknown\n(It is an option of run)');
    expect(said('--become', 'run', '\n(Did you mean --x?)')).to.match(/^unknown\n\(there is no become: /);
  });

  it('is said before a required one that is missing, and without its value', () => {
    const missing = "error: required option '--inventory <x>' not specified";
    const lines = (text: string, ...args: readonly string[]) =>
      wordUnknown(text, program(...args), () => 'evenkeel run x.yml');
    expect(lines(missing, 'run', 'a.yml', '--forsk')).to.equal(
      "error: unknown option '--forsk'\n(Did you mean --forks?)",
    );
    expect(lines(missing, 'run', 'a.yml', '-')).to.equal(`${missing}\n(for example: evenkeel run x.yml)`);
    expect(lines("error: unknown option '--pasword=hunter22'", 'run')).to.equal("error: unknown option '--pasword=…'");
  });
});

describe('an unknown command', () => {
  const said = (...args: readonly string[]): string => {
    const { length } = args;
    const given = args[length - 1] ?? '';
    return wordUnknown(`error: unknown command '${given}'`, program(...args), () => undefined).split('\n')[1] ?? '';
  };

  it('has the command that does it, or those of its group', () => {
    for (const [given, expected] of [
      ['site.yml', '(Did you mean evenkeel run site.yml?)'],
      ['SITE.YAML', '(Did you mean evenkeel run SITE.YAML?)'],
      ['undo', '(Did you mean evenkeel rollback RUN?)'],
      ['toString', ''],
      ['zzz', ''],
    ] as const)
      expect(said(given), given).to.equal(expected);
    const ping = program('all', '-m', 'ping');
    expect(wordUnknown("error: unknown command 'all'", ping, () => undefined)).to.equal(
      "error: unknown command 'all'\n(Did you mean evenkeel task all -m MODULE?)",
    );
    const near = "error: unknown command 'plna'\n(Did you mean plan?)";
    expect(wordUnknown(near, program('plna'), () => undefined)).to.equal(near);
    expect(said('vault', 'zzz')).to.equal('(the commands are edit, view)');
    const within = wordUnknown(
      "error: unknown command 'edti'\n(Did you mean edit?)",
      program('vault', 'edti'),
      () => undefined,
    );
    expect(within).to.equal("error: unknown command 'edti'\n(Did you mean edit?)");
  });

  it('is found in the arguments of help', () => {
    const found = (...names: readonly string[]) => unknownInHelp(names, program());
    expect(found('help', 'zzz')).to.deep.equal(['zzz']);
    expect(found('help', 'vault', 'zzz', 'more')).to.deep.equal(['vault', 'zzz']);
    for (const names of [
      ['help'],
      ['help', 'run'],
      ['help', 'history'],
      ['help', 'run', 'zzz'],
      ['help', 'vault', 'cat'],
      ['help', '--all', 'zzz'],
      ['help', 'help', 'zzz'],
      ['run', 'zzz'],
    ])
      expect(found(...names), names.join(' ')).to.equal(undefined);
  });
});

describe('a wrong value', () => {
  const said = (text: string, line?: string): string => wordUnknown(text, program('run'), () => line);

  it('has what the option takes, and the nearest choice or the first', () => {
    expect(
      said("error: option '-o, --output <kind>' argument 'qiet' is invalid. Allowed choices are live, lines, quiet."),
    ).to.equal('error: --output "qiet": it takes one of live, lines, quiet\n(Did you mean quiet?)');
    expect(said("error: option '--diff [mode]' argument 'zzzz' is invalid. Allowed choices are host, fleet.")).to.equal(
      'error: --diff "zzzz": it takes one of host, fleet\n(for example: --diff=host)',
    );
    expect(
      said("error: option '-o, --output <kind>' argument 'a$&b\nc' is invalid. Allowed choices are live, lines."),
    ).to.equal('error: --output "a$&b\nc": it takes one of live, lines\n(for example: --output live)');
    expect(said("error: option '-f, --forks <number>' argument '0' is invalid. It must be at least 1.")).to.equal(
      'error: --forks "0": it must be at least 1',
    );
    expect(
      said("error: command-argument value 'x' is invalid for argument 'shell'. Allowed choices are bash, zsh."),
    ).to.equal('error: shell "x": it takes one of bash, zsh\n(for example: bash)');
  });

  it('that is missing has an example', () => {
    expect(said("error: option '-f, --forks <number>' argument missing")).to.equal(
      'error: --forks needs a value: --forks <number>',
    );
    const missing = "error: missing required argument 'playbook'";
    expect(said(missing, 'evenkeel run $& site.yml')).to.equal(`${missing}\n(for example: evenkeel run $& site.yml)`);
    expect(said(missing)).to.equal(missing);
    expect(said('error: something else', 'evenkeel run x')).to.equal('error: something else');
  });
});
