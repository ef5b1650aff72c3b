import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { PlannedStep } from '../../../src/core/model/run/plan.js';
import { Unsafe } from '../../../src/core/model/values/value.js';
import { PlanFile, readPlanHeader } from '../../../src/record/plan/plan_file.js';
import { PlanError, type PlanInputs } from '../../../src/record/plan/plan_format.js';
import { PlanWriter } from '../../../src/record/plan/plan_writer.js';

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
    await writer.discard();
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
