import { expect } from 'chai';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import type { PlanGuide, PlanMaker, PlannedConnection } from '../../../src/core/model/run/plan.js';
import { jsonText, type Value } from '../../../src/core/model/values/value.js';
import { comparePlanned, plannedConnection } from '../../../src/engine/resource/planned_connection.js';
import { settingsOf } from '../../rig/controllers.js';

const digest = jsonText;
const settings = (given: Partial<ConnectionSettings> = {}): ConnectionSettings =>
  settingsOf('https://lb1/api', undefined, given);

function guide(...known: readonly PlannedConnection[]): PlanGuide {
  return {
    type: 'follow',
    digest,
    find: () => undefined,
    begin: () => Promise.resolve(undefined),
    hasBegun: () => false,
    steps: () => [],
    connections: (controller) => (controller === 'lb1' ? known : []),
    changingAt: () => [],
  };
}

describe('the connection of a plan', () => {
  const then = plannedConnection(digest, settings());

  const changes: readonly (readonly [Partial<ConnectionSettings>, words: string, variables: readonly string[]])[] = [
    [{ username: 'ann' }, 'another user', ['controller_username', 'ansible_user']],
    [{ tenant: 'blue' }, 'another tenant', ['controller_tenant']],
    [{ dialect: { ...settings().dialect, name: 'lab' } }, 'another dialect', ['controller_dialect']],
    [{ auth: 'session' }, 'another way to sign in', ['controller_auth']],
    [{ apiVersion: '9' }, 'another API version', ['controller_api_version']],
    [{ versionHeader: 'X-V' }, 'another version header', ['controller_version_header']],
    [{ headers: { a: 'b' } }, 'other headers', ['controller_headers']],
    [
      { verifyTls: false },
      'another check of certificates',
      ['controller_verify_tls', 'ansible_httpapi_validate_certs'],
    ],
    [
      { tenant: 'blue', verifyTls: false },
      'another tenant, another check of certificates',
      ['controller_tenant', 'controller_verify_tls', 'ansible_httpapi_validate_certs'],
    ],
  ];
  for (const [given, words, variables] of changes)
    it(`is another one with ${words}`, () => {
      expect(comparePlanned(guide(then), settings(given))).to.deep.equal({
        message: `lb1 is reached with ${words} than when the plan was made`,
        variables,
      });
      expect(comparePlanned(guide(then), settings(given), 'address')).to.equal(undefined);
      const second = plannedConnection(digest, settings(given));
      expect(comparePlanned(guide(then, second), settings(given))).to.equal(undefined);
    });

  it('is computed once for the settings of a connection', () => {
    const texts: string[] = [];
    const noting = (value: Value): string => {
      texts.push(jsonText(value));
      return `digest ${texts.length}`;
    };
    const [one, other] = [settings(), settings({ controller: 'lb2', url: 'https://lb2' })];
    const [first, second] = [plannedConnection(noting, one), plannedConnection(noting, other)];
    expect(texts).to.have.length(18);
    expect([one, other].map((given) => plannedConnection(noting, given))).to.deep.equal([first, second]);
    expect([texts.length, first.id === second.id]).to.deep.equal([18, false]);
  });

  it('is the same with another password, or if the plan does not say how it reached the controller', () => {
    expect(comparePlanned(guide(then), settings({ password: 'new', timeout: 1 }))).to.equal(undefined);
    expect(comparePlanned(guide(), settings({ url: 'https://other' }))).to.equal(undefined);
    expect(comparePlanned(guide(then), settings({ controller: 'lb2', url: 'https://other' }))).to.equal(undefined);
    expect(comparePlanned(undefined, settings())).to.equal(undefined);
  });

  it('is at another address, whichever of its own the plan knows', () => {
    const other = plannedConnection(digest, settings({ url: 'https://lb9', tenant: 'blue' }));
    for (const compared of ['all', 'address'] as const)
      expect(comparePlanned(guide(then, other, then), settings({ url: 'https://new' }), compared)).to.deep.equal({
        message: 'lb1 is at https://new now, and the plan was made for https://lb1/api, https://lb9',
        variables: ['controller_url', 'ansible_host', 'controller_route', 'controller_proxy'],
      });
  });

  it('is kept while the plan is made, with short digests of its parts', () => {
    const reached: (readonly [string, PlannedConnection])[] = [];
    const maker: PlanMaker = {
      type: 'make',
      keep: () => undefined,
      digest: (value) => `digest of ${jsonText(value)}`,
      reached: (controller, connection) => reached.push([controller, connection]),
    };
    expect(comparePlanned(maker, settings({ tenant: 'blue' }))).to.equal(undefined);
    expect(reached).to.have.length(1);
    const [[controller, { address, parts }] = ['', then]] = reached;
    expect([controller, address]).to.deep.equal(['lb1', 'https://lb1/api']);
    expect(parts).to.deep.equal(Array(8).fill('digest o'));
  });
});
