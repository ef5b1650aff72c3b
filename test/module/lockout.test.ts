import { expect } from 'chai';
import resourcePresent from '../../modules/resource_present.js';
import systemConfig from '../../modules/system_config.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { validateArguments } from '../../src/module/arguments/validation.js';
import type { Module, Plan, Singleton } from '../../src/module/contract.js';
import { guardAccess } from '../../src/module/lockout.js';

const found = (portal: Mapping): Singleton => ({
  status: 'found',
  object: { uuid: 'default', portal_configuration: portal },
});
const open = found({ allow_basic_authentication: true, enable_https: true });

function plan(args: Mapping, observed: Singleton, module: Module = systemConfig): Plan {
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked || module.type !== 'resource') throw new Error('the arguments are wrong');
  const given = checked.args as Parameters<typeof module.plan>[0];
  return module.plan(given, module === resourcePresent ? { type: 'singleton', singleton: observed } : observed);
}

const refusal = (what: string): string =>
  `this ${what}, and Evenkeel signs in with Basic authentication over HTTPS: it would lock itself out; nothing was written. Set allow_lockout: true if that is intended`;

describe('The guard against a lockout', () => {
  for (const name of ['allow_basic_authentication', 'enable_https']) {
    it(`refuses to set ${name} to false`, () => {
      const args = { portal_configuration: { [name]: false } };
      const expected = refusal(`sets portal_configuration.${name} to false`);
      expect(plan(args, open).refusal).to.equal(expected);
      expect(plan(args, { status: 'unreadable', code: 404 }).refusal).to.equal(expected);
      expect(plan({ ...args, allow_lockout: true }, open).refusal).to.equal(undefined);
    });

    it(`refuses to drop ${name}`, () => {
      const kept = name === 'enable_https' ? 'allow_basic_authentication' : 'enable_https';
      const args = { replace: true, portal_configuration: { [kept]: true } };
      expect(plan(args, open).refusal).to.equal(refusal(`drops portal_configuration.${name}`));
      expect(plan({ ...args, allow_lockout: true }, open).refusal).to.equal(undefined);
    });
  }

  it('refuses every spelling of false that a controller understands', () => {
    for (const value of ['false', 'no', false]) {
      const args = { path: '/api/SystemConfiguration/', properties: { portal_configuration: { enable_https: value } } };
      expect(plan(args, open, resourcePresent).refusal).to.equal(
        refusal('sets portal_configuration.enable_https to false'),
      );
    }
  });

  it('refuses null where the default is false, and writes no null where the default is true already', () => {
    const of = (portal: Mapping): Plan =>
      plan({ path: '/api/SystemConfiguration/', properties: { portal_configuration: portal } }, open, resourcePresent);
    expect(of({ allow_basic_authentication: null }).refusal).to.equal(
      refusal('drops portal_configuration.allow_basic_authentication'),
    );
    const { change, refusal: refused } = of({ enable_https: null, http_port: 8080 });
    expect(refused).to.equal(undefined);
    expect(change).to.have.nested.property('after.portal_configuration.enable_https', true);
  });

  it('allows switching off Basic authentication if Evenkeel signs in with a session', () => {
    const off = { portal_configuration: { allow_basic_authentication: false } };
    const bySession = { ...open, signIn: 'session' } as const;
    expect(plan(off, bySession)).to.not.have.any.keys('refusal', 'warnings');
    expect(plan(off, { status: 'unreadable', code: 404, signIn: 'session' }).warnings).to.equal(undefined);
    expect(plan({ portal_configuration: { enable_https: false } }, bySession).refusal).to.equal(
      'this sets portal_configuration.enable_https to false, and Evenkeel signs in over HTTPS: it would lock itself out; nothing was written. Set allow_lockout: true if that is intended',
    );
  });

  it('allows changes that keep both settings', () => {
    expect(plan({ portal_configuration: { http_port: 8080 } }, open)).to.not.have.any.keys('refusal', 'warnings');
    expect(
      plan({ portal_configuration: { http_port: 8080 } }, found({ allow_basic_authentication: false })).refusal,
    ).to.equal(undefined);
  });

  it('warns if an unreadable controller may fall back to its default', () => {
    const unreadable = { status: 'unreadable', code: 405 } as const;
    expect(plan({ portal_configuration: { http_port: 8080 } }, unreadable).warnings).to.deep.equal([
      'the system configuration cannot be read and portal_configuration.allow_basic_authentication is not declared: replacing the configuration may set it back to false, and then no one can sign in; declare it as true to be safe',
    ]);
    expect(plan({ portal_configuration: { allow_basic_authentication: true } }, unreadable).warnings).to.equal(
      undefined,
    );
  });

  it('looks at what a sign-in needs, and at nothing that was missing before', () => {
    const portal = (settings: Mapping): Mapping => ({ portal_configuration: settings });
    const both = portal({ allow_basic_authentication: true, enable_https: true });
    const judge = (before: Mapping | null, after: Mapping, allow_lockout = false, signIn?: 'session') =>
      guardAccess({ allow_lockout }, before, after, signIn === undefined ? {} : { signIn }, 'Say so');
    expect(judge({}, portal({ http_port: 80 }))).to.deep.equal({});
    expect(judge(both, portal({})).refusal).to.equal(
      'this drops portal_configuration.allow_basic_authentication, and Evenkeel signs in with Basic authentication over HTTPS: it would lock itself out; nothing was written. Say so if that is intended',
    );
    expect(judge(both, portal({}), false, 'session').refusal).to.match(
      /^this drops portal_configuration.enable_https,/,
    );
    expect([judge(both, portal({}), true), judge(null, {}, true), judge(both, both, true)]).to.deep.equal([
      { locksOut: true },
      { locksOut: true },
      {},
    ]);
    expect([judge(null, {}, true, 'session'), judge(null, {}, false, 'session')]).to.deep.equal([{}, {}]);
  });

  it('applies to resource_present, too', () => {
    const properties = { portal_configuration: { enable_https: false } };
    expect(plan({ path: '/api/systemconfiguration', properties }, open, resourcePresent).refusal).to.equal(
      refusal('sets portal_configuration.enable_https to false'),
    );
    expect(plan({ path: '/api/other', properties }, open, resourcePresent).refusal).to.equal(undefined);
  });
});
