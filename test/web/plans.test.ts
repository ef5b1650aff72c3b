import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openPage, sayWithoutBrowser, startBrowser, violations } from '../rig/browser.js';
import { emptyProject, STARTED, type Project, ownHome } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';

const FILES = {
  'inv.yml': `all:
  vars: { controller_url: 'https://{{inventory_hostname}}', controller_api_version: 22.1.3 }
  hosts: { lb1: { size: 1400 }, lb2: { size: 1500 }, lb3: { size: 1600 } }
`,
  'p.yml': `- hosts: all
  tasks:
    - name: Create the cloud
      cloud_present: { name: edge, mtu: '{{ size }}' }
`,
};

describe('plans and drift in a browser', () => {
  let project: Project;
  let browser: Browser;
  let page: Page;
  let server: ChildProcess;
  let complaints: readonly string[] = [];
  let origin = '';

  async function run(...args: readonly string[]): Promise<string> {
    const { stdout } = await evenkeel(args, { cwd: project.directory });
    return stdout;
  }

  before(async function () {
    if (CHROMIUM === undefined) {
      sayWithoutBrowser('plans and drift in a browser');
      this.skip();
    }
    project = await emptyProject(FILES);
    await run('plan', 'p.yml', '-i', 'inv.yml', '--simulate', '--out', 'a.rollout');
    await run('plan', 'p.yml', '-i', 'inv.yml', '--simulate', '--out', 'b.plan');
    await run('apply', 'b.plan', '--yes');
    await rm(path.join(project.directory, 'b.plan'));
    server = spawn(process.execPath, [...STARTED, 'ui'], {
      cwd: project.directory,
      env: { ...ownHome(project.directory) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = (await once(server.stdout ?? server, 'data')) as [Buffer];
    browser = await startBrowser();
    const url = printed.toString().trim();
    ({ origin } = new URL(url));
    ({ page, complaints } = await openPage(browser, url));
  });
  after(async () => {
    if (CHROMIUM === undefined) return;
    await browser.close();
    server.kill();
    await once(server, 'close');
    await project.remove();
  });
  afterEach(() => {
    expect(complaints).to.deep.equal([]);
  });

  it('list saved plans, and applied plans even if their file is gone', async () => {
    await page.goto(`${origin}/`);
    await page.getByRole('link', { name: 'Plans' }).click();
    await page.locator('.plan').first().waitFor();
    const lines = await page.locator('.plan').allTextContents();
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(/^applied.*plans\/.*\.plan20/);
    expect(lines[1]).to.match(/^not applied *a\.rollout20/);
    expect(await violations(page)).to.deep.equal([]);
  });

  it('fit a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${origin}/plans`);
    await page.locator('.run.plan').first().waitFor();
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).to.equal(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('show what a plan would change as the terminal does, with the variables that explain differences', async () => {
    await page.goto(`${origin}/plans`);
    await page.locator('.plan', { hasText: 'a.rollout' }).click();
    await page.locator('.printed').waitFor();
    const shown = await page.locator('.printed > span').allTextContents();
    const printed = await run('plan', 'show', 'a.rollout');
    expect(shown).to.deep.equal(printed.trimEnd().split('\n'));
    expect(shown).to.include('    + mtu: "{{ size }}"');
    expect(await page.locator('.printed .added').allTextContents()).to.include('    + mtu: "{{ size }}"');
    expect(await page.locator('.next code').textContent()).to.include('evenkeel apply ');
    expect(await violations(page)).to.deep.equal([]);
  });

  it('show the drift of a run as the terminal did, with its origin', async () => {
    await project.write('p.yml', FILES['p.yml'].replace("'{{ size }}'", '9000'));
    const printed = await run('drift', 'p.yml', '-i', 'inv.yml', '--simulate');
    await page.goto(`${origin}/`);
    await page.locator('.run', { hasText: 'drift' }).click();
    await page.locator('#drift .printed').waitFor();
    const shown = await page.locator('#drift .printed > span').allTextContents();
    expect(shown.join('\n')).to.include('of 3 controllers differ from p.yml').and.include('unchanged since run');
    expect(shown).to.deep.equal(printed.trimEnd().split('\n'));
    expect(await violations(page)).to.deep.equal([]);
  });
});
