import { createRequire } from 'node:module';
import { Matched } from './matched.mjs';

const require = createRequire(import.meta.url);

/**
 * Saves 30 ms of a command's start (November 2026). Packages that many commands get by without: what is plain YAML is read without the yaml package, a text without templates is not
 * parsed, and the built-in modules bring their checks along. Each is a file of its own, loaded when one of these is first called.
 */
const LATER = {
  ajv: { file: 'ajv.cjs', functions: [], classes: ['Ajv'] },
  yaml: {
    file: 'yaml.cjs',
    functions: ['isAlias', 'isMap', 'isNode', 'isScalar', 'isSeq', 'parseAllDocuments', 'parseDocument', 'visit'],
    classes: [],
  },
  '@jmespath-community/jmespath': { file: 'jmespath.cjs', functions: ['search'], classes: [] },
  'ipaddr.js': { file: 'ipaddr.cjs', object: true },
  bcryptjs: { file: 'bcryptjs.cjs', functions: ['hashSync'], classes: [] },
  // Few have a SOCKS proxy.
  socks: { file: 'socks.cjs', functions: [], classes: [], statics: { SocksClient: ['createConnection'] } },
  // Characters that take two columns, or none.
  'fast-string-width': { file: 'string-width.cjs', functions: ['default'], classes: [] },
  re2js: { file: 're2js.cjs', functions: [], classes: [], statics: { RE2JS: ['compile'] } },
  // Node's own, for what few commands do: threads, contexts, large values.
  'node:worker_threads': { functions: ['receiveMessageOnPort'], classes: ['MessageChannel', 'Worker'] },
  // commander could start other programs, which Evenkeel never asks of it.
  'node:child_process': {
    functions: ['execFileSync', 'spawn'],
    classes: [],
    of: /[\\/](?:src|node_modules[\\/]commander)[\\/]/,
  },
  'node:vm': { functions: ['createContext'], classes: ['Script'] },
  'node:zlib': { functions: ['deflate', 'deflateSync', 'gzipSync', 'inflate', 'inflateSync'], classes: [] },
  // undici's parser for processors without SIMD: a fifth of the code for requests to a controller.
  'undici/lib/llhttp/llhttp-wasm.js': { file: 'llhttp-wasm.cjs', whole: true },
  'handlebars/dist/cjs/handlebars/compiler/base.js': { file: 'handlebars.cjs', functions: ['parse'], classes: [] },
};

/**
 * What is required and imported is two stand-ins: esbuild gives one that is required its functions late, and chunks
 * take them from each other at their start.
 */
const REQUIRED = { 'require-call': '?required' };

/** @param bundle makes a CommonJS file of a package, beside the chunks */
export function laterPackages(bundle) {
  return {
    name: 'later-packages',
    setup({ onResolve, onLoad, onEnd }) {
      const matched = new Matched(Object.keys(LATER));
      onEnd(() => matched.check('nothing imports'));
      // The stand-in itself asks for the real one.
      onResolve({ filter: /^node:/, namespace: 'later-package' }, ({ path: name }) => ({ path: name, external: true }));
      // Packages use more of Node's modules than the stand-ins have.
      onResolve({ filter: /^[@a-z]/ }, ({ path: name, importer, kind }) =>
        Object.hasOwn(LATER, name) &&
        (LATER[name].of?.test(importer) ?? !(name.startsWith('node:') && importer.includes('/node_modules/')))
          ? { path: name, namespace: 'later-package', suffix: REQUIRED[kind] }
          : undefined,
      );
      onResolve({ filter: /^\.\.\/llhttp\/llhttp-wasm\.js$/ }, () => ({
        path: 'undici/lib/llhttp/llhttp-wasm.js',
        namespace: 'later-package',
      }));
      onResolve({ filter: /^\.\/[\w-]+\.cjs$/, namespace: 'later-package' }, ({ path: file }) => ({
        path: file,
        external: true,
      }));
      onLoad({ filter: /.*/, namespace: 'later-package' }, async ({ path: name }) => {
        const { file, whole = false, object = false, functions, classes, statics = {} } = LATER[name];
        matched.add(name);
        const missing = lacking(name, [...(functions ?? []), ...(classes ?? []), ...Object.keys(statics)]);
        if (missing.length > 0) return { errors: [{ text: `${name} no longer exports ${missing.join(', ')}` }] };
        if (file === undefined) return { contents: standIn(name, functions, classes, statics) };
        await bundle(name, file);
        if (whole) return { contents: `module.exports = require('./${file}');` };
        if (object) return { contents: standInObject(file) };
        return { contents: standIn(`./${file}`, functions, classes, statics) };
      });
    },
  };
}

/** A stand-in loads these when they are first called: a package that lacks one would fail there. */
function lacking(name, exported) {
  const actual = exported.length === 0 ? {} : require(name);
  return exported.filter((one) => !(one in actual));
}

/** For a package whose default export is an object: loaded with the first of its properties that is asked for. */
function standInObject(file) {
  return `let whole; export default new Proxy({}, { get: (_, name) => (whole ??= require('./${file}'))[name] });`;
}

function standIn(name, functions, classes, statics) {
  return [
    `let whole; const load = () => (whole ??= require('${name}'));`,
    ...functions.map((name) => `${exported(name)} (...given) => load().${name}(...given);`),
    ...Object.entries(statics).map(
      ([name, own]) =>
        `export const ${name} = { ${own.map((one) => `${one}: (...given) => load().${name}.${one}(...given)`).join(', ')} };`,
    ),
    ...classes.map((name) => `export function ${name}(...given) { return new (load().${name})(...given); }`),
  ].join('\n');
}

function exported(name) {
  return name === 'default' ? 'export default' : `export const ${name} =`;
}
