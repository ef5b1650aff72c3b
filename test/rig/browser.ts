import { existsSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

const PLACES = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A browser that is installed on this machine; undefined if there is none. */
export const CHROMIUM = PLACES.find((place): place is string => place !== undefined && existsSync(place));

/** Reports why a suite is skipped. */
export function sayWithoutBrowser(suite: string): void {
  process.stderr.write(`\nSKIPPED: ${suite}: no Chromium (apt-get install chromium, or set CHROMIUM)\n`);
}

export async function startBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page in a browser, and what should not happen on it. */
export interface Watched {
  readonly page: Page;
  /** Messages of the console, errors, and requests for anything but the page itself. */
  readonly complaints: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const wanted = request.url();
    const isOwn = url.startsWith('http')
      ? new URL(wanted).origin === new URL(url).origin
      : wanted.startsWith(url.split('#', 1)[0] ?? url);
    if (!isOwn && !wanted.startsWith('data:')) complaints.push(`request: ${wanted}`);
  });
  await page.goto(url);
  await page.waitForSelector('h1');
  await settled(page);
  return { page, complaints };
}

/**
 * Waits until the page shows the effect of the last action. Preact renders after the event and runs effects after the
 * next frame; what those set is rendered in the frame after it.
 */
export async function settled(page: Page): Promise<void> {
  const frame = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
  await page.evaluate(`${frame}.then(() => ${frame}).then(() => ${frame})`);
}

/** What an accessibility checker finds. */
export async function violations(page: Page): Promise<readonly string[]> {
  await settled(page);
  // Evaluated by the debugger: the policy of the page allows no script but its own.
  await page.evaluate(axe.source);
  return page.evaluate<readonly string[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`))',
  );
}
