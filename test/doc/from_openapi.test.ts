import { chmod, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { mounted, SMALL } from '../rig/mounted.js';

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
        wait: {
          type: 'integer',
          description:
            'Allowed values are 1-60. Special values are 0 - Never, -1 - Always. Field introduced in 20.1.1. Field deprecated in 30.2.1.',
        },
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
          wait: { type: 'integer', range: [1, 60], special: [0, -1], since: '20.1.1', until: '30.2.1' },
          mode: { type: 'string', choices: ['FAST', 'SLOW'], default: 'FAST' },
          pool_ref: { type: 'string', refers: 'pool' },
          api_token: { type: 'string', secret: 'review' },
          parts: '[Part]',
        },
      },
    });
  });

  it('follows references across files, combines schemas, and keeps what is written in place', async () => {
    await project.write(
      'api/common/types.yaml',
      `
definitions:
  IpAddr: { type: object, required: [addr], properties: { addr: { type: string }, type: { $ref: '#/definitions/IpType' } } }
  IpType: { type: string, enum: [V4, V6] }
  Base: { required: [name], properties: { name: { type: string } } }
`,
    );
    await project.write('api/Limits.json', '{"properties": {"rate": {"type": "integer", "minimum": 0, "maximum": 9}}}');
    const definitions = `
definitions:
  Door: { properties: { width: { type: integer } } }
`;
    await project.write(
      'api/house.yaml',
      `
swagger: '2.0'
parameters:
  Body: { in: body, name: body, schema: { $ref: '#/definitions/House' } }
paths:
  /house: { parameters: [{ $ref: '#/parameters/Body' }], post: {} }
  /holiday-home: { post: { parameters: [{ $ref: '#/parameters/Body' }] } }
${definitions.trim()}
  House:
    allOf:
      - $ref: common/types.yaml#/definitions/Base
      - required: [doors]
        properties:
          doors: { type: array, items: { $ref: '#/definitions/Door' } }
          address: { allOf: [{ $ref: common/types.yaml#/definitions/IpAddr }], description: Where it is. }
          limits: { $ref: ./Limits.json }
          alarm: { type: object, properties: { code: { type: string, format: password } } }
          neighbour: { $ref: '#/definitions/House' }
          labels: { type: array, items: { type: string, enum: [OLD, NEW] } }
          mode: { type: string, enum: [on, off] }
          ghost: { $ref: '#/definitions/Ghost' }
`,
    );
    const barn = {
      openapi: '3.1.0',
      paths: {
        '/barn': { post: { requestBody: { $ref: '#/components/requestBodies/Barn' } } },
        '/shed': { post: { requestBody: { content: { 'application/json; charset=utf-8': { schema: {} } } } } },
      },
      components: {
        requestBodies: {
          Barn: { content: { 'application/vnd.api+json': { schema: { $ref: '#/components/schemas/Barn' } } } },
        },
        schemas: {
          Barn: {
            properties: {
              name: { type: ['string', 'null'] },
              door: { oneOf: [{ $ref: '#/components/schemas/Door' }, { type: 'null' }] },
              front: { $ref: 'house.yaml#/definitions/Door' },
            },
          },
          Door: { properties: { height: { type: 'number' } } },
        },
      },
    };
    await project.write('api/barn.json', JSON.stringify({ ...barn, paths: { '/barn': barn.paths['/barn'] } }));
    const made = ['modules', 'from-openapi', 'api/house.yaml', 'api/barn.json', '--out', 'api/made.kinds.json'];
    const { code, stdout, stderr } = await run(...made);
    expect(stderr).to
      .equal(`warning: api/house.yaml: /holiday-home is left out: names of kinds have lowercase letters and digits only
warning: not found, so any value passes there: #/definitions/Ghost
`);
    expect([code, stdout]).to.deep.equal([
      0,
      'api/made.kinds.json: barn, house\nMasked because of their names; write "secret": true or false after a review:\n  House_alarm.code\n',
    ]);
    const file = path.join(project.directory, 'api/made.kinds.json');
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).to.deep.include({
      kinds: { barn: 'Barn', house: 'House' },
      structures: {
        Barn: { fields: { name: 'string', door: 'Door_2', front: 'Door' } },
        Door: { fields: { width: 'integer' } },
        Door_2: { fields: { height: 'number' } },
        House: {
          required: ['name', 'doors'],
          fields: {
            name: 'string',
            doors: '[Door]',
            address: 'IpAddr',
            limits: 'Limits',
            alarm: 'House_alarm',
            neighbour: 'mapping',
            labels: { type: '[string]', choices: ['OLD', 'NEW'] },
            mode: 'string',
            ghost: 'any',
          },
        },
        House_alarm: { fields: { code: { type: 'string', secret: 'review' } } },
        IpAddr: { required: ['addr'], fields: { addr: 'string', type: { type: 'string', choices: ['V4', 'V6'] } } },
        Limits: { fields: { rate: { type: 'integer', range: [0, 9] } } },
      },
    });
    await project.write('api/made.kinds.json', text.replace('"review"', 'false'));
    expect((await run(...made)).stdout, 'decisions stay').to.equal('api/made.kinds.json: barn, house\n');
    expect(await readFile(file, 'utf8')).to.include('"code": {"type":"string","secret":false}');
    await project.write('api/barn.json', JSON.stringify(barn));
    const shed = await run(...made);
    expect([shed.code, shed.stderr]).to.deep.equal([
      1,
      'error: api/barn.json: the schema of /shed has no properties; not found: #/definitions/Ghost\n\n1 error\n',
    ]);
  });

  it('keeps the known secrets of built-in kinds', async () => {
    const schema = { properties: { name: { type: 'string' }, aws_secret_access: { type: 'string' } } };
    await project.write(
      'api/backup.json',
      JSON.stringify({
        swagger: '2.0',
        paths: {
          '/api/backupconfiguration': {
            post: { parameters: [{ in: 'body', schema: { $ref: '#/definitions/BackupConfiguration' } }] },
          },
        },
        definitions: { BackupConfiguration: schema },
      }),
    );
    const { stdout } = await run('modules', 'from-openapi', 'api/backup.json', '--out', 'api/backup.kinds.json');
    expect(stdout).to.equal('api/backup.kinds.json: backupconfiguration\n');
    expect(await readFile(path.join(project.directory, 'api/backup.kinds.json'), 'utf8')).to.include(
      '"aws_secret_access": {"type":"string","secret":true}',
    );
  });

  it('adds their modules to the project', async () => {
    const { code, stderr } = await run('run', 'play.yml', '-i', 'inventory', '--syntax-check');
    expect(code).to.equal(1);
    expect(stderr).to.include('"mod" is not a field of Widget').and.to.include('did you mean "mode"?');
    expect(stderr).to.include('1 error\n');
    expect((await run('doc', 'widget_present')).stdout).to.include('wait  integer, from 1 to 60 or 0 or -1');
  });

  it('reports mistakes in files', async () => {
    await project.write('broken.json', '{');
    await project.write('other.yaml', 'a: 1\n');
    const { stderr } = await run('modules', 'from-openapi', 'broken.json', 'missing.yaml');
    expect(stderr).to.include('broken.json is not JSON');
    expect(stderr).to.include('missing.yaml cannot be read: there is no such file');
    expect((await run('modules', 'from-openapi', 'other.yaml')).stderr).to.include(
      'other.yaml is not an OpenAPI document: it has neither "swagger" nor "openapi"',
    );
    await project.write('lost.json', '{"swagger": "2.0", "definitions": {"A": {"$ref": "gone/a.json#/B"}}}');
    expect((await run('modules', 'from-openapi', 'lost.json')).stderr).to.include(
      'gone/a.json, which lost.json refers to, cannot be read: there is no such file',
    );
    await project.write('empty.json', '{"openapi": "3.0.0", "paths": null}');
    expect((await run('modules', 'from-openapi', 'empty.json')).stderr).to.include(
      'empty.json describes no kind: no path such as /pool has a POST or PUT with a schema',
    );
    await project.write('kept.kinds.json', '{"mine": 1}');
    const kept = await run('modules', 'from-openapi', 'two.json', '--out', 'kept.kinds.json');
    expect(kept.stderr).to.include('kept.kinds.json is not replaced, because it is not a table of kinds');
    const named = await run('modules', 'from-openapi', 'two.json', '--out', 'modules/table.json');
    expect(named.stderr).to.include('its name must end in .kinds.json');
  });

  it('writes where a link leads, also if there is no table yet', async () => {
    const link = path.join(project.directory, 'link.kinds.json');
    await symlink('linked/new.kinds.json', link);
    for (const file of ['three.yaml', 'two.json'])
      expect(await run('modules', 'from-openapi', file, '--out', 'link.kinds.json')).to.include({
        code: 0,
        stderr: '',
      });
    expect(await readlink(link)).to.equal('linked/new.kinds.json');
    expect(await readdir(path.join(project.directory, 'linked'))).to.deep.equal(['new.kinds.json']);
  });

  it('keeps the table that is there, and its mode, on a full disk', function () {
    return mounted(this, SMALL, async (disk) => {
      const [table, ballast] = [path.join(disk, 'a.kinds.json'), path.join(disk, 'ballast')];
      expect(await run('modules', 'from-openapi', 'three.yaml', '--out', table)).to.include({ code: 0 });
      const before = await readFile(table, 'utf8');
      await chmod(table, 0o640);
      await writeFile(ballast, Buffer.alloc(60 * 1024));
      await project.write('large.json', JSON.stringify(TWO).replaceAll('How.', 'How. '.repeat(5000)));
      for (const name of ['a', 'b'])
        expect(await run('modules', 'from-openapi', 'large.json', '--out', `${disk}/${name}.kinds.json`)).to.include({
          code: 1,
          stderr: `error: cannot write ${disk}/${name}.kinds.json: no space left on device\n\n1 error\n`,
        });
      expect([await readFile(table, 'utf8'), await readdir(disk)]).to.deep.equal([before, ['a.kinds.json', 'ballast']]);
      expect((await evenkeel(['init', disk, '--yes'], { cwd: disk })).stderr).to.include('; nothing was written\n');
      await rm(ballast);
      expect(await run('modules', 'from-openapi', 'large.json', '--out', table)).to.include({ code: 0 });
      expect([(await stat(table)).mode & 0o777, await readdir(disk)]).to.deep.equal([
        0o640,
        ['a.kinds.json', 'inventory'],
      ]);
      const { stderr } = await evenkeel(['init', disk, '--yes'], { cwd: disk });
      expect(stderr).to.include('; written so far: inventory/development/controllers.yml, ');
    });
  });

  it('refuses a file that is no longer a table of kinds', async () => {
    for (const [table, message] of [
      ['{"format": "evenkeel-kinds-2"}', '"format" is not "evenkeel-kinds-1"'],
      ['{"format": "evenkeel-kinds-1", "kinds": []}', '"kinds" and "structures" must be mappings'],
      ['{"format": "evenkeel-kinds-1", "kinds": {"a": "B"}, "structures": {}}', 'the kind "a" has no structure "B"'],
      ['{"format": "evenkeel-kinds-1", "kinds": {}, "structures": {"B": {}}}', '"B" has no "fields"'],
      [
        '{"format": "evenkeel-kinds-1", "kinds": {}, "structures": {"B": {"fields": {"a": "[text]"}}}}',
        '"B.a" has the unknown type "[text]"',
      ],
      [
        '{"format": "evenkeel-kinds-1", "kinds": {"a": "A"}, "structures": {"A": {"fields": {"b": "[B]"}}, "B": {"fields": {"c": "C"}}, "C": {"fields": {"b": "B", "n": "string"}}}}',
        'structures contain each other: B → C → B',
      ],
      [
        '{"format": "evenkeel-kinds-1", "kinds": {"a": "A"}, "structures": {"A": {"fields": {"b": "[A]"}}}}',
        'the structure "A" contains itself',
      ],
    ] as const) {
      await project.write('modules/zz.kinds.json', table);
      const { code, stderr } = await run('doc', '-l');
      expect(code).to.equal(1);
      expect(stderr).to.include(`zz.kinds.json is not a table of kinds: ${message}`);
    }
  });
});
