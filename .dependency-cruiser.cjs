// The layers of docs/architecture.md: who may import whom. Type imports count.
/** What is below everything that reads or runs playbooks. */
const BASE = ['src/programs', 'src/files', 'src/secrets', 'src/python', 'src/model'];

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
    only('src/model', []),
    ...floors('src/model', ['source', 'values', 'inventory', 'playbook', 'run']),
    only('src/kinds', ['src/model']),
    only('src/files', ['src/model']),
    only('src/programs', []),
    only('src/python', ['src/model']),
    {
      name: 'one-place-executes',
      severity: 'error',
      comment: 'programs are started, and code is loaded, by src/programs alone: it obeys --no-exec',
      // `ps` tells when a process began, on systems without /proc: nothing of a project goes into that.
      from: { path: '^(src|modules)/', pathNot: ['^src/programs/', '^src/locks/process_identity\\.ts$'] },
      to: { path: ['^(node:)?child_process$', 'node_modules/jiti/'] },
    },
    only('src/template', BASE),
    ...floors('src/template', ['runtime', ['language', 'library'], 'evaluation']),
    top('src/template'),
    top('src/template/language'),
    only('src/module', ['src/kinds', 'src/secrets', 'src/python', 'src/model']),
    only('src/controller', ['src/files', 'src/secrets', 'src/model']),
    ...floors('src/controller', ['settings', 'exchange', 'answers', 'pace', 'access', 'transport']),
    top('src/controller'),
    only('src/secrets', ['src/model']),
    only('src/report', ['src/secrets', 'src/model']),
    ...floors('src/report', ['text', 'output', 'diff', 'run', 'page', ['reporters', 'reports']]),
    ...floors('src/report/page', ['format', 'fold']),
    only('src/report/page/format', []),
    only('src/web', ['src/report/page/format']),
    below('src/web', []),
    ...floors('src/web', ['data', 'matrix', 'parts', 'ui']),
    top('src/web'),
    only('src/journal', ['src/secrets', 'src/files', 'src/model']),
    ...floors('src/journal', ['disk', 'read', 'write']),
    only('src/plan', ['src/journal', 'src/secrets', 'src/files', 'src/model']),
    only('src/locks', ['src/files', 'src/model']),
    only('src/rollback', ['src/module', 'src/model']),
    only('src/capture', ['src/kinds', 'src/module', 'src/secrets', 'src/model']),
    only('src/simulator', ['src/kinds', 'src/files', 'src/model']),
    ...floors('src/simulator', ['protocol', 'behaviour', 'state', 'generic', 'strict', 'controller', 'transport']),
    only('src/load', ['src/module', 'src/template', ...BASE]),
    ...floors('src/load', [
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
    only('src/lint', ['src/load', 'src/module', 'src/template', 'src/programs', 'src/secrets', 'src/model']),
    ...floors('src/lint', ['subject', 'rules']),
    only('src/schema', ['src/load', 'src/module', 'src/model']),
    only('src/run', ['src/module', 'src/controller', 'src/template', 'src/files', 'src/secrets', 'src/model']),
    ...floors('src/run', [
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
    top('src/run'),
    {
      name: 'testing-is-an-edge',
      severity: 'error',
      comment: 'src/testing is for authors of modules, not for the product',
      from: { path: '^(src|modules)/', pathNot: '^src/testing/' },
      to: { path: '^src/testing/' },
    },
    only('modules', ['src/module', 'src/kinds']),
    below('src/cli', ['src/main.ts']),
    ...floors('src/cli', [
      'terminal',
      'text',
      ['commands', 'completion', 'reference', 'setup', 'vault'],
      'options',
      'help',
    ]),
    top('src/cli'),
    below('src/library', ['src/index.ts']),
    below('src/app', ['src/cli', 'src/library', 'src/testing']),
    ...floors('src/app', [
      'request',
      ['history', 'user_code'],
      ['load', 'inventory'],
      ['lock', 'lint', 'simulation', 'vault'],
      'rollback',
      'prepare',
      'run',
      ['follow_up', 'capture', 'drift', 'render', 'report'],
      'ui',
    ]),
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
