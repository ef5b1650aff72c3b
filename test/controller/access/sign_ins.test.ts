import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { basicCredentials, SignedIn, SignIns } from '../../../src/controller/access/sign_in.js';
import { DIALECTS, type SessionTraits } from '../../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import { WAIT_WITHOUT_FORKS, type WaitWithoutFork } from '../../../src/core/model/run/session.js';
import { settingsOf, through } from '../../rig/controllers.js';

const NONE = { loginPath: '', logoutPath: '', sessionCookies: [], csrfCookie: '', csrfHeader: '' };
const traits: SessionTraits = DIALECTS.get('avi')?.session ?? NONE;
const settings = (host: string, more: Partial<ConnectionSettings> = {}) =>
  settingsOf(`https://${host}`, undefined, more);
const signedIn = (learned: string[] = []) => new SignedIn(traits, settings('lb1/lb'), (secret) => learned.push(secret));

describe('the session of a user', () => {
  it('is complete with one of the cookies that identify it', () => {
    for (const [cookies, expected] of [
      [[], false],
      [['csrftoken=x'], false],
      [['other=x'], false],
      [['avi-sessionid=x'], true],
      [['sessionid=x'], true],
      [['sessionid='], false],
      [['=sessionid', 'sessionid'], false],
    ] as const) {
      const session = signedIn();
      session.absorb(cookies);
      expect(session.isComplete, cookies.join()).to.equal(expected);
    }
  });

  it('sends its cookies with reads, and the token and the address of the controller with writes, too', () => {
    const session = signedIn();
    expect(session.headersFor('GET')).to.deep.equal(['cookie', '']);
    session.absorb(['sessionid = a b ; Path=/; Secure', 'csrftoken=t=u; Max-Age=60', 'other=o']);
    const read = ['cookie', 'sessionid=a b; csrftoken=t=u; other=o'];
    const write = [...read, 'x-csrftoken', 't=u', 'referer', 'https://lb1/lb/'];
    for (const method of ['GET', 'HEAD']) expect(session.headersFor(method), method).to.deep.equal(read);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(session.headersFor(method), method).to.deep.equal(write);
    const bare = signedIn();
    bare.absorb(['=x', 'y', 'sessionid=a']);
    expect(bare.headersFor('POST')).to.deep.equal(['cookie', 'sessionid=a', 'referer', 'https://lb1/lb/']);
  });

  it('takes over what the controller renews and deletes, and learns each value as a secret once', () => {
    const learned: string[] = [];
    const session = signedIn(learned);
    session.absorb(['sessionid=a', 'csrftoken=t']);
    session.absorb(['sessionid=a', 'csrftoken=u']);
    expect(session.headersFor('POST')).to.include.members(['sessionid=a; csrftoken=u', 'u']);
    session.absorb(['csrftoken=u; max-age=0; Path=/']);
    expect(session.headersFor('POST')).to.deep.equal(['cookie', 'sessionid=a', 'referer', 'https://lb1/lb/']);
    session.absorb(['csrftoken=w; Max-Age = -5', 'sessionid=b; Max-Age=05; x=max-age=0']);
    expect(session.headersFor('GET')).to.deep.equal(['cookie', 'sessionid=b']);
    session.absorb(['sessionid=c; Max-Age=0']);
    expect(session.isComplete).to.equal(false);
    session.absorb(['sessionid=d; Max-Age=0']);
    expect(learned.filter((secret) => secret !== '')).to.deep.equal(['a', 't', 'u', 'b']);
  });

  it('has not worked at first', () => {
    expect(signedIn().hasWorked).to.equal(false);
  });
});

describe('the sessions of a run', () => {
  const rests: string[] = [];
  const wait: WaitWithoutFork = (awaited) => {
    rests.push('rests');
    return awaited();
  };
  beforeEach(() => rests.splice(0));
  const ready = () => Promise.resolve(signedIn());
  const unexpected = () => Promise.reject(new Error('signed in again'));
  const failure = (error: unknown) => String(error);

  it('are one for each controller, user and password', async () => {
    const all = new SignIns();
    const one = await all.shared(settings('lb1'), 'ann').obtain(wait, ready);
    await nextTurn();
    expect(await all.shared(settings('lb1', { controller: 'alias' }), 'ann').obtain(wait, unexpected)).to.equal(one);
    for (const [at, user] of [
      [settings('lb2'), 'ann'],
      [settings('lb1'), 'bob'],
      [settings('lb1', { route: through('socks5://127.0.0.1:1081') }), 'ann'],
    ] as const)
      expect(await all.shared(at, user).obtain(wait, ready)).not.to.equal(one);
    expect(rests).to.deep.equal([]);
  });

  it('are begun once for all who need them at a time, who wait meanwhile', async () => {
    const all = new SignIns();
    let begin: (session: SignedIn) => void = () => undefined;
    const slow = () => new Promise<SignedIn>((resolve) => (begin = resolve));
    const user = all.shared(settings('lb1'), 'ann');
    const waiting = [user.obtain(wait, slow), user.obtain(wait, unexpected), user.renew(wait, signedIn(), unexpected)];
    await nextTurn();
    const session = signedIn();
    begin(session);
    for (const one of await Promise.all(waiting)) expect(one).to.equal(session);
    expect(rests).to.deep.equal(['rests', 'rests']);
    expect(await user.obtain(wait, unexpected)).to.equal(session);
    expect(rests).to.have.length(2);
  });

  it('are begun again after a failure, and when they have expired, once', async () => {
    const user = new SignIns().shared(settings('lb1'), 'ann');
    const no = () => Promise.reject(new Error('no'));
    expect(await user.obtain(WAIT_WITHOUT_FORKS, no).catch(failure)).to.equal('Error: no');
    await nextTurn();
    const first = await user.obtain(WAIT_WITHOUT_FORKS, ready);
    expect(await user.renew(WAIT_WITHOUT_FORKS, signedIn(), unexpected)).to.equal(first);
    const second = await user.renew(WAIT_WITHOUT_FORKS, first, ready);
    expect(second).not.to.equal(first);
    expect(await user.renew(WAIT_WITHOUT_FORKS, first, unexpected)).to.equal(second);
    expect(await user.obtain(WAIT_WITHOUT_FORKS, unexpected)).to.equal(second);
    expect(await user.renew(WAIT_WITHOUT_FORKS, second, no).catch(failure)).to.equal('Error: no');
    await nextTurn();
    expect(await user.renew(WAIT_WITHOUT_FORKS, second, ready)).not.to.equal(second);
  });

  it('are begun again by who is more patient than the one whose sign-in failed', async () => {
    const user = new SignIns().shared(settings('lb1'), 'ann');
    const session = signedIn();
    const fails = () => nextTurn().then(() => Promise.reject(new Error('no')));
    const all = await Promise.allSettled([
      user.obtain(wait, fails, 10),
      user.obtain(wait, unexpected, 10),
      user.obtain(wait, () => Promise.resolve(session), 15),
      user.renew(wait, signedIn(), unexpected, 20),
    ]);
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value === session : failure(one.reason)))).to.deep.equal([
      'Error: no',
      'Error: no',
      true,
      true,
    ]);
  });

  it('are all taken at the end, except those that never began', async () => {
    const all = new SignIns();
    const [lb1, lb2] = [settings('lb1'), settings('lb2')];
    const one = await all.shared(lb1, 'ann').obtain(wait, ready);
    const failed = all.shared(settings('lb3'), 'ann').obtain(wait, unexpected);
    const two = all.shared(lb2, 'ann').obtain(wait, ready);
    const taken = all.takeAll();
    await failed.catch(() => undefined);
    expect(await taken).to.have.ordered.members([one, await two]);
    expect(await all.takeAll()).to.deep.equal([]);
    expect(await all.shared(lb1, 'ann').obtain(wait, ready)).not.to.equal(one);
  });
});

describe('the credentials of a user', () => {
  it('are told apart without being kept', () => {
    const of = (username: string, password: string) => basicCredentials(settings('lb1', { username, password }));
    const all = [of('ann', 'x'), of('ann', 'y'), of('bob', 'x'), of('annx', ''), of('', 'annx')];
    expect(new Set(all).size).to.equal(all.length);
    expect(of('ann', 'x'))
      .to.equal(all[0])
      .and.to.match(/^[A-Za-z0-9+/]{43}=$/);
    expect(basicCredentials(settings('lb2', { username: 'ann', password: 'x' }))).to.equal(all[0]);
  });
});
