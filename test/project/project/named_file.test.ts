import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadProject } from '../../../src/project/project/project.js';
import { atHome, inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';
import { ANOTHER_USER, giveAway, needsRoot } from '../../rig/users.js';

/** What is said of a project, without the names of temporary folders, and what is read. */
function project(files: Files, env: Record<string, string>, prepare?: (root: string) => Promise<void>) {
  return inFolder(files, async (root) => {
    await prepare?.(root);
    const diagnostics = new Diagnostics();
    const { file, named, directory, forks } = await atHome(path.join(root, 'other'), () =>
      loadProject(root, env, diagnostics),
    );
    const shown = (text: string): string => text.replaceAll(`${root}/`, '/').replaceAll(root, '/');
    const said = diagnostics.list.map(worded).map(shown);
    return { file, named: named && shown(named), directory: shown(directory), forks, said };
  });
}

describe('the project file', () => {
  const files = { 'evenkeel.yml': 'forks: 5\n', 'other/own.yml': 'forks: 7\n' };

  it('is the one that EVENKEEL_CONFIG names', async () => {
    expect(await project(files, { EVENKEEL_CONFIG: 'other/own.yml' })).to.deep.equal({
      file: 'other/own.yml',
      named: '/other/own.yml',
      directory: '/other',
      forks: 7,
      said: [],
    });
    expect((await project(files, { EVENKEEL_CONFIG: '~/own.yml' })).named).to.equal('/other/own.yml');
    expect(await project(files, { EVENKEEL_CONFIG: '' })).to.deep.equal({
      file: 'evenkeel.yml',
      named: undefined,
      directory: '/',
      forks: 5,
      said: [],
    });
    expect(await project(files, { EVENKEEL_CONFIG: 'none.yml' })).to.deep.equal({
      file: undefined,
      named: '/none.yml',
      directory: '/',
      forks: undefined,
      said: ['cannot read the project file none.yml (--config or EVENKEEL_CONFIG): there is no such file'],
    });
  });

  it('is ignored if others may write it, unless it is named', async () => {
    const open = (root: string): Promise<void> => chmod(path.join(root, 'evenkeel.yml'), 0o666);
    expect(await project(files, {}, open)).to.deep.equal({
      file: undefined,
      named: undefined,
      directory: '/',
      forks: undefined,
      said: [
        'warning: ignored /evenkeel.yml: /evenkeel.yml is world-writable — if you trust it, name it with --config or EVENKEEL_CONFIG',
      ],
    });
    expect((await project(files, { EVENKEEL_CONFIG: 'evenkeel.yml' }, open)).forks).to.equal(5);
  });

  it('of another user is trusted in a container, with a warning', async function () {
    needsRoot(this);
    const foreign = (root: string): Promise<void> => giveAway(root);
    const { said, forks } = await project(files, { container: 'podman' }, foreign);
    expect([forks, said]).to.deep.equal([
      5,
      [
        `warning: the files of another user (uid ${ANOTHER_USER}) are trusted: / belongs to that user, and you are root in a container — to trust the folder without this warning: EVENKEEL_TRUSTED_FOLDERS=/`,
      ],
    ]);
  });

  it('and variables may have had other settings', async () => {
    const { said } = await project(
      { 'evenkeel.yml': 'nats: x\nforkz: 5\n' },
      { EVENKEEL_NATS: 'x', EVENKEEL_FORKZ: '5' },
    );
    const instead = 'reach sites through controller_proxy or routes, see docs/scaling.md';
    expect(said).to.deep.equal([
      `evenkeel.yml:1:1 nats was removed: ${instead}`,
      'evenkeel.yml:2:1 "forkz" is not a keyword of evenkeel.yml — did you mean "forks"?',
      `EVENKEEL_NATS was removed: ${instead} — unset EVENKEEL_NATS`,
      'warning: unknown environment variable EVENKEEL_FORKZ — did you mean "EVENKEEL_FORKS"?',
    ]);
  });
});
