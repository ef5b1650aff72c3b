import type { Value } from '../../../model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';

/** Numbers of VLANs as switches write them: `1,10-13`. */
export const vlans = {
  vlan_parser: helper('vlans, first_line_len?, other_line_len?', written),
  vlan_expander: helper('text', expanded),
} satisfies Family;

const HIGHEST = 4094;

/** Returns one text per line of a switch's configuration, with maximum lengths for the first and the other lines. */
function written(args: Arguments): Value {
  const numbers = args.list(0).map(Number);
  if (!numbers.every((vlan) => vlan >= 1 && vlan <= HIGHEST))
    throw args.error(`VLANs have numbers from 1 to ${HIGHEST}`);
  if (numbers.length === 0) throw args.error('there is no VLAN in the list');
  const lines: string[] = [];
  for (const part of runs([...new Set(numbers)].sort((a, b) => a - b))) {
    const line = lines.at(-1);
    const room = lines.length > 1 ? args.number(2, 44) : args.number(1, 48);
    // The comma after the part may exceed the length, as in Ansible.
    if (line !== undefined && `${line},${part}`.length <= room) lines[lines.length - 1] = `${line},${part}`;
    else lines.push(part);
  }
  return lines;
}

/** Three or more in a row are written with a dash. */
function runs(numbers: readonly number[]): readonly string[] {
  const found: [number, number][] = [];
  for (const vlan of numbers) {
    const run = found.at(-1);
    if (run?.[1] === vlan - 1) run[1] = vlan;
    else found.push([vlan, vlan]);
  }
  return found.flatMap(([from, to]) => (to - from > 1 ? [`${from}-${to}`] : [...new Set([`${from}`, `${to}`])]));
}

function expanded(args: Arguments): Value {
  const found = args
    .text(0)
    .split(',')
    .flatMap((part) => {
      const [, from = '', to = from] = /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(part) ?? [];
      if (from === '')
        throw args.error(`"${part}" is not the number of a VLAN, or a range of numbers`, 'write 1,10-13');
      return Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, index) => Number(from) + index);
    });
  return found.sort((a, b) => a - b);
}
