import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Trust, whyNotPrivate } from '../../../src/core/files/trust.js';
import { inFolder } from '../../rig/folder.js';
import { needsRoot } from '../../rig/users.js';

/** Without an account: the group of a user is its own. */
const OTHER = 54_321;
const FOREIGN = `belongs to another user (uid ${OTHER})`;
const SHARED = `is writable for a group of several users (gid ${OTHER})`;

/** A folder with a file of root and one of another user, a link to that, and a folder of the other user with a file. */
function inMixed(use: (at: (name: string) => string) => Promise<void> | void): Promise<void> {
  return inFolder({ own: '', given: '', 'theirs/file': '' }, async (folder) => {
    const at = (name: string): string => path.join(folder, name);
    await symlink(at('given'), at('link'));
    for (const name of ['given', 'theirs']) await chown(at(name), OTHER, 0);
    await use(at);
  });
}

describe('files of other users', () => {
  before(function () {
    needsRoot(this);
  });

  it('are not used, nor what links lead to', () =>
    inMixed((at) => {
      const trust = new Trust('/', {}, false);
      expect([at('own'), at('none')].map((name) => trust.foreign(name))).to.deep.equal([undefined, undefined]);
      for (const name of ['given', 'link', 'theirs']) {
        expect(trust.foreign(at(name)), name).to.equal(`${at(name)} ${FOREIGN}`);
        expect(trust.folder(at(name)), name).to.equal(`${at(name)} ${FOREIGN}`);
      }
      expect(['own', 'given', 'link', 'theirs/file'].map((name) => trust.refusal(at(name)))).to.deep.equal([
        undefined,
        `${at('given')} ${FOREIGN}`,
        `${at('link')} ${FOREIGN}`,
        `${at('theirs')} ${FOREIGN}`,
      ]);
      expect(trust.checkoutOwner).to.equal(undefined);
    }));

  it('are used if that user typed the command, or named their folder', () =>
    inMixed((at) => {
      for (const env of [{ SUDO_UID: String(OTHER) }, { EVENKEEL_TRUSTED_FOLDERS: at('.') }])
        for (const name of ['given', 'link', 'theirs/file'])
          expect(new Trust('/', env, false).refusal(at(name)), name).to.equal(undefined);
      for (const sudo of ['', `x${OTHER}`, `${OTHER}x`, '1'])
        expect(new Trust('/', { SUDO_UID: sudo }, false).foreign(at('given'))).to.equal(`${at('given')} ${FOREIGN}`);
    }));

  it('are used in a container if the working directory is theirs', () =>
    inMixed((at) => {
      for (const [env, inContainer, owner] of [
        [{}, true, OTHER],
        [{}, false, undefined],
        [{ container: 'podman' }, undefined, OTHER],
        [{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, undefined, OTHER],
        [{ SUDO_UID: String(OTHER) }, true, undefined],
        [{ EVENKEEL_TRUSTED_FOLDERS: at('theirs') }, true, undefined],
      ] as const) {
        const trust = new Trust(at('theirs'), env, inContainer);
        expect(trust.checkoutOwner, JSON.stringify(env)).to.equal(owner);
        const isTrusted = owner !== undefined || 'SUDO_UID' in env;
        expect(trust.foreign(at('given')), JSON.stringify(env)).to.equal(
          isTrusted ? undefined : `${at('given')} ${FOREIGN}`,
        );
      }
      expect(new Trust(at('none'), {}, true).checkoutOwner).to.equal(undefined);
    }));

  it('and groups are several users, unless they are those of a user or of root', () =>
    inMixed(async (at) => {
      await chmod(at('own'), 0o660);
      const refusal = (env = {}) => new Trust('/', env, false).refusal(at('own'));
      expect(refusal()).to.equal(undefined);
      await chown(at('own'), 0, OTHER);
      expect([refusal(), refusal({ SUDO_UID: String(OTHER) })]).to.deep.equal([`${at('own')} ${SHARED}`, undefined]);
      await chmod(at('own'), 0o640);
      expect(refusal()).to.equal(undefined);
      await chmod(at('own'), 0o662);
      expect(refusal()).to.equal(`${at('own')} is world-writable`);
    }));

  it('are not private where others could have made them', () =>
    inMixed(async (at) => {
      await mkdir(at('open'));
      await writeFile(at('open/file'), '');
      await chmod(at('open'), 0o777);
      expect([whyNotPrivate(at('given')), whyNotPrivate(at('open/file'))]).to.deep.equal([undefined, undefined]);
      await chown(at('open/file'), OTHER, OTHER);
      expect(whyNotPrivate(at('open/file'))).to.equal(`it ${FOREIGN}`);
      await chmod(at('open/file'), 0o660);
      expect(whyNotPrivate(at('open/file'))).to.equal(`it ${SHARED}`);
      await chmod(at('open/file'), 0o666);
      expect(whyNotPrivate(at('open/file'))).to.equal('it is world-writable');
      await chmod(at('open/file'), 0o1666);
      expect(whyNotPrivate(at('open/file'))).to.equal(`it ${FOREIGN}`);
    }));
});
