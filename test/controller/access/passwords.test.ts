import { expect } from 'chai';
import { Passwords } from '../../../src/controller/access/passwords.js';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import { settingsOf } from '../../rig/controllers.js';

const settings = (host: string, more: Partial<ConnectionSettings> = {}) =>
  settingsOf(`https://${host}`, undefined, more);

describe('the passwords of a run', () => {
  it('are those that the run has verified, for that user of that controller', () => {
    const passwords = new Passwords();
    const ann = settings('lb1', { username: 'ann', password: 'old' });
    expect(passwords.apply(ann)).to.equal(ann);
    passwords.change({ ...ann, password: 'new' });
    expect(passwords.apply({ ...ann, isToken: true })).to.deep.equal({ ...ann, password: 'new', isToken: false });
    expect(passwords.apply({ ...ann, controller: 'alias' }).password).to.equal('new');
    for (const other of [settings('lb2', { username: 'ann' }), settings('lb1', { username: 'bob' })])
      expect(passwords.apply(other)).to.equal(other);
  });

  it('are passed on to all who use them, once, until they no longer do', () => {
    const passwords = new Passwords();
    const used: string[] = [];
    const watcher = (name: string, of: ConnectionSettings) => ({
      settings: of,
      use: ({ password, username, isToken }: ConnectionSettings) =>
        void used.push(`${name}: ${username} ${isToken === true ? 'token ' : ''}${password}`),
    });
    const ann = settings('lb1', { username: 'ann' });
    const first = watcher('first', ann);
    passwords.watch(first);
    passwords.watch(watcher('second', { ...ann, controller: 'alias', isToken: true }));
    passwords.watch(watcher('other', settings('lb1', { username: 'bob' })));
    passwords.watch(watcher('elsewhere', settings('lb2', { username: 'ann' })));
    const change = (password: string): readonly string[] => {
      passwords.change({ ...ann, password });
      return used.splice(0);
    };
    expect(change('new')).to.deep.equal(['first: ann new', 'second: ann new']);
    expect(change('new')).to.deep.equal([]);
    passwords.unwatch(first);
    expect(change('newer')).to.deep.equal(['second: ann newer']);
  });
});
