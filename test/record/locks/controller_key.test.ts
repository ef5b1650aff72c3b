import { expect } from 'chai';
import { settingIdentity } from '../../../src/controller/settings/url.js';
import { controllerKey } from '../../../src/record/locks/lock_folder.js';

/** As the settings of a controller give it. */
function keyOf(written: string): string {
  return controllerKey(settingIdentity((name) => (name === 'controller_url' ? written : undefined), 'lb1') ?? '');
}

describe('the key of a controller in a lock', () => {
  it('is the same for every spelling of its URL', () => {
    const ways = ['https://lb1.example.com/x', 'HTTPS://LB1.example.COM:443/x/', 'https://lb1.example.com.:443/x//'];
    expect(new Set(ways.map(keyOf)).size).to.equal(1);
    for (const end of ['', ':8080', '/x']) expect(keyOf(`http://lb1.${end}`), end).to.equal(keyOf(`http://lb1${end}`));
    expect(new Set(['https://[::1]:8443', 'https://[0:0:0:0:0:0:0:1]:8443/'].map(keyOf)).size).to.equal(1);
  });

  it('distinguishes hosts, ports and prefixes', () => {
    const others = ['', ':8443', '/x', '/X', '/x/y'].map((end) => `https://lb1.example.com${end}`);
    expect(new Set([...others, 'http://lb1.example.com', 'https://lb1.example.co'].map(keyOf)).size).to.equal(7);
  });

  it('does not show the URL', () => {
    expect(keyOf('https://lb1.example.com')).to.match(/^[\w-]{16}$/);
  });
});
