import { expect } from 'chai';
import type { Plugins } from '../../../src/language/runtime/plugins.js';
import type { Catalogue } from '../../../src/module/catalogue.js';
import { isForeignModule, Modules } from '../../../src/project/keywords/modules.js';

const REDIRECTS = new Map([
  ['acme.lb.old', 'acme.lb.older'],
  ['acme.lb.older', 'ansible.builtin.debug'],
  ['acme.lb.this', 'acme.lb.that'],
  ['acme.lb.that', 'acme.lb.this'],
]);

function modules(names: readonly string[], more: Partial<Catalogue> = {}): Modules {
  const catalogue: Catalogue = {
    names,
    load: () => Promise.resolve(undefined),
    add: () => [],
    ...more,
  };
  const plugins = {
    redirect: (type: string, name: string) => (type === 'modules' ? REDIRECTS.get(name) : undefined),
  } as unknown as Plugins;
  return new Modules(catalogue, plugins);
}

describe('The names of modules', () => {
  it('are plain if their collection is that of the module, or redirects them to one', () => {
    const own = modules(['debug', 'cloud_present'], { collections: ['acme.own'], unlisted: ['hidden'] });
    for (const [name, plain] of [
      ['debug', 'debug'],
      ['ansible.builtin.debug', 'debug'],
      ['ansible.legacy.debug', 'debug'],
      ['acme.own.cloud_present', 'cloud_present'],
      ['vmware.alb.avi_pool', 'avi_pool'],
      ['community.network.avi_pool', 'avi_pool'],
      ['community.network.other', 'community.network.other'],
      ['acme.lb.debug', 'acme.lb.debug'],
      ['acme.lb.old', 'debug'],
      ['acme.lb.none', 'acme.lb.none'],
    ] as const)
      expect(own.plain(name), name).to.equal(plain);
    expect(['acme.lb.this', 'acme.lb.that']).to.include(own.plain('acme.lb.this'));
    expect(['debug', 'hidden', 'acme.lb.old', 'acme.own.debug', 'gone'].map((name) => own.has(name))).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('are never suggested in place of their opposite, which would delete what is declared', () => {
    const own = modules(['cloud_present', 'pool_absent', 'debug']);
    for (const [name, nearest] of [
      ['cloud_presen', 'cloud_present'],
      ['cloud_absent', undefined],
      ['pool_present', undefined],
      ['debgu', 'debug'],
      ['uri', 'api_request'],
      ['image_present', 'file_upload'],
    ] as const)
      expect(own.nearest(name), name).to.equal(nearest);
    expect(own.nearest('when_', ['when'])).to.equal('when');
    expect(own.hintFor('debgu')).to.equal('did you mean "debug"?');
    expect(own.hintFor('acme.tools.debug')).to.equal(
      'if debug of Evenkeel is meant, write "collections: acme.tools" in evenkeel.yml',
    );
    expect(own.hintFor('zzzzzzzz')).to.equal('"evenkeel doc -l" lists the modules');
  });

  it('may be taken when a role adds its own', () => {
    const taken = [{ file: '/x/debug.ts', by: undefined }];
    const own = modules(['debug'], { add: (folder) => (folder === '/x' ? taken : []) });
    expect([own.add('/x'), own.add('/y')]).to.deep.equal([taken, []]);
  });

  it('are only of Ansible in Python files that are neither parts of a package nor those of the vendor', () => {
    const files = [
      'greet.py',
      'a/greet.py',
      'avi_pool.py',
      'a/avi_pool.py',
      '__init__.py',
      'a/__init__.py',
      'greet.ts',
      'py',
    ];
    expect(files.filter(isForeignModule)).to.deep.equal(['greet.py', 'a/greet.py']);
  });

  it('are loaded once each, and some of them make patterns match later', async () => {
    const loads: string[] = [];
    const own = modules(['debug', 'add_host'], {
      load: (name) => {
        loads.push(name);
        return Promise.resolve(undefined);
      },
    });
    await Promise.all([own.load('debug'), own.load('debug')]);
    expect([loads, own.mayAddTargets]).to.deep.equal([['debug'], false]);
    await own.load('add_host');
    expect(own.mayAddTargets).to.equal(true);
  });
});
