import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { LocalFile } from '../../../modules/file_transfer/local_file.js';
import { findInList, isKnownAs, type ListLook } from '../../../modules/file_transfer/shown_file.js';
import type { ActionContext, Mapping, RawAnswer, RawRequest, Value } from '../../../src/module/contract.js';
import { inFolder } from '../../rig/folder.js';

const CONTENT = 'content of a package';
const digest = (algorithm: string): string => createHash(algorithm).update(CONTENT).digest('hex');
const SAME = { sha256: digest('sha256') };
const OTHER = { sha256: 'ab'.repeat(32) };
const COMPLETED = { img_state: { state: 'IMAGE_FSM_COMPLETED' } };

interface Asked {
  readonly requests: RawRequest[];
  readonly lists: unknown[];
}

/** A controller that answers with a list of these entries. */
function context(answer: RawAnswer, pages: readonly Mapping[] = [], asked: Asked = { requests: [], lists: [] }) {
  return {
    request: (request: RawRequest) => {
      asked.requests.push(request);
      return Promise.resolve(answer);
    },
    list: (path: string, options: unknown) => {
      asked.lists.push([path, options]);
      return Promise.resolve({ objects: pages });
    },
  } as unknown as ActionContext;
}

const listing = (results: Value, more: Mapping = {}): RawAnswer => ({ status: 200, body: { ...more, results } });

function withFile<T>(use: (file: LocalFile) => Promise<T>): Promise<T> {
  return inFolder({ 'package.pkg': CONTENT }, async (folder) => {
    const file = await LocalFile.find('package.pkg', { searchPath: () => [folder] });
    if (typeof file === 'string') throw new Error(file);
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  });
}

const wanted = (filename: string, path = '/api/fileservice/x') => ({ path, query: { a: 'b' }, filename });
const at = (entries: readonly Value[], filename: string, path?: string): Promise<ListLook> =>
  withFile((file) => findInList(file, wanted(filename, path), context(listing(entries))));

describe('the list of files on a controller', () => {
  const presences: readonly (readonly [what: string, entries: readonly Value[], presence: string])[] = [
    ['is empty', [], 'absent'],
    ['has the name only', [{ name: 'package.pkg' }], 'unknown'],
    ['has the name without the ending', [{ name: 'package' }], 'unknown'],
    ['has another name', [{ name: 'package.pk' }], 'absent'],
    ['has a URI that ends so', [{ uri: 'controller://x/package.pkg', size: 20 }], 'same'],
    ['has a URI of another name', [{ uri: 'controller://xpackage.pkg', size: 20 }], 'absent'],
    ['has a path', [{ path: '/var/package.pkg', size: 20 }], 'same'],
    ['has a path of another name', [{ path: '/var/xpackage.pkg', size: 20 }], 'absent'],
    ['has the name of a file inside', [{ info: { filename: 'package.pkg' }, size: '20' }], 'same'],
    ['has another size', [{ name: 'package.pkg', size: 21 }], 'other'],
    ['has the digest', [{ name: 'package.pkg', size: 21, ...SAME }], 'same'],
    ['has another digest', [{ name: 'package.pkg', size: 20, ...OTHER }], 'other'],
    [
      'has the digest inside, in capitals',
      [{ name: 'package.pkg', info: { md5: digest('md5').toUpperCase() } }],
      'same',
    ],
    ['has a digest by its length', [{ name: 'package.pkg', hash: digest('sha1') }], 'same'],
    ['has the longest digest', [{ name: 'package.pkg', checksum: digest('sha512') }], 'same'],
    ...['sha256', 'sha512', 'sha1', 'md5', 'hash', 'checksum', 'digest', 'md5sum'].map(
      (field) =>
        [`has the digest as ${field}`, [{ name: 'package.pkg', size: 21, [field]: digest('sha256') }], 'same'] as const,
    ),
    ['has the digest in a field that is none', [{ name: 'package.pkg', size: 21, id: digest('sha256') }], 'other'],
    ['has what is no digest', [{ name: 'package.pkg', hash: 'z'.repeat(40), checksum: 'ab' }], 'unknown'],
    [
      'has the name twice, once equal',
      [
        { name: 'package.pkg', size: 1 },
        { name: 'package.pkg', size: 20 },
      ],
      'same',
    ],
    ['has the name twice, once without size', [{ name: 'package', size: 1 }, { name: 'package.pkg' }], 'unknown'],
    [
      'has the digest under another name',
      [
        { name: 'x', ...OTHER },
        { name: 'y', ...SAME },
      ],
      'same',
    ],
    ['has the digest at another URI', [{ uri: 'controller://x/other', ...SAME }], 'absent'],
    ['has the size under another name', [{ name: 'x', size: 20 }], 'absent'],
    ['has no entries but texts', ['package.pkg', 5, null], 'absent'],
  ];
  for (const [what, entries, presence] of presences)
    it(`${what}: ${presence}`, async () => {
      const seen = await at(entries, 'package.pkg');
      const listed = entries.filter((entry) => typeof entry === 'object' && entry !== null);
      expect(seen).to.deep.equal({ presence, listing: JSON.stringify(listed), version: undefined, versions: [] });
    });

  it('is asked for once, or page by page', () =>
    withFile(async (file) => {
      const asked: Asked = { requests: [], lists: [] };
      const where = { path: '/api/fileservice/x', query: { a: 'b' } };
      await findInList(file, wanted('package.pkg'), context(listing([]), [], asked));
      expect(asked).to.deep.equal({ requests: [{ method: 'GET', ...where }], lists: [] });
      const pages = context(listing([], { next: '?page=2' }), [{ name: 'package.pkg', size: 20 }], asked);
      expect((await findInList(file, wanted('package.pkg'), pages)).presence).to.equal('same');
      expect(asked.lists).to.deep.equal([[where.path, { query: where.query, paged: true }]]);
    }));

  for (const [answer, presence] of [
    [{ status: 404, body: null }, 'unknown'],
    [{ status: 501, body: null }, 'unknown'],
    [{ status: 403, body: null, says: 'You do not have permission' }, 'unknown'],
    [{ status: 403, body: null, says: 'the role may not upgrade' }, 'unknown'],
    [{ status: 200, body: { results: {} } }, 'unknown'],
    [{ status: 200, body: [] }, 'unknown'],
  ] as const)
    it(`may be missing: ${JSON.stringify(answer)}`, async () => {
      const seen = await withFile((file) => findInList(file, wanted('package.pkg'), context(answer)));
      expect(seen).to.deep.equal({ presence, listing: '', versions: [] });
    });

  it('may be unavailable for now', async () => {
    for (const [answer, why] of [
      [{ status: 503, body: null, says: 'busy' }, 'answered 503, so it is unknown whether the file is there: busy'],
      ...[202, 408, 429, 500, 502].map(
        (status) =>
          [{ status, body: null }, `answered ${status}, so it is unknown whether the file is there: `] as const,
      ),
      [
        { status: 403, body: null, says: 'Configuration is disallowed during upgrade' },
        'answered 403, so it is unknown whether the file is there: Configuration is disallowed during upgrade',
      ],
      [
        { status: 200, body: { error: 'x' }, denied: true, says: 'x' },
        'answered 200, so it is unknown whether the file is there: x',
      ],
    ] as const) {
      const said = withFile((file) => findInList(file, wanted('package.pkg'), context(answer)));
      expect(await said.catch((error: unknown) => String(error))).to.equal(`Error: GET /api/fileservice/x ${why}`);
    }
  });
});

describe('the list of software packages', () => {
  const IMAGE = '/api/image';
  const seen = async (entries: readonly Value[], filename: string, path = IMAGE) => {
    const { presence, version, versions } = await at(entries, filename, path);
    return [presence, version, versions];
  };

  it('shows the version in the name of a package', async () => {
    const entries = [
      { name: '22.1.3-9096', ...COMPLETED },
      { name: '22.1.4-9196', ...COMPLETED },
    ];
    const versions = ['22.1.3-9096', '22.1.4-9196'];
    expect(await seen(entries, 'controller-22.1.4-9196.pkg')).to.deep.equal(['same', '22.1.4-9196', versions]);
    expect(await seen(entries, 'controller-22.1.4.pkg', '/api/image/')).to.deep.equal([
      'same',
      '22.1.4-9196',
      versions,
    ]);
    expect(await seen(entries, 'controller-22.1.4-9197.pkg')).to.deep.equal(['absent', undefined, versions]);
    expect(await seen(entries, 'controller-22.1.5.pkg')).to.deep.equal(['absent', undefined, versions]);
    expect(await seen(entries, 'controller-22.1.4.1.pkg')).to.deep.equal(['absent', undefined, versions]);
    expect(await seen(entries, 'controller-22.1.4-9196.pkg', '/api/images')).to.deep.equal(['absent', undefined, []]);
    expect(await seen(entries, 'package.pkg')).to.deep.equal(['absent', undefined, versions]);
  });

  it('shows versions in fields, also of parts', async () => {
    const part = (more: Mapping) => [{ name: 'image', ...COMPLETED, ...more }];
    const name = 'controller-22.1.4-9196.pkg';
    for (const entries of [
      part({ version: '22.1.4-9196' }),
      part({ version: '22.1.4', build_no: 9196 }),
      part({ version: '22.1.4', build_no: '9196' }),
      part({ controller_info: { version: '22.1.4', build: { version: '22.1.4-9196' } } }),
      part({ controller_info: { build: { version: '22.1.4', build_no: 9196 } } }),
    ])
      expect(await seen(entries, name)).to.deep.equal(['same', '22.1.4-9196', ['22.1.4-9196']]);
    expect(await seen(part({ version: '22.1.4' }), name)).to.deep.equal(['same', '22.1.4', ['22.1.4']]);
    expect(await seen(part({ version: 5, build_no: 9196 }), name)).to.deep.equal(['absent', undefined, []]);
  });

  it('tells patches for controllers and service engines apart', async () => {
    const entry = (part: string) => [{ name: '22.1.4-2p1-9010', ...COMPLETED, [`${part}_patch`]: 1 }];
    const version = '22.1.4-2p1-9010';
    const there = ['same', version, [version]];
    expect(await seen(entry('se'), `se-${version}.pkg`)).to.deep.equal(there);
    expect(await seen(entry('controller'), `Controller_${version}.pkg`)).to.deep.equal(there);
    for (const [part, filename] of [
      ['controller', `se-${version}.pkg`],
      ['se', `controller-${version}.pkg`],
      ['se', `patch-${version}.pkg`],
      ['se', 'se-22.1.4-2p2-9010.pkg'],
      ['se', 'se-22.1.4-9010.pkg'],
    ] as const)
      expect((await seen(entry(part), filename))[0], filename).to.equal('absent');
    expect((await seen([{ name: '22.1.4', ...COMPLETED, se_patch: 1 }], 'se-22.1.4-2p1.pkg'))[0]).to.equal('absent');
  });

  it('counts a package that is complete, and neither one of another size nor of the same name with another digest', async () => {
    const name = 'controller-22.1.4.pkg';
    const entry = (more: Mapping) => [{ name: '22.1.4', ...more }];
    for (const [more, presence] of [
      [{}, 'same'],
      [{ img_state: 'x' }, 'same'],
      [{ img_state: {} }, 'same'],
      [{ img_state: { state: 'IMAGE_FSM_STARTED' } }, 'absent'],
      [{ size: 20 }, 'absent'],
      [{ size: 21 }, 'absent'],
      [OTHER, 'absent'],
      [SAME, 'same'],
    ] as const)
      expect((await seen(entry(more), name))[0], JSON.stringify(more)).to.equal(presence);
    expect((await seen([...entry({}), { name, size: 5 }], name))[0]).to.equal('other');
    expect((await seen([...entry({}), { name }], name))[0]).to.equal('same');
  });

  it('is shown with the version of the package whose digest is the same, else of the same version or name', async () => {
    const [one, two] = [{ name: '22.1.4-1' }, { name: '22.1.4-2' }];
    const version = async (entries: readonly Value[], filename: string) => (await seen(entries, filename))[1];
    expect(await version([one, { ...two, ...SAME }], 'controller-22.1.4.pkg')).to.equal('22.1.4-2');
    expect(await version([one, two], 'controller-22.1.4.pkg')).to.equal('22.1.4-1');
    expect(
      await version(
        [
          { name: 'x', size: 5 },
          { name: 'package.pkg', size: 20, version: '1.2.3' },
        ],
        'package.pkg',
      ),
    ).to.equal('1.2.3');
  });

  it('may have a refused package under another name', () =>
    withFile(async (file) => {
      const known = (says: string, entries: readonly Value[], filename = 'package.pkg', path = IMAGE) =>
        isKnownAs(says, file, wanted(filename, path), context(listing(entries)));
      const says = 'Image (its-name) exists already as other.';
      expect(await known(says, [{ name: 'x' }, { name: 'its-name' }, { name: 'other' }])).to.equal('its-name');
      expect(await known(says, [{ name: 'other' }])).to.equal('other');
      expect(await known(says, [{ name: 'none' }, { name: 'as' }, { name: 5 }])).to.equal(undefined);
      expect(await known(says, [{ name: 'its-name', ...OTHER }, { name: 'other' }])).to.equal(undefined);
      expect(await known(says, [{ name: 'its-name', img_state: { state: 'x' } }])).to.equal(undefined);
      expect(await known(says, [{ name: 'its-name' }], 'package-22.1.4.pkg')).to.equal(undefined);
      expect(await known(says, [{ name: 'its-name' }], 'package.pkg', '/api/file')).to.equal(undefined);
      expect(await isKnownAs(says, file, wanted('package.pkg', IMAGE), context({ status: 404, body: null }))).to.equal(
        undefined,
      );
    }));
});
