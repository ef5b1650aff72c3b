import { expect } from 'chai';
import { Trust } from '../../../src/core/files/trust.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { openCatalogue } from '../../../src/launch/user_code/catalogue.js';
import { loadModules } from '../../../src/launch/user_code/project_modules.js';
import { loadUserModule } from '../../../src/launch/user_code/user_module.js';
import { inFolder } from '../../rig/folder.js';

const CASES: readonly (readonly [title: string, text: string, message: string])[] = [
  ['nothing', '', 'one.js does not export a module: export default defineResource({ … }) or defineAction({ … })'],
  [
    'something else',
    'export default { name: "one", run() {} };',
    'one.js does not export a module: export default defineResource({ … }) or defineAction({ … })',
  ],
  [
    'a module of another name',
    'export default { type: "action", name: "two" };',
    'one.js calls itself "two"; the file of a module must have its name',
  ],
  [
    'an action without its parts',
    'export default { type: "action", name: "one", args: {} };',
    'one.js lacks "summary", "examples", "run"',
  ],
  [
    'a resource without its parts',
    'export default { type: "resource", name: "one", summary: "s", args: {}, examples: [], read() {}, apply() {} };',
    'one.js lacks "object", "plan"',
  ],
  [
    'a resource that calls its known fields by their earlier name',
    'export default { type: "resource", name: "one", summary: "s", args: {}, examples: [], hints: {}, object() {}, read() {}, plan() {}, apply() {} };',
    'one.js lacks "knownFields", which was called "hints"',
  ],
];

describe('the file of a module', () => {
  for (const [title, text, message] of CASES) {
    it(`is refused if it exports ${title}`, async () => {
      await inFolder({ 'one.js': text }, async (folder) => {
        const said = await loadUserModule('one', `${folder}/one.js`).catch((error: unknown) => error);
        expect(said).to.be.an.instanceOf(Error).with.property('message', `${folder}/${message}`);
      });
    });
  }

  it('is refused if its arguments cannot be checked', async () => {
    for (const [args, why] of [
      ["{ type: 'objekt' }", 'type must be JSONType or JSONType[]: objekt'],
      ["{ properties: { a: { pattern: '(' } } }", 'Invalid regular expression: /(/gu: Unterminated group'],
      ["{ type: 'objekt', needsOne: ['a'] }", 'type must be JSONType or JSONType[]: objekt'],
      ["{ properties: { a: { format: 'ipv4' } } }", 'unknown format "ipv4" at path "#/properties/a"'],
      ["{ exclusive: 'a' }", 'exclusive.flatMap is not a function'],
    ] as const) {
      const text = `export default { type: 'action', name: 'one', summary: 's', args: ${args}, examples: [], run() {} };`;
      await inFolder({ 'one.js': text }, async (folder) => {
        const said = await loadUserModule('one', `${folder}/one.js`).catch((error: unknown) => error);
        expect(said).to.have.property('message', `"args" of ${folder}/one.js cannot be used: ${why}`);
      });
    }
  });

  it('is accepted if it is complete', async () => {
    const text =
      'export default { type: "action", name: "one", summary: "s", args: {}, examples: [], check: true, run() {} };';
    await inFolder({ 'one.js': text }, async (folder) => {
      expect(await loadUserModule('one', `${folder}/one.js`)).to.include({ type: 'action', name: 'one' });
    });
  });
});

describe('the modules in folders', () => {
  const code = (name: string, summary: string): string =>
    `export default { type: 'action', name: '${name}', summary: '${summary}', args: {}, examples: [], check: true, run() {} };\n`;
  const FILES = {
    // Ends after the others.
    'modules/a.mjs': 'await import("./c.mjs");\nawait import("../named/b.mjs");\nthrow new Error("first");\n',
    'modules/b.mjs': code('b', 'beside'),
    'modules/c.mjs': code('d', 'other'),
    'named/b.mjs': code('b', 'named'),
  };

  it('are loaded once, each from the last folder that has it, and those that cannot be are each reported, in that order', () =>
    inFolder(FILES, async (cwd) => {
      const diagnostics = new Diagnostics();
      const sources = { named: ['named'], adjacent: [cwd] };
      const catalogue = openCatalogue(sources, { cwd, env: {}, trust: new Trust(cwd, {}), diagnostics });
      const loaded = await loadModules(catalogue, ['a', 'b', 'c', 'none', 'b'], diagnostics);
      expect(loaded.map(({ name, summary }) => `${name}: ${summary}`)).to.deep.equal(['b: beside', 'b: beside']);
      expect(loaded[0]).to.equal(loaded[1]);
      expect(diagnostics.list.map(({ message }) => message.replaceAll(cwd, 'DIR'))).to.deep.equal([
        'module a cannot be loaded: DIR/modules/a.mjs: first',
        'module c cannot be loaded: DIR/modules/c.mjs calls itself "d"; the file of a module must have its name',
      ]);
    }));
});
