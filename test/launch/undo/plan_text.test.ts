import { expect } from 'chai';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import type { GroupedUndos } from '../../../src/launch/undo/rollback_playbook.js';
import { rollbackText } from '../../../src/rollback/command.js';
import type { Undo } from '../../../src/undo/undo.js';
import { reaching } from '../../rig/kept.js';

const EDGE: Undo = {
  restorer: { target: 'lb1', reached: reaching('lb1') },
  object: 'cloud "edge"',
  path: '/api/cloud/1',
  fields: [['mtu']],
  before: { mtu: 1500, name: 'edge' },
  left: [{ object: { mtu: 9000, name: 'edge' }, whole: true }],
  neverShown: [],
  masked: false,
  renewals: [],
};
const EMPTY: GroupedUndos = { final: [], skipped: new Map(), undos: new Map() };

function text(plan: Partial<GroupedUndos>, ...secrets: readonly string[]): string {
  const known = new Secrets();
  for (const secret of secrets) known.add(secret);
  const { undos = EMPTY.undos } = plan;
  const own = [...undos].map(([target, all]) => {
    const restored = all.map((undo) => ({ ...undo, restorer: { ...undo.restorer, target } }));
    return [target, restored] as const;
  });
  return rollbackText({ ...EMPTY, ...plan, undos: new Map(own) }, known);
}

describe('the text that a rollback prints beforehand', () => {
  it('lists what it cannot undo, what it leaves unchanged, and what it undoes; equal lines once', () => {
    const created = { type: 'final', object: 'cloud "new"', reason: 'was created' } as const;
    const refused = { ...EDGE, refusal: 'cloud "edge" was changed' };
    expect(
      text({
        final: [
          { ...created, controller: 'lb1' },
          { ...created, controller: 'lb2' },
        ],
        skipped: new Map([['lb9', 'is gone']]),
        undos: new Map([
          ['lb1', [EDGE]],
          ['lb2', [EDGE, { ...EDGE, before: { mtu: 1400 } }]],
          ['lb3', [refused]],
        ]),
      }),
    ).to.equal(`Cannot be undone:
  cloud "new" was created (2 controllers: lb1, lb2)
Left alone:
  the controller is gone (lb9)
  cloud "edge" was changed (lb3)
To restore:
  cloud "edge" (2 controllers: lb1, lb2)
    - mtu: 9000
    + mtu: 1500
  cloud "edge" (lb2)
    - mtu: 9000
    + mtu: 1400
`);
  });

  it('names five controllers at most', () => {
    const of = (number: number) =>
      text({ undos: new Map(Array.from({ length: number }, (_, index) => [`lb${index}`, [EDGE]])) });
    expect(of(5)).to.include('cloud "edge" (5 controllers: lb0, lb1, lb2, lb3, lb4)\n');
    expect(of(6)).to.include('cloud "edge" (6 controllers: lb0, lb1, lb2, lb3, lb4 and 1 more)\n');
  });

  it('names what is lost, and shows no secrets, no masked values and no control characters', () => {
    const secret: Undo = {
      ...EDGE,
      fields: [['comment'], ['password']],
      before: { comment: '\u001b[31mold', password: 'old-one' },
      left: [{ object: { comment: 'known-secret', password: 'new-one' }, whole: true }],
      neverShown: ['vcenter.password'],
    };
    expect(text({ undos: new Map([['lb1', [secret, { ...EDGE, masked: true }]]]) }, 'known-secret')).to
      .equal(`To restore:
  cloud "edge" (lb1)
    - comment: ********
    + comment: old
    ~ password: ‹secret changed›
    ! vcenter.password cannot be restored: the controller never showed it
  cloud "edge", which was written under no_log (lb1)
`);
  });

  it('is cut if it would be too long', () => {
    const names = Array.from({ length: 30 }, (_, at) => `lb${at}`);
    const different = new Map(names.map((name, at) => [name, [{ ...EDGE, before: { mtu: at } }]]));
    expect(text({ undos: different }).split('\n').slice(-3)).to.deep.equal([
      '    + mtu: 19',
      '  … and 10 more changes: --check --diff shows all',
      '',
    ]);
    const long = { ...EDGE, fields: names.map((name) => [name]), before: {}, left: [{ object: {}, whole: true }] };
    const object = Object.fromEntries(names.map((name) => [name, 1]));
    const all = text({ undos: new Map([['lb1', [{ ...long, left: [{ object, whole: true }] }]]]) });
    expect(all.split('\n').slice(-3)).to.deep.equal([
      '    - lb18: 1',
      '    … 11 more lines: --check --diff shows all',
      '',
    ]);
  });
});
