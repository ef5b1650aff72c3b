import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { PlannedStep } from '../../../src/core/model/run/plan.js';
import { Unsafe } from '../../../src/core/model/values/value.js';
import { keyName } from '../../../src/record/journal/format/project_key.js';
import { PlanFile, readPlanHeader } from '../../../src/record/plan/plan_file.js';
import { PlanWriter } from '../../../src/record/plan/plan_writer.js';
import {
  FORMAT,
  KIND,
  parseSteps,
  partAt,
  PlanError,
  planSealer,
  type PlanInputs,
} from '../../../src/record/plan/sealed_parts.js';
import { mounted, SMALL } from '../../rig/mounted.js';

const KEY = randomBytes(32);
const ABOUT = { id: '20260101T000000Z-000000', created: '2026-01-01T00:00:00.000Z', version: '1.0.0' };

const INPUTS: PlanInputs = {
  invocation: { cwd: '/project', extraVars: ['token=planted-typed'] },
  playbooks: ['site.yml'],
  answers: { 'file /project/site.yml': { text: '- hosts: all\n', encrypted: false }, 'lookup x': [new Unsafe('{{')] },
  written: { 'site.yml:1:1': { size: -0 } },
  secrets: ['planted'],
  code: {},
};

function step(place: string): PlannedStep {
  const source = { file: 'a.yml', line: 1, column: 1 };
  const decided = { type: 'skipped', condition: 'x'.repeat(200) } as const;
  return { place, written: 'w', title: 'T', play: 'P', module: 'debug', source, decided };
}

describe('the file of a plan', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-plan-'));
    file = path.join(folder, 'a.plan');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(controllers: number, steps: number): Promise<void> {
    const writer = await PlanWriter.create(file, KEY, ABOUT);
    const names = Array.from({ length: controllers }, (_, index) => `lb${index}`);
    for (let place = 0; place < steps; place++) for (const name of names) writer.keep(name, step(`0:${place}`));
    await writer.finish(INPUTS, { controllers: names, unplanned: { lost: 'failed' }, connections: {} });
  }

  it('returns the steps of each controller in order, even from several parts', async () => {
    await write(300, 80);
    const plan = PlanFile.open(file, KEY);
    expect(plan.summary.controllers).to.have.lengthOf(300);
    expect(plan.summary.unplanned).to.deep.equal({ lost: 'failed' });
    expect(plan.inputs()).to.deep.equal(INPUTS);
    for (const name of ['lb0', 'lb150', 'lb299'])
      expect(plan.plannedSteps(name).map(({ place }) => place)).to.deep.equal(
        Array.from({ length: 80 }, (_, at) => `0:${at}`),
      );
    expect(plan.plannedSteps('constructor')).to.deep.equal([]);
    plan.close();
  });

  it('finds the steps of a controller at their places, in any order', async () => {
    await write(300, 80);
    const plan = PlanFile.open(file, KEY);
    const isAny = (): boolean => true;
    const find = (name: string, place: number): string | undefined => plan.find(name, `0:${place}`, isAny)?.place;
    for (const place of [0, 1, 2, 79, 3, 3, 40, 0])
      for (const name of ['lb0', 'lb299']) expect(find(name, place)).to.equal(`0:${place}`);
    expect(find('lb0', 80)).to.equal(undefined);
    expect(find('constructor', 1)).to.equal(undefined);
    expect(plan.find('lb0', '0:1', () => false)).to.equal(undefined);
    plan.close();
  });

  it('refuses every change of a byte', async () => {
    await write(2, 2);
    const whole = await readFile(file);
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 4;
      await writeFile(file, changed);
      expect(() => PlanFile.open(file, KEY), `byte ${at}`).to.throw();
    }
  });

  it('refuses parts that are left out, doubled or in another order', async () => {
    await write(300, 80);
    const whole = await readFile(file);
    const head = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
    const parts: Buffer[] = [];
    for (let at = head; at < whole.length;) {
      const next = at + 4 + whole.readUInt32BE(at);
      parts.push(whole.subarray(at, next));
      at = next;
    }
    const [first = Buffer.alloc(0), second = Buffer.alloc(0), ...rest] = parts;
    for (const other of [
      [second, first, ...rest],
      [first, ...rest],
      [first, first, second, ...rest],
      parts.slice(0, -1),
    ]) {
      await writeFile(file, Buffer.concat([whole.subarray(0, head), ...other]));
      expect(() => PlanFile.open(file, KEY)).to.throw('was changed or damaged since it was made');
    }
  });

  it('names the key and the version that made it', async () => {
    const refusal = (open: () => unknown): readonly (string | undefined)[] => {
      try {
        open();
      } catch (error) {
        if (error instanceof PlanError) return [error.message, error.hint];
      }
      throw new Error('it was not refused');
    };
    await write(1, 1);
    expect(refusal(() => PlanFile.open(file, randomBytes(32)))).to.deep.equal([
      `${file} was made with another key: by another project, or before .evenkeel/key was replaced`,
      'make the plan in the project that applies it',
    ]);
    const text = await readFile(file, 'latin1');
    await writeFile(file, text.slice(0, -1), 'latin1');
    expect(refusal(() => PlanFile.open(file, KEY))).to.deep.equal([
      `${file} was changed or damaged since it was made`,
      'make a new plan',
    ]);
    await writeFile(file, text.replace(/"format":\d+/, '"format":1'), 'latin1');
    for (const open of [() => PlanFile.open(file, KEY), () => readPlanHeader(file)])
      expect(refusal(open)).to.deep.equal([
        `${file} was made by another version of evenkeel (1.0.0)`,
        'make a new plan',
      ]);
    const makes = 'evenkeel plan … --out FILE makes one';
    for (const other of ['hosts: all\n', 'evenkeel plan', '']) {
      await writeFile(file, other);
      expect(refusal(() => PlanFile.open(file, KEY))).to.deep.equal([`${file} is not a plan`, makes]);
    }
    expect(refusal(() => PlanFile.open(path.join(folder, 'none'), KEY))).to.deep.equal([
      `cannot read the plan ${folder}/none: there is no such file`,
      makes,
    ]);
    await writeFile(file, 'hosts: all\n');
    const error = await PlanWriter.create(file, KEY, ABOUT).catch((one: unknown) => one);
    expect(error).to.deep.include({
      message: `${file} exists and is not a plan, so it is not overwritten`,
      hint: 'name another file with --out',
    });
  });

  it('leaves no unfinished file behind', async () => {
    const writer = await PlanWriter.create(file, KEY, ABOUT);
    writer.keep('lb1', step('0:0'));
    expect(await readdir(folder)).to.have.lengthOf(1);
    await writer.discard();
    expect(await readdir(folder)).to.deep.equal([]);
  });

  /** The number of steps in each part, and the kind of each part. */
  async function parts(): Promise<string> {
    const whole = await readFile(file);
    const sealer = planSealer(KEY, ABOUT.id);
    const handle = await open(file);
    const found: string[] = [];
    try {
      const head = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
      for (let at = head; at < whole.length;) {
        const part = partAt(handle.fd, sealer, at);
        const steps = part.kind === KIND.steps ? Object.values(parseSteps(part.text())).flat().length : 0;
        found.push(part.kind === KIND.steps ? `${steps}` : part.kind === KIND.inputs ? 'inputs' : 'end');
        at = part.next;
      }
    } finally {
      await handle.close();
    }
    return found.join(' ');
  }

  it('is written each time that 500 steps are known, and in parts that are read for few controllers', async () => {
    for (const [controllers, steps, expected] of [
      [1, 499, '499 inputs end'],
      [1, 500, '500 inputs end'],
      [1, 501, '500 1 inputs end'],
      [1, 1001, '500 500 1 inputs end'],
      // Each controller has about 35 KB: the second one fills a part.
      [5, 100, '200 200 100 inputs end'],
      [0, 0, 'inputs end'],
    ] as const) {
      await write(controllers, steps);
      expect(await parts(), `${controllers} × ${steps}`).to.equal(expected);
      const plan = PlanFile.open(file, KEY);
      for (let at = 0; at < controllers; at++)
        expect(plan.plannedSteps(`lb${at}`).map(({ place }) => place)).to.deep.equal(
          Array.from({ length: steps }, (_, place) => `0:${place}`),
        );
      plan.close();
    }
  });

  it('has the header, how it was made, and digests of its own key', async () => {
    const writer = await PlanWriter.create(file, KEY, ABOUT);
    const connection = { address: 'https://lb1', id: 'x', parts: ['a', 'b'] };
    const summary = { controllers: ['lb1', 'lb2'], unplanned: { lb3: 'failed' }, connections: { lb1: [connection] } };
    for (const name of ['lb2', 'lb1']) for (const place of ['0:2', '0:1']) writer.keep(name, step(place));
    const digest = writer.digest({ a: 1 });
    await writer.finish(INPUTS, summary);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(readPlanHeader(file)).to.deep.equal({ format: FORMAT, ...ABOUT, key: keyName(KEY) });
    const plan = PlanFile.open(file, KEY);
    expect(plan.header).to.deep.equal(readPlanHeader(file));
    const { controllers, unplanned, connections } = plan.summary;
    expect({ controllers, unplanned, connections }).to.deep.equal(summary);
    expect([plan.digest({ a: 1 }), plan.digest({ a: 2 }) === digest]).to.deep.equal([digest, false]);
    expect([plan.plannedSteps('lb2'), plan.plannedSteps('lb3')]).to.deep.equal([[step('0:2'), step('0:1')], []]);
    plan.close();
  });

  it('finds the step that matches, of several at one place and in several parts', async () => {
    const writer = await PlanWriter.create(file, KEY, ABOUT);
    const at = (place: string, written: string): PlannedStep => ({ ...step(place), written });
    for (let round = 0; round < 3; round++)
      for (let number = 0; number < 250; number++)
        for (const name of ['lb1', 'lb2']) writer.keep(name, at(`0:${number}`, `${name} ${round}`));
    await writer.finish(INPUTS, { controllers: ['lb1', 'lb2'], unplanned: {}, connections: {} });
    const plan = PlanFile.open(file, KEY);
    for (const [name, number, round] of [
      ['lb1', 3, 2],
      ['lb2', 3, 2],
      ['lb1', 249, 0],
      ['lb1', 0, 1],
      ['lb2', 249, 1],
      ['lb2', 0, 0],
    ] as const) {
      const found = plan.find(name, `0:${number}`, ({ written }) => written.endsWith(` ${round}`));
      expect(found).to.deep.equal(at(`0:${number}`, `${name} ${round}`));
    }
    plan.close();
  });

  it('stays as it was if the disk becomes full at the last bytes of a new one', function () {
    return mounted(this, SMALL, async (disk) => {
      file = path.join(disk, 'a.plan');
      await write(1, 1);
      const earlier = await readFile(file);
      const writer = await PlanWriter.create(file, KEY, ABOUT);
      const ballast = path.join(disk, 'ballast');
      await writeFile(ballast, 'x'.repeat(32_000));
      const controllers = Array.from({ length: 1000 }, () => randomBytes(32).toString('hex'));
      const error: unknown = await writer
        .finish(INPUTS, { controllers, unplanned: {}, connections: {} })
        .catch((thrown: unknown) => thrown);
      expect(error).to.include({ message: `cannot write the plan ${file}: no space left on device` });
      expect((await readFile(file)).equals(earlier)).to.equal(true);
      expect(await readdir(disk)).to.have.members(['a.plan', 'ballast']);
      await rm(ballast);
      await writeFile(ballast, 'x'.repeat(100_000)).catch(() => undefined);
      const refused: unknown = await PlanWriter.create(file, KEY, ABOUT).catch((thrown: unknown) => thrown);
      expect(refused).to.include({ message: `cannot write the plan ${file}: no space left on device` });
      expect(await readdir(disk)).to.have.members(['a.plan', 'ballast']);
    });
  });

  it('replaces a plan or an empty file, and nothing else, whatever goes wrong', async () => {
    await writeFile(file, '');
    await write(1, 1);
    await write(2, 1);
    const first = PlanFile.open(file, KEY);
    expect(first.summary.controllers).to.deep.equal(['lb0', 'lb1']);
    first.close();
    const refusal = (act: Promise<unknown>): Promise<unknown> =>
      act.then(
        () => 'nothing',
        (error: unknown) => (error instanceof PlanError ? [error.message, error.hint] : error),
      );
    const writer = await PlanWriter.create(file, KEY, ABOUT);
    await rm(file);
    await mkdir(file);
    expect(await refusal(writer.finish(INPUTS, { controllers: [], unplanned: {}, connections: {} }))).to.deep.equal([
      `cannot write the plan ${file}: illegal operation on a directory`,
      undefined,
    ]);
    expect(await readdir(folder)).to.deep.equal(['a.plan']);
    expect(await refusal(PlanWriter.create(file, KEY, ABOUT))).to.deep.equal([
      `cannot write the plan ${file}: it is a folder`,
      undefined,
    ]);
    const lost = path.join(folder, 'none', 'b.plan');
    expect(await refusal(PlanWriter.create(lost, KEY, ABOUT))).to.deep.equal([
      `cannot write the plan ${lost}: its folder does not exist`,
      undefined,
    ]);
    expect(await readdir(folder)).to.deep.equal(['a.plan']);
  });
});
