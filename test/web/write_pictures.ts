// Writes the pictures of docs/report.md: a run that is made up here, as a browser shows it.
// usage: npm run page-pictures
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Event, TaskFinished } from '../../src/core/model/run/event.js';
import type { Change } from '../../src/core/model/run/result.js';
import { PageData } from '../../src/reporting/page/fold/page_data.js';
import { liveSources } from '../../src/reporting/page/fold/sources.js';
import { pageHtml, readAssets } from '../../src/reporting/page/html.js';
import { startBrowser } from '../rig/browser.js';
import { ROOT } from '../rig/command.js';
import { EventMaker } from '../rig/events.js';

const REGIONS = ['emea', 'apac', 'amer', 'lab'];
const FLEET = 480;
const BATCHES = 3;
const STEPS: readonly (readonly [task: string, module: string])[] = [
  ['Create the cloud', 'cloud_present'],
  ['Configure DNS and NTP', 'system_config'],
  ['Network profile', 'networkprofile_present'],
  ['IPAM profile', 'ipamdnsproviderprofile_present'],
  ['Application profile', 'applicationprofile_present'],
  ['Upload the certificate', 'file_upload'],
  ['Health monitor', 'healthmonitor_present'],
  ['Pool', 'pool_present'],
  ['Pool group', 'poolgroup_present'],
  ['Virtual IP', 'vsvip_present'],
  ['Virtual service', 'virtualservice_present'],
  ['System limits', 'resource_present'],
];
const PLAYBOOK = STEPS.map(
  ([task, module]) => `    - name: ${task}\n      ${module}:\n        name: '{{ service }}'\n`,
);

/** The same numbers each time. */
function numbers(): () => number {
  let seed = 7;
  return () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

type Given = Parameters<EventMaker['taskFinished']>[2];

function resultOf(index: number, step: number, random: number): readonly [TaskFinished['status'], Given] {
  const changed = (change: Change): readonly [TaskFinished['status'], Given] => ['changed', { change }];
  const name = `lb${String(index + 1).padStart(3, '0')}`;
  if (step === 0 && random < 0.3) {
    const after = { name: 'edge', mtu: 1500, dhcp_enabled: true };
    return changed({ kind: 'create', object: 'cloud "edge"', before: null, after });
  }
  if (step === 1 && index % 3 === 0) {
    const second = index % 99 === 0 ? 'ntp9.example.com' : 'ntp2.example.com';
    const before = { ntp_servers: ['pool.ntp.org'] };
    const after = { ntp_servers: ['ntp1.example.com', second] };
    return changed({ kind: 'update', object: 'system configuration', before, after });
  }
  if (step === 9 && random < 0.5) {
    const object = `vsvip "vip-${name}"`;
    const after = { address: `10.${index >> 8}.${index & 255}.7` };
    return changed({ kind: 'update', object, before: { address: '0.0.0.0' }, after });
  }
  if (step === 10 && index % 60 === 17)
    return [
      'failed',
      {
        message: 'POST /api/virtualservice/: the controller answered 400: name is reserved',
        hint: 'choose another name',
      },
    ];
  if (step === 3 && index % 160 === 41)
    return ['failed', { message: `timed out after 30 s (GET https://10.0.3.${index & 255}/api/ipam/)` }];
  if (step === 0 && index % 110 === 55)
    return ['unreachable', { message: `no connection to https://10.0.0.${index & 255} (ECONNREFUSED)` }];
  if (step === 5 && index % 4 === 3) return ['skipped', { message: 'region != "lab" is false' }];
  if (step === 11 && index % 50 === 1) return ['failed', { ignored: true, message: '404 not found' }];
  return ['ok', {}];
}

function* rollout(): Iterable<Event> {
  const make = new EventMaker(Date.parse('2026-11-20T18:50:22Z'));
  const random = numbers();
  const names = Array.from(
    { length: FLEET },
    (_, at) => `lb${String(at + 1).padStart(3, '0')}.${REGIONS[at % 4] ?? ''}.example.com`,
  );
  const groups = REGIONS.map((region, at) => [region, [...names.keys()].filter((index) => index % 4 === at)] as const);
  yield make.runStarted({ environment: 'production', playbooks: ['rollout.yml'] });
  yield make.playStarted(names, {
    play: 'Roll out the load balancers',
    tasks: STEPS.length,
    groups: Object.fromEntries(groups),
  });
  for (let batch = 0; batch < BATCHES; batch++) {
    const members = names.slice((batch * FLEET) / BATCHES, ((batch + 1) * FLEET) / BATCHES);
    yield make.batchStarted(members, batch + 1, BATCHES);
    for (const name of members) {
      const index = names.indexOf(name);
      for (const [step, [task, module]] of STEPS.entries()) {
        const seconds = 0.02 + random() * 0.2;
        make.pass(seconds / 40);
        const [status, given] = resultOf(index, step, random());
        const source = { file: 'rollout.yml', line: 4 + step * 4, column: 7 };
        yield make.taskFinished(name, status, { task, module, seconds, source, ...given });
        if (given?.ignored !== true && (status === 'failed' || status === 'unreachable')) break;
      }
      yield make.controllerFinished(name);
    }
    yield make.gateStarted(members, { batch: batch + 1, passes: 2 });
    for (const round of [1, 2]) yield make.pass(0.8).gateChecked(round);
    yield { ...make.gateFinished(), batch: batch + 1 } as Event;
    yield make.batchFinished(batch + 1);
  }
  yield make.playFinished();
  yield make.runFinished({ status: 'failed', exitCode: 2 });
}

const PICTURES = [
  { name: 'report', hash: '', colorScheme: 'light', at: 'header' },
  {
    name: 'report-dark',
    hash: '#order=outcome&controller=lb018.apac.example.com&step=10',
    colorScheme: 'dark',
    at: '#matrix',
  },
] as const;

const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
const browser = await startBrowser();
try {
  await writeFile(path.join(folder, 'rollout.yml'), `- hosts: all\n  serial: 33%\n  tasks:\n${PLAYBOOK.join('\n')}`);
  const data = new PageData(liveSources(folder, (text) => text));
  for (const event of rollout()) data.handle(event);
  const command = 'evenkeel run --rerun 20261120T185022Z-9f3a1c';
  const facts = {
    title: 'run rollout.yml',
    author: 'by ann on ops1, CHG0012: new sites',
    commands: [{ purpose: 'continue with', command }],
  };
  const file = path.join(folder, 'page.html');
  await writeFile(file, pageHtml(data.pack(facts), { title: 'run rollout.yml', summary: '' }, readAssets()));
  for (const { name, hash, colorScheme, at } of PICTURES) {
    const page = await browser.newPage({
      viewport: { width: 1080, height: 760 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    await page.goto(pathToFileURL(file).href + hash);
    await page.locator('.scroller canvas').waitFor();
    await page.evaluate(`document.querySelector('${at}').scrollIntoView()`);
    await page.waitForTimeout(500);
    await page.screenshot({ path: path.join(ROOT, `docs/${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
