// The layers of docs/architecture.md: who may import whom. Type imports count.
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
    only('src/template', ['src/programs', 'src/files', 'src/secrets', 'src/python', 'src/model']),
    only('src/template/runtime', ['src/programs', 'src/files', 'src/secrets', 'src/python', 'src/model']),
    only('src/template/language', [
      'src/template/runtime',
      'src/programs',
      'src/files',
      'src/secrets',
      'src/python',
      'src/model',
    ]),
    only('src/template/language/expressions', [
      'src/template/runtime',
      'src/programs',
      'src/files',
      'src/secrets',
      'src/python',
      'src/model',
    ]),
    only('src/template/library', [
      'src/template/runtime',
      'src/programs',
      'src/files',
      'src/secrets',
      'src/python',
      'src/model',
    ]),
    only('src/template/evaluation', [
      'src/template/runtime',
      'src/template/language',
      'src/template/library',
      'src/programs',
      'src/files',
      'src/secrets',
      'src/python',
      'src/model',
    ]),
    only('src/module', ['src/kinds', 'src/secrets', 'src/python', 'src/model']),
    only('src/controller', ['src/files', 'src/secrets', 'src/model']),
    ...floors('src/controller', ['settings', 'exchange', 'answers', 'pace', 'access', 'transport']),
    {
      name: 'src-controller-top-floor',
      severity: 'error',
      comment: 'the folders of src/controller may not import the client and the sessions above them',
      from: { path: '^src/controller/[^/]+/' },
      to: { path: '^src/controller/[^/]+$' },
    },
    only('src/secrets', ['src/model']),
    only('src/report', ['src/secrets', 'src/model']),
    ...floors('src/report', ['text', 'output', 'diff', 'run', 'reporters']),
    only('src/journal', ['src/secrets', 'src/files', 'src/model']),
    ...floors('src/journal', ['disk', 'read', 'write']),
    only('src/locks', ['src/files', 'src/model']),
    only('src/rollback', ['src/module', 'src/model']),
    only('src/simulator', ['src/kinds', 'src/files', 'src/model']),
    ...floors('src/simulator', ['protocol', 'behaviour', 'state', 'generic', 'strict', 'controller', 'transport']),
    only('src/load', [
      'src/module',
      'src/template',
      'src/programs',
      'src/files',
      'src/secrets',
      'src/python',
      'src/model',
    ]),
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
    only('src/run', ['src/module', 'src/controller', 'src/template', 'src/secrets', 'src/model']),
    ...floors('src/run', [
      'input',
      'control',
      'keywords',
      'journal',
      'controllers',
      'resource',
      'execution',
      'task',
      'batch',
      'walk',
      'play',
      'preflight',
    ]),
    {
      name: 'src-run-top',
      severity: 'error',
      comment: 'src/run/*.ts is the top floor of src/run',
      from: { path: '^src/run/[^/]+/' },
      to: { path: '^src/run/[^/]+\\.ts$' },
    },
    {
      name: 'testing-is-an-edge',
      severity: 'error',
      comment: 'src/testing is for authors of modules, not for the product',
      from: { path: '^(src|modules)/', pathNot: '^src/testing/' },
      to: { path: '^src/testing/' },
    },
    only('modules', ['src/module', 'src/kinds']),
    below('src/cli', ['src/main.ts']),
    below('src/library', ['src/index.ts']),
    below('src/app', ['src/cli', 'src/library', 'src/testing']),
    ...floors('src/app', [
      'request',
      ['history', 'user_code'],
      ['load', 'inventory'],
      ['lock', 'lint', 'simulation', 'vault'],
      'rollback',
      'run',
      'follow_up',
    ]),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
    doNotFollow: { path: 'node_modules' },
  },
};
