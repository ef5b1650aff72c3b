import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { Command, type Option } from 'commander';
import * as Type from 'typebox';
import type { CommandContext } from '../../src/cli/context.js';
import type { DefineCommand } from '../../src/cli/options/define.js';
import { execution, explicitDiff, type Raw } from '../../src/cli/options/execution.js';
import { KEPT_OPTIONS, NOT_KEPT, runOptions } from '../../src/launch/request/run_request.js';
import { defineApply, definePlan } from '../../src/plan/options.js';
import { defineResume } from '../../src/resume/options.js';
import { defineRollback } from '../../src/rollback/options.js';
import { defineRun, defineTask } from '../../src/run/options.js';

const COMMANDS: readonly (readonly [string, DefineCommand])[] = [
  ['run', defineRun],
  ['task', defineTask],
  ['plan', definePlan],
  ['apply', defineApply],
  ['resume', defineResume],
  ['rollback', defineRollback],
];
/** Valid values by the name of an option's value, for parsers that refuse other texts. */
const VALUES: Readonly<Record<string, string>> = {
  number: '7',
  days: '3',
  seconds: '5',
  size: '1MB',
  'n.n.n': '22.1.3',
  'kind=file': 'junit=report.xml',
};

const isRequest = new Ajv().compile(
  Type.Object(
    { ...KEPT_OPTIONS, ...NOT_KEPT, command: Type.Optional(KEPT_OPTIONS.command) },
    { additionalProperties: false },
  ),
);

/** A run from the command line does not check its request against the schema, so this test does. */
describe('the options of the command line', () => {
  for (const [name, define] of COMMANDS)
    it(`make a valid request: ${name}`, () => {
      for (const option of define(new Command(name), {} as CommandContext, (command) => command).options) {
        const command = define(new Command(name), {} as CommandContext, (command) => command).action(() => undefined);
        command.exitOverride().parse([...required(command), ...argumentsOf(option), 'x'], { from: 'user' });
        const request = runOptions(execution(command.opts<Raw>()));
        expect(isRequest(request), `${option.flags} ${JSON.stringify(isRequest.errors)}`).to.equal(true);
      }
    });

  it('are described in docs', () => {
    const docs = new URL('../../docs/', import.meta.url);
    const pages = readdirSync(docs).filter((file) => file.endsWith('.md'));
    const text = pages.map((file) => readFileSync(new URL(file, docs), 'utf8')).join('');
    for (const [name, define] of COMMANDS)
      for (const { short, long } of define(new Command(name), {} as CommandContext, (command) => command).options) {
        const names = new RegExp(`(?<![\\w-])(?:${[short, long].filter((one) => one != null).join('|')})(?![\\w-])`);
        expect(text, `${name} ${long ?? short ?? ''}`).to.match(names);
      }
  });

  it('take a mode of --diff only behind "=", because a group can have such a name', () => {
    const read = (line: string): readonly string[] => line.split(' ').map(explicitDiff);
    expect(read('task --diff fleet -m ping')).to.deep.equal(['task', '--diff=auto', 'fleet', '-m', 'ping']);
    expect(read('run --diff=fleet p.yml')).to.deep.equal(['run', '--diff=fleet', 'p.yml']);
    expect(read('run p.yml --diff')).to.deep.equal(['run', 'p.yml', '--diff=auto']);
  });

  it('refuse values that a request cannot have', () => {
    for (const wrong of [
      '--forks=0',
      '--forks=1.5',
      '--max-registered=-1',
      '--api-version=22',
      '--diff=all',
      '--strategy=fast',
      '--report=report.xml',
      '--report=html5=report.html',
      '--report=junit=',
    ]) {
      const command = defineRun(new Command('run'), {} as CommandContext, (command) => command).action(() => undefined);
      command.exitOverride().configureOutput({ writeErr: () => undefined });
      expect(() => command.parse([wrong, 'p.yml'], { from: 'user' }), wrong).to.throw();
    }
  });
});

function argumentsOf(option: Option): readonly string[] {
  const flag = option.long ?? option.short ?? '';
  if (!option.required && !option.optional) return [flag];
  const [, value = ''] = /<(.*)>/.exec(option.flags) ?? [];
  return [`${flag}=${VALUES[value] ?? option.argChoices?.[0] ?? 'a'}`];
}

function required(command: Command): readonly string[] {
  return command.options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long ?? ''}=a`);
}
