import path from 'node:path';

const LIBRARY = 'src/index.ts';
/** What every command loads, but `--version`. */
const COMMAND = ['src/cli/process.ts'];
/** What reads an inventory, a project and its modules. */
const READING = [
  ...[
    'app/load/load_run',
    'app/inventory/equal_addresses',
    'app/request/run_request',
    'cli/terminal/prompt',
    'cli/terminal/refusal',
    'controller/settings/settings',
    'journal/disk/key_file',
    'journal/disk/sealer',
    'model/inventory/connection_variables',
    'model/playbook/step_place',
    'model/values/value_codec',
    'report/reporters/github',
  ],
  ...[
    'module/collection',
    'module/planning',
    'module/singleton',
    'module/lockout',
    'module/arguments/record',
    'module/comparison/desired',
  ],
].map((name) => `src/${name}.ts`);
/** What carries out a run. */
const RUNNING = [
  'app/run/start_run',
  'cli/terminal/run_ports',
  'run/resource/planned_connection',
  'run/keywords/conditions',
].map((name) => `src/${name}.ts`);
const KINDS = 'modules/kinds/kind_modules.ts';
/** The names in `KIND_ARGUMENTS`. */
const KIND_VALIDATORS = ['member', 'single', 'absent', 'vendor', 'session', 'version'];
const REPORTS = 'src/report/reports/';
const RUNNERS = new Set([
  ...[
    'cli/commands/run',
    'cli/commands/task',
    'cli/commands/resume',
    'cli/commands/rollback',
    'cli/commands/capture',
    'cli/commands/drift',
    'cli/commands/plan',
    'cli/commands/routes',
    'cli/commands/render',
    'cli/terminal/extra_outputs',
    'cli/commands/report',
    'cli/commands/ui',
    'app/simulation/simulation',
    'app/rollback/load_rollback',
  ].map((name) => `src/${name}.ts`),
  'src/controller/connections.ts',
  'src/report/reports/refused.ts',
  'src/run/resource/followed_plan.ts',
]);

/**
 * esbuild cuts a chunk for each set of `import()`s that share something: sixty files for one command, each of which costs a
 * millisecond. So whatever is imported later also imports what is loaded by then, which costs nothing and makes the sets equal.
 *
 * @param validators the sources of the checks that built-in modules bring along, by module
 */
export function layers(root, validators) {
  return {
    name: 'layers',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ kind, path: imported, resolveDir }) => {
        const file = path.relative(root, path.resolve(resolveDir, imported.replace(/\.js$/, '.ts')));
        return kind === 'dynamic-import' || file === LIBRARY ? { path: file, namespace: 'later' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'later' }, ({ path: file }) => {
        const before = loadedBefore(file).map((one) => `import './${one}';`);
        const own =
          file === KINDS
            ? ofKinds(file)
            : file.startsWith('modules/')
              ? builtIn(file)
              : [`export * from '${path.join(root, file)}';`];
        return { contents: [...before, ...own].join('\n'), resolveDir: root };
      });
      onResolve({ filter: /^validator:/ }, ({ path: name }) => ({ path: name, namespace: 'validator' }));
      onLoad({ filter: /.*/, namespace: 'validator' }, ({ path: name }) => ({
        contents: validators.get(name.replace('validator:', '')),
        resolveDir: root,
      }));
    },
  };
}

function loadedBefore(file) {
  if (file === LIBRARY) return [...READING, ...RUNNING];
  if (COMMAND.includes(file)) return [];
  return RUNNERS.has(file) || file.startsWith(REPORTS)
    ? [...COMMAND, ...READING, ...RUNNING]
    : [...COMMAND, ...READING];
}

function builtIn(file) {
  return [
    `import module from './${file}';`,
    `import validate from 'validator:${path.basename(file, '.ts')}';`,
    `import { registerValidator } from './src/module/arguments/validation.ts';`,
    'registerValidator(module.args, validate);',
    'export default module;',
    `export * from './${file}';`,
  ];
}

/** The modules of kinds share their arguments. */
function ofKinds(file) {
  return [
    `import { KIND_ARGUMENTS } from './modules/kinds/arguments.ts';`,
    `import { registerValidator } from './src/module/arguments/validation.ts';`,
    ...KIND_VALIDATORS.flatMap((name) => [
      `import ${name} from 'validator:kinds/${name}';`,
      `registerValidator(KIND_ARGUMENTS.${name}, ${name});`,
    ]),
    `export * from './${file}';`,
  ];
}
