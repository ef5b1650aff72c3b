import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadProject } from '../../../src/project/project/project.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

function routesIn(yaml: string) {
  return inFolder({ 'evenkeel.yml': yaml }, async (root) => {
    const diagnostics = new Diagnostics();
    const { routes } = await loadProject(root, {}, diagnostics);
    return { routes: [...routes], said: diagnostics.list.map(worded) };
  });
}

describe('routes of a project', () => {
  it('are none without the setting', async () => {
    expect(await routesIn('forks: 5\n')).to.deep.equal({ routes: [], said: [] });
  });

  it('are proxies by name, one or a list', async () => {
    const { routes, said } = await routesIn(`
routes:
  madrid: [socks5h://bastion:1081, socks5h://bastion:2081]
  lisbon: http://proxy.example.com:3128
`);
    expect(said).to.deep.equal([]);
    expect(routes).to.deep.equal([
      ['madrid', ['socks5h://bastion:1081', 'socks5h://bastion:2081']],
      ['lisbon', ['http://proxy.example.com:3128']],
    ]);
  });

  it('are refused with the place of what is wrong', async () => {
    const { said } = await routesIn(`
routes:
  'a b': http://p1
  empty: []
  wrong: [ftp://p2]
  open: http://ann:hush@p3
  one: [http://p4, http://p4:80]
  other: http://p4/
`);
    expect(said).to.deep.equal([
      'evenkeel.yml:3:3 "a b" cannot name a route: use letters, digits, dots, dashes and underscores',
      'evenkeel.yml:4:10 the route "empty" has no proxies',
      'evenkeel.yml:5:11 a proxy of the route "wrong" must be a URL such as socks5h://bastion.example.com:1080 or http://proxy.example.com:3128',
      'evenkeel.yml:6:9 the route "open" must not contain a password — set controller_proxy_username and controller_proxy_password, encrypted, for the controllers of the route',
      'evenkeel.yml:7:20 the proxy p4:80 is in the route "one" twice — a route is the way to one network, so a proxy belongs to one route',
      'evenkeel.yml:8:10 the proxy p4:80 is in the route "one" and in "other" — a route is the way to one network, so a proxy belongs to one route',
    ]);
    expect((await routesIn('routes: [a]')).said).to.deep.equal([
      'evenkeel.yml:1:9 "routes" must be a mapping of names to proxies, not a list',
    ]);
  });
});
