import { chmod, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { claimText, parseClaim } from '../../src/claims/claim.js';
import { ClaimFolder } from '../../src/claims/claim_folder.js';
import type { Claimed } from '../../src/claims/claims.js';
import { LateClaims } from '../../src/claims/late_claims.js';
import { inFolder } from '../rig/folder.js';
import { claimsOf, holder } from './rig.js';

const HELD = { status: 'held' };

/** Which run stands in the way, and of what. */
function inTheWay(claimed: Claimed): readonly string[] {
  if (claimed.status !== 'refused') return [claimed.status];
  return claimed.rivals.map((rival) => `${rival.holder?.run ?? '?'}: ${rival.places.join()}`);
}

describe('claims', () => {
  it('are refused where another run has one of them, all or nothing', () =>
    inFolder({}, async (folder) => {
      const [first, second, third] = [
        await claimsOf(folder, 'r1'),
        await claimsOf(folder, 'r2'),
        await claimsOf(folder, 'r3'),
      ];
      expect(await first.claim(['a', 'b'])).to.deep.equal(HELD);
      expect(inTheWay(await second.claim(['b', 'c']))).to.deep.equal(['r1: b']);
      expect(await third.claim(['c'])).to.deep.equal(HELD);
      await first.release();
      expect(inTheWay(await second.claim(['b', 'c']))).to.deep.equal(['r3: c']);
      await third.release();
      expect(await second.claim(['b', 'c'])).to.deep.equal(HELD);
      await second.release();
      expect(await readdir(folder)).to.deep.equal([]);
    }));

  it('of a run add up, and its own are not in its way', () =>
    inFolder({}, async (folder) => {
      const claims = await claimsOf(folder, 'r1');
      expect(await claims.claim(['a'])).to.deep.equal(HELD);
      expect(await claims.claim(['a', 'b'])).to.deep.equal(HELD);
      expect([claims.has('a'), claims.has('b'), claims.has('c')]).to.deep.equal([true, true, false]);
      const other = await claimsOf(folder, 'r0');
      expect(inTheWay(await other.claim(['b', 'a']))).to.have.members(['r1: a', 'r1: b']);
      await claims.release();
      expect(await other.claim(['b', 'a'])).to.deep.equal(HELD);
    }));

  it('of one run can be held by one process only', () =>
    inFolder({}, async (folder) => {
      await (await claimsOf(folder, 'r1')).claim(['a']);
      expect(inTheWay(await (await claimsOf(folder, 'r1')).claim(['b']))).to.deep.equal(['r1: ']);
    }));

  it('of a dead process are taken over, and that is told', () =>
    inFolder({}, async (folder) => {
      const killed = await claimsOf(folder, 'r1', { holder: holder('r1', { started: 'long ago' }) });
      await killed.claim(['a']);
      const told: string[] = [];
      const claims = await claimsOf(folder, 'r2', { onTakeOver: ({ run }) => told.push(run) });
      expect(await claims.claim(['a'])).to.deep.equal(HELD);
      expect(told).to.deep.equal(['r1']);
      await claims.release();
      expect(await readdir(folder)).to.deep.equal([]);
    }));

  it('of another machine are never taken over', () =>
    inFolder({}, async (folder) => {
      const elsewhere = await claimsOf(folder, 'r1', {
        holder: holder('r1', { host: 'build-7', started: 'long ago' }),
      });
      await elsewhere.claim(['a']);
      const claimed = await (await claimsOf(folder, 'r2')).claim(['a']);
      expect(inTheWay(claimed)).to.deep.equal(['r1: a']);
      expect(claimed.status === 'refused' && claimed.rivals[0]?.elsewhere).to.equal(true);
    }));

  it('that cannot be understood may hold anything', () =>
    inFolder({ 'x.json': '{"version":2}' }, async (folder) => {
      expect(inTheWay(await (await claimsOf(folder, 'r2')).claim(['a']))).to.deep.equal(['?: ']);
    }));

  it('are waited for, without holding anything meanwhile', () =>
    inFolder({}, async (folder) => {
      const [first, second] = [await claimsOf(folder, 'r2'), await claimsOf(folder, 'r1')];
      await first.claim(['a']);
      const waits: string[] = [];
      let onWait = (): void => undefined;
      const waiting = new Promise<void>((resolve) => (onWait = resolve));
      const claimed = second.await(new Set(['a', 'b']), new AbortController().signal, (rivals) => {
        waits.push(inTheWay({ status: 'refused', rivals }).join());
        onWait();
      });
      await waiting;
      const third = await claimsOf(folder, 'r3');
      expect(await third.claim(['b'])).to.deep.equal(HELD);
      await first.release();
      // Now it waits for the third.
      while (waits.length < 2) await new Promise(setImmediate);
      expect(waits).to.deep.equal(['r2: a', 'r3: b']);
      await third.release();
      expect(await claimed).to.deep.equal(HELD);
    }));

  it('are waited for until nobody wants them any more', () =>
    inFolder({}, async (folder) => {
      await (await claimsOf(folder, 'r1')).claim(['a']);
      const stop = new AbortController();
      const claims = await claimsOf(folder, 'r2');
      const claimed = claims.await(new Set(['a']), stop.signal, () => {
        stop.abort();
      });
      expect(await claimed).to.deep.equal({ status: 'interrupted' });
      expect((await readdir(folder)).filter((name) => name.startsWith('r2'))).to.deep.equal([]);
    }));

  it('leave nothing behind where they cannot be written', () =>
    inFolder({}, async (folder) => {
      const claims = await claimsOf(path.join(folder, 'claims'), 'r1');
      await rename(path.join(folder, 'claims'), path.join(folder, 'away'));
      const failed = await claims.claim(['a']).catch((error: unknown) => error);
      expect(failed).to.be.an('error').with.property('name', 'ClaimFolderError');
      expect(await readdir(path.join(folder, 'away'))).to.deep.equal([]);
    }));
});

describe('claims of controllers that come up during a run', () => {
  it('are made together, and only those are refused that another run has', () =>
    inFolder({}, async (folder) => {
      await (await claimsOf(folder, 'r1')).claim(['b', 'd']);
      const claims = await claimsOf(folder, 'r2');
      const late = new LateClaims(claims);
      const answers = await Promise.all(['a', 'b', 'c', 'b', 'd', 'e'].map((place) => late.claim(place)));
      expect(answers.map((rivals) => rivals.length)).to.deep.equal([0, 1, 0, 1, 1, 0]);
      expect(['a', 'b', 'c', 'd', 'e'].filter((place) => claims.has(place))).to.deep.equal(['a', 'c', 'e']);
      // One of `a` alone, one of the others.
      expect((await readdir(folder)).filter((name) => /^r2.*json$/.test(name))).to.have.lengthOf(2);
      expect(await late.claim('a')).to.deep.equal([]);
    }));
});

describe('the folder of claims', () => {
  const failure = (folder: string): Promise<unknown> =>
    ClaimFolder.open(folder, { own: true }).catch((error: unknown) => (error instanceof Error ? error.message : error));

  it('of one user is nobody else’s', () =>
    inFolder({ 'open/x': '', 'real/x': '' }, async (root) => {
      await chmod(path.join(root, 'open'), 0o777);
      await symlink(path.join(root, 'real'), path.join(root, 'link'));
      expect(await failure(path.join(root, 'open/claims'))).to.equal(
        `${root}/open/claims cannot be used: others may write in ${root}/open`,
      );
      expect(await failure(path.join(root, 'link/claims'))).to.equal(
        `${root}/link/claims cannot be used: ${root}/link is no folder`,
      );
    }));

  it('cannot be a file', () =>
    inFolder({ claims: '' }, async (root) => {
      expect(await failure(path.join(root, 'claims'))).to.match(/^\S+ cannot be used: it is no folder$/);
    }));

  it('is watched only as long as somebody waits', () =>
    inFolder({}, async (root) => {
      const folder = await ClaimFolder.open(path.join(root, 'claims'), { own: true });
      const changed = folder.change(600_000);
      await writeFile(path.join(root, 'claims/x'), '');
      await changed;
      await folder.change(600_000, AbortSignal.abort());
      await mkdir(path.join(root, 'claims/y'));
    }));
});

describe('the text of a claim', () => {
  const claim = { holder: holder('r1'), places: new Set(['a']) };

  it('comes back as it was', () => {
    expect(parseClaim(claimText(claim))).to.deep.equal(claim);
  });

  it('is not understood if any of it is missing or of another kind', () => {
    const whole = JSON.parse(claimText(claim)) as Record<string, Record<string, unknown>>;
    const broken = [
      '',
      '[]',
      'null',
      '{',
      JSON.stringify({ ...whole, version: 2 }),
      JSON.stringify({ ...whole, places: [1] }),
      JSON.stringify({ ...whole, holder: { ...whole['holder'], run: 1 } }),
      ...[0, -1, 1.5, '1'].map((pid) =>
        JSON.stringify({ ...whole, holder: { ...whole['holder'], process: { host: 'a', pid } } }),
      ),
    ];
    expect(broken.map(parseClaim)).to.deep.equal(broken.map(() => undefined));
  });
});
