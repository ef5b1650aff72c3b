import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { SCHEMAS } from '../../src/schema/index.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';

const OWN = `
import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'greet',
  summary: 'greets somebody',
  args: Type.Object({
    who: Type.String({ description: 'Whom.' }),
    word: Type.Optional(Type.String({ default: 'hello', secret: false })),
    code: Type.Optional(Type.String({ default: 'hunter22', secret: true })),
  }, { additionalProperties: false }),
  examples: ['- greet: { who: you }'],
  check: true,
  run: () => Promise.resolve({ status: 'ok' }),
});
`;

describe('evenkeel schema', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({ 'evenkeel.yml': 'modules_path: own\n', 'own/greet.ts': OWN });
  });
  after(() => project.remove());

  const schema = (...args: string[]): Promise<Ended> => evenkeel(['schema', ...args], { cwd: project.directory });

  it('lists the schemas', async () => {
    expect(await schema()).to.deep.equal({
      code: 0,
      stdout: SCHEMAS.map(({ name, about }) => `${name.padEnd(14)}  ${about}\n`).join(''),
      stderr: '',
    });
  });

  it('prints one, with modules of the project', async () => {
    const { code, stdout } = await schema('playbook');
    expect(code).to.equal(0);
    const printed: unknown = JSON.parse(stdout);
    expect(printed).to.have.property('$schema', 'http://json-schema.org/draft-07/schema#');
    expect(printed)
      .to.have.nested.property('definitions.module_greet.anyOf[0].properties.who')
      .that.deep.equals({
        description: 'Whom.',
        // A whole number becomes its text.
        anyOf: [{ type: 'string' }, { type: 'integer' }],
      });
    const fields = 'definitions.module_greet.anyOf[0].properties';
    expect(printed).to.have.nested.property(`${fields}.word.default`, 'hello');
    expect(printed).to.have.nested.property(`${fields}.code.description`, 'Secret: masked in all output.');
    expect(stdout).not.to.include('hunter22');
  });

  it('writes all of them, or one', async () => {
    const { code, stdout } = await schema('--out', 'out/schemas');
    expect(code).to.equal(0);
    expect(stdout.trimEnd().split('\n')).to.deep.equal(SCHEMAS.map(({ name }) => `out/schemas/${name}.schema.json`));
    expect(await readdir(path.join(project.directory, 'out/schemas'))).to.have.members(
      SCHEMAS.map(({ name }) => `${name}.schema.json`),
    );
    expect((await schema('tasks', '--out', 'alone')).stdout).to.equal('alone/tasks.schema.json\n');
    expect(await readFile(path.join(project.directory, 'alone/tasks.schema.json'), 'utf8')).to.include('module_greet');
  });

  it('reports what is wrong', async () => {
    expect(await schema('playbok')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'error: there is no schema "playbok"\n  = hint: did you mean "playbook"?\n\n1 error\n',
    });
    const { code, stderr } = await schema('--out', 'evenkeel.yml');
    expect(code).to.equal(1);
    expect(stderr).to.match(/^error: cannot write into evenkeel\.yml: /);
    // Node's own recursive mkdir never returns here.
    expect(await schema('--out', '/proc/none/schemas')).to.include({ code: 1 });
  });
});
