import { expect } from 'chai';
import { defineResource, Type, type Mapping, type Module, type ResourceModule } from '../../src/index.js';
import { describeResource, type ResourceExample } from '../../src/testing/index.js';

const PATH = '/api/systemconfiguration';
const args = Type.Object({ motd: Type.String({ secret: true }) });
interface Args {
  readonly motd: string;
}

/** A correct module, except for the given parts. */
function motd(wrong: Partial<Omit<ResourceModule<typeof args, Mapping>, 'type'>> = {}): Module {
  return defineResource<typeof args, Mapping>({
    name: 'motd',
    summary: 'sets the message of the day',
    args,
    examples: [],
    object: () => 'message of the day',
    read: async (_, reader) => {
      const found = await reader.single(PATH);
      return found.status === 'found' ? found.object : {};
    },
    plan: ({ motd: wanted }: Args, before) =>
      before['motd'] === wanted
        ? { change: { kind: 'none' } }
        : { change: { kind: 'update', object: 'message of the day', before, after: { ...before, motd: wanted } } },
    apply: async (_, { change }, _observed, writer) => {
      if (change.kind === 'update') await writer.replace(PATH, change.after);
    },
    ...wrong,
  });
}

const EXAMPLE: ResourceExample = {
  args: { motd: 'handle-with-care' },
  otherArgs: { motd: 'out-of-order' },
  object: { path: PATH },
};

/** The checks that fail, of all or of some. */
async function failures(
  module: Module,
  example = EXAMPLE,
  { only = [] }: { readonly only?: readonly string[] } = {},
): Promise<readonly string[]> {
  const tests: [string, () => Promise<void>][] = [];
  const describe = (_title: string, body: () => void): void => {
    body();
  };
  describeResource(module, [example], { describe, it: (title, body) => tests.push([title, body]) });
  const failed: string[] = [];
  const chosen = tests.filter(([title]) => only.length === 0 || only.includes(title));
  for (const [title, body] of chosen) await body().catch(() => failed.push(title));
  return failed;
}

describe('describeResource', () => {
  it('passes a correct module', async () => {
    expect(await failures(motd())).to.deep.equal([]);
  });

  it('does not pass a module without examples', () => {
    expect(() => {
      describeResource(motd(), []);
    }).to.throw('describeResource needs at least one example');
  });

  it('finds a plan that depends on more than arguments and observation', async () => {
    let calls = 0;
    const plan: ResourceModule<typeof args, Mapping>['plan'] = (_, before) => {
      const after = { ...before, motd: String((calls += 1)) };
      return { change: { kind: 'update', object: 'message of the day', before, after } };
    };
    const only = [
      'plans the same for the same arguments and observation, and changes neither',
      'changes nothing in a second run',
    ];
    expect(await failures(motd({ plan }), EXAMPLE, { only })).to.deep.equal(only);
  });

  it('finds a write that drops undeclared fields', async () => {
    const apply: ResourceModule<typeof args, Mapping>['apply'] = ({ motd: text }, _plan, _observed, writer) =>
      writer.replace(PATH, { motd: text });
    const only = ['keeps fields that the arguments do not mention'];
    expect(await failures(motd({ apply }), EXAMPLE, { only })).to.deep.equal(only);
  });

  it('finds a secret that is shown', async () => {
    const shown = Type.Object({ motd: Type.String({ secret: false }) });
    expect(await failures(motd({ args: shown }), { ...EXAMPLE, secrets: ['handle-with-care'] })).to.deep.equal([
      'shows no secret in any output',
    ]);
  });

  it('finds trust in an answer that is not the object', async () => {
    const read: ResourceModule<typeof args, Mapping>['read'] = async (_, reader) => {
      const found = await reader.single(PATH).catch(() => undefined);
      return found?.status === 'found' ? found.object : {};
    };
    const only = ['fails and writes nothing when the controller answers nonsense'];
    expect(await failures(motd({ read }), EXAMPLE, { only })).to.deep.equal(only);
  });

  it('refuses an action', async () => {
    const { default: debug } = await import('../../modules/debug.js');
    expect(await failures(debug)).to.have.lengthOf(10);
  });
});
