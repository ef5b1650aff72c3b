import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const SIGNED = '9223372036854775807';
const NEGATIVE = '-9223372036854775808';
const UNSIGNED = '18446744073709551615';
const OTHER = '9223372036854775806';

describe('whole numbers beyond 2⁵³', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'inventory.yml': fleet.inventory });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });

  async function run(tasks: string, ...args: readonly string[]): Promise<Ended> {
    await project.write('site.yml', `- hosts: all\n  vars: { written: ${SIGNED} }\n  tasks:\n${tasks}`);
    return command('run', 'site.yml', '-i', 'inventory.yml', ...args);
  }

  /** The bodies of writes on the first controller; the second must have got the same. */
  function bodies(): readonly string[] {
    const [first, second] = fleet.names.map((name) =>
      fleet
        .controller(name)
        .requests.filter(({ method }) => method === 'POST' || method === 'PUT')
        .map(({ body }) => body.replaceAll(/"(?:uuid|url|_last_modified)":"[^"]*",?/g, '')),
    );
    expect(second).to.deep.equal(first);
    return first ?? [];
  }

  it('keep all their digits on every way to a controller and back', async () => {
    const ended = await run(
      `    - set_fact: { set: ${UNSIGNED}, computed: '{{ written - 1 }}' }
    - cloud_present:
        name: edge
        written: '{{ written }}'
        literal: ${NEGATIVE}
        given: '{{ given }}'
        listed: ['{{ listed[0] }}', '{{ "${SIGNED}" | int }}', '{{ ("[" ~ written ~ "]") | from_json | first }}']
        set: '{{ set }}'
        computed: '{{ computed }}'
        text: '{{ written }}-{{ "%d" | format(set) }}'
    - cloud_present: { name: other }
      when: written > computed and written == ${SIGNED} and computed != ${SIGNED} and set in [${UNSIGNED}]
    - api_request: { path: /api/cloud/, method: POST, body: '{"name": "raw", "big": {{ written }} }' }
    - resource_facts: { path: /api/cloud/, name: edge }
      register: found
    - debug: { var: 'found.objects[0].set' }
`,
      '-e',
      `{"given": ${OTHER}, "listed": [${OTHER}]}`,
      '--diff',
    );
    expect(ended.code, ended.stderr + ended.stdout).to.equal(0);
    expect(bodies()).to.deep.equal([
      `{"name":"edge","written":${SIGNED},"literal":${NEGATIVE},"given":${OTHER},"listed":[${OTHER},${SIGNED},${SIGNED}],"set":${UNSIGNED},"computed":${OTHER},"text":"${SIGNED}-${UNSIGNED}"}`,
      '{"name":"other"}',
      `{"name":"raw","big":${SIGNED}}`,
    ]);
    for (const digits of [SIGNED, NEGATIVE, UNSIGNED, OTHER]) expect(ended.stdout).to.include(digits);
  });

  it('are compared exactly, and are kept by an update and by a rollback', async () => {
    const task = (mtu: number, big: string): string =>
      `    - cloud_present: { name: edge, mtu: ${mtu}, big: ${big}, kept: ${UNSIGNED} }\n`;
    expect((await run(task(1500, SIGNED))).code).to.equal(0);
    expect((await run(task(1500, SIGNED))).stdout).to.include('2 controllers · 2 ok');
    expect((await run(task(1500, OTHER), '--check', '--diff')).stdout)
      .to.include(SIGNED)
      .and.include(OTHER);
    const changed = await run(`    - cloud_present: { name: edge, mtu: 9000 }\n`);
    expect(changed.code, changed.stdout).to.equal(0);
    expect(bodies().at(-1)).to.include(`"big":${SIGNED}`).and.include(`"kept":${UNSIGNED}`);
    const shown = await command('runs', 'last', '--objects', '--json');
    expect(shown.stdout, shown.stderr).to.include(`"big": ${SIGNED}`);
    const rolledBack = await command('rollback', 'last', '--yes');
    expect(rolledBack.code, rolledBack.stderr + rolledBack.stdout).to.equal(0);
    expect(bodies().at(-1)).to.include('"mtu":1500').and.include(`"big":${SIGNED}`).and.include(`"kept":${UNSIGNED}`);
  });

  it('are in every output, in a plan and in a capture', async () => {
    const tasks =
      `    - cloud_present: { name: edge, big: ${SIGNED} }\n    - debug: { msg: '{{ written }}', var: omit }\n`.replace(
        ', var: omit',
        '',
      );
    for (const output of ['json', 'lines', 'live']) {
      const { code, stdout, stderr } = await run(tasks, '-o', output, '--check', '--diff', '-vvv');
      expect(code, stderr + stdout).to.equal(0);
      expect(stdout, output).to.include(SIGNED);
    }
    await project.write('plan.yml', `- hosts: all\n  tasks:\n${tasks.split('\n')[0] ?? ''}\n`);
    const planned = await command('plan', 'plan.yml', '-i', 'inventory.yml', '--out', 'saved');
    expect(planned.code, planned.stderr).to.equal(0);
    const applied = await command('apply', 'saved');
    expect(applied.code, applied.stderr + applied.stdout).to.equal(0);
    expect(bodies()).to.deep.equal([`{"name":"edge","big":${SIGNED}}`]);
    const captured = await command('capture', '--kind', 'cloud', '--out', 'captured', '-i', 'inventory.yml');
    expect(captured.code, captured.stderr).to.equal(0);
    const files = await readdir(path.join(project.directory, 'captured'), { recursive: true, withFileTypes: true });
    const texts = files
      .filter((one) => one.isFile())
      .map((one) => readFile(path.join(one.parentPath, one.name), 'utf8'));
    expect((await Promise.all(texts)).join('')).to.include(SIGNED);
  });
});
