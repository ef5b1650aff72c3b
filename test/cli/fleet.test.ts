import { expect } from 'chai';
import { emptyProject, evenkeel, type Project, STARTED } from '../rig/command.js';
import { eventsOf, finishedOf } from '../rig/events_of.js';
import { IS_WHOLE } from '../rig/random_seed.js';
import { Terminal } from '../rig/terminal.js';

const CONTROLLERS = IS_WHOLE ? 1000 : 150;
/** What is shown differs only between few and many controllers: 99. */
const MANY = ['-l', 'lb00*'];
const FILES = {
  'inv.yml': `all:
  vars:
    controller_url: https://{{inventory_hostname}}
    controller_api_version: 22.1.3
  hosts: { 'lb[0001:${String(CONTROLLERS).padStart(4, '0')}]': }
`,
  'p.yml': `- hosts: all
  tasks:
    - cloud_present: { name: 'edge-{{inventory_hostname}}' }
    - system_config: { dns_configuration: { search_domain: example.com } }
`,
};

describe(`a fleet of ${CONTROLLERS} simulated controllers`, () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject(FILES);
  });
  afterEach(() => project.remove());

  const run = (...args: readonly string[]) =>
    evenkeel(['run', 'p.yml', '-i', 'inv.yml', '--simulate', ...args], {
      cwd: project.directory,
      env: { EVENKEEL_OUTPUT: '' },
    });

  it('is changed in one run, each controller only by its own requests, and says briefly that the next changes nothing', async () => {
    const { code, stdout, stderr } = await run('-o', 'json', '-vvv');
    expect(code, stderr).to.equal(0);
    const { stats } = finishedOf(stdout);
    expect(Object.keys(stats)).to.have.lengthOf(CONTROLLERS);
    expect(new Set(Object.values(stats).map(({ ok, changed }) => `${ok} ${changed}`))).to.deep.equal(new Set(['2 2']));
    const requests = eventsOf(stdout).flatMap((event) => (event.type === 'request-finished' ? [event] : []));
    expect(requests, 'read, write, verify; twice').to.have.lengthOf(6 * CONTROLLERS);
    expect(requests.filter(({ method }) => method === 'POST')).to.have.lengthOf(CONTROLLERS);
    const second = await run(...MANY);
    expect(second.code).to.equal(0);
    const seconds = String.raw`[\d.]+ s`;
    expect(second.stdout).to.match(
      new RegExp(
        `^evenkeel .* · p\\.yml · simulated\n✔ all · 99 controllers, nothing changed · ${seconds}\n\nrecap · simulated, no real controller was contacted\n99 controllers · 99 ok · ${seconds}\n$`,
      ),
    );
    expect(second.stderr).to.match(/^(?:progress .*\n)*$/);
  }).timeout(120_000);

  it('is painted in a terminal', async () => {
    const terminal = new Terminal(
      process.execPath,
      [...STARTED, 'run', 'p.yml', '-i', 'inv.yml', '--simulate', ...MANY],
      {
        columns: 120,
        rows: 40,
        cwd: project.directory,
      },
    );
    expect(await terminal.exited).to.equal(0);
    expect(terminal.written).to.match(/\d+ of 99 controllers/);
    expect(terminal.screen.text).to.match(/99 controllers · 99 (?:changed|ok)/);
  }).timeout(120_000);
});

describe('the diff of more than ten controllers', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({
      'inv.yml': `all:
  vars: { controller_url: 'https://{{inventory_hostname}}', controller_api_version: 22.1.3, mtu: 9000 }
  hosts: { 'lb[01:11]': , lb12: { mtu: 8000 } }
`,
      'p.yml': "- hosts: all\n  tasks: [{ name: Cloud, cloud_present: { name: edge, mtu: '{{ mtu }}' } }]\n",
    });
  });
  after(() => project.remove());

  const diff = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await evenkeel(['run', 'p.yml', '-i', 'inv.yml', '--simulate', '--check', ...args], {
      cwd: project.directory,
    });
    return stdout;
  };

  it('is that of the fleet, with the variable that makes the difference', async () => {
    expect(await diff('-D')).to.include(`diff of Cloud
  cloud "edge" (new) on 12 controllers: lb01, lb02, lb03, lb04, lb05 and 7 more
    + name: edge
    + mtu: "{{ mtu }}"
    {{ mtu }}: 2 values: 9000 (11 controllers), 8000 (lb12)
`);
  });

  it('is that of each controller for ten, and with --diff=host', async () => {
    expect(await diff('-D', '-l', 'lb0*,lb12')).to.not.include('diff of');
    const raw = await diff('--diff=host');
    expect(raw).to.include('    + mtu: 8000\n');
    expect(raw).to.not.include('diff of');
  });
});
