import { AssertionError } from 'node:assert/strict';
import { expect } from 'chai';
import { defineResource, Type, type Mapping, type Module, type ResourceModule } from '../../src/index.js';
import { describeResource, type AbsenceExample, type ResourceExample } from '../../src/testing/index.js';

/** What one check says of a module: what it found and what it wanted; undefined if it passes. */
async function verdict(title: RegExp, module: Module, example: ResourceExample | AbsenceExample): Promise<unknown> {
  const tests: (readonly [title: string, body: () => Promise<void>])[] = [];
  const describe = (_title: string, body: () => void): void => {
    body();
  };
  describeResource(module, [example], { describe, it: (one, body) => tests.push([one, body]) });
  const [found, ...others] = tests.filter(([one]) => title.test(one));
  if (found === undefined || others.length > 0) throw new Error(`${tests.length} tests, none or several of that title`);
  const error: unknown = await found[1]().catch((one: unknown) => one);
  if (!(error instanceof AssertionError)) return error instanceof Error ? error.message : error;
  return { actual: error.actual, expected: error.expected };
}

describe('a check of a module that sets an object', () => {
  const PATH = '/api/systemconfiguration';
  const EXAMPLE: ResourceExample = {
    args: { password: 'first' },
    otherArgs: { password: 'second' },
    object: { path: PATH },
  };
  const args = Type.Object({ password: Type.String({ secret: true }) });
  type Own = ResourceModule<typeof args, Mapping>;

  /** Correct but for what controllers hide, except for the given parts. */
  function setting(wrong: Partial<Omit<Own, 'type'>>): Module {
    return defineResource<typeof args, Mapping>({
      name: 'sets_password',
      summary: 'sets a password',
      args,
      examples: [],
      object: () => 'system configuration',
      read: async (_, reader) => {
        const found = await reader.single(PATH);
        return found.status === 'found' ? found.object : {};
      },
      plan: ({ password }, before) =>
        before['password'] === password
          ? { change: { kind: 'none' } }
          : { change: { kind: 'update', object: 'system configuration', before, after: { ...before, password } } },
      apply: async (_, { change }, _observed, writer) => {
        if (change.kind === 'update') await writer.replace(PATH, change.after);
      },
      ...wrong,
    });
  }

  const update = (before: Mapping, password: string) =>
    ({ kind: 'update', object: 'system configuration', before, after: { ...before, password } }) as const;
  const creating: Own['plan'] = ({ password }) => ({
    change: { kind: 'create', object: 'system configuration', before: null, after: { password } },
  });
  const always: Own['plan'] = ({ password }, before) => ({ change: update(before, password) });
  const once: Own['plan'] = ({ password }, before) =>
    'password' in before ? { change: { kind: 'none' } } : { change: update(before, password) };

  const LEFT = 'failed: not converged: system configuration still differs after it was written: ';
  const cases: readonly (readonly [title: RegExp, wrong: Partial<Omit<Own, 'type'>>, says: unknown])[] = [
    [/^writes nothing in check mode/, { plan: creating }, { actual: 'create', expected: 'update' }],
    [/^writes nothing in check mode/, { plan: once }, { actual: 'ok', expected: 'changed' }],
    [/^changes nothing in a second run/, { plan: once }, { actual: 'ok', expected: 'changed' }],
    [/^makes no duplicate/, { plan: always }, { actual: LEFT, expected: 'changed' }],
    [/^writes again when/, { plan: always }, { actual: LEFT, expected: 'changed' }],
    [/^needs no second write/, {}, { actual: `${LEFT}password`, expected: 'ok' }],
  ];
  for (const [title, wrong, says] of cases)
    it(`says what is wrong: ${title.source.slice(1)} (${Object.keys(wrong).join()})`, async () => {
      expect(await verdict(title, setting(wrong), EXAMPLE)).to.deep.equal(says);
    });
});

describe('a check of a module that deletes an object', () => {
  const EXAMPLE: AbsenceExample = {
    args: { name: 'edge' },
    object: { path: '/api/cloud/', name: 'edge' },
    deletes: { description: 'hush' },
    secrets: ['hush'],
  };
  const args = Type.Object({ name: Type.String(), pin: Type.Optional(Type.String({ secret: true })) });
  type Seen = Mapping | undefined;
  type Own = ResourceModule<typeof args, Seen>;
  const place = (seen: Seen): string => {
    const uuid = seen?.['uuid'];
    return `/api/cloud/${typeof uuid === 'string' ? uuid : ''}`;
  };

  function deleting(wrong: Partial<Omit<Own, 'type'>>): Module {
    return defineResource<typeof args, Seen>({
      name: 'deletes_cloud',
      summary: 'deletes a cloud',
      args,
      examples: [],
      object: ({ name }) => `cloud "${name}"`,
      read: ({ name }, reader) => reader.find('/api/cloud/', name),
      plan: ({ name }, before) =>
        before === undefined
          ? { change: { kind: 'none' } }
          : { change: { kind: 'delete', object: `cloud "${name}"`, before, after: null } },
      apply: async (_, _plan, seen, writer) => {
        await writer.remove(place(seen));
      },
      ...wrong,
    });
  }

  let calls = 0;
  const impure: Own['plan'] = (_, before) => ({
    change: { kind: 'delete', object: `cloud ${(calls += 1)}`, before: before ?? {}, after: null },
  });
  const updating: Own['plan'] = ({ name }, before) =>
    before === undefined
      ? { change: { kind: 'none' } }
      : { change: { kind: 'update', object: name, before, after: {} } };
  const all: Own['apply'] = async (_, _plan, seen, writer) => {
    await writer.remove('/api/cloud/another-one');
    await writer.remove(place(seen));
  };
  const trusting: Own['read'] = ({ name }, reader) => reader.find('/api/cloud/', name).catch(() => undefined);
  const careless: Own['apply'] = async (_, _plan, seen, writer) => {
    await writer.remove(place(seen)).catch(() => undefined);
  };
  const nothing: Own['apply'] = () => Promise.resolve();
  const planned = (object: string) => ({ change: { kind: 'delete', object, before: {}, after: null } });
  const actual = 'failed: not converged: cloud "edge" still exists after it was deleted';
  const cases: readonly (readonly [title: RegExp, wrong: Partial<Omit<Own, 'type'>>, says: unknown])[] = [
    [/^plans the same/, { plan: impure }, { actual: planned('cloud 2'), expected: planned('cloud 1') }],
    [/^writes nothing in check/, { plan: updating }, { actual: 'update', expected: 'delete' }],
    [
      /^deletes the object alone/,
      { apply: all },
      { actual: undefined, expected: { name: 'edge-2', uuid: 'another-one' } },
    ],
    [/^fails and writes nothing/, { read: trusting }, { actual: 'ok', expected: 'failed' }],
    [/^deletes again/, { apply: nothing }, { actual, expected: 'changed' }],
    [
      /^leaves alone/,
      { apply: nothing },
      { actual, expected: /was deleted, and another object of that name was created since; it was not deleted$/ },
    ],
    [
      /^fails with the words/,
      { apply: careless },
      { actual, expected: /^failed: .* object is referred by: \['VirtualService shop'\]$/ },
    ],
    [/^shows no secret/, {}, { actual: false, expected: true }],
  ];
  for (const [title, wrong, says] of cases)
    it(`says what is wrong: ${title.source.slice(1)} (${Object.keys(wrong).join()})`, async () => {
      expect(await verdict(title, deleting(wrong), EXAMPLE)).to.deep.equal(says);
    });

  it('finds a secret argument that is shown, also if the example names no secrets', async () => {
    const example = { ...EXAMPLE, args: { name: 'edge', pin: 'q7z' }, secrets: [] };
    const shown = deleting({ object: ({ name, pin = '' }) => `cloud "${name}x${pin}x"` });
    expect(await verdict(/^shows no secret/, shown, example)).to.deep.equal({ actual: false, expected: true });
    expect(await verdict(/^shows no secret/, deleting({}), example)).to.equal(undefined);
  });

  it('may read more than the object', async () => {
    const read: Own['read'] = async ({ name }, reader) => {
      await reader.find('/api/tenant/', 'admin');
      return reader.find('/api/cloud/', name);
    };
    expect(await verdict(/^deletes the object alone/, deleting({ read }), EXAMPLE)).to.equal(undefined);
  });
});
