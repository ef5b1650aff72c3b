import { expect } from 'chai';
import { FleetCollector, type FleetController } from '../../src/capture/fleet_collector.js';
import type { TaskFinished } from '../../src/core/model/run/event.js';
import { maskText } from '../../src/core/secrets/mask_text.js';
import { Secrets } from '../../src/core/secrets/secrets.js';

describe('what was read of a fleet', () => {
  const secrets = new Secrets();
  secrets.add('hunter22');
  const read = (name: string, tenant: string | undefined, ...kinds: readonly string[]): FleetController => ({
    name,
    tenant,
    objects: [],
    kinds: new Set(kinds),
    variables: new Map(),
    place: {},
  });

  it('is in the order of the inventory, with a reason for whatever could not be read', () => {
    const collector = new FleetCollector((text) => maskText(text, secrets));
    collector.add(read('lb2', 'b', 'pool'), [{ controller: 'lb2', kind: 'cloud', message: '403 for hunter22' }]);
    collector.add(read('lb1', undefined, 'pool'), []);
    collector.add(read('lb2', 'a', 'pool'), [{ controller: 'lb2', kind: 'pool', message: 'twice' }]);
    collector.add(read('lb3', undefined), [{ controller: 'lb3', kind: 'cloud', message: 'hidden' }]);
    collector.add(read('lb4', undefined), []);
    const failure = (given: Partial<TaskFinished>) => ({ status: 'unreachable', ...given }) as TaskFinished;
    const failures = new Map([
      ['lb1', failure({ message: 'lost in its next tenant' })],
      ['lb5', failure({ message: 'no answer to hunter22' })],
      ['lb6', failure({ message: 'no', hint: 'ask again' })],
      ['lb7', failure({})],
      ['lb8', failure({ hint: 'ask' })],
    ]);
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6', 'lb7', 'lb8'];
    const { controllers, unread } = collector.result(names, failures);
    expect(controllers.map(({ name, tenant }) => [name, tenant])).to.deep.equal([
      ['lb1', undefined],
      ['lb2', 'b'],
      ['lb2', 'a'],
    ]);
    expect(unread).to.deep.equal([
      { controller: 'lb1', tenant: undefined, message: 'lost in its next tenant' },
      { controller: 'lb2', kind: 'cloud', message: '403 for ********' },
      { controller: 'lb2', kind: 'pool', message: 'twice' },
      { controller: 'lb3', kind: 'cloud', message: 'hidden' },
      { controller: 'lb4', tenant: undefined, message: 'the command ended before it was read' },
      { controller: 'lb5', tenant: undefined, message: 'no answer to ********' },
      { controller: 'lb6', tenant: undefined, message: 'no (ask again)' },
      { controller: 'lb7', tenant: undefined, message: 'unreachable' },
      { controller: 'lb8', tenant: undefined, message: 'unreachable (ask)' },
    ]);
    expect(collector.result(['lb1', 'lb2'], new Map()).unread).to.have.length(2);
    const lost = collector.result(['lb2'], new Map([['lb2', failure({ message: 'lost' })]])).unread;
    expect(lost.map(({ message }) => message)).to.deep.equal(['403 for ********', 'twice', 'lost']);
    expect(
      collector.result(['lb1', 'lb9'], new Map(['lb1', 'lb9'].map((name) => [name, failure({})])), ['a', 'b']).unread,
    ).to.deep.equal([
      { controller: 'lb1', tenant: 'a', message: 'unreachable' },
      { controller: 'lb9', tenant: undefined, message: 'unreachable' },
    ]);
  });
});
