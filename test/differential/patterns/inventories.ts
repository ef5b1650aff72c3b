import type { Files } from '../../rig/folder.js';

/** Nested groups, a controller in several groups, groups with names of controllers. */
const TREE = `
all:
  hosts: { zz-last: , '10.0.0.1': , '10.0.0.2': , 'fe80::1': , '2001:db8::a': }
  children:
    emea:
      hosts: { lb01.emea: , lb02.emea: , lb03.emea: , lb04.emea: }
      children:
        paris: { hosts: { lb11.paris: , lb12.paris: }, children: { inner: { hosts: { lb13.paris: , lb02.emea: } } } }
        berlin: { hosts: { lb21.berlin: } }
    amer: { hosts: { lb01.amer: , lb02.amer: }, children: { canada: { hosts: { lb09.ca: } } } }
    canary: { hosts: { lb02.amer: , lb03.emea: , lb13.paris: } }
    strays: { hosts: { odd: } }
    empty:
    apac-1: { hosts: { lb1: , lb2: , lb10: , LB3: } }
    apac_2: { hosts: { 'web': , 'web-1': } }
    odd: { hosts: { lb01.amer: , lb09.ca: } }
    lb04.emea: { hosts: { lb01.amer: } }
    children_only: { children: { canary: , paris: } }
`;

/** INI, ranges, ungrouped first, addresses, names with ports. */
const FLAT = `
loose1
loose2:8443
192.168.1.[1:3]
[2001:db8::1]:8443
2001:db8::2

[web]
web[01:12].example.com

[web_odd]
web[01:12:2].example.com

[db]
db-[a:d].example.com
db-e.example.org

[prod:children]
web
db

[stage]
web12.example.com
db-e.example.org
stage1

[mixed:children]
stage
web_odd

[n1]
h1
[n10]
h10
[localgroup]
localhost
`;

export const INVENTORIES = {
  tree: { file: 'tree.yml', files: { 'tree.yml': TREE } },
  flat: { file: 'flat', files: { flat: FLAT } },
} as const satisfies Readonly<Record<string, { readonly file: string; readonly files: Files }>>;

export type InventoryName = keyof typeof INVENTORIES;

/** For `--limit @FILE`. */
export const LIMIT_FILES: Files = {
  'limit.txt': 'lb01.emea\n\n  canary  \n',
  'limit.crlf': 'lb01.emea\r\nlb02.emea\r\n',
  'limit.excluding': '!lb02.amer\namer\n',
  'limit.globs': '*.paris\n~lb0[12]\\.amer\nemea[0]\n',
  'limit.commas': 'lb01.emea,lb02.emea\nodd:web\n',
  'limit.comments': '# who failed\nlb01.emea\n',
  'limit.empty': '\n\n',
  'limit.nobody': 'gone.example.com\n',
};
