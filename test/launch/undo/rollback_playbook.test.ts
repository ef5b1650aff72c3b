import { expect } from 'chai';
import { rollbackPlaybook } from '../../../src/launch/undo/rollback_playbook.js';
import type { Undo } from '../../../src/undo/undo.js';

function anUndo(name: string, mtu: number): Undo {
  return {
    object: `cloud "${name}"`,
    path: `/api/cloud/${name}`,
    fields: [['mtu']],
    before: { mtu: 1500 },
    left: [{ object: { mtu }, whole: true }],
    neverShown: [],
    masked: false,
    renewals: [],
  };
}

/** What the one task goes over. */
function items(...undos: readonly Undo[]): readonly unknown[] {
  const { playbook } = rollbackPlaybook({
    undos: new Map([['lb1', undos]]),
    title: 'back',
    cwd: '/',
    allowLockout: false,
  });
  const values = playbook.plays[0]?.controllerLayers.get('lb1')?.at(-1)?.values['evenkeel_rollback'];
  return Array.isArray(values) ? values : [];
}

describe('the playbook of a rollback', () => {
  it('gives an object the same id when the undone run has written other objects since', () => {
    const [edge] = items(anUndo('edge', 9000));
    const [other, again] = items(anUndo('other', 9000), anUndo('edge', 9000));
    expect(again).to.deep.equal(edge);
    expect(other).to.not.deep.equal(edge);
  });

  it('hides its items if one object of one controller has masked values', () => {
    const hidden = (...masked: readonly (readonly boolean[])[]) => {
      const undos = new Map(
        masked.map((own, at) => [`lb${at}`, own.map((one, index) => ({ ...anUndo(`e${index}`, 1), masked: one }))]),
      );
      const { playbook } = rollbackPlaybook({ undos, title: 'back', cwd: '/', allowLockout: false });
      const [step] = playbook.plays[0]?.tasks ?? [];
      return step?.type === 'task' ? step.noLog?.value : undefined;
    };
    const [none, all] = [hidden([false], [false, false]), hidden([true], [true, true])];
    expect(all).to.not.equal(none);
    for (const some of [hidden([false], [false, true]), hidden([true], [false]), hidden([true, false], [false])])
      expect(some).to.equal(all);
  });

  it('gives an object another id when that run has written it again', () => {
    expect(items(anUndo('edge', 9001))).to.not.deep.equal(items(anUndo('edge', 9000)));
  });
});
