import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { measureWall, median } from '../measure.js';
import { EVENKEEL } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const SIZE = 10_000;
const GROUPS = 20;
const REPEATS = 3;

/** The inventory of a big fleet as JSON, beside the program whose output it must equal. */
export async function inventoryRows(): Promise<readonly Row[]> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-bench-'));
  try {
    await writeFile(path.join(cwd, 'inventory.yml'), bigInventory());
    const evenkeel: number[] = [];
    const ansible: number[] = [];
    for (let turn = 0; turn < REPEATS; turn += 1) {
      const list = ['-i', 'inventory.yml', '--list'];
      evenkeel.push(await measureWall({ program: process.execPath, args: [EVENKEEL, 'inventory', ...list], cwd }));
      ansible.push(await measureWall({ program: 'ansible-inventory', args: list, cwd }));
    }
    const [measured, against] = [median(evenkeel), median(ansible)];
    return [
      {
        what: `\`inventory --list\`, ${SIZE} controllers in YAML`,
        measured: milliseconds(measured),
        against: `\`ansible-inventory\`: ${milliseconds(against)}`,
        ratio: measured / against,
        budget: 1 / 15,
      },
    ];
  } finally {
    await rm(cwd, { recursive: true });
  }
}

function bigInventory(): string {
  const host = (index: number): string =>
    `        lb${index}.example.com: { controller_url: "https://lb${index}.example.com", rack: ${index % 40} }\n`;
  const group = (index: number): string => {
    const first = (index * SIZE) / GROUPS;
    const hosts = Array.from({ length: SIZE / GROUPS }, (_, at) => host(first + at)).join('');
    return `    site${index}:\n      vars: { region: r${index % 4} }\n      hosts:\n${hosts}`;
  };
  const groups = Array.from({ length: GROUPS }, (_, index) => group(index)).join('');
  return `all:\n  vars: { controller_api_version: 22.1.3, search_domain: example.com }\n  children:\n${groups}`;
}
