// The layers of docs/architecture.md: who may import whom. Type imports count.
const only = (folder, allowed) => ({
  name: `${folder.replaceAll('/', '-')}-imports`,
  severity: 'error',
  comment: `${folder} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing of ours'}`,
  from: { path: `^${folder}/` },
  to: { path: '^(src|modules)/', pathNot: [folder, ...allowed].map((name) => `^${name}/`) },
});

/** The folders of a folder are floors: each may import only those that are named before it. */
const floors = (folder, names) =>
  names.slice(0, -1).map((name, index) => ({
    name: `${folder.replaceAll('/', '-')}-${name}-floor`,
    severity: 'error',
    comment: `${folder}/${name} may not import ${names.slice(index + 1).join(', ')}`,
    from: { path: `^${folder}/${name}/` },
    to: { path: `^${folder}/(?:${names.slice(index + 1).join('|')})/` },
  }));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('src/model', []),
    ...floors('src/model', ['source', 'values', 'inventory', 'playbook', 'run']),
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
    only('src/module', ['src/secrets', 'src/python', 'src/model']),
    only('src/controller', ['src/files', 'src/secrets', 'src/model']),
    only('src/secrets', ['src/model']),
    only('src/report', ['src/secrets', 'src/model']),
    ...floors('src/report', ['text', 'output', 'diff', 'run', 'reporters']),
    only('src/journal', ['src/secrets', 'src/files', 'src/model']),
    ...floors('src/journal', ['disk', 'read', 'write']),
    only('src/locks', ['src/files', 'src/model']),
    only('src/rollback', ['src/module', 'src/model']),
    only('src/simulator', ['src/files', 'src/model']),
    only('src/load', ['src/module', 'src/template', 'src/programs', 'src/files', 'src/secrets', 'src/python', 'src/model']),
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
    {
      name: 'testing-is-an-edge',
      severity: 'error',
      comment: 'src/testing is for authors of modules, not for the product',
      from: { path: '^(src|modules)/', pathNot: '^src/testing/' },
      to: { path: '^src/testing/' },
    },
    only('modules', ['src/module']),
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
