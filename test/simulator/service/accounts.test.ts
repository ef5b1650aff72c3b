import { expect } from 'chai';
import { builtInKinds } from '../../../src/kinds/kind_table.js';
import type { Behaviour } from '../../../src/simulator/behaviour/behaviour.js';
import { textOrEmpty } from '../../../src/simulator/protocol/exchange.js';
import { Accounts, DEFAULT_CREDENTIALS } from '../../../src/simulator/service/accounts.js';
import { ObjectStore } from '../../../src/simulator/service/object_store.js';
import { SimulatedState } from '../../../src/simulator/state/controller_state.js';
import { bareController } from '../../rig/bare_controller.js';
import { basic } from '../../rig/raw_client.js';

const MINUTE = 60_000;

describe('the accounts of a simulated controller', () => {
  const made = (isStrict = true) => {
    const state = new SimulatedState(undefined, () => undefined);
    const store = new ObjectStore(state, isStrict ? builtInKinds() : undefined);
    const accounts = new Accounts(store);
    const signIn = (username: string, password: string, now = 0, behaviour: Behaviour = {}) =>
      accounts.signIn({ username, password }, behaviour, now);
    return { state, store, accounts, signIn };
  };

  it('are those that were added, each with each of its passwords', () => {
    const { accounts, signIn } = made();
    expect(signIn('admin', 'simulated')).to.equal('wrong');
    for (const [username, password] of [
      ['admin', 'one'],
      ['admin', 'two'],
      ['ops', 'one'],
      ['admin', 'one'],
    ] as const)
      accounts.add({ username, password });
    const of = (username: string) => ['one', 'two', 'three'].map((password) => signIn(username, password));
    expect(of('admin')).to.deep.equal(['ok', 'ok', 'wrong']);
    expect(of('ops')).to.deep.equal(['ok', 'wrong', 'wrong']);
    expect(of('other')).to.deep.equal(['wrong', 'wrong', 'wrong']);
    expect(DEFAULT_CREDENTIALS).to.deep.equal({ username: 'admin', password: 'simulated' });
  });

  it('are users with a name and a password of the strict kinds', () => {
    for (const [isStrict, expected] of [
      [true, 'ok'],
      [false, 'wrong'],
    ] as const) {
      const { store, signIn } = made(isStrict);
      store.add('user', { username: 'no password' });
      store.add('user', { username: 5, password: 'x' });
      store.add('user', { username: 'ops', password: 'of ops' });
      store.add('user', { username: 'dev', password: 'of dev' });
      expect([signIn('ops', 'of ops'), signIn('dev', 'of dev'), signIn('ops', 'of dev')]).to.deep.equal([
        expected,
        expected,
        'wrong',
      ]);
    }
  });

  it('are locked each by itself, after three wrong passwords in a row, for half an hour', () => {
    const { accounts, signIn } = made();
    accounts.add({ username: 'admin', password: 'x' });
    accounts.add({ username: 'ops', password: 'x' });
    expect([signIn('admin', '1'), signIn('admin', '2'), signIn('admin', 'x')]).to.deep.equal(['wrong', 'wrong', 'ok']);
    expect([signIn('admin', '1'), signIn('admin', '2'), signIn('admin', '3', 7)]).to.deep.equal([
      'wrong',
      'wrong',
      'wrong',
    ]);
    expect([signIn('admin', 'x', 8), signIn('ops', 'x', 8)]).to.deep.equal(['locked', 'ok']);
    expect(signIn('admin', 'x', 7 + 30 * MINUTE)).to.equal('locked');
    expect(signIn('admin', 'x', 8 + 30 * MINUTE)).to.equal('ok');
    expect(signIn('admin', '1', 9 + 30 * MINUTE)).to.equal('wrong');
  });

  it('are locked after as many as the behaviour says, and forget those of long ago', () => {
    const { accounts, signIn } = made();
    accounts.add({ username: 'admin', password: 'x' });
    const once = { lock_after: 1 };
    expect([signIn('admin', '1', 0, once), signIn('admin', 'x', 0, once)]).to.deep.equal(['wrong', 'locked']);
    expect([signIn('admin', 'x', 0, { lock_after: 2 }), signIn('admin', '1')]).to.deep.equal(['ok', 'wrong']);
    expect(signIn('admin', '2', 40 * MINUTE)).to.equal('wrong');
    expect([signIn('admin', 'x', 41 * MINUTE, { lock_after: 2 })]).to.deep.equal(['ok']);
  });

  it('have the password that they were given last, and a profile, each user its own', () => {
    const { state, accounts, signIn } = made();
    for (const username of ['admin', 'ops']) accounts.add({ username, password: 'first' });
    accounts.change({ username: 'admin', password: 'second' }, { email: 'a@b', full_name: 'A' });
    accounts.change({ username: 'ops', password: 'third' }, { email: 'o@b' });
    accounts.change({ username: 'admin', password: 'fourth' }, { email: 'c@d' });
    const of = (username: string) =>
      ['first', 'second', 'third', 'fourth'].map((password) => {
        const behaviour = { lock_after: Infinity };
        const isPassword = accounts.isPassword({ username, password }, behaviour);
        return [signIn(username, password, 0, behaviour) === 'ok', isPassword].map(Number).join('');
      });
    expect(of('admin')).to.deep.equal(['00', '00', '00', '11']);
    expect(of('ops')).to.deep.equal(['00', '00', '11', '00']);
    expect(accounts.account('admin')).to.deep.equal({ email: 'c@d', full_name: 'A', username: 'admin' });
    expect(accounts.account('ops')).to.deep.equal({ email: 'o@b', username: 'ops' });
    expect(accounts.account('other')).to.deep.equal({ username: 'other' });
    expect(state.singleton('/api/useraccount').current['passwords']).to.deep.equal({ admin: 'fourth', ops: 'third' });
  });

  it('have tokens, each user its own', () => {
    const { accounts, signIn } = made();
    for (const username of ['admin', 'ops']) accounts.add({ username, password: 'x' });
    const [admin, ops] = [accounts.issueToken('admin'), accounts.issueToken('ops')];
    expect(admin).to.match(/^[0-9a-f]{40}$/);
    expect([signIn('admin', admin), signIn('ops', ops), signIn('admin', ops), signIn('ops', admin)]).to.deep.equal([
      'ok',
      'ok',
      'wrong',
      'wrong',
    ]);
  });

  it('are only the first user with the published password before that is changed', () => {
    const { accounts, signIn } = made();
    const first: Behaviour = { first_boot: { password: 'factory' } };
    accounts.add({ username: 'admin', password: 'x' });
    expect([accounts.isFresh(first), accounts.isFresh({})]).to.deep.equal([true, false]);
    expect([
      signIn('admin', 'factory', 0, first),
      signIn('ops', 'factory', 0, first),
      signIn('admin', 'x', 0, first),
    ]).to.deep.equal(['ok', 'wrong', 'wrong']);
    accounts.change({ username: 'admin', password: 'mine' }, {});
    expect(accounts.isFresh(first)).to.equal(false);
    expect([signIn('admin', 'factory', 0, first), signIn('admin', 'mine', 0, first)]).to.deep.equal(['wrong', 'ok']);
    expect(accounts.isPassword({ username: 'ops', password: 'factory' }, first)).to.equal(false);
  });

  it('are all users again once the published password is changed, also those of the inventory', () => {
    const { store, accounts, signIn } = made();
    const first: Behaviour = { first_boot: { password: 'factory' } };
    accounts.add({ username: 'automation', password: 'x' });
    expect(signIn('automation', 'x', 0, first)).to.equal('wrong');
    accounts.change({ username: 'admin', password: 'mine' }, {});
    store.add('user', { username: 'ops', password: 'of ops' });
    expect([signIn('ops', 'of ops', 0, first), signIn('automation', 'x', 0, first)]).to.deep.equal(['ok', 'ok']);
  });
});

describe('the own account at a simulated controller', () => {
  const path = '/api/useraccount';

  it('is shown and changed with the old password', () => {
    const { ask } = bareController('avi');
    const put = (body: object) => {
      const { status, body: said } = ask('PUT', path, body as never);
      return [status, said];
    };
    expect(ask('GET', path).body).to.deep.equal({ username: 'admin' });
    expect(put({})).to.deep.equal([400, { error: 'password is required.' }]);
    expect(put({ password: '', old_password: 'simulated' })).to.deep.equal([400, { error: 'password is required.' }]);
    expect(put({ password: 'new' })).to.deep.equal([400, { error: 'old_password is wrong.' }]);
    expect(put({ password: 'new', old_password: 'x' })).to.deep.equal([400, { error: 'old_password is wrong.' }]);
    expect(put({ password: 'new', old_password: 'simulated', email: 'a@b' })).to.deep.equal([
      200,
      { username: 'admin', email: 'a@b' },
    ]);
    expect(ask('GET', path).status).to.equal(401);
    const headers = { authorization: basic('admin', 'new') };
    expect(ask('GET', path, undefined, headers).body).to.deep.equal({ username: 'admin', email: 'a@b' });
    const { status, headers: answered } = ask('DELETE', path, undefined, headers);
    expect([status, answered]).to.deep.equal([405, { allow: 'GET, PUT' }]);
  });

  it('may have a token, which signs in', () => {
    const { ask, object } = bareController('avi');
    const { username, token } = object('POST', '/api/user-token', {});
    expect(username).to.equal('admin');
    const login = (body: object) => ask('POST', '/login', body as never, { authorization: undefined }).status;
    expect([login({ username, token }), login({ username, token: 'x' }), login({ username })]).to.deep.equal([
      200, 401, 400,
    ]);
    expect([login({ username, password: 'simulated', token: 'x' }), login({ token })]).to.deep.equal([200, 400]);
    expect(ask('GET', '/api/user-token').status).to.equal(404);
  });

  it('must have a new password before anything else is written', () => {
    const { controller, ask } = bareController('avi');
    controller.behaviour = { basic: true, first_boot: { password: 'simulated' } };
    const refused = {
      status: 403,
      headers: {},
      body: { error: 'The default password must be changed first: PUT /api/useraccount' },
    };
    expect(ask('GET', '/api/initial-data').body).to.deep.include({ user_initialized: false });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(ask(method, '/api/pool', {})).to.deep.equal(refused);
    expect(ask('POST', '/api/user-token', {})).to.deep.equal(refused);
    expect(ask('GET', '/api/pool').status).to.equal(200);
    expect(ask('PUT', path, { password: 'new', old_password: 'simulated' }).status).to.equal(200);
    expect(ask('GET', '/api/initial-data').body).to.deep.include({ user_initialized: true });
    const headers = { authorization: basic('admin', 'new') };
    expect(ask('POST', '/api/pool', { name: 'web' }, headers).status).to.equal(201);
  });

  it('has the password that an administrator gave it last, and ends with its user', () => {
    const { ask, object } = bareController('avi');
    const user = { name: 'ops', username: 'ops' };
    const { uuid } = object('POST', '/api/user', { ...user, password: 'first' });
    const at = `/api/user/${textOrEmpty(uuid)}`;
    const as = (password: string) => ({ authorization: basic('ops', password) });
    const status = (password: string) => ask('GET', path, undefined, as(password)).status;
    expect(ask('PUT', path, { password: 'own', old_password: 'first' }, as('first')).status).to.equal(200);
    expect([status('first'), status('own')]).to.deep.equal([401, 200]);
    object('PUT', at, { ...user, full_name: 'Operator' });
    object('PUT', at, { ...user, password: '<sensitive>' });
    expect(status('own')).to.equal(200);
    object('PUT', at, { ...user, password: 'reset' });
    expect([status('own'), status('reset')]).to.deep.equal([401, 200]);
    const { token } = object('POST', '/api/user-token', {}, as('reset'));
    expect(status(textOrEmpty(token))).to.equal(200);
    expect(ask('DELETE', at).status).to.equal(204);
    expect([status('reset'), status(textOrEmpty(token))]).to.deep.equal([401, 401]);
  });
});
