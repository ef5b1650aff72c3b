// The layers of docs/architecture.md: who may import whom. Type imports count.
/** The types, and what happens to files, secrets and programs. */
const CORE = 'src/core';
const MODEL = 'src/core/model';
const PYTHON = 'src/language/python';
/** Which features may use others. Everything else that two of them need is on a floor. */
const NEIGHBOURS = {
  completion: ['doc', 'schema'],
  doc: ['schema'],
  init: ['lint', 'schema'],
  run: ['rollback'],
  schema: ['lint'],
  ui: ['drift', 'plan', 'report'],
};
const FEATURES = [
  ...['capture', 'completion', 'config', 'doc', 'drift', 'init', 'inventory', 'lint', 'ping', 'plan', 'render'],
  ...['report', 'resume', 'rollback', 'routes', 'run', 'runs', 'schema', 'simulate', 'ui', 'vault'],
];
/** The floors below the features, highest first. */
const FLOORS = [
  ...[
    'cli',
    'launch',
    'engine',
    'undo',
    'record',
    'simulator',
    'controller',
    'project',
    'reporting',
    'module',
    'kinds',
  ],
  ...['language', 'core'],
];

const only = (folder, allowed) => ({
  name: `${folder.replaceAll('/', '-')}-imports`,
  severity: 'error',
  comment: `${folder} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing of ours'}`,
  from: { path: `^${folder}/` },
  to: { path: '^(src|modules)/', pathNot: [folder, ...allowed].map((name) => `^${name}/`) },
});

/** Nothing but `importers` may import a folder. */
const below = (folder, importers) => ({
  name: `who-imports-${folder.replaceAll('/', '-')}`,
  severity: 'error',
  comment: `only ${importers.join(', ')} may import ${folder}`,
  from: { path: '^(src|modules)/', pathNot: [folder, ...importers].map((name) => `^${name}(/|$)`) },
  to: { path: `^${folder}/` },
});

/** The files of a folder are its top floor: its subfolders may not import them. */
const top = (folder) => ({
  name: `${folder.replaceAll('/', '-')}-top`,
  severity: 'error',
  comment: `the folders of ${folder} may not import its own files`,
  from: { path: `^${folder}/[^/]+/` },
  to: { path: `^${folder}/[^/]+\\.ts$` },
});

/** The folders of a folder are floors, lowest first; a list is one floor. Each may import only the floors below it. */
const floors = (folder, levels) =>
  levels.flatMap((level, height) =>
    [level].flat().map((name) => {
      const barred = levels
        .slice(height)
        .flat()
        .filter((other) => other !== name);
      return {
        name: `${folder.replaceAll('/', '-')}-${name}-floor`,
        severity: 'error',
        comment: `${folder}/${name} may not import ${barred.join(', ')}`,
        from: { path: `^${folder}/${name}/` },
        to: { path: `^${folder}/(?:${barred.length > 0 ? barred.join('|') : '(?!)'})/` },
      };
    }),
  );

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...FEATURES.map((name) => ({
      name: `${name}-imports`,
      severity: 'error',
      comment: `${name} may import floors, and ${(NEIGHBOURS[name] ?? ['no other feature']).join(', ')}`,
      from: { path: `^src/${name}/` },
      to: {
        path: '^(src|modules)/',
        pathNot: [name, ...(NEIGHBOURS[name] ?? []), ...FLOORS]
          .map((one) => `^src/${one}/`)
          .concat('^modules/(kinds/)?index\\.ts$'),
      },
    })),
    ...FLOORS.map((name, height) => ({
      name: `${name}-floor`,
      severity: 'error',
      comment: `${name} may import lower floors only`,
      from: { path: `^src/${name}/` },
      to: { path: '^src/', pathNot: FLOORS.slice(height).map((one) => `^src/${one}/`) },
    })),
    ...floors(CORE, ['model', ['files', 'secrets', 'programs']]),
    only('src/core/programs', []),
    ...floors(MODEL, ['source', 'values', 'inventory', 'playbook', 'run']),
    {
      name: 'one-place-executes',
      severity: 'error',
      comment: 'programs are started, and code is loaded, by src/core/programs alone: it obeys --no-exec',
      // `ps` tells when a process began, on systems without /proc: nothing of a project goes into that.
      from: { path: '^(src|modules)/', pathNot: ['^src/core/programs/', '^src/record/locks/process_identity\\.ts$'] },
      to: { path: ['^(node:)?child_process$', 'node_modules/jiti/'] },
    },
    ...floors('src/language', ['python', 'runtime', ['syntax', 'library', 'plugins'], 'evaluation']),
    top('src/language'),
    top('src/language/syntax'),
    only(PYTHON, [MODEL]),
    only('src/kinds', [MODEL]),
    only('src/module', ['src/kinds', 'src/core/secrets', PYTHON, MODEL]),
    only('src/controller', ['src/core/files', 'src/core/secrets', MODEL]),
    ...floors('src/controller', ['settings', 'exchange', 'answers', 'pace', 'transport', 'access']),
    top('src/controller'),
    only('src/reporting', ['src/core/secrets', MODEL]),
    ...floors('src/reporting', ['text', 'output', 'diff', 'run', 'page', ['reporters', 'reports']]),
    ...floors('src/reporting/page', ['format', 'fold']),
    only('src/reporting/page/format', []),
    only('src/web', ['src/reporting/page/format', 'src/reporting/text']),
    below('src/web', []),
    ...floors('src/web', ['data', 'matrix', 'parts', 'ui']),
    top('src/web'),
    only('src/record', ['src/core/secrets', 'src/core/files', MODEL]),
    ...floors('src/record', [['locks', 'journal'], 'plan']),
    ...floors('src/record/journal', ['disk', 'read', 'write']),
    only('src/undo', ['src/module', MODEL]),
    only('src/simulator', ['src/kinds', 'src/core/files', MODEL]),
    ...floors('src/simulator', ['protocol', 'behaviour', 'state', 'service', 'controller', 'transport']),
    only('src/project', ['src/module', 'src/language', CORE]),
    ...floors('src/project', [
      'vault',
      'yaml',
      'document',
      'variables',
      'inventory',
      'keywords',
      'task',
      'role',
      'steps',
      'playbook',
      'project',
    ]),
    ...floors('src/lint', ['subject', 'rules']),
    only('src/engine', ['src/module', 'src/controller', 'src/language', 'src/core/files', 'src/core/secrets', MODEL]),
    ...floors('src/engine', [
      'input',
      'control',
      'keywords',
      'journal',
      'controllers',
      'resource',
      'context',
      'execution',
      'task',
      'batch',
      'walk',
      'play',
      'preflight',
      'render',
    ]),
    top('src/engine'),
    ...floors('src/launch', [
      'request',
      ['history', 'user_code'],
      'load',
      ['lock', 'planned', 'simulation'],
      'undo',
      'prepare',
      'start',
    ]),
    {
      name: 'testing-is-an-edge',
      severity: 'error',
      comment: 'src/testing is for authors of modules, not for the product',
      from: { path: '^(src|modules)/', pathNot: '^src/testing/' },
      to: { path: '^src/testing/' },
    },
    only('modules', ['src/module', 'src/kinds']),
    below('src/program', ['src/main.ts']),
    below('src/library', ['src/index.ts']),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
    doNotFollow: { path: 'node_modules' },
  },
};
