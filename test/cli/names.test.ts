import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const NULL = ['-e', '{"stage": }'];

/** A play with the name of a cloud in line 5. */
function site(task: string, { hosts = 'all', vars = '{ unused: 1 }' } = {}): string {
  return `- hosts: ${hosts}
  vars: ${vars}
  tasks:
    - name: Write
      ${task}
    - cloud_present: { name: last, mtu: 1500 }
`;
}

describe('a name with a template that gives nothing', () => {
  let fleet: Fleet;
  let project: Project;
  before(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'inventory.yml': fleet.inventory, 'setup-.yml': '- debug: { msg: wrong }\n' });
  });
  after(async () => {
    await fleet.dispose();
    await project.remove();
  });

  const requests = () => fleet.names.flatMap((name) => fleet.controller(name).requests);
  const clouds = (name: string) =>
    fleet
      .controller(name)
      .objects('/api/cloud/')
      .map((one) => one['name']);

  async function run(playbook: string, ...args: readonly string[]): Promise<Ended> {
    for (const name of fleet.names) fleet.controller(name).clearRequests();
    await project.write('site.yml', playbook);
    return evenkeel(['run', 'site.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  }

  const REFUSED: readonly (readonly [title: string, playbook: string, place: string])[] = [
    ['an object', site('cloud_present: { name: "edge-{{stage}}" }'), 'site.yml:5:30'],
    [
      'an object, by variables',
      site('cloud_present: { name: "{{a}}" }', { vars: '{ a: "{{b}}", b: "e{{stage}}" }' }),
      'site.yml:2:26',
    ],
    [
      'an object, by a mapping',
      site('cloud_present: { name: "{{a.b.0}}" }', { vars: '{ a: { text: "x{{stage}}", b: ["e{{stage}}"] } }' }),
      'site.yml:2:40',
    ],
    [
      'an object, by a whole mapping',
      site('cloud_present: "{{a}}"', { vars: '{ a: { name: "e{{stage}}" } }' }),
      'site.yml:5:22',
    ],
    [
      'an object of a loop',
      site('cloud_present: { name: "{{item}}" }\n      loop: ["e{{stage}}", x]'),
      'site.yml:5:30',
    ],
    [
      'an object of a loop over mappings',
      site('cloud_present: { name: "{{item.name}}" }\n      loop: "{{a | selectattr(\'name\') | list}}"', {
        vars: '{ a: [{ name: x }, { name: "e{{stage}}" }] }',
      }),
      'site.yml:5:30',
    ],
    [
      'an object of a looped block',
      site('block: [{ cloud_present: { name: "{{item}}" } }]\n      loop: [x, "e{{stage}}"]'),
      'site.yml:5:40',
    ],
    ['a tenant', site('cloud_present: { name: x, tenant: "t{{stage}}" }'), 'site.yml:5:41'],
    [
      'a reference',
      site('resource_present: { kind: pool, name: x, properties: { cloud_ref: "/api/cloud?name=e{{stage}}" } }'),
      'site.yml:5:73',
    ],
    ['a path', site('api_request: { path: "/api/cloud/{{stage}}" }'), 'site.yml:5:28'],
    [
      'a controller',
      site('cloud_present: { name: x }', { vars: '{ controller_url: "https://lb{{stage}}.example.com" }' }),
      'site.yml:2:27',
    ],
    [
      'a tenant of a controller',
      site('cloud_present: { name: x }', { vars: '{ controller_tenant: "t{{stage}}" }' }),
      'site.yml:2:30',
    ],
    ['the controllers of a play', site('cloud_present: { name: x }', { hosts: '"lb1{{stage}}"' }), 'site.yml:1:10'],
    ['a delegate', site('cloud_present: { name: x }\n      delegate_to: "lb1{{stage}}"'), 'site.yml:6:20'],
    ['a host', site('add_host: { name: "lb9{{stage}}" }'), 'site.yml:5:25'],
    ['a file', site('include_tasks: "setup-{{stage}}.yml"'), 'site.yml:5:22'],
  ];
  for (const [title, playbook, place] of REFUSED) {
    it(`of ${title} is refused before the first request`, async () => {
      const { code, stdout, stderr } = await run(playbook, ...NULL);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(
        /error: part of a name is missing: \{\{ stage \}\} is null( \(from .*\)| \(on 2 controllers: lb1, lb2\))*\n/,
      );
      expect(stderr).to.include(`--> ${place}`);
      expect(stderr).to.include(
        '= hint: give it a value, or write {{ stage | default("", true) }} if the name is right without it',
      );
      expect(requests()).to.deep.equal([]);
    });
  }

  it('is refused if an extra variable, a lookup or a command gives an empty text', async () => {
    for (const [text, args, what] of [
      ['edge-{{stage}}', ['-e', 'stage='], 'stage'],
      ['edge-{{stage | lower}}', ['-e', 'stage='], 'stage | lower'],
      ["edge-{{env 'STAGE_THAT_IS_NOT_SET'}}", [], "env 'STAGE_THAT_IS_NOT_SET'"],
      ["{{env 'STAGE_THAT_IS_NOT_SET' | lower}}-edge", [], "env 'STAGE_THAT_IS_NOT_SET' | lower"],
    ] as const) {
      const { code, stderr } = await run(site(`cloud_present: { name: "${text}" }`), ...args);
      expect(code, text).to.equal(1);
      expect(stderr).to.include(`error: part of a name is missing: {{ ${what} }} is an empty text`);
      expect(requests()).to.deep.equal([]);
    }
  });

  it('fails the task if it is known only then', async () => {
    const { code, stdout } = await run(
      site('cloud_present: { name: "edge-{{found.ansible_facts.a}}" }').replace(
        '    - name: Write',
        '    - set_fact: { a: null }\n      register: found\n    - name: Write',
      ),
    );
    expect(code).to.equal(2);
    expect(stdout).to.include('part of a name is missing: {{ found.ansible_facts.a }} is null');
    expect(requests().filter(({ method }) => method !== 'GET')).to.deep.equal([]);
  });

  it('is accepted where an empty text is written, and where nothing is named', async () => {
    const { code, stdout, stderr } = await run(
      `- hosts: all
  vars:
    suffix: ''
    sites: [{ name: a, suffix: '', note: 'in {{stage}}' }]
  tasks:
    - debug: { msg: 'stage {{stage}}, {{stage}}' }
    - set_fact: { note: 'in {{stage}}', name: 'x{{stage}}' }
    - cloud_present: { name: "{{item.name}}{{item.suffix}}{{suffix}}{{ stage | default('', true) }}{{ 'x' if stage }}" }
      loop: '{{sites}}'
    - cloud_present: { name: "{{'edge'}}{% if stage %}-{{stage}}{% endif %}", dhcp_enabled: true, description: 'in {{stage}}' }
`,
      ...NULL,
    );
    expect({ code, stderr }, stdout).to.deep.equal({ code: 0, stderr: '' });
    expect(fleet.names.map(clouds)).to.deep.equal([
      ['a', 'edge'],
      ['a', 'edge'],
    ]);
  });
});
