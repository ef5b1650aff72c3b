import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Trust } from '../../../src/core/files/trust.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import type { Library } from '../../../src/language/library.js';
import { evaluate } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { Variables } from '../../../src/language/scope.js';
import { loadRun } from '../../../src/launch/load/load_run.js';
import { isOwnPackage, packageRoot } from '../../../src/launch/user_code/user_files.js';
import { openLibrary } from '../../../src/launch/user_code/user_filters.js';
import { failure, HERE, layer } from '../../language/scopes.js';
import { emptyProject } from '../../rig/command.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { evenkeel } from '../../rig/gate_command.js';

const page = readFileSync(new URL('../../../docs/templates.md', import.meta.url), 'utf8');
/** The filter in the documentation. */
const VIP_NAME = /```ts\n(\/\/ filters\/vip_name\.ts\n[^]*?)```/.exec(page)?.[1] ?? '';

function helperFile(name: string, signature: string, run: string): string {
  return `import { defineFilter } from 'evenkeel';
export default defineFilter({ name: '${name}', signature: '${signature}', run: ${run} });
`;
}

function inLibrary<T>(files: Files, use: (library: Library, problems: readonly string[]) => T): Promise<T> {
  return inFolder(files, async (folder) => {
    const diagnostics = new Diagnostics();
    const code = { cwd: folder, env: {}, trust: new Trust(folder, {}), diagnostics };
    const library = await openLibrary([folder, path.join(folder, 'playbooks')], code);
    const problems = diagnostics.list.map(({ message, hint }) =>
      hint === undefined ? message : `${message} (${hint})`,
    );
    return use(library, problems);
  });
}

describe('filters of the project with --no-exec', () => {
  it('are known, but fail where they are rendered; built-in ones work', () =>
    inFolder({ 'filters/shout.mjs': 'nothing of this is run', 'filters/upper.mjs': 'nor this' }, async (folder) => {
      const [diagnostics, env] = [new Diagnostics(), { EVENKEEL_NO_EXEC: '1' }];
      const library = await openLibrary([folder], { cwd: folder, env, trust: new Trust(folder, {}), diagnostics });
      expect([[...(library.withheld ?? [])], diagnostics.list]).to.deep.equal([['shout'], []]);
      expect(messageOf('"a" | shout', library)).to.equal('play.yml:7: shout: --no-exec does not load this filter');
      expect(value('"a" | upper', library)).to.equal('A');
    }));
});

describe('the package of this program', () => {
  it('is told by its name and its command: a project may have the name', async () => {
    const manifests = ['{ "name": "evenkeel" }', '{ "evenkeel": "dist/main.js" }', '{"name": "evenkeel"}'];
    const both = '{ "name": "evenkeel", "bin": { "evenkeel": "dist/main.js" } }';
    const isOwn = (manifest: string) =>
      inFolder({ 'package.json': manifest }, (folder) => Promise.resolve(isOwnPackage(folder)));
    const scoped = both.replace('"evenkeel"', '"@example/evenkeel"');
    expect(await Promise.all([...manifests, both, scoped].map(isOwn))).to.deep.equal([false, false, false, true, true]);
    expect(isOwnPackage(path.join(packageRoot(), 'src'))).to.equal(false);
    expect(isOwnPackage(packageRoot())).to.equal(true);
  });
});

function value(expression: string, library: Library, values: Mapping = {}): Value {
  return evaluate(expression, new Variables([layer(values)], undefined, undefined, library), HERE);
}

function messageOf(expression: string, library: Library): string {
  const error = failure(() => value(expression, library));
  if (!(error instanceof TemplateError)) throw error;
  const { file, line } = error.source ?? { file: '', line: 0 };
  return `${file}:${line}: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
}

describe('a filter of a project', () => {
  it('may be in the folder "helpers" of an older project, with a warning', async () => {
    const old = VIP_NAME.replaceAll('defineFilter', 'defineHelper');
    await inLibrary({ 'helpers/vip_name.ts': old }, (library, problems) => {
      expect(problems).to.deep.equal(['helpers is called "filters" now; its filters are used (rename the folder)']);
      expect(value('"web" | vip_name', library)).to.equal('vs-web-any');
    });
  });

  it('is called as a filter, a function, in the prefix form, by map and by name', async () => {
    await inLibrary({ 'filters/vip_name.ts': VIP_NAME }, (library, problems) => {
      expect(problems).to.deep.equal([]);
      expect(value('"web" | vip_name', library)).to.equal('vs-web-any');
      expect(value('"web" | vip_name("z1", "a", "b")', library)).to.equal('vs-web-z1-a-b');
      expect(value('vip_name("web", zone="z2")', library)).to.equal('vs-web-z2');
      expect(value('upper (vip_name "web" "z1")', library)).to.equal('VS-WEB-Z1');
      expect(value('["a", "b"] | map("vip_name", "z1")', library)).to.deep.equal(['vs-a-z1', 'vs-b-z1']);
    });
  });

  it('that returns a boolean is also a test, in select too', async () => {
    const files = { 'filters/is_vip.js': helperFile('is_vip', 'name', '(name) => name.startsWith("vs-")') };
    await inLibrary(files, (library) => {
      expect(value('"vs-web" is is_vip and "web" is not is_vip', library)).to.equal(true);
      expect(value('["vs-a", "b"] | select("is_vip")', library)).to.deep.equal(['vs-a']);
    });
  });

  it('takes a list in parentheses, as built-in filters do', async () => {
    const files = {
      'filters/total.mjs': helperFile('total', 'numbers', '(numbers) => numbers.reduce((a, b) => a + b, 0)'),
    };
    await inLibrary(files, (library) => {
      expect(value('total([1, 2, n])', library, { n: 3 })).to.equal(6);
    });
  });

  it('can import files whose names begin with an underscore', async () => {
    const files = {
      'filters/_shared.ts': 'export const PREFIX: string = "vs-";\n',
      'filters/prefixed.ts': `import { PREFIX } from './_shared.ts';\n${helperFile('prefixed', 'name', '(name: string) => PREFIX + name')}`,
    };
    await inLibrary(files, (library, problems) => {
      expect(problems).to.deep.equal([]);
      expect(value('prefixed "a"', library)).to.equal('vs-a');
    });
  });

  it('gets copies of its arguments, so that it cannot change the values of others', async () => {
    const files = {
      'filters/spoil.js': helperFile('spoil', 'list', '(list) => { list.push(9); return list.length; }'),
    };
    await inLibrary(files, (library) => {
      expect(value('[names | spoil, names | length]', library, { names: [1, 2] })).to.deep.equal([3, 2]);
    });
  });

  it('fails with its message and the position of the template', async () => {
    const files = { 'filters/strict.js': helperFile('strict', 'value', '() => { throw new Error("no such zone"); }') };
    await inLibrary(files, (library) => {
      expect(messageOf('strict 1', library)).to.equal('play.yml:7: strict: no such zone');
    });
  });

  const fits = 'a filter returns text, numbers, true, false, null, and lists and mappings of them';
  const unfit: readonly (readonly [run: string, message: string])[] = [
    ['() => undefined', `it returned nothing (${fits})`],
    ['async () => 1', 'it returned a promise (a filter must be synchronous)'],
    ['() => new Map()', `it returned Map (${fits})`],
    ['() => [() => 1]', `it returned a function (${fits})`],
    ['() => 0 / 0', `it returned NaN (${fits})`],
  ];
  for (const [run, message] of unfit) {
    it(`must return a value that templates can use: ${run}`, async () => {
      await inLibrary({ 'filters/strange.js': helperFile('strange', '', run) }, (library) => {
        expect(messageOf('strange()', library)).to.equal(`play.yml:7: strange: ${message}`);
      });
    });
  }

  it('is suggested if its name is misspelled', async () => {
    await inLibrary({ 'filters/vip_name.ts': VIP_NAME }, (library) => {
      expect(messageOf('"web" | vip_nam', library)).to.equal(
        'play.yml:7: there is no filter or function "vip_nam" (did you mean "vip_name"?)',
      );
      expect(messageOf('vip_name()', library)).to.equal(
        'play.yml:7: "vip_name" takes at least 1 argument, but none is given (write vip_name(service, zone?, ...labels))',
      );
    });
  });

  const refused: readonly (readonly [what: string, files: Files, message: string])[] = [
    [
      'with the name of a built-in filter',
      { 'filters/upper.js': helperFile('upper', 'text', '(text) => text') },
      'filters/upper.js has the name of a built-in filter (give it another name)',
    ],
    [
      'that there are two of',
      {
        'filters/mine.js': helperFile('mine', '', '() => 1'),
        'playbooks/filters/mine.js': helperFile('mine', '', '() => 2'),
      },
      'playbooks/filters/mine.js and filters/mine.js have the same name (rename one)',
    ],
    [
      'that calls itself something else',
      { 'filters/one.js': helperFile('two', '', '() => 1') },
      `the filter filters/one.js cannot be used: it calls itself "two"; the file of a filter must have its name`,
    ],
    [
      'whose file exports something else',
      { 'filters/one.js': 'export default () => 1;\n' },
      'the filter filters/one.js cannot be used: it does not export a filter: export default defineFilter({ … })',
    ],
    [
      'whose signature cannot be read',
      { 'filters/one.js': helperFile('one', 'a?, b', '() => 1') },
      'the filter filters/one.js cannot be used: the signature "a?, b" cannot be read: write it like "service, zone?, ...others"',
    ],
    [
      'whose file cannot be run',
      { 'filters/one.js': 'throw new Error("out of order");\n' },
      'the filter filters/one.js cannot be used: out of order',
    ],
  ];
  for (const [what, files, message] of refused) {
    it(`${what} is refused`, async () => {
      await inLibrary(files, (_library, problems) => {
        expect(problems).to.deep.equal([message]);
      });
    });
  }

  it('can be used in playbooks, inventories and variable files; an unknown name is reported before the run', async () => {
    const files = {
      'playbooks/filters/vip_name.ts': VIP_NAME,
      'inventory.yml': 'all: { hosts: { lb1: { a: "{{ 1 | vip_name }}", b: "{{ 1 | vip_nam }}" } } }\n',
      'group_vars/all.yml': 'c: "{{ 1 | vip_name }}"\nd: "{{ 1 | vip_nam }}"\n',
      'playbooks/play.yml': `- hosts: all
  vars_files: [more.yml]
  tasks:
    - debug: { msg: "{{ 'a' | vip_name }}" }
      when: "'a' | vip_nam"
`,
      'playbooks/more.yml': 'e: "{{ 1 | vip_name }}"\nf: "{{ 1 | vip_nam }}"\n',
    };
    await inFolder(files, async (cwd) => {
      const diagnostics = new Diagnostics();
      const options = { inventory: ['inventory.yml'], extraVars: ['g="{{ 1 | vip_nam }}"'] };
      const source = { type: 'files', files: ['playbooks/play.yml'] } as const;
      await loadRun(source, options, { cwd, env: {} }, diagnostics);
      const unknown = 'there is no filter or function "vip_nam"';
      const found = diagnostics.list.map(({ message, source: at }) => `${at?.file ?? ''}:${at?.line ?? 0}: ${message}`);
      expect(found).to.deep.equal([
        `:0: --extra-vars: ${unknown}`,
        `inventory.yml:1: ${unknown}`,
        `group_vars/all.yml:2: ${unknown}`,
        `playbooks/more.yml:2: ${unknown}`,
        `playbooks/play.yml:5: ${unknown}`,
      ]);
    });
  });

  it('works in the built command', async () => {
    const project = await emptyProject({
      'filters/vip_name.ts': VIP_NAME,
      'play.yml': `- hosts: localhost
  gather_facts: false
  tasks:
    - debug: { msg: "{{ 'web' | vip_name('z1') }}" }
`,
    });
    try {
      const { stdout, code } = await evenkeel(['run', 'play.yml', '-i', 'localhost,'], { cwd: project.directory });
      expect(stdout).to.contain('vs-web-z1');
      expect(code).to.equal(0);
    } finally {
      await project.remove();
    }
  });
});
