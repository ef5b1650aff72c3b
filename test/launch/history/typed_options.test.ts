import { homedir } from 'node:os';
import { expect } from 'chai';
import { typedOptions } from '../../../src/launch/history/kept_request.js';
import { inFolder } from '../../rig/folder.js';

const OPTIONS = {
  inventory: ['hosts.yml', 'lb1,lb2'],
  extraVars: ['@vars.yml', ' @more.yml', 'mtu=1400'],
  vaultId: ['prod@file', 'dev@prompt', 'prompt', 'alone'],
  vaultPasswordFile: ['password', '/etc/password'],
  limit: '!lb1,@failed.txt',
  forks: 5,
};

describe('options for a run that was started in another folder', () => {
  it('name the files of the folder in which they are typed', () => {
    expect(typedOptions(OPTIONS, '/here', '/there')).to.deep.equal({
      inventory: ['/here/hosts.yml', 'lb1,lb2'],
      extraVars: ['@/here/vars.yml', '@/here/more.yml', 'mtu=1400'],
      vaultId: ['prod@/here/file', 'dev@prompt', 'prompt', '/here/alone'],
      vaultPasswordFile: ['/here/password', '/etc/password'],
      limit: '!lb1,@/here/failed.txt',
      forks: 5,
    });
  });

  it('keep a limit whole whose file is in a folder with a blank', () => {
    const home = typedOptions({ extraVars: ['@~/x'], vaultId: ['dev@~/p'] }, '/here', '/there');
    expect(home).to.deep.equal({ extraVars: [`@${homedir()}/x`], vaultId: [`dev@${homedir()}/p`] });
    const typed = typedOptions({ limit: '@failed.txt' }, '/my lab', '/there');
    expect(typed).to.deep.equal({ limit: '@/my lab/failed.txt,' });
  });

  it('name a folder of modules there, and packages as they are', () =>
    inFolder({ 'here/mine/ping.ts': '' }, (folder) => {
      const typed = typedOptions({ modulePath: ['mine', '@acme/modules'] }, `${folder}/here`, `${folder}/there`);
      expect(typed).to.deep.equal({ modulePath: [`${folder}/here/mine`, '@acme/modules'] });
      return Promise.resolve();
    }));

  it('stay as they are in the same folder', () => {
    expect(typedOptions(OPTIONS, '/here', '/here')).to.equal(OPTIONS);
  });
});
