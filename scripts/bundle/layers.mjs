import path from 'node:path';

const LIBRARY = 'src/index.ts';
/** What loads all others. */
const LOADER = 'src/program/compiled_code.ts';
/** What every command loads, but `--version`. */
const COMMAND = ['src/program/process.ts'];
/** What reads an inventory, a project and its modules. */
const READING = [
  ...[
    'launch/load/load_run',
    'launch/load/addresses_in_files',
    'launch/load/read_ahead',
    'launch/request/run_request',
    'cli/prompt',
    'cli/context',
    'record/journal/format/project_key',
    'core/model/inventory/connection_variables',
    'core/model/playbook/step_place',
    'core/model/values/value_codec',
    'reporting/reporters/github',
  ],
  ...['module/collection', 'module/planning', 'module/schema', 'module/comparison/desired'],
].map((name) => `src/${name}.ts`);
/** What carries out a run. */
const RUNNING = [
  'launch/start/start_run',
  'cli/run_ports',
  'engine/resource/planned_connection',
  'engine/keywords/rendered_keywords',
].map((name) => `src/${name}.ts`);
/** The names in `KIND_ARGUMENTS` that the modules of a file have. */
const KIND_VALIDATORS = new Map([
  ['modules/kinds/kind_modules.ts', ['member', 'single', 'absent']],
  ['modules/kinds/vendor_modules.ts', ['vendor', 'session', 'version']],
]);
const REPORTS = 'src/reporting/reports/';
const CONNECTIONS = 'src/controller/connections.ts';
/** What only open connections load. */
const AFTER_CONNECTIONS = ['other_dialect', 'ping', 'raw_write', 'unknown_tenant'].map(
  (name) => `src/controller/${name}.ts`,
);
const RUNNERS = new Set([
  ...[
    'run/command',
    'run/task_command',
    'resume/command',
    'rollback/command',
    'capture/command',
    'drift/command',
    'ping/command',
    'plan/command',
    'routes/command',
    'simulate/command',
    'render/command',
    'cli/extra_outputs',
    'report/command',
    'ui/command',
    'launch/load/known_tags',
    'launch/prepare/check_shard',
    'launch/simulation/simulation',
    'launch/start/environment_rules',
    'launch/undo/load_rollback',
    'launch/undo/plan_batch_rollback',
    'record/journal/format/secret_digests',
    'record/journal/read/read_run',
    'record/journal/write/continue_run',
  ].map((name) => `src/${name}.ts`),
  CONNECTIONS,
  ...AFTER_CONNECTIONS,
  'src/reporting/reports/refused.ts',
  'src/engine/control/task_confirmation.ts',
  'src/engine/execution/task_socket.ts',
  'src/engine/execution/time_limit.ts',
  'src/engine/play/batch_rollback.ts',
  'src/engine/play/gate_run.ts',
  'src/engine/resource/followed_plan.ts',
  'src/engine/task/loop_run.ts',
  'src/engine/task/replay.ts',
  'src/engine/walk/block_loop.ts',
  'src/engine/walk/broken_step.ts',
  'src/engine/walk/run_once.ts',
  'src/engine/walk/walk_include.ts',
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
        const ofKind = KIND_VALIDATORS.get(file);
        const own =
          ofKind !== undefined
            ? ofKinds(file, ofKind)
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
  if (file === LOADER || COMMAND.includes(file)) return [];
  const after = AFTER_CONNECTIONS.includes(file) ? [CONNECTIONS] : [];
  return RUNNERS.has(file) || file.startsWith(REPORTS)
    ? [...COMMAND, ...READING, ...RUNNING, ...after]
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
function ofKinds(file, validators) {
  return [
    `import { KIND_ARGUMENTS } from './modules/kinds/arguments.ts';`,
    `import { registerValidator } from './src/module/arguments/validation.ts';`,
    ...validators.flatMap((name) => [
      `import ${name} from 'validator:kinds/${name}';`,
      `registerValidator(KIND_ARGUMENTS.${name}, ${name});`,
    ]),
    `export * from './${file}';`,
  ];
}
