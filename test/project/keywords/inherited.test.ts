import { expect } from 'chai';
import fc from 'fast-check';
import { load, playOf, tasksOf } from '../../rig/loaded.js';

/** The keywords of one block; the last element is the task inside all blocks. */
interface Words {
  readonly when?: string;
  readonly tags?: readonly string[];
  readonly vars?: { readonly x: number };
  readonly ignore_errors?: boolean;
  readonly delegate_to?: string;
  readonly timeout?: number;
  readonly notify?: readonly string[];
}

const words: fc.Arbitrary<Words> = fc.record(
  {
    when: fc.constantFrom('a', 'b', 'c == 1'),
    tags: fc.uniqueArray(fc.constantFrom('s', 't', 'u', 'v'), { minLength: 1 }),
    vars: fc.record({ x: fc.nat() }),
    ignore_errors: fc.boolean(),
    delegate_to: fc.constantFrom('lb1', 'lb2'),
    timeout: fc.nat({ max: 9 }),
    notify: fc.uniqueArray(fc.constantFrom('H', 'I'), { minLength: 1 }),
  },
  { requiredKeys: [] },
);

/** Nests each block in the one before. */
function nested(chain: readonly Words[]): string {
  const written = chain.reduceRight((inner, outer) => ({ ...outer, block: [inner] }), {
    debug: null,
    ...chain.at(-1),
  } as object);
  return `- ${JSON.stringify(written)}`;
}

describe('Inherited keywords', () => {
  it('add up, or the innermost wins, at any depth', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 5 }), async (chain) => {
        const text = `${playOf(nested(chain))}  handlers: [{name: H, debug: }, {name: I, debug: }]\n`;
        const { plays, diagnostics } = await load(text);
        expect(diagnostics).to.deep.equal([]);
        const [task] = tasksOf(plays[0]);
        const said = [...chain, chain.at(-1) ?? {}];
        expect(task?.when.map(({ expression }) => expression)).to.deep.equal(said.flatMap(({ when }) => when ?? []));
        expect(task?.tags).to.deep.equal([...new Set(said.flatMap(({ tags }) => tags ?? []))]);
        expect(task?.ignoreErrors?.value).to.equal(
          said.findLast((one) => one.ignore_errors !== undefined)?.ignore_errors,
        );
        expect(task?.delegateTo?.value).to.equal(said.findLast((one) => one.delegate_to !== undefined)?.delegate_to);
        expect(task?.timeout?.value).to.equal(said.findLast((one) => one.timeout !== undefined)?.timeout);
        expect(task?.notify.map(({ value }) => value)).to.deep.equal(
          said.findLast(({ notify }) => notify !== undefined)?.notify ?? [],
        );
        expect(task?.layers.flatMap(({ values: { x } }) => x ?? [])).to.deep.equal(
          said.flatMap(({ vars }) => vars?.x ?? []),
        );
      }),
      { numRuns: 60 },
    );
  });

  const flags = {
    ignore_errors: 'ignoreErrors',
    ignore_unreachable: 'ignoreUnreachable',
    no_log: 'noLog',
    check_mode: 'checkMode',
    diff: 'diff',
    any_errors_fatal: 'anyErrorsFatal',
    run_once: 'runOnce',
    delegate_facts: 'delegateFacts',
  } as const;
  for (const [keyword, field] of Object.entries(flags)) {
    it(`are the innermost: ${keyword}`, async () => {
      const inside = `{ ${keyword}: false, block: [{ debug: }, { debug: , ${keyword}: true }] }`;
      const { plays } = await load(playOf(`- { ${keyword}: true, block: [${inside}, { debug: }] }\n- debug:`));
      const given = tasksOf(plays[0]).map((task) => task[field]?.value);
      expect(given).to.deep.equal([false, true, true, undefined]);
    });
  }

  it('are undone by one that is left empty, but for those that hide secrets, keep from writing, or Ansible refuses', async () => {
    const values = { ...Object.fromEntries(Object.keys(flags).map((keyword) => [keyword, true])), throttle: 2 };
    const around = { ...values, timeout: 9, delegate_to: 'lb2', notify: 'H' };
    const empty = Object.fromEntries(Object.keys(around).map((keyword) => [keyword, null]));
    const block = JSON.stringify({
      ...around,
      block: [
        { debug: null, ...empty },
        { debug: null, notify: [] },
      ],
    });
    const { plays, diagnostics } = await load(`${playOf(`- ${block}`)}  handlers: [{ name: H, debug: }]\n`);
    expect(diagnostics).to.deep.equal([]);
    const [undone, other] = tasksOf(plays[0]);
    const fields = [...Object.values(flags), 'throttle', 'timeout', 'delegateTo'] as const;
    expect(fields.filter((field) => undone?.[field] !== undefined)).to.deep.equal(['noLog', 'checkMode', 'throttle']);
    expect(fields.filter((field) => other?.[field] === undefined)).to.deep.equal([]);
    expect([undone?.notify, other?.notify]).to.deep.equal([[], []]);
  });

  it('keep the outer value for a template that may say omit, and no other', async () => {
    const { plays } = await load(
      playOf(
        `- timeout: 9\n  ignore_errors: true\n  block:\n    - { debug: , ignore_errors: '{{ omit }}', timeout: '{{ t | default(omit) }}' }\n    - { debug: , ignore_errors: '{{ x }}', timeout: 3 }`,
      ),
    );
    const [omitting, other] = tasksOf(plays[0]).map(({ ignoreErrors, timeout }) => [ignoreErrors, timeout]);
    const place = (line: number, column: number) => ({ file: 'site.yml', line, column });
    expect(omitting).to.deep.equal([
      {
        value: '{{ omit }}',
        source: place(6, 37),
        outer: { value: true, source: place(4, 22) },
      },
      { value: '{{ t | default(omit) }}', source: place(6, 60), outer: { value: 9, source: place(3, 16) } },
    ]);
    expect(other).to.deep.equal([
      { value: '{{ x }}', source: place(7, 37) },
      { value: 3, source: place(7, 57) },
    ]);
  });

  it('have a number that is whole where only that means something, and conditions that are expressions', async () => {
    const { diagnostics } = await load(
      playOf(
        '- debug:\n  throttle: 1.5\n  timeout: 1.5\n- debug:\n  throttle: -1\n  timeout: -1\n- debug:\n  throttle: 0\n  when: [a, {b: c}, [d], "{{ e"]',
      ),
    );
    expect(diagnostics.map((one) => one.replace('site.yml:', ''))).to.deep.equal([
      '4:17 "throttle" must be a whole number from 0, not 1.5',
      '7:17 "throttle" must be a whole number from 0, not -1',
      '8:16 "timeout" must be a number from 0, not -1',
      '11:17 an entry of "when" must be an expression, not a mapping — an expression with ": " in it must be quoted',
      '11:25 an entry of "when" must be an expression, not a list',
      'warning: 11:30 a condition needs no {{ }} — remove the braces: e',
      '11:30 "{{ e" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
    ]);
  });

  it('run a local action on localhost, whatever else says where', async () => {
    const { plays } = await load(
      playOf('- delegate_to: lb1\n  block:\n    - local_action: debug\n      delegate_to: lb2\n    - debug:'),
    );
    expect(tasksOf(plays[0]).map(({ delegateTo }) => delegateTo)).to.deep.equal([
      { value: 'localhost', source: { file: 'site.yml', line: 5, column: 11 } },
      { value: 'lb1', source: { file: 'site.yml', line: 3, column: 20 } },
    ]);
  });
});
