import type { Selected } from './answers.js';

const REFUSED: Selected = { error: 'refused' };
const NOBODY = (unmatched: string): Selected => ({ names: [], unmatched: [unmatched] });

interface Difference {
  readonly because: string;
  /** By title (`table.ts`). */
  readonly ours: Readonly<Record<string, Selected>>;
}

/** Intended differences. */
export const DIFFERENCES: readonly Difference[] = [
  {
    because: 'an empty pattern, an empty regular expression, or brackets alone never mean the whole fleet',
    ours: {
      'tree: ,': REFUSED,
      'tree: [': NOBODY('['),
      'tree: ~': REFUSED,
      'tree: ~[': REFUSED,
      'tree: emea --limit ': REFUSED,
      'tree: emea --limit ,': REFUSED,
      'tree: all --limit @limit.empty': REFUSED,
    },
  },
  {
    because: 'a "!" with nothing behind it is a mistake; Ansible leaves out nobody, with a warning',
    ours: { 'tree: all,! emea': REFUSED },
  },
  {
    because: 'a part that goes backwards or begins behind the end is a mistake, as a single number behind the end is',
    ours: {
      'tree: emea[2:0]': REFUSED,
      'tree: emea[3:1]': REFUSED,
      'tree: emea[99:]': REFUSED,
      'flat: stage[1:0]': REFUSED,
    },
  },
  {
    because: 'commas, colons and brackets within a regular expression or a set of characters belong to it',
    ours: {
      'tree: ~lb\\d{2,3}\\.ca': { names: ['lb09.ca'], unmatched: [] },
      'tree: ~lb(?:01|02)\\.emea': { names: ['lb01.emea', 'lb02.emea'], unmatched: [] },
      'tree: []o]dd': { names: ['lb01.amer', 'lb09.ca', 'odd'], unmatched: [] },
      'tree: lb[': NOBODY('lb['),
    },
  },
  {
    because:
      'an address whose colons Ansible takes for separators if it is left out stays whole, as one that is selected',
    ours: {
      'tree: !fe80::1': {
        names: [
          ...['zz-last', '10.0.0.1', '10.0.0.2', '2001:db8::a', 'lb01.emea', 'lb02.emea', 'lb03.emea', 'lb04.emea'],
          ...['lb01.amer', 'lb02.amer', 'lb13.paris', 'odd', 'lb1', 'lb2', 'lb10', 'LB3', 'web', 'web-1', 'lb09.ca'],
          ...['lb11.paris', 'lb12.paris', 'lb21.berlin'],
        ],
        unmatched: [],
      },
    },
  },
  {
    because: 'a line of a limit file is a pattern of its own, and one that begins with "#" is none',
    ours: {
      'tree: all --limit @limit.commas': { names: ['lb01.emea', 'lb02.emea', 'odd', 'web'], unmatched: [] },
      'tree: all --limit @limit.comments': { names: ['lb01.emea'], unmatched: [] },
    },
  },
];

export function differenceOf(title: string): Selected | undefined {
  return DIFFERENCES.map(({ ours }) => ours[title]).find((one) => one !== undefined);
}
