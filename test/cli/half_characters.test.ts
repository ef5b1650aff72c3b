import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

/** Texts of YAML and JSON can contain half of a character beyond U+FFFF, which no address can. */
describe('half of a character', () => {
  let fleet: Fleet;
  let project: Project;
  before(async () => {
    fleet = await startFleet({ controllers: 2 });
  });
  beforeEach(async () => {
    project = await emptyProject();
    for (const name of fleet.names) fleet.controller(name).clearRequests();
  });
  afterEach(() => project.remove());
  after(() => fleet.dispose());

  const run = async (tasks: string) => {
    await project.write('p.yml', `- hosts: all\n  vars: { half: "\\ud800" }\n  tasks:\n${tasks}`);
    const ended = await evenkeel(['run', 'p.yml', '-i', fleet.inventoryFile], { cwd: project.directory });
    return { ...ended, requests: fleet.names.flatMap((name) => fleet.controller(name).requests) };
  };

  for (const [title, task, said] of [
    [
      'as it is written',
      'cloud_present: { name: "a\\ud800" }',
      '"name" contains \\ud800, which is half of a character',
    ],
    [
      'of a template',
      'cloud_present: { name: "a{{ half }}" }',
      '"name" contains \\ud800, which is half of a character',
    ],
    ['of a deletion', 'cloud_absent: { name: "\\udc00" }', '"name" contains \\udc00, which is half of a character'],
    [
      'of another kind',
      'resource_absent: { kind: pool, name: "x\\ud83d" }',
      '"name" contains \\ud83d, which is half of a character',
    ],
    [
      'of a local file',
      'file_download: { path: /api/x, dest: "a\\ud800" }',
      '"dest" contains \\ud800, which is half of a character',
    ],
    ['of a path', 'api_request: { path: "/api/\\ud800" }', '"path" contains \\ud800, which is half of a character'],
    [
      'of a file with variables',
      'include_vars: { file: "\\ud800.yml" }',
      '"file" contains \\ud800, which is half of a character',
    ],
    [
      'of a filter',
      'cloud_present: { name: "{{ half | urlencode }}" }',
      'urlencode: the text contains \\ud800, which is half of a character',
    ],
    [
      'inside of a field',
      'system_config: { dns_configuration: { search_domain: "\\ud800" } }',
      '"dns_configuration.search_domain" contains \\ud800, which is half of a character',
    ],
  ] as const)
    it(`is refused before the first request in a name ${title}`, async () => {
      const { code, stderr, requests } = await run(`    - ${task}\n`);
      expect(code, stderr).to.equal(1);
      expect(stderr).to.include(said).and.to.include('--> p.yml:4:');
      expect(requests).to.deep.equal([]);
    });

  it('fails the task if only the run knows it', async () => {
    const { code, stdout } = await run(
      `    - { debug: { msg: "{{ '\\"\\\\ud800\\"' | from_json }}" }, register: found }
    - cloud_present: { name: "{{ found.msg }}" }\n`,
    );
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include('"name" contains \\ud800, which is half of a character').and.to.not.include('crashed');
  });

  it('is accepted with its other half, also where a template joins them', async () => {
    const { code, stdout } = await run(
      '    - cloud_present: { name: "\\ud83d\\ude00" }\n    - cloud_present: { name: "{{ first }}{{ second }}" }\n      vars: { first: "\\ud83d", second: "\\ude01" }\n',
    );
    expect(code, stdout).to.equal(0);
  });

  it('in the answer of a controller fails no task as a crash', async () => {
    for (const name of fleet.names)
      fleet.controller(name).setObjects('/api/cloud/', [{ uuid: 'cloud-\ud800', name: 'odd', mtu: 1500 }]);
    const { stdout } = await run('    - cloud_present: { name: odd, mtu: 9000 }\n');
    expect(stdout).to.not.include('crashed').and.to.not.include('URI malformed');
  });
});
