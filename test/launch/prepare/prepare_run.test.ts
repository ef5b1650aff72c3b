import path from 'node:path';
import { expect } from 'chai';
import { isInShard, shardIndex } from '../../../src/core/model/run/shard.js';
import type { User } from '../../../src/launch/load/ports.js';
import type { PreparedRun } from '../../../src/launch/load/prepared_run.js';
import { prepareRun, type RequestOrigin } from '../../../src/launch/prepare/prepare_run.js';
import { runRequest, type Command, type RunOptions } from '../../../src/launch/request/run_request.js';
import { createPorts } from '../../../src/library/ports.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

const INVENTORY = `all:
  vars: { controller_url: 'https://{{inventory_hostname}}', controller_api_version: 22.1.3 }
  hosts: { lb1: , lb2: , lb3: , lb4: }
`;
const SITE = '- hosts: all\n  name: First\n  tasks: [{ debug: { msg: a } }]\n';

interface Given extends RunOptions {
  readonly files?: Files;
  readonly command?: Command;
  /** In place of a program that has no answers. */
  readonly asks?: Partial<User>;
  readonly origin?: RequestOrigin;
  /** Problems of files that are written beside the output. */
  readonly outputs?: readonly string[];
  /** Environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

interface Prepared {
  readonly run: PreparedRun | undefined;
  /** Why it was refused. */
  readonly problems: readonly string[];
  /** What was said of one that was not. */
  readonly said: readonly string[];
}

const RUN: Command = { type: 'run', playbooks: ['site.yml'] };

function prepared<T>(given: Given, use: (found: Prepared) => T | Promise<T>): Promise<T> {
  const { files = {}, command = RUN, asks = {}, origin, outputs = [], variables: env = {}, ...options } = given;
  return inFolder({ 'inv.yml': INVENTORY, 'site.yml': SITE, ...files }, async (cwd) => {
    const ports = createPorts({ name: 'runPlaybook', command: 'run' }, { cwd, env }, () => undefined, {});
    const said: string[] = [];
    const report = {
      ...ports.report,
      warnings: (found: Parameters<typeof ports.report.warnings>[0]) => said.push(...found.map(worded)),
      notice: (message: string, importance: string) => said.push(`${importance}: ${message}`),
      prepare: () => Promise.resolve(outputs.map((message) => ({ severity: 'error', message }) as const)),
    };
    const request = runRequest(command, { inventory: ['inv.yml'], ...options });
    const found = await prepareRun(request, { ...ports, user: { ...ports.user, ...asks }, report }, origin);
    return use(
      found.status === 'ready'
        ? { run: found.run, problems: [], said }
        : { run: undefined, problems: found.diagnostics.map(worded), said },
    );
  });
}

const problems = (given: Given): Promise<readonly string[]> => prepared(given, (found) => found.problems);

describe('a run that is prepared', () => {
  it('has a short name, whatever it is', async () => {
    const label = (command: Command): Promise<string | undefined> => prepared({ command }, ({ run }) => run?.label);
    expect(await label(RUN)).to.equal('site.yml');
    expect(await label({ type: 'run', playbooks: ['site.yml', 'site.yml'] })).to.equal('site.yml site.yml');
    expect(await label({ type: 'task', pattern: 'lb1', module: 'debug' })).to.equal('debug');
  });

  it('keeps what a resume needs: its request, its answers and its inputs', () =>
    prepared(
      {
        files: {
          'site.yml': SITE.replace(
            '  name',
            '  vars_prompt: [{ name: zone, prompt: Zone }, { name: other, default: x }]\n  name',
          ),
        },
        asks: {
          answer: ({ name }) =>
            Promise.resolve(name === 'zone' ? { type: 'answered', answer: 'new' } : { type: 'unanswered' }),
        },
        limit: 'lb1',
      },
      ({ run }) => {
        const { invocation, fingerprint, kept } = run?.journalOptions ?? {};
        expect(kept).to.equal(undefined);
        expect(invocation).to.deep.include({ command: RUN, limit: 'lb1', limitedTo: ['lb1'] });
        expect(invocation?.cwd).to.match(/evenkeel-/);
        expect(invocation?.fingerprintKey).to.match(/^[\w-]{43}$/);
        expect(invocation).to.not.have.any.keys('config', 'noExec', 'shard', 'strategy');
        expect(invocation?.answers).to.deep.equal([{ name: 'zone', question: 'Zone: ', answer: 'new' }]);
        expect(fingerprint?.controllers).to.deep.equal(['lb1', 'lb2', 'lb3', 'lb4']);
        expect(fingerprint?.files).to.include.keys('site.yml', 'inv.yml');
        expect(run?.selected.map(({ controllers }) => controllers)).to.deep.equal([['lb1']]);
        expect([...(run?.answers?.values() ?? [])].map(({ values }) => values)).to.deep.equal([
          { zone: 'new', other: 'x' },
        ]);
        expect(run?.confirmed).to.equal(false);
      },
    ));

  it('keeps which file its settings came from, and whether it may execute code', () => {
    const variables = { EVENKEEL_CONFIG: 'other.yml', EVENKEEL_NO_EXEC: '1' };
    return prepared({ files: { 'other.yml': '' }, variables }, ({ run, problems: none }) => {
      expect(none).to.deep.equal([]);
      const { config, noExec } = run?.journalOptions.invocation ?? {};
      expect([path.basename(config ?? ''), noExec]).to.deep.equal(['other.yml', true]);
    });
  });

  it('keeps settings of its options before those of the environment and of the project', async () => {
    const project = `inventory: [inv.yml]
modules_path: [own]
strategy: linear
forks: 3
environments: { lab: { inventory: [lab.yml] } }
`;
    const files = { 'evenkeel.yml': project, 'lab.yml': INVENTORY, 'own/x.txt': '', 'other/x.txt': '' };
    const kept = (given: Given): Promise<object> =>
      prepared({ files, inventory: undefined, ...given }, ({ run, problems: none }) => {
        expect(none).to.deep.equal([]);
        const { cwd = '', ...invocation } = run?.journalOptions.invocation ?? {};
        const { inventory, modulePath, strategy, forks, shard } = invocation as Partial<RunOptions>;
        const said = JSON.stringify({ inventory, modulePath, strategy, forks, shard });
        return JSON.parse(said.replaceAll(`${cwd}/`, '')) as object;
      });
    const ofProject = { inventory: ['inv.yml'], modulePath: ['own'], strategy: 'linear', forks: 3 };
    expect(await kept({})).to.deep.equal(ofProject);
    expect(await kept({ env: 'lab' })).to.deep.equal({ ...ofProject, inventory: ['lab.yml'] });
    const chosen = { inventory: ['lab.yml'], modulePath: ['other'], strategy: 'free', forks: 4, shard: '1/2' } as const;
    expect(await kept({ env: 'lab', ...chosen, inventory: ['inv.yml'] })).to.deep.equal({
      ...chosen,
      inventory: ['inv.yml'],
    });
  });

  it('knows the secrets in its inventory and in the variables of its plays', () =>
    prepared(
      {
        files: {
          'inv.yml': `${INVENTORY}  children: { more: { vars: { controller_password: planted-one } } }\n`,
          'site.yml': SITE.replace('  tasks', '  vars: { db_password: planted-two }\n  tasks'),
        },
      },
      ({ run }) => {
        const secrets = run?.loaded.target.secrets;
        expect(secrets?.mask('planted-one planted-two planted-three')).to.equal('******** ******** planted-three');
      },
    ));

  it('does not ask again what an earlier run was told', () =>
    prepared(
      {
        files: { 'site.yml': SITE.replace('  name', '  vars_prompt: [{ name: zone, prompt: Zone }]\n  name') },
        asks: { answer: () => expect.fail('asked') },
        origin: { answers: [{ name: 'zone', question: 'Zone: ', answer: 'old' }] },
      },
      ({ run, problems: none }) => {
        expect(none).to.deep.equal([]);
        expect([...(run?.answers?.values() ?? [])].map(({ values }) => values)).to.deep.equal([{ zone: 'old' }]);
      },
    ));

  it('that resumes another keeps its journal, and takes tags as they are', () => {
    const kept = { header: { id: 'X' } } as never;
    const requireAsRead = (): Promise<void> => Promise.resolve();
    const seen: string[] = [];
    const resumed = {
      kept,
      examine: () => void seen.push('examined'),
      fingerprint: () => {
        seen.push('fingerprint');
        return { version: 'new' } as never;
      },
    };
    return prepared({ tags: ['nothing'], origin: { resumed, requireAsRead } }, ({ run, problems: none }) => {
      expect(none).to.deep.equal([]);
      expect(run?.journalOptions).to.deep.equal({ kept, requireAsRead, fingerprint: { version: 'new' } });
      expect(seen).to.deep.equal(['examined', 'fingerprint']);
      expect(run?.confirmed).to.equal(false);
    });
  });

  it('is refused with what keeps it from being resumed', async () => {
    const resumed = {
      kept: {} as never,
      examine: (_: unknown, diagnostics: { error: (message: string) => void }) => {
        diagnostics.error('its inputs have changed');
      },
      fingerprint: () => undefined,
    };
    const files = { 'site.yml': SITE.replace('  name', '  vars_prompt: [{ name: zone }]\n  name') };
    const given = { files, origin: { resumed }, asks: { answer: () => expect.fail('asked') } };
    expect(await problems(given)).to.deep.equal(['its inputs have changed']);
    // Nothing is compared with files that cannot be read.
    expect(await problems({ ...given, files: { 'site.yml': '- hosts: all\n  tsaks: []\n' } })).to.have.length(1);
  });
});

describe('a run that is refused before it contacts anything', () => {
  const gate = SITE.replace('  tasks', '  serial: 2\n  gate: { checks: [{ ping: }], on_fail: rollback }\n  tasks');
  const terminal = { severity: 'error', message: 'no terminal' } as const;
  const prompt = { 'site.yml': SITE.replace('  name', '  vars_prompt: [{ name: zone }]\n  name') };
  for (const [what, given, expected] of [
    [
      'a strategy that is not task by task, and no terminal',
      { step: true, strategy: 'free', asks: { stepProblems: [terminal] } },
      ['no terminal', '--step runs task by task: it cannot be used with --strategy free'],
    ],
    ['no terminal', { step: true, strategy: 'linear', asks: { stepProblems: [terminal] } }, ['no terminal']],
    ['nothing of that without --step', { strategy: 'free', asks: { stepProblems: [terminal] } }, []],
    [
      'outputs that cannot be written',
      { outputs: ['cannot write a', 'cannot write b'] },
      ['cannot write a', 'cannot write b'],
    ],
    [
      'a pattern of a task that matches nothing',
      { command: { type: 'task', pattern: 'lb1:lb7', module: 'debug' } },
      ['task: "lb7" matches no controller of the inventory — did you mean "lb1"?'],
    ],
    [
      'no pattern of a rerun, which has its controllers',
      { command: { type: 'task', pattern: 'lb1:lb7', module: 'debug' }, within: { controllers: ['lb1'] } },
      [],
    ],
    [
      'a gate that rolls back without a journal',
      { state: false, files: { 'site.yml': gate } },
      ['site.yml:4:41 on_fail: rollback needs a journal, but this run keeps none'],
    ],
    ['no gate that does with one', { files: { 'site.yml': gate } }, []],
    ['a tag that nothing has', { tags: ['zone'] }, ['--tags: nothing has the tag "zone" — --list-tags shows the tags']],
    [
      'a question that nobody answers',
      { files: prompt, asks: { answer: () => Promise.resolve({ type: 'unanswered' }) } },
      ['site.yml:2:17 vars_prompt asks for "zone", but stdin is not a terminal — pass -e zone=…, or run in a terminal'],
    ],
    [
      'answers that no question asks for',
      { asks: { checkPrompts: () => [{ severity: 'error', message: 'nobody asks' }] } },
      ['nobody asks'],
    ],
    [
      'an inventory that cannot be read, and no names that may be in it',
      { inventory: ['inv.yml', 'more.ini'], files: { 'more.ini': '[web\n', 'site.yml': SITE.replace('all', 'web') } },
      ['more.ini:1:1 "[web" has "[" but no "]"'],
    ],
    [
      'no controllers',
      { limit: 'lb1', files: { 'site.yml': SITE.replace('all', 'lb2') } },
      ['no controller matches "lb2" within the limit'],
    ],
  ] as const satisfies readonly (readonly [string, Given, readonly string[]])[])
    it(`because of ${what}`, async () => {
      expect(await problems(given)).to.deep.equal(expected);
    });
});

describe('a shard', () => {
  const hint = 'run it without --shard, on one machine';
  const play = (keywords: string): Files => ({ 'site.yml': SITE.replace('  tasks', `  ${keywords}\n  tasks`) });

  for (const [what, files, playbooks, expected] of [
    ['what it can do alone', {}, ['site.yml'], []],
    [
      'several playbooks',
      {},
      ['site.yml', 'site.yml'],
      [
        '--shard: a failure in another shard would not keep the next playbook from starting — run one playbook at a time',
      ],
    ],
    [
      'several batches',
      play('serial: 2'),
      ['site.yml'],
      [
        `site.yml:3:11 --shard: serial makes 2 batches, and a shard cannot wait for the batches of the others — ${hint}`,
      ],
    ],
    ['a single batch', play('serial: 4'), ['site.yml'], []],
    [
      'a gate and a share of failures',
      play('max_fail_percentage: 20\n  gate: { checks: [{ ping: }] }'),
      ['site.yml'],
      [
        `site.yml:4:3 --shard: the gate would check the controllers of this shard only — ${hint}`,
        `site.yml:3:24 --shard: max_fail_percentage would count the failures of this shard only — ${hint}`,
      ],
    ],
    [
      'a step that ends the play',
      {
        'site.yml': SITE.replace(
          '  tasks: [',
          '  handlers: [{ name: h, debug: { msg: "{{ play_hosts }}" } }]\n  tasks: [{ meta: end_play }, ',
        ),
      },
      ['site.yml'],
      [
        `site.yml:4:11 --shard: meta end_play would end the play in this shard only — ${hint}`,
        `site.yml:3:39 --shard: "play_hosts" would list the controllers of this shard only — ${hint}`,
      ],
    ],
  ] as const)
    it(`is refused for ${what}`, async () => {
      const said = await problems({ files, shard: '1/2', command: { type: 'run', playbooks } });
      expect(said).to.deep.equal(expected);
    });

  it('is refused for two names of one controller in different shards, and takes those in one', async () => {
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const [one] = names;
    const other = names.find((name) => shardIndex(name, 2) !== shardIndex(one ?? '', 2)) ?? '';
    const same = names.find((name) => name !== one && shardIndex(name, 2) === shardIndex(one ?? '', 2));
    const shared = (...both: readonly (string | undefined)[]): Files => ({
      'site.yml': '- hosts: all\n  tasks: [{ cloud_present: { name: a } }]\n',
      'inv.yml': `all:\n  vars: { controller_api_version: 22.1.3 }\n  hosts:\n${names
        .map((name) => `    ${name}: { controller_url: 'https://${both.includes(name) ? 'same' : name}' }\n`)
        .join('')}`,
    });
    expect(await problems({ files: shared(one, other), shard: '1/2' })).to.deep.equal([
      `--shard: ${one} and ${other} have the same address, and are in different shards — two machines would change one controller at the same time: leave all but one name out with --limit`,
    ]);
    if (same !== undefined) expect(await problems({ files: shared(one, same), shard: '1/2' })).to.deep.equal([]);
    expect(await problems({ files: shared(one, other) })).to.deep.equal([]);
  });

  it('says if it has none of the controllers', async () => {
    for (const index of [1, 2])
      await prepared({ shard: `${index}/2`, limit: 'lb1' }, ({ run, said }) => {
        const isEmpty = !isInShard('lb1', { index, count: 2 });
        expect(said).to.deep.equal(isEmpty ? [`always: shard ${index}/2 has none of these controllers`] : []);
        expect(run?.selected[0]?.controllers).to.deep.equal(isEmpty ? [] : ['lb1']);
      });
  });
});
