import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { editorSettings, schemaFiles } from '../../src/schema/command.js';
import { SCHEMAS } from '../../src/schema/index.js';
import { blocksOf } from '../docs/blocks.js';
import { ROOT } from '../rig/command.js';
import { declarations } from '../rig/schemas.js';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const FOLDER = '.vscode/schemas';

describe('The editor settings of the example project', () => {
  const settings = JSON.parse(read('.vscode/settings.json')) as Record<string, unknown>;

  it('name a schema for every kind of file', () => {
    const wanted = SCHEMAS.map(({ name, files }) => [`${FOLDER}/${name}.schema.json`, files]);
    expect(settings['yaml.schemas']).to.deep.equal(Object.fromEntries(wanted));
  });

  it('are those that "evenkeel init" writes', () => {
    expect(JSON.parse(editorSettings(FOLDER))).to.deep.equal(settings);
  });

  it('are those of docs/editor.md, which lists the schemas', () => {
    const page = read('docs/editor.md');
    const json = blocksOf(page).find(({ language }) => language === 'json');
    expect(JSON.parse(json?.text ?? '')).to.deep.equal(settings);
    const rows = [...page.matchAll(/^\| `([\w-]+)` *\| (.*?) *\|$/gm)].map(([, name, about]) => [name, about]);
    expect(rows).to.deep.equal(SCHEMAS.map(({ name, about }) => [name, about]));
  });

  it('come with schemas as "evenkeel schema --out .vscode/schemas" writes them; run it again if this fails', async () => {
    for (const { name, text } of schemaFiles(SCHEMAS, await declarations()))
      expect(JSON.parse(read(`${FOLDER}/${name}`)), name).to.deep.equal(JSON.parse(text));
    expect(readdirSync(path.join(ROOT, FOLDER))).to.have.length(SCHEMAS.length);
  });

  it('refer to the schema of playbooks only if it is beside them', async () => {
    const alone = schemaFiles(
      SCHEMAS.filter(({ name }) => name !== 'playbook'),
      await declarations(),
    );
    const tasks = alone.find(({ name }) => name === 'tasks.schema.json');
    expect(tasks?.text).to.include('"module_debug": ').and.not.include('playbook.schema.json');
  });

  it('come with schemas that find each other', () => {
    const schemaIn = (name: string): object => JSON.parse(read(`${FOLDER}/${name}.schema.json`)) as object;
    const ajv = new Ajv({ strict: false });
    ajv.addSchema(schemaIn('playbook'), 'playbook.schema.json');
    const tasks = ajv.compile(schemaIn('tasks'));
    const handlers = ajv.compile(schemaIn('handlers'));
    expect([tasks([{ debug: null }]), tasks([{ debgu: null }])]).to.deep.equal([true, false]);
    expect([handlers([{ debug: null, listen: 'a' }]), handlers([{ include_role: { name: 'a' } }])]).to.deep.equal([
      true,
      false,
    ]);
  });
});
