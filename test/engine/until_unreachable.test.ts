import { expect } from 'chai';
import { DIALECTS } from '../../src/core/model/dialect.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { freePort } from '../rig/free_port.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

const NAMES = ['lb1', 'lb2'];

describe('until, while a controller refuses connections', () => {
  let simulator: Simulator;
  let ports: readonly number[];
  beforeEach(async () => {
    simulator = await Simulator.start();
    ports = await Promise.all(NAMES.map(freePort));
  });
  afterEach(() => simulator.close());

  const inventory = (more = ''): string => `all:
  vars: { controller_username: admin, controller_password: secret, controller_api_version: 22.1.3, controller_verify_tls: false${more} }
  hosts:
${NAMES.map((name, index) => `    ${name}: { controller_url: "https://127.0.0.1:${ports[index]}" }\n`).join('')}`;

  const run = (tasks: string, options: TextOptions = {}): Promise<Ran> =>
    runText(`- hosts: all\n  tasks:\n${tasks.trim().replace(/^/gm, '    ')}\n`, { inventory: inventory(), ...options });

  /** Starts each controller as soon as a task has tried it twice in vain. */
  const startAtSecondRetry = (dialect?: string): Pick<TextOptions, 'watch'> => ({
    watch: (event) => {
      if (event.type !== 'task-retried' || event.attempt !== 2) return;
      const port = ports[NAMES.indexOf(event.controller)] ?? 0;
      const traits = dialect === undefined ? undefined : DIALECTS.get(dialect);
      const given = { port, username: 'admin', password: 'secret', ...(traits && { dialect: traits }) };
      void simulator.startController(event.controller, given);
    },
  });

  const requests = (): number => NAMES.flatMap((name) => simulator.controller(name).requests).length;

  for (const [what, keywords] of Object.entries({
    'is not failed': 'until: r is not failed',
    'is not unreachable': 'until: r is not unreachable',
    'a value, with ignore_unreachable': 'until: r.json.count is defined\n  ignore_unreachable: true',
    'retries alone': '',
  }))
    it(`waits and goes on: ${what}`, async () => {
      const ran = await run(
        `
- name: wait
  api_request: { path: /api/cloud/ }
  register: r
  retries: 500
  delay: 0.01
  ${keywords}
- { name: go on, cloud_present: { name: edge, vtype: CLOUD_NONE } }
`,
        startAtSecondRetry(),
      );
      expect(ran.finished).to.include({ status: 'ok', exitCode: 0 });
      expect(ran.lines.filter((line) => line.includes('go on'))).to.have.members([
        'lb1 go on: changed',
        'lb2 go on: changed',
      ]);
    });

  it('waits with every kind of task, also if it must sign in first', async () => {
    const more = ', controller_dialect: avi, controller_auth: session';
    const tasks = `
- name: resource
  cloud_present: { name: edge, vtype: CLOUD_NONE }
  when: inventory_hostname == "lb1"
  until: r is not failed
  register: r
  retries: 500
  delay: 0.01
- name: raw write
  api_request: { path: /api/tenant, method: POST, body: { name: blue } }
  when: inventory_hostname == "lb2"
  until: r is not failed
  register: r
  retries: 500
  delay: 0.01
`;
    const ran = await run(tasks, { inventory: inventory(more), ...startAtSecondRetry('avi') });
    expect(ran.lines).to.include.members(['lb1 resource: changed', 'lb2 raw write: changed']);
    const posts = NAMES.flatMap((name) => simulator.controller(name).requests).filter(
      ({ method, path }) => method === 'POST' && path.startsWith('/api/'),
    );
    expect(posts).to.have.length(2);
  });

  it('fails after its retries like any other task: to be ignored, rescued, or judged by failed_when', async () => {
    const waiting = 'api_request: { path: /api/cloud/ }, register: r, until: r is not failed, retries: 2, delay: 0.01';
    const { lines, said, finished } = await run(`
- { name: ignored, ${waiting}, ignore_errors: true }
- { name: ignored too, ${waiting}, ignore_unreachable: true }
- { name: seen, debug: { msg: '{{ r is failed }} {{ r is unreachable }} {{ r.attempts }}' } }
- { name: judged, ${waiting}, failed_when: false }
- block:
    - { name: rescued, ${waiting} }
  rescue:
    - { name: rescue, debug: }
- { name: last, ${waiting} }
- { name: never, debug: }
`);
    expect(lines.filter((line) => line.startsWith('lb1'))).to.deep.equal([
      'lb1 ignored: failed ignored',
      'lb1 ignored too: failed ignored',
      'lb1 seen: ok',
      'lb1 judged: ok',
      'lb1 rescued: failed',
      'lb1 rescue: ok',
      'lb1 last: failed',
    ]);
    expect(said.slice(0, 2)).to.deep.equal(['True True 2', 'True True 2']);
    expect(finished.exitCode).to.equal(2);
  });

  it('does not repeat a task whose credentials are refused', async () => {
    for (const [index, name] of NAMES.entries())
      await simulator.startController(name, { port: ports[index] ?? 0, username: 'admin', password: 'another' });
    const { lines, events } = await run(
      '- { name: wait, api_request: { path: /api/cloud/ }, register: r, until: r is not failed, retries: 9, delay: 0.01 }',
    );
    expect(lines).to.have.members(['lb1 wait: unreachable', 'lb2 wait: unreachable']);
    expect(events.filter(({ type }) => type === 'task-retried')).to.deep.equal([]);
    expect(requests()).to.equal(2);
  });
});
