import { expect } from 'chai';
import fc from 'fast-check';
import type { VariableLayer, VariableLevel } from '../../../src/core/model/values/variables.js';
import { Variables } from '../../../src/language/scope.js';
import {
  layersForDependencies,
  seenByPlay,
  seenBySteps,
  type OwnLayers,
  type SeenLayers,
} from '../../../src/project/role/layers.js';

/** The parts of a role that Ansible's functions below use. */
interface Role {
  readonly defaults: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly dependencies: readonly Role[];
}

const NAMES = ['a', 'b', 'c'];

const values = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('x', 'y', 'z') }),
);

const role = (depth: number): fc.Arbitrary<Role> =>
  fc.record({
    defaults: values,
    vars: values,
    params: values,
    dependencies: depth === 0 ? fc.constant([]) : fc.array(role(depth - 1), { maxLength: 2 }),
  });

/** Ansible's `Role.get_all_dependencies`. */
function all({ dependencies }: Role): readonly Role[] {
  return dependencies.flatMap((one) => [...all(one), one]);
}

/**
 * Ansible's `Role.get_default_vars`. `chain`: the roles that depend on the role, outermost first, with the role last.
 */
function defaultVars(of: Role, chain: readonly Role[] = []): Record<string, string> {
  const deps = all(of).map((one) => defaultVars(one));
  return Object.assign({}, ...deps, ...chain.map((one) => one.defaults), of.defaults) as Record<string, string>;
}

/** Ansible's `Role.get_vars`, without parameters. */
function vars(of: Role, chain: readonly Role[] = []): Record<string, string> {
  const deps = all(of).map((one) => vars(one));
  return Object.assign({}, ...chain.map((one) => one.vars), ...deps, of.vars) as Record<string, string>;
}

/** Ansible's `Role.get_role_params`. */
function params(of: Role, chain: readonly Role[]): Record<string, string> {
  return Object.assign({}, ...chain.map((one) => one.params), of.params) as Record<string, string>;
}

/** The variables that a task of the role sees in Ansible. */
function ansible(of: Role, chain: readonly Role[]): Record<string, string> {
  const whole = [...chain, of];
  return { ...defaultVars(of, whole), ...vars(of, whole), ...params(of, whole) };
}

function layer(level: VariableLevel, given: Readonly<Record<string, string>>): VariableLayer {
  return { level, values: given, origin: level };
}

function ownOf(of: Role): OwnLayers {
  return {
    defaults: [layer('role defaults', of.defaults)],
    vars: [layer('role vars', of.vars)],
    params: [layer('role params', of.params)],
  };
}

/** Collects what the steps of each role see. Returns what the play sees of the outermost role. */
function ours(of: Role, chain: readonly Role[], around: readonly VariableLayer[], roles: RoleLayers[]): SeenLayers {
  const own = ownOf(of);
  const handed = layersForDependencies(around, own);
  const seen = of.dependencies.map((one) => ours(one, [...chain, of], handed, roles));
  roles.push({ of, chain, seen: seenBySteps(around, own, seen) });
  return seenByPlay(own, seen);
}

interface RoleLayers {
  readonly of: Role;
  readonly chain: readonly Role[];
  readonly seen: readonly VariableLayer[];
}

function found(layers: readonly VariableLayer[]): Record<string, unknown> {
  const scope = new Variables(layers);
  return Object.fromEntries(NAMES.flatMap((name) => (scope.get(name) === undefined ? [] : [[name, scope.get(name)]])));
}

describe("The variables of a role's steps", () => {
  it('are the same as in Ansible for any chain of dependencies', () => {
    fc.assert(
      fc.property(role(2), (outermost) => {
        const roles: RoleLayers[] = [];
        ours(outermost, [], [], roles);
        for (const { of, chain, seen } of roles) expect(found(seen)).to.deep.equal(ansible(of, chain));
      }),
    );
  });

  it('are visible to the play as in Ansible', () => {
    fc.assert(
      fc.property(role(2), (outermost) => {
        const { defaults, vars: seen } = ours(outermost, [], [], []);
        expect(found([...defaults, ...seen])).to.deep.equal({ ...defaultVars(outermost), ...vars(outermost) });
      }),
    );
  });
});
