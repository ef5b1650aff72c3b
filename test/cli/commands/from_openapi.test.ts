import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';

const TWO = {
  swagger: '2.0',
  paths: {
    '/widget': { post: { parameters: [{ in: 'body', schema: { $ref: '#/definitions/Widget' } }] } },
    '/widget/{uuid}': { put: { parameters: [{ in: 'body', schema: { $ref: '#/definitions/Widget' } }] } },
    '/settings': { put: { parameters: [{ in: 'body', schema: { $ref: '#/definitions/Settings' } }] } },
  },
  definitions: {
    Widget: {
      required: ['name'],
      properties: {
        name: { type: 'string' },
        wait: { type: 'integer', description: 'Allowed values are 1-60. Special values are 0 - Never, -1 - Always.' },
        mode: { type: 'string', default: 'FAST', description: 'How. Enum options - FAST, SLOW.' },
        pool_ref: { type: 'string', description: 'It is a reference to an object of type Pool.' },
        api_token: { type: 'string' },
        parts: { type: 'array', items: { $ref: '#/definitions/Part' } },
      },
    },
    Part: { properties: { widget: { $ref: '#/definitions/Part' }, size: { type: 'number' } } },
    Settings: { properties: { motd: { type: 'string' } } },
  },
};
const THREE = `
openapi: 3.0.0
paths:
  /api/gadget/:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Gadget' } } } }
components:
  schemas:
    Gadget: { type: object, properties: { name: { type: string }, colour: { type: string, enum: [RED, BLUE] } } }
`;

describe('evenkeel modules from-openapi', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({
      'two.json': JSON.stringify(TWO),
      'three.yaml': THREE,
      'play.yml':
        '- hosts: all\n  tasks:\n    - widget_present: { name: w, mod: SLOW, wait: 0 }\n    - gadget_absent: { name: g }\n    - settings_present: { motd: hi }\n    - avi_widget: { name: w }\n',
      inventory: 'lb1\n',
    });
  });
  after(() => project.remove());

  const run = (...args: string[]) => evenkeel(args, { cwd: project.directory });

  it('writes a table of kinds, and lists what needs a review', async () => {
    const { code, stdout, stderr } = await run('modules', 'from-openapi', 'two.json', 'three.yaml');
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    expect(stdout).to.equal(`modules/controller.kinds.json: gadget, settings, widget
Masked because of their names; write "secret": true or false after a review:
  Widget.api_token
`);
    const table = JSON.parse(
      await readFile(path.join(project.directory, 'modules/controller.kinds.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect(table['kinds']).to.deep.equal({
      gadget: 'Gadget',
      settings: { structure: 'Settings', single: true },
      widget: 'Widget',
    });
    expect(table['structures']).to.deep.include({
      Part: { fields: { widget: 'mapping', size: 'number' } },
      Widget: {
        required: ['name'],
        fields: {
          name: 'string',
          wait: { type: 'integer', range: [1, 60], special: [0, -1] },
          mode: { type: 'string', choices: ['FAST', 'SLOW'], default: 'FAST' },
          pool_ref: { type: 'string', refers: 'pool' },
          api_token: { type: 'string', secret: 'review' },
          parts: '[Part]',
        },
      },
    });
  });

  it('gives the project modules for them', async () => {
    const { code, stderr } = await run('run', 'play.yml', '-i', 'inventory', '--syntax-check');
    expect(code).to.equal(1);
    expect(stderr).to.include('"mod" is not a field of Widget').and.to.include('did you mean "mode"?');
    expect(stderr).to.include('1 error\n');
    expect((await run('doc', 'widget_present')).stdout).to.include('wait  integer, from 1 to 60 or 0 or -1');
  });

  it('says what is wrong with files', async () => {
    await project.write('broken.json', '{');
    await project.write('other.yaml', 'a: 1\n');
    const { stderr } = await run('modules', 'from-openapi', 'broken.json', 'missing.yaml');
    expect(stderr).to.include('broken.json is not JSON');
    expect(stderr).to.include('missing.yaml cannot be read: there is no such file');
    expect((await run('modules', 'from-openapi', 'other.yaml')).stderr).to.include(
      'other.yaml: it is no OpenAPI document',
    );
    const named = await run('modules', 'from-openapi', 'two.json', '-o', 'modules/table.json');
    expect(named.stderr).to.include('its name must end in .kinds.json');
  });

  it('refuses a table that was edited into something else', async () => {
    await project.write(
      'modules/zz.kinds.json',
      '{"format": "evenkeel-kinds-1", "kinds": {"a": "B"}, "structures": {}}',
    );
    const { code, stderr } = await run('doc', '-l');
    expect(code).to.equal(1);
    expect(stderr).to.include('zz.kinds.json is no table of kinds: the kind "a" has no structure "B"');
  });
});
