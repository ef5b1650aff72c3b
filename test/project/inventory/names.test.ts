import { expect } from 'chai';
import { readInventory } from '../../rig/inventory.js';

describe('names in an inventory', () => {
  it('must not contain characters that output cannot show', async () => {
    const { said } = await readInventory({
      'inv.yml': String.raw`all:
  hosts:
    "lb\n1": {}
    "a\0b": {}
    "lb\ud800": {}
  children:
    "\e2Jx": { hosts: { "\u202elb": {} } }
`,
    });
    expect(said).to.deep.equal([
      String.raw`inv.yml:3:5 the name of a controller must not contain control characters: "lb\n1"`,
      String.raw`inv.yml:4:5 the name of a controller must not contain control characters: "a\u0000b"`,
      String.raw`inv.yml:5:5 the name of a controller contains \ud800, which is half of a character`,
      String.raw`inv.yml:7:5 the name of a group must not contain control characters: "\u001b2Jx"`,
      String.raw`inv.yml:7:25 the name of a controller must not contain control characters: "\u202elb"`,
    ]);
  });
});
