import type { InventoryName } from './inventories.js';

export interface Ask {
  readonly inventory: InventoryName;
  readonly hosts: string;
  readonly limit?: string;
}

const TREE = String.raw`
all
*
ungrouped
un*
al*
emea
paris
inner
children_only
canary,emea
emea,canary
emea:canary
canary:emea:amer
emea:&canary
emea,&canary
&canary
&canary:emea
&canary,&emea
!emea
!emea,!amer
all:!emea
all,!emea,&canary
all:&emea:!canary
!canary:emea
emea:!paris:&canary
emea,!lb02.emea
emea,!lb0*
emea,&~lb.1
emea,!nowhere
emea,&nowhere
nowhere
nowhere,odd
odd
&odd
!odd
emea,!odd
amer,&odd
amer,!odd
lb04.emea
emea,!lb04.emea
amer,!lb04.emea
emea,&lb04.emea
amer,&lb04.emea
lb01.emea,lb01.emea,emea
lb02.emea:lb01.emea
empty
empty,emea
emea,&empty
empty[0]
empty[1:]
emea[0]
emea[-1]
emea[-2]
emea[3]
emea[99]
emea[-99]
emea[0:1]
emea[1:2]
emea[2:]
emea[0:]
emea[:2]
emea[0:0]
emea[2:0]
emea[3:1]
emea[1:99]
emea[99:]
emea[0:-1]
emea[-2:]
emea[0-1]
emea[1-]
emea[a]
emea[]
emea[0],amer[0]
emea[0]:amer[0]
emea[0:1]:amer[0]
emea[0:1],!emea[0]
emea,!emea[0:1]
emea,&emea[-1]
children_only[0:1]
children_only[-1]
all[0]
all[-1]
all[2:4]
*[0]
*[-1]
*.emea[0]
*.emea[1:2]
l*[0:2]
nowhere[0]
odd[0]
lb01.emea[0]
*.emea
lb0?.*
lb?
lb??.emea
lb0[12].emea
lb0[!1].*
lb0[^1].*
lb0[1-3].emea
lb[0-9]
lb[1-2]
lb[2-1]
lb[1:2]
lb[z-a]*
[lo]*
[!l]*
*[!a-z]
*[0-9]
*[.]emea
[]o]dd
[
lb[
LB3
lb3
LB*
a*
a*,!apac*
*a
?mer
~lb0[13]\.
~lb.*(emea|ca)$
~(?i)LB0[12]
~(?i:lb3)$
~lb\d{2}
~lb\d{2,3}\.ca
~.*
~
~emea
~em|am
~^$
~(emea|amer)$
~lb01\..*,!~.*amer
emea,~lb0[12]\.amer
~lb(?P<n>0)1
~lb(?:01|02)\.emea
~lb01\.emea:~lb02\.emea
~lb0[1:2]\.emea
~[
~lb(
~\Alb01
~lb01\.emea\Z
~lb1(?!0)
~lb(?=1)
~[^l]
~é
fe80::1
fe80::1,odd
fe80::1:odd
2001:db8::a
2001:db8::*
!fe80::1
all,!fe80::1
10.0.0.1
10.0.0.*
10.0.0.1:10.0.0.2
10.0.0.1:22
10.0.0.?
apac-1
apac_2
apac-1[0]
apac-1[0:1]
apac?[12]
web
web-1
web*
web:80
web:emea
emea amer
emea, amer
 emea
emea 
emea ,amer
emea : amer
emea,,amer
emea::amer
,emea
emea:
:emea
,
all:!emea,odd
emea:amer,odd
emea,amer:odd
!!emea
&!emea
!&emea
!~lb.*
all,! emea
all:! emea
@emea
localhost
127.0.0.1
::1
localhost,emea
emea,localhost
emea,!localhost
!localhost
local*
zz-last
zz*
{lb01.emea}
lb0{1,2}.emea
$odd
odd.
od\d
é*
`;

const FLAT = String.raw`
all
all[0:4]
all[-1]
ungrouped
ungrouped[0]
ungrouped[-1]
web
web[0]
web[-1]
web[0:2]
web[2:]
web[10:]
prod
prod[0]
prod[-1]
prod:!web
prod:!db:&stage
prod,&stage
stage,prod
mixed
mixed[0]
mixed[1:3]
mixed,!web_odd
web_odd:&stage
web_odd,!mixed
web0?.example.com
web0[1:3].example.com
web[01:03].example.com
web0[1-3].example.com
web0[13].example.com
web*.example.com[0:2]
*.example.org
*example*
*.example.*[-1]
db-[a:b].example.com
db-[ab].example.com
db-?.example.com,!db-a*
~web\d[13579]
~web.*0\.example
~db-[^a]
~(web|db).*\.org
n1
n1*
n1,n10
n1:n10
h1
h1*
h10
loose1
loose2
loose*
loose2:8443
192.168.1.1
192.168.1.1:8443
192.168.1.1,192.168.1.3
192.168.1.1:192.168.1.3
192.168.1.*
192.168.1.[12]
192.168.1.[1:2]
2001:db8::1
2001:db8::2
[2001:db8::1]:8443
[2001:db8::1]
2001:db8::1,web[0]
2001:db8::1:web
2001:*
~2001
localhost
127.0.0.1
::1
localgroup
all,!localhost
!127.0.0.1
stage1
stage[2]
stage[3]
stage[1:0]
`;

/** Hosts and `--limit`. */
const LIMITS: readonly (readonly [hosts: string, limit: string])[] = [
  ['all', 'emea'],
  ['emea', 'canary'],
  ['canary,emea', 'emea'],
  ['emea', 'amer'],
  ['emea', '!paris'],
  ['emea', '&canary'],
  ['emea', 'all,!lb01.emea'],
  ['all', 'emea[0]'],
  ['emea', 'all[0]'],
  ['emea', 'lb0[12].emea'],
  ['amer', '~lb0[12]'],
  ['all', 'lb01.emea,lb02.amer'],
  ['all', 'lb01.emea:lb02.amer'],
  ['all', 'lb02.amer,lb01.emea'],
  ['all', 'nowhere'],
  ['all', 'nowhere,odd'],
  ['all', 'localhost'],
  ['localhost', 'emea'],
  ['localhost', 'localhost'],
  ['localhost', 'all'],
  ['all', '@limit.txt'],
  ['amer', '@limit.txt'],
  ['all', '@limit.txt,odd'],
  ['all', 'amer,@limit.txt'],
  ['all', '@limit.txt,!canary'],
  ['all', '!@limit.txt'],
  ['all', '@limit.crlf'],
  ['all', '@limit.excluding'],
  ['all', '@limit.globs'],
  ['all', '@limit.commas'],
  ['all', '@limit.comments'],
  ['all', '@limit.nobody'],
  ['all', '@limit.empty'],
  ['all', '@limit.missing'],
  ['emea', ''],
  ['emea', ','],
  ['emea', ' canary '],
];

export const ASKS: readonly Ask[] = [
  ...lines(TREE).map((hosts): Ask => ({ inventory: 'tree', hosts })),
  ...lines(FLAT).map((hosts): Ask => ({ inventory: 'flat', hosts })),
  ...LIMITS.map(([hosts, limit]): Ask => ({ inventory: 'tree', hosts, limit })),
];

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** `tree: emea` or `tree: emea --limit canary`. */
export function titleOf({ inventory, hosts, limit }: Ask): string {
  return `${inventory}: ${hosts}${limit === undefined ? '' : ` --limit ${limit}`}`;
}
