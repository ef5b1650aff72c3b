import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { loadProject } from '../../src/project/project/project.js';
import { inFolder } from '../rig/folder.js';
import { readInventory } from '../rig/inventory.js';
import { worded } from '../rig/loaded.js';

type Wrong = readonly (readonly [written: string, ...messages: string[]])[];

/** What is said about a file of one line. */
const WRONG: Readonly<Record<'evenkeel.yml' | 'hosts.yml', Wrong>> = {
  'evenkeel.yml': [
    ['[]', '1:1 evenkeel.yml must be a mapping of settings, not a list'],
    ['text', '1:1 evenkeel.yml must be a mapping of settings, not text'],
    ['inventry: a', '1:1 "inventry" is not a keyword of evenkeel.yml — did you mean "inventory"?'],
    ['inventory: {a: 1}', '1:12 "inventory" must be text, not a mapping'],
    ['inventory: []', '1:12 "inventory" is an empty list — name an inventory, or leave the setting out'],
    ['inventory: [a, [b]]', '1:16 an entry of "inventory" must be text, not a list'],
    ['forks: 0', '1:8 "forks" must be a whole number from 1, or auto, not 0'],
    ['forks: many', '1:8 "forks" must be a whole number from 1, or auto, not "many"'],
    ['forks: 1.5', '1:8 "forks" must be a whole number from 1, or auto, not 1.5'],
    ['strategy: fast', '1:11 there is no strategy "fast" — it is "host_pinned" (or "free") or "linear"'],
    ['strategy: 5', '1:11 there is no strategy "5" — it is "host_pinned" (or "free") or "linear"'],
    ['state_dir: [a]', '1:12 "state_dir" must be text, not a list'],
    ['modules_path: {a: 1}', '1:15 "modules_path" must be text, not a mapping'],
    ['output: fancy', '1:9 "output" must be live, grouped, lines, json or quiet, not "fancy"'],
    ['output: [lines]', '1:9 "output" must be text, not a list'],
    [
      'vault_ids: ["@"]',
      '1:13 the vault id "@" does not say where its password comes from — write LABEL@FILE or LABEL@prompt',
    ],
    [
      'vault_ids: ["dev@"]',
      '1:13 the vault id "dev@" does not say where its password comes from — write LABEL@FILE or LABEL@prompt',
    ],
    ['vault_password_file: [a]', '1:22 "vault_password_file" must be text, not a list'],
    ['environments: 5', '1:15 "environments" must be a mapping of names to settings, not 5'],
    ['environments: [a]', '1:15 "environments" must be a mapping of names to settings, not a list'],
    ['environments: {a: 5}', '1:19 the environment "a" must be a mapping of settings, not 5'],
    [
      'environments: {a: {inventry: x}}',
      '1:20 "inventry" is not a keyword of an environment — did you mean "inventory"?',
    ],
    ['environments: {a: {inventory: x, confirm: maybe}}', '1:43 "confirm" must be true or false, not "maybe"'],
    [
      'environments: {a: {inventory: x, require_plan: maybe}}',
      '1:48 "require_plan" must be true or false, not "maybe"',
    ],
    ['lint: 5', '1:7 "lint" must be a mapping of settings, not 5'],
    ['lint: {skp: name}', '1:8 "skp" is not a keyword of "lint" — did you mean "skip"?'],
    ['max_registered: x', '1:17 "max_registered" must be a size such as 16MB, at most 1TB, not "x"'],
    ['max_registered: 0', '1:17 "max_registered" must be a size such as 16MB, at most 1TB, not 0'],
    ['max_registered: -1', '1:17 "max_registered" must be a size such as 16MB, at most 1TB, not -1'],
    ['max_registered: 9XB', '1:17 "max_registered" must be a size such as 16MB, at most 1TB, not "9XB"'],
    ['collections: 5', '1:14 "5" is not the name of a collection — write it as "vendor.name"'],
    ['collections: {a: 1}', '1:14 "collections" must be text, not a mapping'],
    ['collections: acme', '1:14 "acme" is not the name of a collection — write it as "vendor.name"'],
    ['collections: a.b.c', '1:14 "a.b.c" is not the name of a collection — write it as "vendor.name"'],
    ['routes: 5', '1:9 "routes" must be a mapping of names to proxies, not 5'],
    [
      'routes: {a: 5}',
      '1:13 a proxy of the route "a" must be a URL such as socks5h://bastion.example.com:1080 or http://proxy.example.com:3128',
    ],
    ['routes: {a: []}', '1:13 the route "a" has no proxies'],
    [
      'routes: {a: "ftp://x:1"}',
      '1:13 a proxy of the route "a" must be a URL such as socks5h://bastion.example.com:1080 or http://proxy.example.com:3128',
    ],
    [
      'routes: {a: "socks5h://x:99999"}',
      '1:13 a proxy of the route "a" must be a URL such as socks5h://bastion.example.com:1080 or http://proxy.example.com:3128',
    ],
    ['routes: {"": "http://x:1"}', '1:10 "" cannot name a route: use letters, digits, dots, dashes and underscores'],
    ['dialects: 5', '1:11 "dialects" must be a mapping of names to traits, not 5'],
    ['dialects: {a: 5}', '1:15 the dialect "a" must be a mapping of traits, not 5'],
    ['dialects: {a: {extends: avi, what: 1}}', '1:30 "what" is not a keyword of a dialect'],
    [
      'dialects: {avi: {extends: generic}}',
      '1:12 the dialect "avi" is built in — choose another name, and set "extends: avi"',
    ],
    [
      'dialects: {a: {extends: avi, version_header: "a b"}}',
      '1:46 "version_header" must be the name of a header that has no meaning of its own, such as X-Version, not "a b"',
    ],
  ],
  'hosts.yml': [
    ['- a', '1:1 an inventory must be a mapping of groups, not a list'],
    ['5', '1:1 an inventory must be a mapping of groups, not 5'],
    ['all: 5', '1:6 group "all" must be a mapping with "hosts", "vars" or "children", not 5'],
    ['all: [a]', '1:6 group "all" must be a mapping with "hosts", "vars" or "children", not a list'],
    [
      'all: {hosts: 5}',
      '1:14 "hosts" of group "all" must be a mapping, not 5 — write a line "name:" for each, with a colon and without "-"',
    ],
    [
      'all: {hosts: [a]}',
      '1:14 "hosts" of group "all" must be a mapping, not a list — write a line "name:" for each, with a colon and without "-"',
    ],
    ['all: {hosts: {a: 5}}', '1:18 the variables of "a" must be a mapping, not 5'],
    ['all: {hosts: {a: [1]}}', '1:18 the variables of "a" must be a mapping, not a list'],
    [
      'all: {children: 5}',
      '1:17 "children" of group "all" must be a mapping, not 5 — write a line "name:" for each, with a colon and without "-"',
    ],
    [
      'all: {children: [a]}',
      '1:17 "children" of group "all" must be a mapping, not a list — write a line "name:" for each, with a colon and without "-"',
    ],
    ['all: {children: {a: 5}}', '1:21 group "a" must be a mapping with "hosts", "vars" or "children", not 5'],
    ['all: {children: {all: {}}}', '1:18 "all" contains every group; it cannot be a child of "all"'],
    ['all: {vars: 5}', '1:13 "vars" of group "all" must be a mapping, not 5 — write a line "name: value" for each'],
    [
      'all: {vars: [1]}',
      '1:13 "vars" of group "all" must be a mapping, not a list — write a line "name: value" for each',
    ],
    [
      'all: {vars: {1a: 5}}',
      'warning: 1:18 templates cannot refer to the variable "1a" — use letters, digits and "_", and do not start with a digit',
    ],
    [
      'all: {vars: {a-b: 5}}',
      'warning: 1:19 templates cannot refer to the variable "a-b" — use letters, digits and "_", and do not start with a digit',
    ],
    ['all: {host: {a: }}', '1:7 unknown key "host" in group "all" — did you mean "hosts"?'],
    ['all: {hosts: {"lb[3:1]": }}', '1:15 the range [3:1] in "lb[3:1]" goes backwards; write [1:3]'],
    [
      'all: {hosts: {"lb[01:3]": }}',
      '1:15 the range [01:3] in "lb[01:3]" needs bounds of the same length, because the first begins with 0',
    ],
    ['all: {hosts: {"lb[1:10:0]": }}', '1:15 the range [1:10:0] in "lb[1:10:0]" needs a step of 1 or more'],
    ['all: {hosts: {"lb[c:a]": }}', '1:15 the range [c:a] in "lb[c:a]" goes backwards; write [a:c]'],
    ['all: {hosts: {"lb[1:]": }}', '1:15 the range [1:] in "lb[1:]" has no end'],
    ['all: {hosts: {"lb[]": }}', '1:15 the range [] in "lb[]" is not [first:last] or [first:last:step]'],
    [
      'all: {hosts: {a: {x: "{{ y"}}}',
      '1:22 "{{ y" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
    ],
    ['web: {hosts: {a: , a: }}', '1:20 duplicate key "a": first defined on line 1 — keep one of them'],
    [
      'a: {hosts: {a: }}',
      'warning: 1:13 "a" is the name of a group and of a controller; patterns select the controller, but after "&" and "!" the group',
    ],
    ['"a b": {hosts: {x: }}', 'warning: 1:1 patterns cannot refer to the group "a b"'],
    [
      'g: {children: {h: {children: {g: }}}}',
      '1:16 group "h" cannot be a child of "g": they would contain each other ("g" → "h" → "g")',
    ],
    [
      'all: {hosts: {a: {1b: 5}}}',
      'warning: 1:23 templates cannot refer to the variable "1b" — use letters, digits and "_", and do not start with a digit',
    ],
  ],
};

const FINE = [
  'forks: 1001',
  'forks: 1000',
  'forks: auto',
  'forks: "7"',
  'strategy: free',
  'environments: {}',
  'environments: {a: {}}',
  'environments: {a: {inventory: 5}}',
  'environments: {a: {inventory: x, limit: 5}}',
  'environments: {a: {inventory: x, extra_vars: 5}}',
  'environments: {a: {inventory: x, vault_ids: 5}}',
  'environments: {"a b": {inventory: x}}',
  'max_registered: 1.5MB',
  'max_registered: 5',
  'routes: {a: "http://x"}',
];

const READ: Readonly<Record<keyof typeof WRONG, (text: string) => Promise<readonly string[]>>> = {
  'evenkeel.yml': (text) =>
    inFolder({ 'evenkeel.yml': text }, async (root) => {
      const diagnostics = new Diagnostics();
      await loadProject(root, {}, diagnostics);
      return diagnostics.list.map(worded);
    }),
  'hosts.yml': async (text) => (await readInventory({ 'hosts.yml': text })).said,
};

describe('What is wrong', () => {
  for (const [file, wrong] of Object.entries(WRONG))
    it(`in ${file} is said in words, with its place and what to do`, async () => {
      const found: (readonly string[])[] = [];
      for (const [written] of wrong) {
        const said = await READ[file as keyof typeof WRONG](`${written}\n`);
        found.push([written, ...said.map((text) => text.replaceAll(`${file}:`, ''))]);
      }
      expect(found).to.deep.equal(wrong);
    });

  it('is nothing of these settings', async () => {
    for (const text of FINE) expect(await READ['evenkeel.yml'](`${text}\n`), text).to.deep.equal([]);
  });
});
