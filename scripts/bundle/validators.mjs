import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

/**
 * The source of what checks a built-in module's arguments, by the module's name: what ajv would make of them at run time. Those that the
 * modules of kinds share are called `kinds/…`.
 */
export async function validatorSources(root) {
  const { builtinModules, KIND_ARGUMENTS, CHECKING } = await sourcesOf(root);
  const sources = new Map();
  const add = (name, args) => {
    const ajv = new Ajv({ ...CHECKING, code: { source: true, esm: true } });
    sources.set(name, standalone.default(ajv, ajv.compile(args)));
  };
  for (const [name, load] of Object.entries(builtinModules)) {
    const { default: module } = await load();
    add(name, module.args);
  }
  for (const [name, args] of Object.entries(KIND_ARGUMENTS)) add(`kinds/${name}`, args);
  return sources;
}

async function sourcesOf(root) {
  const contents = `export { builtinModules } from './modules/index.ts'; export { KIND_ARGUMENTS } from './modules/kinds/arguments.ts'; export { CHECKING } from './src/module/arguments/validation.ts';`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    banner: { js: "import{createRequire}from'node:module';const require=createRequire('/');" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
