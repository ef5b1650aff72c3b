import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { Library } from '../../../src/language/library.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import {
  absentLookup,
  findLookup,
  refusedWithoutExec,
  unknownLookup,
} from '../../../src/language/library/lookups/lookups.js';
import { evaluate } from '../../../src/language/render.js';
import { NotKnownYet } from '../../../src/language/runtime/errors.js';
import type { LookupServices, Preview } from '../../../src/language/runtime/frame.js';
import type { PluginCall, Plugins } from '../../../src/language/runtime/plugins.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, HERE, layer } from '../scopes.js';
import { answered } from './answered_lookups.js';

/** Lookups of a project, which return what they are called with, and the names that stand for others. */
function pluginsWith(own: readonly string[], redirects: Readonly<Record<string, string>> = {}, result?: Value) {
  const calls: PluginCall[] = [];
  const asked: unknown[] = [];
  const call = (one: PluginCall): Value => {
    calls.push(one);
    return result ?? [one.args.length];
  };
  const plugins: Plugins = {
    collections: [],
    find: (type, name, isKnown) => {
      asked.push([type, name, isKnown]);
      return own.includes(name) ? { call } : undefined;
    },
    redirect: (type, name) => redirects[`${type} ${name}`],
    addFolder: () => undefined,
    during: (evaluated) => evaluated(),
  };
  return { plugins, calls, asked };
}

describe('the lookup of a name', () => {
  it('is a plugin of the project, else the built-in one, else what its collection gives in its place', () => {
    const { plugins, calls, asked } = pluginsWith(['acme.lb.vip', 'env'], {
      'lookup acme.lb.old': 'acme.lb.older',
      'lookup acme.lb.older': 'ansible.builtin.file',
      'lookup acme.lb.circle': 'acme.lb.circle',
      'lookup dict': 'acme.lb.vip',
    });
    const [file, dict] = [findLookup('file'), findLookup('ansible.builtin.dict')];
    expect(file).to.deep.include({ options: ['rstrip', 'lstrip'] });
    expect([findLookup('gone'), findLookup('acme.lb.vip')]).to.deep.equal([undefined, undefined]);
    expect([findLookup('acme.lb.old', plugins), findLookup('dict', plugins)]).to.deep.equal([file, dict]);
    expect(findLookup('acme.lb.circle', plugins)).to.equal(undefined);
    asked.length = 0;
    const found = [findLookup('acme.lb.vip', plugins), findLookup('env', plugins)];
    expect(asked).to.deep.equal([
      ['lookup', 'acme.lb.vip', false],
      ['lookup', 'env', true],
    ]);
    for (const one of found) {
      expect(one?.options).to.equal('any');
      if (one !== undefined)
        expect(answered(one, {}, { terms: ['a', 'b'], options: { x: 1 } }).found).to.deep.equal([2]);
    }
    expect(calls.map(({ args, named }) => [args, [...named]])).to.deep.equal([
      [['a', 'b'], [['x', 1]]],
      [['a', 'b'], [['x', 1]]],
    ]);
    const wrong = findLookup('env', pluginsWith(['env'], {}, 'text').plugins);
    expect(wrong && answered(wrong, {}, {}).found).to.equal('lookup: a lookup must return a list, not a text');
  });

  it('is explained if there is none, and refused without --exec if it runs or sends something', () => {
    const { plugins } = pluginsWith(['acme.lb.vip']);
    expect([unknownLookup('acme.lb.vip', plugins), unknownLookup('file')]).to.deep.equal([[], []]);
    expect(unknownLookup('acme.lb.vip')).to.deep.equal([
      {
        message: 'there is no lookup "acme.lb.vip"',
        hint: 'install its collection: ansible-galaxy collection install -p collections NAMESPACE.COLLECTION',
      },
    ]);
    expect(absentLookup('community.hashi_vault.hashi_vault')).to.equal(absentLookup('hashi_vault'));
    const instead =
      `aws_secret secretsmanager_secret aws_ssm ssm_parameter azure_keyvault_secret bitwarden conjur_variable consul_kv
      dig dnstxt etcd etcd3 gcp_secret_manager hashi_vault vault_kv1_get vault_kv2_get vault_read k8s keyring lastpass onepassword
      onepassword_raw passwordstore redis`.split(/\s+/);
    for (const name of instead) expect(absentLookup(name), name).to.match(/^write pipe\("[\w-]+ .{6,}"\)/);
    expect(['config', 'filetree', 'merge_variables'].map(absentLookup)).to.deep.equal([
      'write the value, or a variable such as ansible_forks',
      'write query("fileglob", "folder/*")',
      'write a | combine(b)',
    ]);
    expect(absentLookup('zzzzzz')).to.match(/^use one of avi, cartesian, csvfile, dict, env, /);
    expect(['pipe', 'lines', 'url', 'avi', 'vmware.alb.avi', 'file'].map(refusedWithoutExec)).to.deep.equal([
      'runs a command',
      'runs a command',
      'sends a request',
      'sends a request',
      'sends a request',
      undefined,
    ]);
  });
});

describe('lookups of this machine', () => {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'evenkeel-known-')));
    await writeFile(path.join(folder, 'a.txt'), 'a\n');
    await writeFile(path.join(folder, 'b.j2'), '{{ zone }}');
  });
  after(() => rm(folder, { recursive: true }));

  const value = (expression: string, library: Library, values: Mapping = {}): unknown =>
    evaluate(
      expression,
      new Variables([layer({ playbook_dir: folder, zone: 'eu', ...values })], undefined, undefined, library),
      HERE,
    );

  it('are recalled from a plan by all that they depend on; those of variables are not', () => {
    const asked: string[] = [];
    const kept = new Map<string, unknown>();
    const recall: LookupServices['recall'] = <T>(what: string, name: string, made: () => T): T => {
      asked.push(name);
      const key = `${what} ${name}`;
      if (!kept.has(key)) kept.set(key, made());
      return kept.get(key) as T;
    };
    const library = new Library(BUILT_IN).with({ recall });
    const expressions = [
      'lookup("file", "a.txt")',
      'lookup("file", "a.txt", rstrip=false)',
      'lookup("file", "a.txt", "a.txt")',
      'lookup("pipe", "echo a")',
      'file("a.txt")',
      'pipe("echo a")',
      '"*.txt" | fileglob | length',
      'first_found("a.txt") | basename',
    ];
    const results = ['a', 'a\n', 'a,a', 'a', 'a', 'a', 1, 'a.txt'];
    for (let round = 0; round < 2; round += 1)
      expect(expressions.map((one) => value(one, library))).to.deep.equal(results);
    expect([asked.length, kept.size, new Set(asked).size]).to.deep.equal([16, 8, 8]);
    expect([...kept.keys()].every((key) => key.startsWith('lookup '))).to.equal(true);
    value('lookup("file", "a.txt")', library, { ansible_search_path: ['/other'] });
    expect(kept.size).to.equal(9);
    for (const one of [
      'lookup("template", "b.j2")',
      'lookup("vars", "zone")',
      'query("items", [1])',
      'lookup("list", 1)',
    ])
      value(one, library);
    expect(asked).to.have.length(17);
  });

  it('run commands before a run only if that is allowed, and never without --exec', () => {
    const unset: string[] = [];
    const preview = (readsLocal: boolean): Preview => ({ readsLocal, unset: (name) => unset.push(name) });
    const withheld: ReadonlySet<string> = new Set();
    const libraries = [
      new Library(BUILT_IN),
      new Library(BUILT_IN, withheld),
      new Library(BUILT_IN, undefined, preview(true)),
      new Library(BUILT_IN, undefined, preview(false)),
      new Library(BUILT_IN, withheld, preview(true)),
      new Library(BUILT_IN, withheld, preview(false)),
    ];
    const outcomes = libraries.map((library) => {
      try {
        return value('lookup("lines", "echo a; echo b")', library);
      } catch (error) {
        return error instanceof Error ? `${error.constructor.name}: ${error.message}` : error;
      }
    });
    const command = 'the output of "echo a; echo b" is known only during the run';
    const refused = 'TemplateError: lookup: --no-exec does not run the command "echo a; echo b"';
    expect(outcomes).to.deep.equal([
      'a,b',
      refused,
      'a,b',
      `NotKnownYet: ${command}`,
      `NotKnownYet: ${command}`,
      refused,
    ]);
    expect(value('lookup("env", "EVENKEEL_NOT_SET", "PATH")', libraries[2] ?? new Library(BUILT_IN))).to.equal(
      `,${process.env['PATH']}`,
    );
    expect(unset).to.deep.equal(['EVENKEEL_NOT_SET']);
    expect(failure(() => value('lookup("url", "http://127.0.0.1:1/x")', libraries[1] ?? new Library(BUILT_IN))))
      .to.have.property('message')
      .that.contains('--no-exec does not send a request to http://127.0.0.1:1/x');
    for (const expression of [
      'file("a.txt")',
      'query("varnames", "x")',
      '"a" is file',
      'lookup("password", "p")',
      'now()',
    ]) {
      const error = failure(() => value(expression, libraries[3] ?? new Library(BUILT_IN)));
      expect(error, expression).to.be.instanceOf(NotKnownYet);
    }
  });
});
