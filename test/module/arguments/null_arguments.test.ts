import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import type { Module } from '../../../src/module/contract.js';
import { isNullMissing, type Schema } from '../../../src/module/schema.js';
import { catalogue, load, playOf } from '../../rig/loaded.js';
import { startFleet } from '../../rig/simulated.js';
import { runTasks } from '../../rig/task_run.js';

const NAMES = [...catalogue.names, ...(catalogue.unlisted ?? [])];
/** The files and roles that the examples of includes name. */
const FILES = { 'cloud.yml': '', 'roles/web/tasks/main.yml': '' };

const without = (args: Mapping, name: string): Mapping =>
  Object.fromEntries(Object.entries(args).filter(([one]) => one !== name));

/** The first task of the module's examples. */
function exampleOf({ examples, name }: Module): Mapping {
  const tasks = examples.flatMap((example): readonly Mapping[] => parse(example) as Mapping[]);
  return tasks.find((task) => name in task) ?? {};
}

const argsOf = (task: Mapping, name: string): Mapping => {
  const args: Value = task[name] ?? null;
  return typeof args === 'object' && !Array.isArray(args) ? ((args ?? {}) as Mapping) : {};
};

const optional = ({ args }: Module): readonly string[] => {
  const schema: Schema = args;
  const names = Object.keys(schema.properties ?? {});
  return names.filter((name) => isNullMissing(schema, name) && schema.properties?.[name]?.field !== true);
};

describe('null for an optional argument means that it is missing', () => {
  for (const name of NAMES)
    it(`of ${name}`, async () => {
      const module = await catalogue.load(name);
      if (module === undefined) throw new Error(`there is no ${name}`);
      const given = argsOf(exampleOf(module), name);
      for (const argument of optional(module))
        for (const mode of ['static', 'rendered'] as const)
          expect(validateArguments(module, { ...given, [argument]: null }, mode), `${argument}, ${mode}`).to.deep.equal(
            validateArguments(module, without(given, argument), mode),
          );
    });

  for (const name of NAMES.filter((one) => /^(?:include_|import_|add_host|group_by|debug|pause|wait_)/.test(one)))
    it(`when a playbook with ${name} is loaded`, async () => {
      const module = await catalogue.load(name);
      if (module === undefined) throw new Error(`there is no ${name}`);
      const task = exampleOf(module);
      const args = argsOf(task, name);
      const loaded = async (given: Mapping): Promise<readonly string[]> => {
        const { diagnostics } = await load(playOf(stringify([{ ...task, [name]: given }])), FILES);
        return diagnostics.map((text) => text.replace(/^(warning: )?site\.yml:\d+:\d+ /, '$1'));
      };
      for (const argument of optional(module))
        expect(await loaded({ ...args, [argument]: null }), argument).to.deep.equal(
          await loaded(without(args, argument)),
        );
    });
});

describe('null for a field that a module declares', () => {
  it('clears it once, and at any depth', async () => {
    const fleet = await startFleet();
    const { results } = await runTasks(
      fleet,
      [
        { system_config: { dns_configuration: { search_domain: 'example.com' } } },
        { system_config: { dns_configuration: { search_domain: null } } },
        { system_config: { dns_configuration: { search_domain: null } } },
        { system_config: { dns_configuration: { search_domain: 'example.org' } } },
        { system_config: { dns_configuration: null, tenant: null } },
        { system_config: { dns_configuration: null } },
      ],
      {},
    );
    const told = results.map(({ status, message }) => message ?? status);
    await fleet.dispose();
    expect(told).to.deep.equal(['changed', 'changed', 'ok', 'changed', 'changed', 'ok']);
  });

  it('is refused where it would lock Evenkeel out', async () => {
    const fleet = await startFleet();
    const { results } = await runTasks(fleet, [{ system_config: { portal_configuration: null } }], {});
    await fleet.dispose();
    expect(results.map(({ message }) => message)).to.match(/allow_lockout/);
  });
});
