import { expect } from 'chai';
import type { Command } from 'commander';
import { defineCapture, defineCompare } from '../../src/capture/options.js';
import type { CommandContext } from '../../src/cli/context.js';
import { addedExamples, type DefineCommand } from '../../src/cli/options/define.js';
import { defineCompletion } from '../../src/completion/options.js';
import { defineConfig } from '../../src/config/options.js';
import { defineDoc, defineModules, defineSchema } from '../../src/doc/options.js';
import { defineDrift } from '../../src/drift/options.js';
import { defineInventory } from '../../src/inventory/options.js';
import { definePing } from '../../src/ping/options.js';
import { defineApply, definePlan } from '../../src/plan/options.js';
import { wholeProgram } from '../../src/program/program.js';
import { defineRender } from '../../src/render/options.js';
import { defineReport } from '../../src/report/options.js';
import { defineResume } from '../../src/resume/options.js';
import { defineRollback } from '../../src/rollback/options.js';
import { defineRoutes } from '../../src/routes/options.js';
import { defineRun, defineTask } from '../../src/run/options.js';
import { defineRuns } from '../../src/runs/options.js';
import { defineSimulate } from '../../src/simulate/options.js';
import { defineUi } from '../../src/ui/options.js';
import { parsed } from '../rig/parsed.js';

const VAULT = '--vault-id a@b --vault-id c@d --vault-password-file f --vault-password-file g -J';
const VAULT_GIVEN = { vaultId: ['a@b', 'c@d'], vaultPasswordFile: ['f', 'g'], askVaultPass: true };
const TARGET = `-i x -i y -E prod -l lb1 -e a=1 -e b=2 ${VAULT}`;
const TARGET_GIVEN = { inventory: ['x', 'y'], env: 'prod', limit: 'lb1', extraVars: ['a=1', 'b=2'], ...VAULT_GIVEN };
const SELECTION = '-t a,b -t c --skip-tags d,e --skip-tags f --start-at-task T';
const SELECTION_GIVEN = { tags: ['a', 'b', 'c'], skipTags: ['d', 'e', 'f'], startAtTask: 'T' };
const ORDER = '--strategy free --force-handlers';
const ORDER_GIVEN = { strategy: 'free', forceHandlers: true };
const READING = '-f 7 --simulate --api-version 22.1.3 --api-version 30.2.1,31.1.1 -u ann -k';
const READING_GIVEN = {
  forks: 7,
  simulate: true,
  apiVersion: ['22.1.3', '30.2.1', '31.1.1'],
  user: 'ann',
  askPass: true,
};
const OUTPUT = '--report junit=a --report html=b --max-registered 1MB --diff=fleet -vv';
const OUTPUT_GIVEN = {
  report: [
    { kind: 'junit', file: 'a' },
    { kind: 'html', file: 'b' },
  ],
  maxRegistered: 2 ** 20,
  diff: 'fleet',
  verbose: 2,
};
const CONDUCT = `${OUTPUT} ${READING} -D -o lines --log l --profile --detailed-exitcode --wait --yes --reason r --ticket t`;
const CONDUCT_GIVEN = {
  ...OUTPUT_GIVEN,
  ...READING_GIVEN,
  D: true,
  output: 'lines',
  log: 'l',
  profile: true,
  detailedExitcode: true,
  wait: true,
  yes: true,
  reason: 'r',
  ticket: 't',
};
const KINDS = '--kind a --kind b --tenant c --tenant d';
const KINDS_GIVEN = { kind: ['a', 'b'], tenant: ['c', 'd'] };
const MODULES = '-M m -M n --no-color';
const MODULES_GIVEN = { modulePath: ['m', 'n'], color: false };

const LINES: readonly (readonly [define: DefineCommand, line: string, ...taken: readonly unknown[]])[] = [
  [defineRun, '', { color: true, verbose: 0 }, []],
  [
    defineRun,
    `a.yml b.yml ${TARGET} ${SELECTION} ${ORDER} ${CONDUCT} ${MODULES} -C --shard 1/2 --rerun last --step --verify-idempotent --list-hosts --list-tasks --list-tags --syntax-check`,
    {
      ...TARGET_GIVEN,
      ...SELECTION_GIVEN,
      ...ORDER_GIVEN,
      ...CONDUCT_GIVEN,
      ...MODULES_GIVEN,
      check: true,
      shard: '1/2',
      rerun: 'last',
      step: true,
      verifyIdempotent: true,
      listHosts: true,
      listTasks: true,
      listTags: true,
      syntaxCheck: true,
    },
    ['a.yml', 'b.yml'],
  ],
  [
    defineTask,
    `all ${TARGET} ${CONDUCT} ${MODULES} -C --shard 1/2 -m debug -a msg=x`,
    {
      ...TARGET_GIVEN,
      ...CONDUCT_GIVEN,
      ...MODULES_GIVEN,
      check: true,
      shard: '1/2',
      module: 'debug',
      args: 'msg=x',
    },
    'all',
  ],
  [
    definePlan,
    `a.yml b.yml ${TARGET} ${SELECTION} ${ORDER} ${CONDUCT} ${MODULES} --out p --shard 1/2`,
    {
      ...TARGET_GIVEN,
      ...SELECTION_GIVEN,
      ...ORDER_GIVEN,
      ...CONDUCT_GIVEN,
      ...MODULES_GIVEN,
      out: 'p',
      shard: '1/2',
    },
    ['a.yml', 'b.yml'],
  ],
  [definePlan, 'show p --json --no-color', { json: true, color: false }, 'p'],
  [
    defineApply,
    `p ${VAULT} ${CONDUCT} -l lb1 --max-age 3 --verify-idempotent --no-color`,
    { ...VAULT_GIVEN, ...CONDUCT_GIVEN, limit: 'lb1', maxAge: 3, verifyIdempotent: true, color: false },
    'p',
  ],
  [
    defineResume,
    `last ${VAULT} ${CONDUCT} --force --no-color`,
    { ...VAULT_GIVEN, ...CONDUCT_GIVEN, force: true, color: false },
    'last',
  ],
  [
    defineRollback,
    `last ${TARGET} ${CONDUCT} ${MODULES} -C --allow-lockout --force`,
    { ...TARGET_GIVEN, ...CONDUCT_GIVEN, ...MODULES_GIVEN, check: true, allowLockout: true, force: true },
    'last',
  ],
  [
    defineDrift,
    `a.yml b.yml ${TARGET} ${SELECTION} ${OUTPUT} ${READING} ${MODULES} --shard 1/2 --unmanaged --json`,
    {
      ...TARGET_GIVEN,
      ...SELECTION_GIVEN,
      ...OUTPUT_GIVEN,
      ...READING_GIVEN,
      ...MODULES_GIVEN,
      shard: '1/2',
      unmanaged: true,
      json: true,
    },
    ['a.yml', 'b.yml'],
  ],
  [
    defineRender,
    `a.yml b.yml ${TARGET} ${SELECTION} ${MODULES} --against live --json`,
    { ...TARGET_GIVEN, ...SELECTION_GIVEN, ...MODULES_GIVEN, against: 'live', json: true },
    ['a.yml', 'b.yml'],
  ],
  [
    defineCapture,
    `${TARGET} ${READING} ${KINDS} --out o --all --force --no-color`,
    { ...TARGET_GIVEN, ...READING_GIVEN, ...KINDS_GIVEN, out: 'o', all: true, force: true, color: false },
  ],
  [
    defineCompare,
    `${TARGET} ${READING} ${KINDS} --json --no-color`,
    { ...TARGET_GIVEN, ...READING_GIVEN, ...KINDS_GIVEN, json: true, color: false },
  ],
  [
    definePing,
    `emea ${TARGET} ${READING} --json --no-color`,
    { ...TARGET_GIVEN, ...READING_GIVEN, json: true, color: false },
    'emea',
  ],
  [definePing, '', { color: true }, undefined],
  [defineRoutes, `${TARGET} --check --json --no-color`, { ...TARGET_GIVEN, check: true, json: true, color: false }],
  [
    defineSimulate,
    `${TARGET} --port 9443 --api-version 22.1.3 --dialect avi`,
    { ...TARGET_GIVEN, port: 9443, apiVersion: ['22.1.3'], dialect: 'avi' },
  ],
  [
    defineInventory,
    `emea ${TARGET} --list --host lb1 --graph --vars -y`,
    { ...TARGET_GIVEN, list: true, host: 'lb1', graph: true, vars: true, yaml: true },
    'emea',
  ],
  [
    defineRuns,
    'last -n 3 --json --objects --save s --prune --keep 5 -C --no-color',
    {
      limit: 3,
      json: true,
      objects: true,
      save: 's',
      prune: true,
      keep: 5,
      check: true,
      color: false,
    },
    'last',
  ],
  [
    defineReport,
    'last r2 --out o --detailed-exitcode --no-color',
    { out: 'o', detailedExitcode: true, color: false },
    ['last', 'r2'],
  ],
  [defineUi, '--port 8080 --no-color', { port: 8080, color: false }],
  [
    defineConfig,
    '--json -i x -i y -E prod -l lb1 -f auto --max-registered 2MB --strategy linear -M m -M n --vault-id a --vault-id b --vault-password-file f --vault-password-file g',
    {
      json: true,
      inventory: ['x', 'y'],
      env: 'prod',
      limit: 'lb1',
      forks: 'auto',
      maxRegistered: 2 ** 21,
      strategy: 'linear',
      modulePath: ['m', 'n'],
      vaultId: ['a', 'b'],
      vaultPasswordFile: ['f', 'g'],
    },
  ],
  [defineDoc, 'pool -l --type role --json -M m', { list: true, type: 'role', json: true, modulePath: ['m'] }, 'pool'],
  [defineModules, '--json -M m -M n', { json: true, modulePath: ['m', 'n'] }],
  [defineModules, 'from-openapi a b --out o', { out: 'o' }, ['a', 'b']],
  [defineSchema, 'playbook --out o -M m', { out: 'o', modulePath: ['m'] }, 'playbook'],
  [defineCompletion, 'zsh', {}, 'zsh'],
];

describe('the options that a command for the fleet takes', () => {
  for (const [define, line, ...taken] of LINES)
    it(`are those of its line: ${define.name} ${line.slice(0, 30)}`, () => {
      expect(parsed(define, line)).to.deep.equal(taken);
    });

  it('are refused where they have no such value, or lack one', () => {
    for (const [define, line] of [
      [defineTask, 'all'],
      [definePlan, ''],
      [defineApply, ''],
      [defineResume, ''],
      [defineRollback, ''],
      [defineDrift, ''],
      [defineRender, ''],
      [defineReport, ''],
      [defineCapture, ''],
      [defineCapture, '--out -'],
      [defineSchema, '--out -'],
      [defineRuns, 'last --save -'],
      [defineRuns, '-n 0'],
      [defineRuns, '--keep 0'],
      [defineCompletion, ''],
      [defineCompletion, 'ksh'],
      [defineDoc, '--type other'],
      [defineConfig, '--strategy fast'],
      [defineRun, 'a --strategy fast'],
      [defineRun, 'a -o other'],
      [defineRun, 'a --diff=other'],
      [defineRun, 'a --log -'],
      [defineDrift, 'a --diff=other'],
      [defineUi, '--port x'],
      [defineSimulate, '--port 0'],
      [defineModules, 'from-openapi'],
    ] as const)
      expect(() => parsed(define, line), `${define.name} ${line}`).to.throw();
  });
});

describe('each command', () => {
  const program = wholeProgram({ version: '1.0.0' } as CommandContext);

  it('says what it does, and what each option, argument and example is for', () => {
    const check = (command: Command): void => {
      const name = command.name();
      expect(command.description(), name).to.match(/^[A-Z].{10,}\.$/);
      for (const { flags, description } of command.options) expect(description, `${name} ${flags}`).to.match(/\w{2}/);
      for (const one of command.registeredArguments)
        if (one.argChoices === undefined) expect(one.description, `${name} ${one.name()}`).to.match(/\w{2}/);
      for (const [line, why] of addedExamples(command)) {
        expect(line, name).to.match(/evenkeel /);
        expect(why, line).to.match(/\w{2}/);
      }
      command.commands.forEach(check);
    };
    check(program);
    for (const command of program.commands)
      if (command.commands.length === 0) expect(addedExamples(command), command.name()).to.not.deep.equal([]);
  });
});
