import * as Type from 'typebox';
import { defineAction, isMapping, parseAddress, type ActionResult } from '../src/module/contract.js';

const alias = (of: string) => Type.Optional(Type.String({ description: `Alias of \`${of}\`.` }));
const groups = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }));

const args = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'Name of the controller; with a port, `name:8443`.' })),
    hostname: alias('name'),
    host: alias('name'),
    groups: groups('Groups of the controller: a list, or names separated by commas. Missing groups are created.'),
    group: groups('Alias of `groups`.'),
    groupname: groups('Alias of `groups`.'),
  },
  { needsOne: ['name', 'hostname', 'host'] },
);

const KNOWN: ReadonlySet<string> = new Set(Object.keys(args.properties));

export default defineAction({
  name: 'add_host',
  summary: 'adds a controller to the inventory of this run',
  description:
    'The following plays can use the controller; the inventory files do not change. Every other argument is a variable of the controller. The task runs once for all controllers of a batch. If the controller exists, the task adds variables and groups to it.',
  args,
  examples: [
    `
- name: Add the controllers of the order system
  add_host:
    name: '{{item.name}}'
    groups: [new]
    controller_url: 'https://{{item.address}}'
  loop: '{{ordered}}'
`,
  ],
  check: true,
  once: true,
  run: (given: Type.Static<typeof args>): Promise<ActionResult> => Promise.resolve(added(given)),
});

function added(given: Type.Static<typeof args>): ActionResult {
  const written = given.name ?? given.hostname ?? given.host;
  if (written === undefined || written === '')
    return { status: 'failed', message: 'add_host needs the name of the controller' };
  const { host: name, port } = parseAddress(written) ?? { host: written, port: undefined };
  const groups = groupNames(given.groups ?? given.group ?? given.groupname);
  const variables = Object.entries(isMapping(given) ? given : {}).filter(([argument]) => !KNOWN.has(argument));
  const values = { ...(port !== undefined && { ansible_port: port }), ...Object.fromEntries(variables) };
  return {
    status: 'ok',
    effect: { type: 'host', name, groups, values },
    values: { add_host: { host_name: name, groups, host_vars: values } },
  };
}

function groupNames(given: string | readonly string[] | undefined): readonly string[] {
  const names = typeof given === 'string' ? given.split(',') : (given ?? []);
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}
