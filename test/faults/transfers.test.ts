import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Connections } from '../../src/controller/connections.js';
import { DIALECTS } from '../../src/core/model/dialect.js';
import type { When } from '../../src/simulator/behaviour/fault.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { shareOf } from '../rig/random_seed.js';
import { runText } from '../rig/run_text.js';
import { isSlow, KINDS } from './kinds.js';
import { TRANSFERS } from './transfers_table.js';

const FOLDER = '/api/fileservice/hsmpackages';
const EXPORT = '/api/configuration/export';
const AT_ONCE = 24;
/** Downloads may take any time while something comes. */
const TRICKLING = ['trickle body', 'trickle headers'];

/** What must hold under every fault. */
describe('transfers under every fault', function () {
  this.timeout(600_000);
  let simulator: Simulator;
  let directory: string;
  let names = 0;

  before(async () => {
    simulator = await Simulator.start();
    directory = await mkdtemp(path.join(tmpdir(), 'evenkeel-transfers-'));
    await writeFile(path.join(directory, 'hsm.tar'), randomBytes(300_000));
  });
  after(async () => {
    await simulator.close();
    await rm(directory, { recursive: true });
  });

  interface Trial {
    readonly controller: SimulatedController;
    /** Runs the task. Returns its status and its message. */
    readonly run: () => Promise<string>;
  }

  async function trial(
    kind: string,
    { when, applied = false }: Moment,
    task: (name: string) => object,
  ): Promise<Trial> {
    const name = `c${(names += 1)}`;
    const dialect = DIALECTS.get('avi');
    const make = KINDS[kind]?.[0];
    if (dialect === undefined || make === undefined) throw new Error(`${kind} is unknown`);
    const { url } = await simulator.startController(name, { username: name, password: `pw of ${name}`, dialect });
    const controller = simulator.controller(name);
    controller.behaviour = { faults: [make(when, applied)] };
    const variables = {
      controller_url: url,
      controller_username: name,
      controller_password: `pw of ${name}`,
      controller_dialect: 'avi',
      controller_auth: 'session',
      controller_api_version: '22.1.3',
      controller_timeout: isSlow(kind) ? 0.7 : 20,
    };
    const inventory = JSON.stringify({ all: { hosts: { [name]: variables } } });
    const run = async (): Promise<string> => {
      const connections = new Connections({
        abort: new AbortController().signal,
        retry: { attempts: 3, baseMs: 1, capMs: 4, deadlineSeconds: 20 },
        limits: { responseBytes: 2 ** 20 },
      });
      const { tasks } = await runText(JSON.stringify([{ hosts: 'all', tasks: [task(name)] }]), {
        inventory,
        connect: (settings) => connections.open({ ...settings, ca: simulator.ca }),
      });
      await connections.close();
      return `${tasks[0]?.status ?? ''}: ${tasks[0]?.message ?? ''}`;
    };
    return { controller, run };
  }

  interface Moment {
    readonly when: When;
    readonly applied?: boolean;
  }

  /** Tries a share of the kinds of faults, others for each title, several at a time. */
  async function each(
    title: string,
    work: (kind: string) => Promise<void>,
    except: readonly string[] = [],
  ): Promise<void> {
    const kinds = triedKinds(title).filter((kind) => !except.includes(kind));
    const worker = async (): Promise<void> => {
      for (let kind = kinds.shift(); kind !== undefined; kind = kinds.shift()) await work(kind);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** By moment and kind of fault. */
  const outcomes = new Map<string, Map<string, string>>();

  function note(title: string, kind: string, outcome: string): void {
    const column = outcomes.get(title) ?? new Map<string, string>();
    outcomes.set(title, column.set(kind, outcome));
  }

  function columnOf(title: string): Readonly<Record<string, string>> {
    return Object.fromEntries([...(outcomes.get(title) ?? [])].filter(([kind]) => !isSlow(kind)));
  }

  const DOWNLOADS: Readonly<Record<string, When>> = {
    'a download, once': { path: EXPORT, first: 1 },
    'a download': { path: EXPORT },
  };

  const UPLOADS: Readonly<Record<string, Moment>> = {
    'the upload': { when: { method: 'POST', path: FOLDER, first: 1 } },
    'the answer to an upload that arrived': { when: { method: 'POST', path: FOLDER, first: 1 }, applied: true },
    'the look before it': { when: { method: 'GET', path: FOLDER, first: 1 } },
    'every look': { when: { method: 'GET', path: FOLDER } },
  };

  const titles = [...Object.keys(UPLOADS), ...Object.keys(DOWNLOADS)];

  function triedKinds(title: string): string[] {
    return [...shareOf(Object.keys(KINDS), { change: 12, gate: 8 }, titles.indexOf(title))];
  }

  /** Without the kinds that are not tried. */
  function expectedOf(title: string): Readonly<Record<string, string>> {
    const tried = triedKinds(title);
    return Object.fromEntries(
      Object.entries(TRANSFERS[title] ?? {}).filter(([kind]) => !(kind in KINDS) || tried.includes(kind)),
    );
  }

  for (const [title, moment] of Object.entries(UPLOADS)) {
    it(`never accept a partial transfer, and send a file once in a run: faults of ${title}`, async () => {
      const upload = { file_upload: { path: FOLDER, src: path.join(directory, 'hsm.tar') } };
      await each(title, async (kind) => {
        const { controller, run } = await trial(kind, moment, () => upload);
        const posts = (): number =>
          controller.requests.filter(({ method, path: at }) => method === 'POST' && at === FOLDER).length;
        const isThere = (): boolean => files(controller).some(({ size }) => size === 300_000);
        const first = await run();
        note(title, kind, `${first.split(':')[0] ?? ''} ${posts()} ${isThere() ? 'there' : 'absent'}`);
        // A 401 of a session that has ended is the only answer that says for certain that nothing happened.
        expect(posts(), `${kind}: ${first}`).to.be.at.most(kind === 'expire' || kind === 'answer 401' ? 2 : 1);
        // A request with a 2xx answer counts as accepted, unless a read shows otherwise.
        if (!first.startsWith('changed') && !first.startsWith('ok'))
          expect(first, kind).to.match(/^(?:failed|unreachable): ./);
        else if (moment.when.method === 'POST') expect(isThere(), `${kind}: ${first}`).to.equal(true);
        controller.behaviour = {};
        const second = await run();
        expect(second, kind).to.match(/^(?:ok|changed): /);
        expect(isThere(), kind).to.equal(true);
      });
      expect(columnOf(title)).to.deep.equal(expectedOf(title));
    });
  }

  it('keep the file, or replace it with a complete answer', async () => {
    for (const [title, when] of Object.entries(DOWNLOADS)) {
      await each(
        title,
        async (kind) => {
          const folder = await mkdtemp(path.join(directory, 'download-'));
          const dest = path.join(folder, 'backup.json');
          await writeFile(dest, 'the old one');
          // A large answer is fine, an endless one must end.
          const size = kind === 'endless body' ? { max_size: 1 } : {};
          const download = { file_download: { path: EXPORT, dest, ...size } };
          const { controller, run } = await trial(kind, { when }, () => download);
          const first = await run();
          const content = await readFile(dest, 'utf8');
          note(title, kind, `${first.split(':')[0] ?? ''} ${content === 'the old one' ? 'old' : 'new'}`);
          if (first.startsWith('changed')) expect(content, kind).to.match(/^\s*[[{][^]*[\]}]\s*$/);
          else expect(content, `${kind}: ${first}`).to.equal('the old one');
          controller.behaviour = {};
          expect(await run(), kind).to.match(/^(?:ok|changed): /);
          expect(JSON.parse(await readFile(dest, 'utf8')), kind).to.have.property('META');
          expect(await readdir(folder), kind).to.deep.equal(['backup.json']);
        },
        TRICKLING,
      );
      expect(columnOf(title)).to.deep.equal(expectedOf(title));
    }
  });
});

function files(controller: SimulatedController): readonly JsonObject[] {
  return (controller.object('/api/fileservice')['files'] ?? []) as readonly JsonObject[];
}
