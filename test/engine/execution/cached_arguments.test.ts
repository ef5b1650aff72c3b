import { expect } from 'chai';
import cloudPresent from '../../../modules/cloud_present.js';
import systemConfig from '../../../modules/system_config.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { LazyMapping } from '../../../src/core/model/values/value.js';
import { CachedArguments } from '../../../src/engine/execution/task_arguments.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';

describe('arguments that were checked before', () => {
  /** Notes arguments that were rendered from the ones that are written. */
  function note(written: Mapping, rendered: Value): CachedArguments | undefined {
    const checked = validateArguments(cloudPresent, rendered, 'rendered');
    if (!('args' in checked)) throw new Error('not right');
    return CachedArguments.note(cloudPresent, written, rendered, checked.args);
  }

  const rendered = (): Mapping => ({ name: 'edge', properties: { tags: ['a', 'b'], mtu: 1500 } });

  it('have the same defaults without a second check', () => {
    const written = { name: '{{ name }}' };
    note(written, rendered());
    const checked = validateArguments(cloudPresent, rendered(), 'rendered');
    expect(CachedArguments.find(written)?.completed(cloudPresent, rendered())).to.deep.equal(
      'args' in checked && checked.args,
    );
  });

  it('stay those of their own controller', () => {
    const written = { name: '{{ name }}' };
    note(written, rendered());
    const another = rendered();
    const completed = CachedArguments.find(written)?.completed(cloudPresent, another);
    expect(completed?.['properties']).to.equal(another['properties']);
  });

  it('are checked again if anything differs', () => {
    const written = { name: '{{ name }}' };
    const right = note(written, rendered());
    const others: readonly Value[] = [
      { ...rendered(), name: 'other' },
      { ...rendered(), mtu: 1500 },
      { name: 'edge' },
      { name: 'edge', properties: { tags: ['a'], mtu: 1500 } },
      { name: 'edge', properties: { tags: ['b', 'a'], mtu: 1500 } },
      { name: 'edge', properties: { mtu: 1500, tags: ['a', 'b'] } },
      { name: 'edge', properties: { tags: { 0: 'a', 1: 'b' }, mtu: 1500 } },
      null,
      'name=edge',
    ];
    for (const other of others)
      expect(right?.completed(cloudPresent, other), JSON.stringify(other)).to.equal(undefined);
    expect(right?.completed(systemConfig, rendered())).to.equal(undefined);
  });

  it('are not remembered if they were converted, are large or lazy', () => {
    class Computed extends LazyMapping {
      override get(): Value {
        return 1;
      }

      override keys(): Iterable<string> {
        return ['tag'];
      }
    }
    expect(note({}, { name: 'edge', replace: 'yes' })).to.equal(undefined);
    expect(note({}, { name: 'edge', properties: { note: 'x'.repeat(20_000) } })).to.equal(undefined);
    expect(note({}, { name: 'edge', properties: { labels: new Computed() } })).to.equal(undefined);
  });

  it('have the same secrets as the checked ones', () => {
    const right = note({}, { name: 'edge', properties: { password: 'swordfish' } });
    expect(right?.secrets).to.deep.equal(['swordfish']);
  });
});
