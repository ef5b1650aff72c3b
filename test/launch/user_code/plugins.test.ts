import { spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import type { Library } from '../../../src/language/library.js';
import { failure, HERE, layer } from '../../language/scopes.js';
import { hasAnsible } from '../../rig/ansible.js';
import { emptyProject, evenkeel, ownHome, STARTED } from '../../rig/command.js';
import { inFolder, type Files } from '../../rig/folder.js';

// Imported in one way: code that is loaded on demand would have other classes than what Mocha requires.
const { Diagnostics } = await import('../../../src/core/model/source/diagnostic.js');
const { checkExpression } = await import('../../../src/language/check.js');
const { evaluate } = await import('../../../src/language/render.js');
const { renderValue } = await import('../../../src/language/render.js');
const { TemplateError } = await import('../../../src/language/runtime/errors.js');
const { Variables } = await import('../../../src/language/scope.js');
const { loadProject } = await import('../../../src/project/project/project.js');
const { openLibrary } = await import('../../../src/launch/user_code/user_filters.js');

/** A file of filters, each with its code. */
function filters(named: Readonly<Record<string, string>>, before = ''): string {
  const entries = Object.entries(named).map(([name, code]) => `            '${name}': ${code},`);
  return [
    before,
    'class FilterModule:',
    '    def filters(self):',
    '        return {',
    ...entries,
    '        }',
    '',
  ].join('\n');
}

/** `withoutSite`: Python without installed packages, so without ansible-core. */
async function inLibrary<T>(
  files: Files,
  use: (library: Library, folder: string) => T | Promise<T>,
  { env = {}, withoutSite = true }: { readonly env?: Record<string, string>; readonly withoutSite?: boolean } = {},
): Promise<T> {
  const python = '#!/bin/sh\nexec python3 -S "$@"\n';
  return inFolder({ ...files, ...(withoutSite && { 'bin/python': python }) }, async (folder) => {
    if (withoutSite) await chmod(path.join(folder, 'bin/python'), 0o755);
    const chosen = withoutSite ? { EVENKEEL_PYTHON: path.join(folder, 'bin/python') } : {};
    const surroundings = { PATH: process.env['PATH'] ?? '', ...chosen, ...env };
    const diagnostics = new Diagnostics();
    const { trust, ansible } = await loadProject(folder, surroundings, diagnostics);
    const code = { cwd: folder, env: surroundings, trust, ansible, diagnostics };
    return use(await openLibrary([folder], code), folder);
  });
}

function value(expression: string, library: Library, values: Mapping = {}): Value {
  return evaluate(expression, new Variables([layer(values)], undefined, undefined, library), HERE);
}

function rendered(text: string, library: Library, values: Mapping = {}): Value {
  return renderValue(text, new Variables([layer(values)], undefined, undefined, library), () => HERE);
}

function messageOf(expression: string, library: Library, values: Mapping = {}): string {
  const error = failure(() => value(expression, library, values));
  if (!(error instanceof TemplateError)) throw error;
  const { file, line } = error.source ?? { file: '', line: 0 };
  return `${file}:${line}: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
}

/** The system ends a process some time after it was told to. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const LOOKUP = `
DOCUMENTATION = """
options:
  suffix: {type: str, default: '!', env: [{name: LOOKUP_SUFFIX}]}
"""
from ansible.errors import AnsibleError
from ansible.plugins.lookup import LookupBase
class LookupModule(LookupBase):
    def run(self, terms, variables=None, **kwargs):
        if 'fail' in terms:
            raise AnsibleError('no term may be "fail"')
        return [term + kwargs.get('end', '') + variables.get('zone', '-') + self._templar.template('{{ zone }}') for term in terms]
`;

describe('a plugin in Python', () => {
  it('is called as a filter, a test, by map and select, with named arguments, and replaces a built-in filter', async () => {
    const files = {
      'filter_plugins/own.py': filters({
        tag: "lambda value, prefix='vs': prefix + '-' + value",
        upper: "lambda value: 'own'",
      }),
      'test_plugins/own.py':
        "class TestModule:\n    def tests(self):\n        return {'vip': lambda v: v.startswith('vs-')}\n",
    };
    await inLibrary(files, (library) => {
      expect(value('"web" | tag', library)).to.equal('vs-web');
      expect(value('"web" | tag(prefix="lb")', library)).to.equal('lb-web');
      expect(value('["a", "b"] | map("tag") | list', library)).to.deep.equal(['vs-a', 'vs-b']);
      expect(value('["a"] | map("tag", prefix="lb") | list', library)).to.deep.equal(['lb-a']);
      expect(value('["vs-a", "b"] | select("vip")', library)).to.deep.equal(['vs-a']);
      expect(value('"vs-a" is vip and "b" is not vip', library)).to.equal(true);
      expect(value('"a" | upper ~ ("a" | lower)', library)).to.equal('owna');
      expect(checkExpression('"a" | tog', HERE, library)[0]?.message).to.equal('there is no filter or function "tog"');
    });
  });

  it('may be in a role, and is known once that role is used', async () => {
    const files = {
      'parts/one/filter_plugins/own.py': filters({ tag: "lambda value: 'vs-' + value" }),
      'parts/two/test_plugins/own.py':
        "class TestModule:\n    def tests(self):\n        return {'vip': lambda v: v.startswith('vs-')}\n",
    };
    await inLibrary(files, async (library, folder) => {
      const isKnown = () =>
        ['"web" | tag', '"web" is vip'].map((one) => checkExpression(one, HERE, library).length === 0);
      const known = [isKnown()];
      for (const role of ['one', 'two']) {
        await library.table.plugins?.addFolder(path.join(folder, 'parts', role));
        known.push(isKnown());
      }
      expect(known).to.deep.equal([
        [false, false],
        [true, false],
        [true, true],
      ]);
      expect(value('"web" | tag', library)).to.equal('vs-web');
    });
  });

  it('is found by a name that its file computes, and a file that cannot be loaded says why', async () => {
    const files = {
      'filter_plugins/many.py':
        'PREFIX = "net"\nclass FilterModule:\n    def filters(self):\n' +
        '        return {"%s_%s" % (PREFIX, kind): str.upper for kind in ("mask", "work")}\n',
    };
    await inLibrary(files, (library) => {
      expect(value('"a" | net_mask', library)).to.equal('A');
      expect(checkExpression('"a" | net_gate', HERE, library)[0]?.message).to.equal(
        'there is no filter or function "net_gate"',
      );
      expect(checkExpression('"a" | net_work', HERE, library)).to.deep.equal([]);
    });
    const broken = { 'filter_plugins/many.py': `import no_such_package\n${files['filter_plugins/many.py']}` };
    await inLibrary(broken, (library) => {
      expect(messageOf('"a" | net_mask', library)).to.include("No module named 'no_such_package'");
    });
  });

  it("may use Ansible's filters and import other collections where ansible-core is installed", async function () {
    if (!hasAnsible()) this.skip();
    const own = 'collections/ansible_collections/acme/lb/plugins';
    const files = {
      'filter_plugins/own.py':
        'from jinja2 import pass_context\n\n@pass_context\ndef on(context, value):\n' +
        "    return context.environment.filters['bool'](value)\n\n" +
        "class FilterModule:\n    def filters(self):\n        return {'on': on}\n",
      [`${own}/module_utils/text.py`]: 'def shout(value):\n    return value + "!"\n',
      [`${own}/filter/shout.py`]: filters(
        { shout: 'shout' },
        'from ansible.plugins.loader import lookup_loader\n' +
          'from ansible_collections.acme.lb.plugins.module_utils.text import shout\n',
      ),
    };
    await inLibrary(
      files,
      (library) => {
        expect(value('["yes" | on, "no" | on]', library)).to.deep.equal([true, false]);
        expect(value('"a" | acme.lb.shout', library)).to.equal('a!');
      },
      { withoutSite: false },
    );
  });

  it('is not the built-in filter whose name another collection has', async () => {
    await inLibrary({ 'filter_plugins/own.py': filters({}) }, (library) => {
      const [problem] = checkExpression('[] | community.general.to_nice_yaml', HERE, library);
      expect(problem?.message).to.equal('there is no filter or function "community.general.to_nice_yaml"');
    });
  });

  it('is a lookup that reads variables and renders templates, also as a loop', async () => {
    await inLibrary({ 'lookup_plugins/zones.py': LOOKUP.replace(/DOC[^]*?"""\n[^]*?"""/, '') }, (library) => {
      const values = { zone: 'z1', inner: '{{ lookup("zones", "x") }}' };
      expect(value('query("zones", "a", "b", end=".")', library, values)).to.deep.equal(['a.z1z1', 'b.z1z1']);
      expect(value('lookup("zones", "a", "b") ~ inner', library, values)).to.equal('az1z1,bz1z1xz1z1');
      expect(value('query("zones", "fail", errors="ignore")', library, values)).to.deep.equal([]);
      expect(messageOf('lookup("zones", "fail")', library, values)).to.equal(
        'play.yml:7: the lookup "zones" of lookup_plugins/zones.py failed: no term may be "fail" (lookup_plugins/zones.py:8)',
      );
    });
  });

  it('is found in roles, collections, the folders of variables and of ansible.cfg', async () => {
    const plugin = (name: string): string => filters({ [name]: `lambda value: '${name}'` });
    const files = {
      'roles/web/filter_plugins/a.py': plugin('of_role'),
      'collections/ansible_collections/acme/lb/plugins/filter/b.py': `from ..module_utils.names import PREFIX\n${filters({ of_collection: 'lambda value: PREFIX + value' })}`,
      'collections/ansible_collections/acme/lb/plugins/module_utils/names.py': "PREFIX = 'p-'\n",
      'collections/ansible_collections/ansible/utils/plugins/filter/d.py': plugin('ipaddr'),
      'elsewhere/c.py': plugin('of_variable'),
      'ansible.cfg': '[defaults]\ntest_plugins = more\n',
      'more/d.py': 'class TestModule:\n    def tests(self):\n        return dict(of_config=lambda value: True)\n',
    };
    await inLibrary(
      files,
      (library) => {
        expect(value('1 | of_role', library)).to.equal('of_role');
        expect(value('"a" | acme.lb.of_collection', library)).to.equal('p-a');
        expect(value('["a"] | map("acme.lb.of_collection")', library)).to.deep.equal(['p-a']);
        expect(value('1 | of_variable', library)).to.equal('of_variable');
        // A collection that the project ships replaces what is built in, but not the short name.
        expect(value('"10.0.0.1" | ansible.utils.ipaddr ~ ("10.0.0.1" | ansible.utils.ipv4)', library)).to.equal(
          'ipaddr10.0.0.1',
        );
        expect(value('["10.0.0.1"] | map("ansible.utils.ipaddr") | first', library)).to.equal('ipaddr');
        expect(value('"10.0.0.1" | ipaddr', library)).to.equal('10.0.0.1');
        expect(value('1 is of_config', library)).to.equal(true);
      },
      { env: { ANSIBLE_FILTER_PLUGINS: 'elsewhere' } },
    );
  });

  it('gets back what another returned with its type, and everything else sees lists, mappings and texts', async () => {
    const made = {
      tuple: '(1, (2,))',
      set: '{3, 1}',
      keys: "{1: 'a', None: 'b', (2, 3): 'c'}",
      bytes: "b'ab'",
      date: 'datetime.datetime(2024, 2, 29)',
      big: '2 ** 70',
      iterator: '(one for one in [1, 2])',
      dollar: "{'$': 'int', 'v': '7'}",
      infinite: "float('inf')",
    };
    const code = filters(
      {
        ...Object.fromEntries(Object.entries(made).map(([name, text]) => [`a_${name}`, `lambda value: ${text}`])),
        shown: 'lambda value: repr(value)',
        kind: 'lambda value: type(value).__name__',
        is_missing: "lambda value: hasattr(value, '_undefined_name')",
      },
      'import datetime',
    );
    await inLibrary({ 'filter_plugins/types.py': code }, (library) => {
      const shown = (name: string): Value => value(`1 | a_${name} | shown`, library);
      expect(Object.keys(made).map(shown)).to.deep.equal([
        '(1, (2,))',
        '{1, 3}',
        "{1: 'a', None: 'b', (2, 3): 'c'}",
        "b'ab'",
        'datetime.datetime(2024, 2, 29, 0, 0)',
        '1180591620717411303424',
        '[1, 2]',
        "{'$': 'int', 'v': '7'}",
        'inf',
      ]);
      const seen = (name: string): Value => rendered(`{{ 1 | a_${name} }}`, library);
      expect(['tuple', 'set', 'keys', 'bytes', 'date', 'big', 'dollar'].map(seen)).to.deep.equal([
        [1, [2]],
        [1, 3],
        { '1': 'a', null: 'b', '(2, 3)': 'c' },
        'ab',
        '2024-02-29 00:00:00',
        1180591620717411303424n,
        { $: 'int', v: '7' },
      ]);
      expect(rendered('{{ [1 | a_date] }}', library)).to.deep.equal(['2024-02-29 00:00:00']);
      expect(value('missing | is_missing', library)).to.equal(true);
      expect(value('text | kind', library, { text: 'é🙂\u2028' })).to.equal('str');
      const long = 'é🙂'.repeat(100_000);
      expect(value('[long, long] | shown', library, { long })).to.have.lengthOf(600_008 - 0);
    });
  });

  it('fails with the position of the template, the file and the reason', async () => {
    const code = filters(
      {
        broken: 'lambda value: 1 / 0',
        printing: "lambda value: print('debug') or 1",
        dying: 'lambda value: os._exit(3)',
        leaving: 'lambda value: sys.exit(3)',
        function: 'lambda value: (lambda: 1)',
        twice: "lambda value: {1: 'a', '1': 'b'}",
        hanging: 'lambda value: time.sleep(60)',
        fine: 'lambda value: value',
        noisy: "lambda value: sys.stderr.write('warning') and value",
      },
      'import os, sys, time',
    );
    const files = {
      'filter_plugins/bad.py': code,
      'filter_plugins/absent.py': `import no_such_package\n${filters({ absent: 'None' })}`,
    };
    await inLibrary(
      files,
      (library) => {
        const failed = (name: string): string =>
          messageOf(`1 | ${name}`, library).replace(
            `play.yml:7: the filter "${name}" of filter_plugins/bad.py failed: `,
            '',
          );
        expect(failed('broken')).to.equal('ZeroDivisionError: division by zero (filter_plugins/bad.py:5)');
        expect(failed('printing')).to.equal(
          'it printed to standard output: debug (a plugin returns its result; remove the print)',
        );
        expect(failed('dying')).to.equal('python3 ended while it ran');
        expect(value('1 | fine', library)).to.equal(1);
        expect(failed('leaving')).to.equal('SystemExit: 3 (filter_plugins/bad.py:8)');
        expect(failed('function')).to.equal(
          'it returned a value of the type function (a plugin returns what other templates can use: texts, numbers, lists, mappings)',
        );
        expect(failed('twice')).to.equal('it returned a mapping with two keys that read "1"');
        expect(failed('hanging')).to.equal(
          'it took longer than 1.5 s (to wait longer, set EVENKEEL_PLUGIN_TIMEOUT (seconds))',
        );
        expect(value('1 | noisy', library)).to.equal(1);
        expect(messageOf('1 | absent', library)).to.match(
          /^play\.yml:7: the filter "absent" of filter_plugins\/absent\.py failed: ModuleNotFoundError: No module named 'no_such_package' \(filter_plugins\/absent\.py:1\) \(install the package of "no_such_package" for this Python, or name another: EVENKEEL_PYTHON=/,
        );
      },
      { env: { EVENKEEL_PLUGIN_TIMEOUT: '1.5' } },
    );
  });

  it('is asked once for equal calls within a template, and again in the next', async () => {
    const code = filters({ noted: "lambda value: open(value, 'a').write('x') and value" });
    await inLibrary({ 'filter_plugins/noted.py': code }, async (library, folder) => {
      const file = path.join(folder, 'calls');
      for (let time = 0; time < 2; time += 1)
        expect(rendered('{{ file | noted }} {{ file | noted }}', library, { file })).to.equal(`${file} ${file}`);
      expect(await readFile(file, 'utf8')).to.equal('xx');
    });
  });

  it('is not called by text from a controller, with --no-exec, or without Python', async () => {
    const files = { 'filter_plugins/own.py': filters({ tag: 'lambda value: value' }) };
    await inLibrary(files, (library) => {
      const error = failure(() => library.untrustedExpression('"a" | tag'));
      expect(error).to.have.property('message', 'a condition made by {{ }} must not call "tag"');
    });
    const refused = { env: { EVENKEEL_NO_EXEC: '1' } };
    await inLibrary(
      files,
      (library) => {
        expect(checkExpression('"a" | tag', HERE, library)[0]?.message).to.equal(
          '"tag" runs Python code, which --no-exec refuses',
        );
        expect(messageOf('"a" | tag', library)).to.equal(
          'play.yml:7: the filter "tag" of filter_plugins/own.py failed: --no-exec does not run Python code',
        );
      },
      refused,
    );
    await inLibrary(
      files,
      (library) => {
        expect(messageOf('"a" | tag', library)).to.equal(
          'play.yml:7: the filter "tag" of filter_plugins/own.py failed: there is no python3 in PATH to run it (install Python 3, or name it: EVENKEEL_PYTHON=/path/to/python3)',
        );
      },
      { env: { PATH: '/nowhere' }, withoutSite: false },
    );
  });

  it('is interrupted by Ctrl-C, and ends with the run', async () => {
    const project = await emptyProject({
      'filter_plugins/own.py': filters(
        {
          hang: "lambda file: open(file + '.new', 'w').write(str(os.getpid())) and os.rename(file + '.new', file) or time.sleep(60)",
        },
        'import os, time',
      ),
      'play.yml': '- hosts: localhost\n  tasks:\n    - debug: {msg: "{{ (playbook_dir ~ \'/pid\') | hang }}"}\n',
    });
    try {
      const { directory } = project;
      const env = { ...ownHome(directory) };
      const options = { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] as const };
      const folder = watch(directory);
      const child = spawn(process.execPath, [...STARTED, 'run', 'play.yml', '-o', 'json'], {
        ...options,
        stdio: [...options.stdio],
      });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      const ended = new Promise((resolve) => child.on('close', resolve));
      const pid = path.join(directory, 'pid');
      folder.on('change', (_, name) => {
        if (name === 'pid') child.kill('SIGINT');
      });
      expect(await ended).to.equal(130);
      folder.close();
      expect(stdout).to.include('interrupted during the filter \\"hang\\" of filter_plugins/own.py');
      while (isRunning(Number(readFileSync(pid, 'utf8')))) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      await project.remove();
    }
  });

  it('lies in a collection, whose roles, playbooks and redirected names are found', async () => {
    const own = 'installed/ansible_collections/acme/lb';
    const project = await emptyProject({
      'ansible.cfg': '[defaults]\ncollections_path = installed\n',
      'play.yml': '- import_playbook: acme.lb.site\n',
      [`${own}/playbooks/site.yml`]: '- hosts: localhost\n  gather_facts: false\n  roles: [acme.lb.web]\n',
      [`${own}/roles/web/tasks/main.yml`]:
        "- acme.lb.say: {msg: \"{{ 'a' | acme.lb.shout | acme.old.cry | acme.lb.big }}{{ q('acme.lb.mine', 1) }}\"}\n",
      [`${own}/meta/runtime.yml`]:
        'plugin_routing:\n  modules: {say: {redirect: ansible.builtin.debug}}\n' +
        '  filter: {big: {redirect: ansible.builtin.upper}, round: {redirect: acme.lb.round}}\n' +
        '  lookup: {mine: {redirect: ansible.builtin.items}}\n',
      'installed/ansible_collections/acme/old/meta/runtime.yml':
        'plugin_routing: {filter: {cry: {redirect: acme.lb.shout}}}\n',
      'circle.yml': '- hosts: localhost\n  tasks: [{debug: {msg: "{{ 1 | acme.lb.round }}"}}]\n',
      [`${own}/plugins/filter/own.py`]: filters({ shout: "lambda value: value + '!'" }),
    });
    try {
      const { stdout } = await evenkeel(['run', 'play.yml'], { cwd: project.directory });
      expect(stdout).to.include('debug: A!![1]');
      const { stderr } = await evenkeel(['run', 'circle.yml'], { cwd: project.directory });
      expect(stderr).to.include('there is no filter or function "acme.lb.round"');
    } finally {
      await project.remove();
    }
  });

  it('keeps secrets masked in a run, and a role brings its own', async () => {
    const project = await emptyProject({
      'other/web/filter_plugins/own.py': filters({
        shout: "lambda value: value + '!'",
        fails: 'lambda value: int(value)',
      }),
      'other/web/tasks/main.yml': '- debug: {msg: "{{ token | shout }}"}\n- debug: {msg: "{{ token | fails }}"}\n',
    });
    try {
      const play = `- hosts: localhost\n  gather_facts: false\n  vars: {api_token: planted-secret-1, token: "{{ api_token }}"}\n  roles: [web]\n`;
      await writeFile(path.join(project.directory, 'play.yml'), play);
      await writeFile(path.join(project.directory, 'evenkeel.yml'), 'roles_path: [other]\n');
      const { stdout, stderr } = await evenkeel(['run', 'play.yml'], { cwd: project.directory });
      expect(stdout + stderr).to.not.include('planted-secret-1');
      expect(stdout).to.include(
        'the filter "fails" of other/web/filter_plugins/own.py failed: ValueError: invalid literal',
      );
    } finally {
      await project.remove();
    }
  });
});
