import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { Case } from '../rig/cases.js';
import { play } from './play.js';
import { Random } from './random.js';
import { roles } from './roles.js';
import type { Features, Scene, Written } from './scene.js';

/** The connection is for Ansible alone. */
const INVENTORY = `all:
  vars: { ansible_connection: local, ansible_python_interpreter: /usr/bin/python3 }
  children:
    a: { hosts: { h1: , h2: } }
    b: { hosts: { h3: , h4: } }
`;

/** A case as values, so that it can be cut down. */
export interface Draft {
  readonly seed: number;
  readonly playbooks: readonly (readonly Written[])[];
  readonly files: Readonly<Record<string, Written>>;
  readonly arguments: readonly string[];
}

/** The playbook of a seed. */
export function generate(seed: number, only: Partial<Features> = {}): Draft {
  const random = new Random(seed);
  const features = { ...chosen(random), ...only };
  const files: Scene['files'] = {};
  let count = 0;
  const next = (): number => ++count;
  const base: Scene = {
    random,
    features,
    files,
    handlers: [],
    roles: [],
    folder: '',
    sheltered: false,
    rescuing: false,
    templated: false,
    depth: 2 + random.below(2),
    next,
  };
  const scene = features.roles ? { ...base, roles: roles(base) } : base;
  const first = random.several(1, random.percent(30) ? 2 : 1, () => play(scene));
  const second = random.percent(8) ? [[play(scene)]] : [];
  return { seed, playbooks: [first, ...second], files, arguments: options(scene) };
}

function chosen(random: Random): Features {
  return {
    tags: random.percent(25),
    once: random.percent(30),
    serial: random.percent(30),
    includes: random.percent(50),
    roles: random.percent(35),
    importedRoles: random.percent(40),
    endings: random.percent(40),
    brokenHandlers: random.percent(40),
  };
}

function options({ random, features }: Scene): readonly string[] {
  const tags = features.tags
    ? random.weighted<readonly string[]>([
        [3, () => ['--tags', random.some(['one', 'two', 'three']).join(',')]],
        [2, () => ['--skip-tags', random.some(['one', 'two', 'always']).join(',')]],
        [1, () => ['--tags', 'never']],
        [1, () => ['--tags', 'tagged']],
        [1, () => ['--tags', 'untagged']],
        [1, () => ['--tags', 'all', '--skip-tags', 'tagged']],
      ])
    : [];
  return [...tags, ...(!features.endings && !features.once && random.percent(8) ? ['--force-handlers'] : [])];
}

/** As files. */
export function written({ seed, playbooks, files, arguments: options }: Draft): Case {
  const [first = [], ...others] = playbooks;
  const texts = Object.entries(files).map(([name, value]) => [name, yaml(value)] as const);
  const more = others.map((plays, index) => [`site${index + 2}.yml`, yaml(plays)] as const);
  const playbook = yaml(first);
  const all = Object.fromEntries([...texts, ...more]);
  return {
    title: `seed ${seed}, ${digest(playbook, all, options)}`,
    playbook,
    files: { 'inventory.yml': INVENTORY, ...all },
    playbooks: more.map(([name]) => name),
    arguments: options,
  };
}

/** So that the answer to an older version of the playbook is not used for this one. */
function digest(...content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8);
}

function yaml(value: Written): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
