import { expect } from 'chai';
import { Argument, Command, Option } from 'commander';
import { ARGUMENT_VALUES, findPosition, optionValue } from '../../src/completion/word_position.js';

function program(): Command {
  const run = new Command('run')
    .description('Runs.')
    .alias('go')
    .argument('<playbook...>', 'playbooks')
    .option('-i, --inventory <source>', 'where', (value: string) => value)
    .option('-C, --check', 'check')
    .option('-E, --env <name>', 'environment')
    .addOption(new Option('--diff [mode]', 'diff').choices(['host', 'fleet']))
    .addOption(new Option('-o, --output <kind>', 'output').choices(['json', 'lines']))
    .addOption(new Option('--secret <x>', 'hidden').hideHelp());
  const doc = new Command('doc').description('Docs.').argument('[name]', 'name').argument('[second]', 'second');
  const vault = new Command('vault').description('Vault.');
  vault.addCommand(new Command('view').description('Shows.').argument('<file...>', 'files'));
  const completion = new Command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
  const plan = new Command('plan').argument('<playbook...>', 'playbooks');
  plan.addCommand(new Command('show').description('Shows a plan.'));
  return new Command('evenkeel')
    .option('--config <file>', 'project file')
    .addCommand(run)
    .addCommand(doc)
    .addCommand(vault)
    .addCommand(completion)
    .addCommand(plan);
}

/** What is found at the cursor after these words; the last one is the current one. */
function at(line: string): Readonly<Record<string, unknown>> {
  const words = line.split(' ');
  const { declared, given, ...rest } = findPosition(program(), words.slice(0, -1), words.at(-1) ?? '');
  const shown = declared.map(({ word }) => word).join(' ');
  return {
    ...rest,
    ...(shown !== '' && { declared: shown }),
    ...(given.size > 0 && { given: Object.fromEntries(given) }),
  };
}

describe('what is completed at the cursor', () => {
  const base = { before: '', operands: [] as readonly string[] };
  const OPTIONS = '--inventory --check --env --diff --output --help';
  for (const [line, expected] of [
    ['', { ...base, typed: '', declared: 'run doc vault completion plan help' }],
    ['ru', { ...base, typed: 'ru', declared: 'run doc vault completion plan help' }],
    ['run ', { ...base, typed: '', value: 'playbooks' }],
    ['go ', { ...base, typed: '', value: 'playbooks' }],
    ['run a.yml b', { ...base, operands: ['a.yml'], typed: 'b', value: 'playbooks' }],
    // A command only stands first.
    ['run doc ', { ...base, operands: ['doc'], typed: '', value: 'playbooks' }],
    ['doc ', { ...base, typed: '', value: 'documented' }],
    ['doc a ', { ...base, operands: ['a'], typed: '', value: 'files' }],
    ['doc a b ', { ...base, operands: ['a', 'b'], typed: '' }],
    ['vault ', { ...base, typed: '', declared: 'view help' }],
    ['help ', { ...base, typed: '', declared: 'run doc vault completion plan help' }],
    ['help vault v', { ...base, typed: 'v', declared: 'view help' }],
    ['vault help ', { ...base, typed: '', declared: 'view help' }],
    [
      '--config x help ',
      { ...base, given: { '--config': ['x'] }, typed: '', declared: 'run doc vault completion plan help' },
    ],
    ['help run ', { ...base, typed: '' }],
    ['help run --', { ...base, typed: '--' }],
    ['help -', { ...base, typed: '-' }],
    ['help -i run ', { ...base, typed: '' }],
    ['help vault view ', { ...base, typed: '' }],
    ['help completion ', { ...base, typed: '' }],
    ['help other ', { ...base, operands: ['other'], typed: '' }],
    ['run help ', { ...base, operands: ['help'], typed: '', value: 'playbooks' }],
    ['vault view x y ', { ...base, operands: ['x', 'y'], typed: '', value: 'files' }],
    ['vault other ', { ...base, operands: ['other'], typed: '' }],
    ['completion ', { ...base, typed: '', declared: 'bash zsh' }],
    ['plan ', { ...base, typed: '', value: 'playbooks', declared: 'show help' }],
    ['plan a ', { ...base, operands: ['a'], typed: '', value: 'playbooks' }],
    ['run -', { ...base, typed: '-', declared: OPTIONS }],
    ['run --in', { ...base, typed: '--in', declared: OPTIONS }],
    ['run --inventory ', { ...base, typed: '', value: 'inventories' }],
    ['run --inventory -x', { ...base, typed: '-x', value: 'inventories' }],
    ['run --inventory=de', { ...base, before: '--inventory=', typed: 'de', value: 'inventories' }],
    ['run -ide', { ...base, before: '-i', typed: 'de', value: 'inventories' }],
    ['run -i', { ...base, typed: '-i', declared: OPTIONS }],
    ['run -CEde', { ...base, before: '-CE', typed: 'de', value: 'environments' }],
    ['run -xde', { ...base, typed: '-xde', declared: OPTIONS }],
    ['run -o ', { ...base, typed: '', declared: 'json lines' }],
    ['run --output=j', { ...base, before: '--output=', typed: 'j', declared: 'json lines' }],
    // The value of this one follows in the same word only.
    ['run --diff ', { ...base, given: { '--diff': [''] }, typed: '', value: 'playbooks' }],
    ['run --diff=f', { ...base, before: '--diff=', typed: 'f', declared: 'host fleet' }],
    ['run -- -', { ...base, typed: '-', value: 'playbooks' }],
    ['run -- doc ', { ...base, operands: ['doc'], typed: '', value: 'playbooks' }],
    ['-- ', { ...base, typed: '' }],
    ['run - a', { ...base, operands: ['-'], typed: 'a', value: 'playbooks' }],
    ['run --nothing a', { ...base, typed: 'a', value: 'playbooks' }],
    [
      'run -C -i a -ib --inventory=c --inventory d e',
      {
        ...base,
        given: { '--check': [''], '--inventory': ['a', 'b', 'c', 'd'] },
        typed: 'e',
        value: 'playbooks',
      },
    ],
    [
      '--config a.yml run -E x ',
      { ...base, given: { '--config': ['a.yml'], '--env': ['x'] }, typed: '', value: 'playbooks' },
    ],
  ] as const)
    it(`evenkeel ${line}|`, () => {
      expect(at(line)).to.deep.equal(expected);
    });

  it('are commands and options with what they are for', () => {
    const about = (words: readonly string[], current: string): Readonly<Record<string, unknown>> =>
      Object.fromEntries(findPosition(program(), words, current).declared.map(({ word, about: text }) => [word, text]));
    expect(about([], '')).to.include({ run: 'Runs.', doc: 'Docs.', help: 'display help for a command' });
    expect(about(['run'], '-')).to.include({ '--check': 'check', '--help': 'display help' });
  });
});

describe('the kind of a value', () => {
  it('is that of its word, else of its option', () => {
    for (const [option, declared, kind] of [
      ['--log', '<file>', 'files'],
      ['--save', '<folder>', 'folders'],
      ['--limit', '<pattern>', 'patterns'],
      ['--tags', '-t, --tags <tags>', 'tags'],
      ['--shard', '<i/n>', 'nothing'],
      ['--forks', '<number>', 'nothing'],
      ['--env', '<name>', 'environments'],
      ['--vault-id', '<id>', 'vault ids'],
      ['--report', '<kind=file>', 'reports'],
      ['--diff', '[mode]', undefined],
      ['--user', '<name>', 'nothing'],
      ['--check', '', undefined],
    ] as const)
      expect(optionValue(option, declared), option).to.equal(kind);
    expect(ARGUMENT_VALUES).to.include({ playbook: 'playbooks', run: 'runs', 'report run': 'reported' });
  });
});
