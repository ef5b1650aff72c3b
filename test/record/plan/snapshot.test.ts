import { expect } from 'chai';
import { decodeSnapshot, encodeSnapshot, LOCKED, type PlanSnapshot } from '../../../src/record/plan/snapshot.js';

const SNAPSHOT: PlanSnapshot = {
  invocation: { cwd: '/project', extraVars: ['token=planted-typed'] },
  playbooks: [],
  inventory: { controllers: new Map(), groups: new Map(), sources: [] } as unknown as PlanSnapshot['inventory'],
  inventorySources: ['/project/inventory.yml'],
  extraVars: [{ level: 'extra vars', origin: '-e', values: { mtu: 1400 } }],
  variableFiles: new Map([['/project/vars.yml', null]]),
  beside: new Map([['host_vars/added', [{ level: 'host vars', origin: 'host_vars', values: { said: 'here' } }]]]),
  secrets: ['planted'],
  code: {},
} as unknown as PlanSnapshot;

describe('a snapshot of a plan', () => {
  it('is restored from its JSON', async () => {
    const { extraVars, inventory, secrets, invocation } = decodeSnapshot(
      encodeSnapshot(SNAPSHOT, []),
      () => '',
      LOCKED,
    );
    expect(invocation).to.deep.equal(SNAPSHOT.invocation);
    expect(extraVars).to.deep.equal(SNAPSHOT.extraVars);
    expect(secrets).to.deep.equal(SNAPSHOT.secrets);
    expect((await inventory.readBeside?.('host_vars', 'added'))?.[0]?.values).to.deep.equal({ said: 'here' });
  });
});
