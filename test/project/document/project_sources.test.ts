import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { BUILT_IN_LIBRARY } from '../../../src/language/library.js';
import { ProjectSources, textDigest } from '../../../src/project/document/project_sources.js';
import { readDecrypted } from '../../../src/project/document/read_file_text.js';
import { inFolder } from '../../rig/folder.js';

const nothing = (): string | undefined => undefined;

describe('what a command reads', () => {
  it('is known by digests of what was read first', () => {
    const told: string[] = [];
    const sources = new ProjectSources({ onRead: (type, name, text) => told.push(`${type} ${name} ${text}`) });
    sources.noteRead('file', '/a', 'one');
    sources.noteRead('file', '/a', 'two');
    sources.noteRead('program', 'ls', 'three');
    sources.noteCode('file', '/m.mjs', 'four');
    expect([...sources.files]).to.deep.equal([
      ['/a', textDigest('one')],
      ['/m.mjs', textDigest('four')],
    ]);
    expect([...sources.programs]).to.deep.equal([['ls', textDigest('three')]]);
    expect([...sources.code]).to.deep.equal([['/m.mjs', textDigest('four')]]);
    expect(told).to.deep.equal(['file /a one', 'file /a two', 'program ls three', 'file /m.mjs four']);
  });

  it('is asked again each time, and the first answers are kept for a plan only', async () => {
    let asked = 0;
    const next = (): number => ++asked;
    const [kept, unkept] = [new ProjectSources({ keep: true }), new ProjectSources()];
    for (const sources of [kept, unkept]) {
      asked = 0;
      expect([
        sources.recall('q', 'a', next),
        sources.recall('q', 'a', next),
        sources.recall('q', 'b', next),
      ]).to.deep.equal([1, 2, 3]);
      expect(sources.recall('q', 'c', nothing)).to.equal(undefined);
      expect(await sources.recallAsync('r', 'a', () => Promise.resolve(next()))).to.equal(4);
      expect(await sources.recallAsync('r', 'b', () => Promise.resolve(nothing()))).to.equal(undefined);
    }
    expect(kept.answers).to.deep.equal({ 'q a': 1, 'q b': 3, 'q c': null, 'r a': 4 });
    expect(unkept.answers).to.deep.equal({});
  });

  it('has the texts of a plan to compare with, which are not what the run read', async () => {
    const recorded = { 'file /a.yml': { text: 'one', encrypted: false } };
    const sources = new ProjectSources({ recorded });
    expect(await readDecrypted('/a.yml', { diagnostics: new Diagnostics(), sources }, 'a.yml')).to.include({
      text: 'one',
    });
    // A fingerprint of a version that did not compare them has none of them.
    expect([...sources.files]).to.deep.equal([]);
    expect([sources.hasChanged('/a.yml', 'one'), sources.hasChanged('/a.yml', 'two')]).to.deep.equal([false, true]);
  });

  it('is taken from the answers of a plan, and nothing else', async () => {
    const recorded = { 'q a': 1, 'q b': null, 'kindAt /work/x': 'folder' };
    const sources = new ProjectSources({ recorded, cwd: '/work' });
    const never = (): never => {
      throw new Error('asked');
    };
    expect([
      sources.recall('q', 'a', never),
      sources.recall('q', 'b', never),
      sources.fileTypeAt('/work/x'),
    ]).to.deep.equal([1, undefined, 'folder']);
    expect(await sources.recallAsync('q', 'a', never)).to.equal(1);
    expect(() => sources.fileTypeAt('/work/y')).to.throw(/^y was not read when the plan was made$/);
    expect(() => sources.namesIn('/worker')).to.throw(/^\/worker was not read when the plan was made$/);
    expect(() => sources.recall('q', 'toString', never)).to.throw('toString was not read');
    expect(sources.answers).to.deep.equal({});
  });

  it('is what folders have', () =>
    inFolder({ 'b/c': '', 'a/x': '' }, (cwd) => {
      const sources = new ProjectSources({ keep: true, cwd });
      expect(sources.namesIn(cwd)).to.deep.equal(['a', 'b']);
      expect(sources.realPath(path.join(cwd, 'a/../b'))).to.equal(path.join(cwd, 'b'));
      expect([
        sources.fileTypeAt(cwd),
        sources.fileTypeAt(path.join(cwd, 'b/c')),
        sources.fileTypeAt(path.join(cwd, 'z')),
      ]).to.deep.equal(['folder', 'file', undefined]);
      expect(Object.keys(sources.answers)).to.have.length(5);
      return Promise.resolve();
    }));

  it('is what lookups found, if the answers are those of a plan', () => {
    expect(new ProjectSources().lookups(BUILT_IN_LIBRARY)).to.equal(BUILT_IN_LIBRARY);
    expect(new ProjectSources({ keep: false }).lookups(BUILT_IN_LIBRARY)).to.equal(BUILT_IN_LIBRARY);
    expect(new ProjectSources({ keep: true }).lookups(BUILT_IN_LIBRARY)).to.not.equal(BUILT_IN_LIBRARY);
    expect(new ProjectSources({ recorded: {} }).lookups(BUILT_IN_LIBRARY)).to.not.equal(BUILT_IN_LIBRARY);
  });
});
