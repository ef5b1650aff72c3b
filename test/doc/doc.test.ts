import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { builtinModules } from '../../modules/index.js';
import { kindModules } from '../../modules/kinds/index.js';
import { emptyProject, ROOT, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';

const OWN = `
import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'greet',
  summary: 'greets somebody',
  description: 'It is a friendly module that says hello to whoever is named, in a sentence long enough to be wrapped by the terminal.',
  args: Type.Object(
    {
      who: Type.String({ description: 'Whom.' }),
      times: Type.Integer({ default: 1, minimum: 1, maximum: 3 }),
      pin: Type.Optional(Type.String({ secret: true, default: 'tell-nobody' })),
    },
    { additionalProperties: false },
  ),
  examples: ['- greet: { who: you }'],
  check: true,
  run: () => Promise.resolve({ status: 'ok' }),
});
`;

describe('evenkeel doc', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({ 'evenkeel.yml': 'modules_path: own\n', 'own/greet.ts': OWN });
  });
  after(() => project.remove());

  const doc = (...args: string[]): Promise<Ended> => evenkeel(['doc', ...args], { cwd: project.directory });

  it('shows what dialects do, including those of the project', async () => {
    await project.write('lab/evenkeel.yml', 'dialects: { lab: { extends: avi, default_tenant: lab } }\n');
    const shown = await evenkeel(['doc', 'dialects'], { cwd: path.join(project.directory, 'lab') });
    const lines = shown.stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines.slice(2, 7)).to.deep.equal([
      ['', 'generic', 'avi', 'lab'],
      ['version_header', 'X-Vendor-Version', 'X-Avi-Version', 'X-Avi-Version'],
      ['version_path', 'none', '/api/initial-data', '/api/initial-data'],
      ['tenant_header', 'none', 'X-Avi-Tenant', 'X-Avi-Tenant'],
      ['default_tenant', 'none', 'admin', 'lab'],
    ]);
    expect(shown.stdout).to.include(
      '\n  default_tenant            The tenant of controllers without controller_tenant.\n',
    );
    const json = JSON.parse((await doc('dialects', '--json')).stdout) as Record<string, unknown>;
    expect(json).to.have.keys('generic', 'avi').and.have.nested.property('avi.login_path', '/login');
  });

  it('lists all modules, including those of the project', async () => {
    const { code, stdout } = await doc('-l');
    expect(code).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).to.deep.equal(
      [...Object.keys(builtinModules), ...kindModules, 'greet'].sort(),
    );
    expect(lines.find((line) => line.startsWith('greet'))).to.match(/^greet {2,}greets somebody$/);
    expect((await doc()).stdout).to.equal(stdout);
  });

  it('shows one module', async () => {
    const { code, stdout } = await doc('greet');
    expect(code).to.equal(0);
    expect(stdout).to.equal(`greet (action): greets somebody

  It is a friendly module that says hello to whoever is named, in a sentence long enough to be
  wrapped by the terminal. Runs in check mode, too.

Arguments
  who  string, required
      Whom.
  times  integer, from 1 to 3, default 1
  pin  string, default "********", secret: masked in all output

Examples
  - greet: { who: you }
`);
  });

  it('prints JSON for programs, with the schema of the arguments', async () => {
    const { stdout } = await doc('greet', '--json');
    const described = JSON.parse(stdout) as { greet: { schema: unknown } };
    expect(described.greet).to.deep.include({
      name: 'greet',
      type: 'action',
      checkMode: 'runs',
      open: false,
      fields: [],
    });
    expect(described.greet).to.have.nested.property('schema.properties.times.maximum', 3);
    expect(described.greet).to.have.nested.property('arguments[1]').that.deep.equals({
      path: 'times',
      type: 'integer',
      required: false,
      default: 1,
      minimum: 1,
      maximum: 3,
    });
    expect(Object.keys(JSON.parse((await doc('--json')).stdout) as object)).to.include.members([
      'cloud_present',
      'greet',
    ]);
  });

  it('prints what is known of a field, and nothing of what is not', async () => {
    const { pool_present: pool } = JSON.parse((await doc('pool_present', '--json')).stdout) as {
      readonly pool_present: { readonly fields: readonly { readonly path: string }[] };
    };
    const shown = ['graceful_disable_timeout', 'servers', 'servers[].port'];
    const optional = { required: false };
    expect(pool.fields.filter((field) => shown.includes(field.path))).to.have.deep.members([
      {
        path: 'graceful_disable_timeout',
        type: 'integer',
        ...optional,
        default: 1,
        minimum: 1,
        maximum: 7200,
        special: [0, -1],
        unit: 'minutes',
      },
      { path: 'servers', type: 'list of mappings', ...optional, maxItems: 5000 },
      { path: 'servers[].port', type: 'integer', ...optional, minimum: 1, maximum: 65_535, special: [0] },
    ]);
  });

  it('distinguishes known fields from arguments', async () => {
    const { stdout } = await doc('cloud_present');
    const [promised = '', known = ''] = stdout.split('Fields known beyond the API document');
    expect(promised).to.contain('name  string, required').and.to.contain('Any other argument is a field of the object');
    expect(known)
      .to.contain('mtu  integer, default 1500')
      .and.to.contain('vcenter_configuration.password  string, secret');
  });

  it('explains keywords, filters, tests, lookups, variables and settings', async () => {
    expect((await doc('serial')).stdout).to
      .equal(`serial (keyword): Controllers in a batch: a count, a percentage such as "25%", or a list.

  Allowed in  play
  Takes       a number, a percentage, or a list of them
  Read on     docs/rollouts.md
`);
    const { stdout } = await doc('regex_replace');
    expect(stdout).to.match(/^regex_replace \(filter\): the text with each match replaced; /);
    expect(stdout).to.include('  Call     regex_replace(text, pattern, replacement?, ');
    expect(stdout).to.include('\nExamples\n  {{ "lb01.emea" | regex_replace("^(\\w+)\\..*", "\\1") }}  →  "lb01"\n');
    for (const [name, type] of [
      ['divisibleby', 'test'],
      ['csvfile', 'lookup'],
      ['inventory_hostname', 'variable'],
      ['controller_password', 'variable'],
      ['require_plan', 'setting'],
      ['ansible.builtin.regex_replace', 'filter'],
    ] as const)
      expect((await doc(name)).stdout, name).to.match(new RegExp(`^${name.replace(/.*\./, '')} \\(${type}\\): \\S`));
  });

  it('says in words what a setting takes', async () => {
    for (const [name, takes] of [
      ['forks', 'a whole number from 1, or auto'],
      ['strategy', 'one of host_pinned, linear, free'],
      ['roles_path', 'a folder, or a list of them'],
      ['require_plan', 'true or false'],
    ] as const)
      expect((await doc(name, '--type', 'setting')).stdout, name).to.include(`  Takes    ${takes}\n`);
  });

  it('explains the roles that ship, each with all of its variables', async () => {
    const shipped = path.join(ROOT, 'src/project/role/shipped');
    for (const role of readdirSync(shipped)) {
      const { stdout } = await doc(role);
      expect(stdout).to.match(new RegExp(String.raw`^${role} \(role\): \S`));
      const specification = readFileSync(path.join(shipped, role, 'meta/argument_specs.yml'), 'utf8');
      const { argument_specs: specs } = parse(specification) as { argument_specs: { main: { options: object } } };
      const names = [...stdout.matchAll(/^ {2}([a-z]+_[a-z]+) /gm)].map(([, name]) => name);
      expect(names, role).to.have.members(Object.keys(specs.main.options));
    }
  });

  it('shows everything that has the name, or one type of it', async () => {
    const heads = async (...args: string[]): Promise<readonly string[]> =>
      [...(await doc(...args)).stdout.matchAll(/^(\w+ \(\w+\)): /gm)].map(([, head = '']) => head);
    expect(await heads('debug')).to.deep.equal(['debug (action)']);
    expect(await heads('file')).to.deep.equal(['file (filter)', 'file (test)', 'file (lookup)']);
    for (const [name, type, shown] of [
      ['file', 'filter', 'filter'],
      ['file', 'test', 'test'],
      ['file', 'lookup', 'lookup'],
      ['debug', 'module', 'action'],
      ['serial', 'keyword', 'keyword'],
      ['inventory_hostname', 'variable', 'variable'],
      ['roles_path', 'setting', 'setting'],
    ] as const)
      expect(await heads(name, '--type', type), type).to.deep.equal([`${name} (${shown})`]);
    const { stderr } = await doc('serial', '--type', 'nothing');
    expect(stderr).to.include('module, keyword, filter, test, lookup, variable, setting, role');
    const json = JSON.parse((await doc('file', '--json')).stdout) as object;
    expect(json).to.have.all.keys('file (filter)', 'file (test)', 'file (lookup)');
    expect(JSON.parse((await doc('serial', '--json')).stdout)).to.have.nested.property('serial.type', 'keyword');
  });

  it('lists one type', async () => {
    const { stdout } = await doc('-l', '--type', 'test');
    expect(stdout)
      .to.match(/^divisibleby +\S/m)
      .and.to.not.match(/^cloud_present/m);
    expect((await doc('-l', '--type', 'module')).stdout).to.equal((await doc('-l')).stdout);
    const named = await doc('-l', 'pool');
    expect([named.code, named.stderr]).to.deep.equal([
      1,
      'error: --list takes no name\n  = hint: evenkeel doc pool explains it\n\n1 error\n',
    ]);
  });

  it('refuses an unknown name, and suggests the nearest of any type', async () => {
    for (const [name, near] of [
      ['seriall', 'serial'],
      ['regexreplace', 'regex_replace'],
      ['inventory_hostnam', 'inventory_hostname'],
    ] as const)
      expect((await doc(name)).stderr).to.include(`did you mean "${near}"?`);
    const { code, stderr } = await doc('serial', '--type', 'filter');
    expect(code).to.equal(1);
    expect(stderr).to.include('there is no filter "serial"');
  });

  it('refuses an unknown module', async () => {
    const { code, stdout, stderr } = await doc('clod_present');
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr)
      .to.contain('there is no module, keyword, filter, test, lookup, variable, setting or role "clod_present"')
      .and.to.contain('did you mean "cloud_present"?');
  });
});
