import path from 'node:path';
import { expect } from 'chai';
import { PluginSearch, type PluginSearchOptions } from '../../../src/language/plugins/search.js';
import { inFolder, type Files } from '../../rig/folder.js';

const OWN = 'site/collections/ansible_collections/acme/lb';
const OTHER = 'more/ansible_collections/acme/lb';

/** A class that names its filters in a mapping. */
function names(...filters: readonly string[]): string {
  const entries = filters.map((name) => `'${name}': run`).join(', ');
  return `class FilterModule(object):\n    def filters(self):\n        return {${entries}}\n`;
}

const COMPUTED = 'class FilterModule:\n    def filters(self):\n        return dict(made())\n';

const FILES: Files = {
  'site/filter_plugins/first.py': names('one', 'two'),
  'site/filter_plugins/second.py': names('two', 'three'),
  'site/filter_plugins/mentions.py': '# about one and four\n',
  'site/filter_plugins/_hidden.py': names('hidden'),
  'site/filter_plugins/notes.txt': names('noted'),
  'site/filter_plugins/computed.py': COMPUTED,
  'site/test_plugins/tests.py': names('one'),
  'site/lookup_plugins/found.py': '# found',
  'site/roles/web/filter_plugins/web.py': names('of_role', 'two'),
  'elsewhere/role/filter_plugins/far.py': names('far'),
  'named/filters.py': names('named', 'two'),
  'named/lookups/found.py': '# second',
  [`${OWN}/plugins/filter/own.py`]: names('shout'),
  [`${OWN}/plugins/filter/computed.py`]: COMPUTED,
  [`${OWN}/plugins/lookup/look.py`]: '',
  [`${OTHER}/plugins/filter/other.py`]: `${names('shout', 'cry')}# acme.lb.own`,
  [`${OWN}/meta/runtime.yml`]: `plugin_routing:
  filter:
    cry: { redirect: acme.lb.shout }
    "quoted": { redirect: acme.lb.shout }
    deep.name: { redirect: acme.lb.shout }
    odd: { redirect: [a] }
    none: { deprecation: { } }
  modules: { say: { redirect: ansible.builtin.debug } }
`,
  [`${OTHER}/meta/runtime.yml`]: 'plugin_routing: { filter: { late: { redirect: acme.lb.shout } } }\n',
  'more/ansible_collections/acme/bad/meta/runtime.yml': 'plugin_routing: { filter: { a: { redirect: b.c.d } }\n a: [',
};

interface Searched extends Partial<Omit<PluginSearchOptions, 'env' | 'directories'>> {
  readonly env?: Readonly<Record<string, string>>;
  readonly directories?: readonly string[];
}

/** What a search in the folder gives. Never reads what is installed on this machine. */
async function searched<T>(use: (search: PluginSearch, folder: string) => T, places: Searched = {}): Promise<T> {
  return inFolder(FILES, (folder) => {
    const { env = {}, directories = ['site'], ...others } = places;
    const nothing = { ANSIBLE_FILTER_PLUGINS: 'none', ANSIBLE_TEST_PLUGINS: 'none', ANSIBLE_LOOKUP_PLUGINS: 'none' };
    const search = new PluginSearch({
      directories: directories.map((one) => path.join(folder, one)),
      env: { ...nothing, ANSIBLE_COLLECTIONS_PATH: path.join(folder, 'more'), ...env },
      cwd: folder,
      isTrusted: () => true,
      ...others,
    });
    return Promise.resolve(use(search, folder));
  });
}

type Wanted = readonly [type: 'filter' | 'test' | 'lookup', name: string, isCertain: boolean];

function found(wanted: Wanted, places?: Searched): Promise<readonly string[]> {
  return searched((search) => search.files(...wanted).map((file) => search.show(file)), places);
}

describe('The files of plugins', () => {
  const rows: readonly (readonly [wanted: Wanted, files: readonly string[]])[] = [
    [['filter', 'one', true], ['site/filter_plugins/first.py']],
    [['filter', 'one', false], ['site/filter_plugins/first.py']],
    [
      ['filter', 'two', false],
      ['site/filter_plugins/first.py', 'site/filter_plugins/second.py', 'site/roles/web/filter_plugins/web.py'],
    ],
    [['filter', 'four', true], []],
    [['filter', 'four', false], ['site/filter_plugins/mentions.py']],
    [['filter', 'fou', false], []],
    [['filter', 'hidden', false], []],
    [['filter', 'noted', false], []],
    [['filter', 'of_role', true], ['site/roles/web/filter_plugins/web.py']],
    [['test', 'one', true], ['site/test_plugins/tests.py']],
    [['lookup', 'found', true], ['site/lookup_plugins/found.py']],
    [['lookup', 'first', false], []],
    [['filter', 'a.one', false], []],
    [
      ['filter', 'acme.lb.shout', true],
      [`${OWN}/plugins/filter/own.py`, `${OTHER}/plugins/filter/other.py`],
    ],
    [
      ['filter', 'acme.lb.shout', false],
      [`${OWN}/plugins/filter/own.py`, `${OTHER}/plugins/filter/other.py`],
    ],
    [['filter', 'acme.lb.own', false], [`${OTHER}/plugins/filter/other.py`]],
    [['filter', 'acme.lb.one', false], []],
    [['filter', 'acme.none.shout', false], []],
    [['lookup', 'acme.lb.look', false], [`${OWN}/plugins/lookup/look.py`]],
    [['test', 'acme.lb.shout', false], []],
  ];
  for (const [wanted, files] of rows)
    it(`are those of ${wanted.join(' ')}`, async () => expect(await found(wanted)).to.deep.equal(files));

  it('certain ones of a collection are in the project, or where it looks itself', async () => {
    expect(await found(['filter', 'acme.lb.cry', true])).to.deep.equal([`${OTHER}/plugins/filter/other.py`]);
    expect(await found(['filter', 'acme.lb.cry', true], { env: { ANSIBLE_COLLECTIONS_PATH: 'none' } })).to.deep.equal(
      [],
    );
  });

  it('are in the folders that the environment names, after those beside the playbooks', async () => {
    const env = { ANSIBLE_FILTER_PLUGINS: 'none: named:', ANSIBLE_LOOKUP_PLUGINS: 'named/lookups' };
    expect(await found(['filter', 'two', false], { env })).to.deep.equal([
      'site/filter_plugins/first.py',
      'site/filter_plugins/second.py',
      'named/filters.py',
      'site/roles/web/filter_plugins/web.py',
    ]);
    expect(await found(['lookup', 'found', false], { env })).to.deep.equal(['site/lookup_plugins/found.py']);
  });

  it('are in the folders that ansible.cfg names, unless the environment does', async () => {
    const configured = (text: string, directory: string) => (key: string) =>
      key === 'filter_plugins' ? { text, directory } : undefined;
    const of = (places: Searched, folder = '/'): Promise<readonly string[]> =>
      found(['filter', 'named', true], { configured: configured('named', folder), ...places });
    expect(await of({ env: { ANSIBLE_FILTER_PLUGINS: '' } })).to.deep.equal([]);
    expect(
      await of({ env: { ANSIBLE_FILTER_PLUGINS: '' }, configured: configured('{{CWD}}/named', '/') }),
    ).to.deep.equal(['named/filters.py']);
    expect(await of({ configured: configured('{{CWD}}/named', '/') })).to.deep.equal([]);
  });

  it('are those of roles that were added, once', async () => {
    const [before, isNew, after, again] = await searched((search, folder) => {
      const role = path.join(folder, 'elsewhere/role');
      const look = (): number => search.files('filter', 'far', true).length;
      return [look(), search.addFolder(role), look(), search.addFolder(role)];
    });
    expect([before, isNew, after, again]).to.deep.equal([0, true, 1, false]);
  });

  it('are none of folders that are not trusted', async () => {
    const isTrusted = (folder: string): boolean => folder.includes('roles');
    expect(await found(['filter', 'two', false], { isTrusted })).to.deep.equal([
      'site/roles/web/filter_plugins/web.py',
    ]);
  });

  it('are reported when they are read, once', async () => {
    const read: string[] = [];
    const onRead = (type: string, file: string, text: string): void => {
      read.push(`${type} ${path.basename(file)} ${text.length}`);
    };
    await searched(
      (search) => {
        search.files('lookup', 'found', false);
        search.files('lookup', 'found', false);
        search.files('lookup', 'none', false);
      },
      { onRead },
    );
    expect(read).to.deep.equal(['file found.py 7']);
  });

  it('with names that only Python knows', async () => {
    const computed = (name: string): Promise<readonly string[]> =>
      searched((search) => search.computed('filter', name).map((file) => search.show(file)));
    expect(await computed('any')).to.deep.equal(['site/filter_plugins/computed.py']);
    expect(await computed('acme.lb.any')).to.deep.equal([`${OWN}/plugins/filter/computed.py`]);
    expect(await computed('acme.none.any')).to.deep.equal([]);
  });

  it('are named from the working directory, or one above', async () => {
    await searched(
      (search) => {
        expect(search.show('/a/b/c.py')).to.equal('c.py');
        expect(search.show('/a/c.py')).to.equal('../c.py');
        expect(search.show('/c.py')).to.equal('/c.py');
      },
      { cwd: '/a/b' },
    );
  });
});

describe('The names that a collection gives in place of others', () => {
  const rows: readonly (readonly [type: 'filter' | 'modules', name: string, other: string | undefined])[] = [
    ['filter', 'acme.lb.cry', 'acme.lb.shout'],
    ['filter', 'acme.lb.quoted', 'acme.lb.shout'],
    ['filter', 'acme.lb.deep.name', 'acme.lb.shout'],
    ['modules', 'acme.lb.say', 'ansible.builtin.debug'],
    ['modules', 'acme.lb.cry', undefined],
    ['filter', 'acme.lb.say', undefined],
    ['filter', 'acme.lb.odd', undefined],
    ['filter', 'acme.lb.none', undefined],
    ['filter', 'acme.lb.late', undefined],
    ['filter', 'acme.lb.redirect', undefined],
    ['filter', 'acme.bad.a', undefined],
    ['filter', 'acme.other.cry', undefined],
    ['filter', 'cry', undefined],
    ['filter', 'acme.cry', undefined],
  ];
  it('are in the first meta/runtime.yml', async () => {
    const others = await searched((search) => rows.map(([type, name]) => search.redirect(type, name)));
    for (const [index, [type, name, other]] of rows.entries()) expect(others[index], `${type} ${name}`).to.equal(other);
  });
});
