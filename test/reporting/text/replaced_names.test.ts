import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ReplacedNames } from '../../../src/reporting/text/replaced_names.js';
import { emptyProject, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { pageIn } from '../../rig/page_run.js';

const INVENTORY = `all:
  hosts: { lb1: , lb2.example.com: }
  vars:
    controller_url: 'https://{{ inventory_hostname }}'
    controller_api_version: '22.1.3'
    controller_username: admin
    controller_password: not-seen
    word: horse22
`;

const SITE = `- hosts: all
  tasks:
    - name: Shown before
      cloud_present: { name: '{{ inventory_hostname }}-{{ word }}', mtu: 1500 }
    - name: Said before
      debug: { msg: 'it is {{ inventory_hostname }}-{{ word }}' }
    - name: Failed before
      fail: { msg: 'not {{ inventory_hostname }}-{{ word }}' }
      ignore_errors: true
    - set_fact: { db_password: '{{ inventory_hostname }}-{{ word }}' }
`;

describe('the name of a controller in a secret', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({ 'site.yml': SITE, 'inventory.yml': INVENTORY });
  });
  after(() => project.remove());

  it('is found where outputs have replaced the name before the secret became known', async () => {
    const reports = ['--report', 'html=run.html', '--report', 'markdown=run.md'];
    const { code, stderr } = await evenkeel(
      ['run', 'site.yml', '-i', 'inventory.yml', '--simulate', '-o', 'grouped', ...reports],
      { cwd: project.directory },
    );
    expect([code, stderr]).to.deep.equal([0, '']);
    const read = (name: string): Promise<string> => readFile(path.join(project.directory, name), 'utf8');
    const texts = [JSON.stringify(pageIn(await read('run.html'))), await read('run.md')];
    for (const text of texts) expect(text).to.include('********').and.not.to.include('horse');
  });

  it('has a spelling for each way in which it is replaced', () => {
    const names = new ReplacedNames();
    names.add(['lb1', 'lb2.example.com', 'edge-1.b', 'a']);
    const spellings = (secret: string): readonly string[] => names.spellings(secret);
    expect(spellings('horse22')).to.deep.equal([]);
    expect(spellings('xlb1-horse22')).to.deep.equal([]);
    expect(spellings('lb1-horse22')).to.deep.equal(['<controller>-horse22', '{{inventory_hostname}}-horse22']);
    expect(spellings('lb2 horse22 of edge-1.b')).to.deep.equal([
      '<controller> horse22 of edge-1.b',
      '{{inventory_hostname_short}} horse22 of edge-1.b',
      'lb2 horse22 of <controller>',
      'lb2 horse22 of {{inventory_hostname}}',
    ]);
    // What is left says nothing, or would be found everywhere.
    expect([spellings('lb1'), spellings('lb1-22'), spellings('lb1: a')]).to.deep.equal([[], [], []]);
  });
});
