import { expect } from 'chai';
import { Connections } from '../../../src/controller/connections.js';
import { caReader } from '../../../src/controller/settings/settings.js';
import type { Controller } from '../../../src/core/model/inventory/inventory.js';
import { jsonText, type Mapping } from '../../../src/core/model/values/value.js';
import type { VariableLevel } from '../../../src/core/model/values/variables.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { ControllerConnections } from '../../../src/engine/controllers/controller_connections.js';
import { type Connection, SessionPool } from '../../../src/engine/controllers/session_pool.js';
import type { Connect } from '../../../src/engine/input/run_input.js';
import { StepKeys } from '../../../src/engine/journal/step_keys.js';
import { Variables } from '../../../src/language/scope.js';
import { layer } from '../../language/scopes.js';

const URL = 'https://lb1.example.com';
const INVENTORY = {
  controller_url: URL,
  controller_username: 'admin',
  controller_password: 'secret',
  controller_api_version: '22.1.3',
  site: 'fra',
};
const LB1: Controller = { name: 'lb1', groups: [], layers: [] };
/** Each says how fast requests go, and is no part of where they go. */
const PACE = {
  controller_timeout: 7,
  controller_write_settles: 8,
  controller_patience: 9,
  controller_max_requests: 3,
  controller_requests_per_second: 4,
};

interface Given {
  readonly inventory?: Mapping;
  /** What a rollback sees. Default: the inventory. */
  readonly plain?: Mapping;
  readonly play?: Mapping;
  /** Whether the run has changed what the inventory says. */
  readonly isOutdated?: boolean;
  /** Whether the run has a journal. */
  readonly isKept?: boolean;
  readonly unlock?: () => Promise<void>;
}

/** The connections of lb1, and the variables with further ones at some level. */
function start({
  inventory = INVENTORY,
  plain = inventory,
  play = {},
  isOutdated = false,
  isKept = true,
  unlock,
}: Given = {}) {
  const connections = new Connections({ abort: new AbortController().signal });
  const connect: Connect = (settings) => Promise.resolve(connections.open(settings));
  const routes = new Map([['site', ['http://proxy.example.com:3128']]]);
  const settingSources = { readCa: caReader('.'), routes };
  const input = { connections: { connect, settingSources, unlock }, sources: { secrets: new Secrets() } };
  const sessions = new SessionPool(input, { now: 5 });
  const variables = new Variables([layer(inventory, 'inventory host vars')]);
  const plainVariables = new Variables([layer(plain, 'inventory host vars')]);
  const keys = isKept ? new StepKeys(jsonText) : undefined;
  const own = new ControllerConnections({ input, sessions, keys }, { controller: LB1 }, variables, {
    inventory: () => plainVariables,
    play: () => plainVariables.child([layer(play, 'play vars')]),
    isOutdated: () => isOutdated,
  });
  const at = (values: Mapping, level: VariableLevel = 'task vars'): Promise<Connection> =>
    own.at(variables.child([layer(values, level)]));
  return { at, usual: () => own.at(variables) };
}

describe('the connections of a controller', () => {
  it('are one for all tasks that change none of its settings', async () => {
    const { at, usual } = start();
    const first = await usual();
    expect([await usual(), await at({ site: 'ber' }), await at({ controller_username: 'admin' })]).to.satisfy(
      (all: readonly Connection[]) => all.every((one) => one === first),
    );
    expect([first.isUsual, first.home, first.isElsewhere, first.isGiven, first.written]).to.deep.equal([
      true,
      URL,
      false,
      false,
      undefined,
    ]);
    const other = await at({ controller_username: 'ann' });
    expect([other.isUsual, other.home, other.isElsewhere, other.settings.username]).to.deep.equal([
      false,
      URL,
      false,
      'ann',
    ]);
    const elsewhere = await at({ controller_url: 'https://lb2.example.com' });
    expect([elsewhere.home, elsewhere.isElsewhere, elsewhere.isGiven]).to.deep.equal([URL, true, false]);
  });

  it('depend on what the variables of the inventory refer to', async () => {
    const { at, usual } = start({ inventory: { ...INVENTORY, controller_username: 'admin-{{ site }}' } });
    expect((await usual()).settings.username).to.equal('admin-fra');
    expect((await at({ site: 'ber' })).settings.username).to.equal('admin-ber');
    expect(await at({ other: 1 })).to.equal(await usual());
  });

  it('fail until the variables define one; a task may define it before, with the controller as its home', async () => {
    let locked = 2;
    const unlock = (): Promise<void> =>
      locked-- > 0 ? Promise.reject(new Error('no password yet')) : Promise.resolve();
    const { at, usual } = start({ unlock });
    const failure = await usual().catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no password yet');
    const own = await at({ controller_username: 'ann' });
    expect([own.home, own.isElsewhere, own.isUsual]).to.deep.equal([URL, false, false]);
    expect((await usual()).isUsual).to.equal(true);
    expect(locked).to.equal(-1);
    const { at: without } = start({ inventory: { ...INVENTORY, controller_url: '{{ where }}' } });
    const given = await without({ where: URL });
    expect([given.home, given.isElsewhere]).to.deep.equal([undefined, true]);
  });
});

describe('the connection that the journal keeps with a write', () => {
  const written = async (values: Mapping, given: Given = {}, level?: VariableLevel) =>
    (await start(given).at(values, level)).written;

  for (const [name, value] of Object.entries(PACE))
    it(`is that of the inventory with another ${name}, which is never kept`, async () => {
      expect(await written({ [name]: value })).to.equal(undefined);
      expect(await written({ [name]: value, controller_username: 'ann' })).to.deep.equal({
        controller_username: 'ann',
        controller_url: URL,
      });
    });

  it('is that of the inventory with another tenant, and without variables of the task', async () => {
    const inventory = { ...INVENTORY, controller_dialect: 'avi' };
    expect(await written({ controller_tenant: 'blue' }, { inventory })).to.equal(undefined);
    expect(await written({ controller_username: 'ann' }, {}, 'inventory host vars')).to.equal(undefined);
    expect(await written({ controller_username: 'ann' }, {}, 'extra vars')).to.equal(undefined);
  });

  it('has all that differs from the inventory, and the address', async () => {
    const values = {
      controller_headers: { 'X-Region': 'eu' },
      controller_username: 'ann',
      controller_password: 'secret',
      site: 'ber',
    };
    expect(await written(values)).to.deep.equal({
      controller_headers: { 'X-Region': 'eu' },
      controller_username: 'ann',
      controller_url: URL,
    });
  });

  it('has the way to the controller, without that of the inventory', async () => {
    const proxy = 'http://other.example.com:3128';
    const kept = (way: Mapping, plain: Mapping) =>
      written({ controller_username: 'ann', ...way }, { plain: { ...INVENTORY, ...plain } });
    expect(await kept({ controller_route: 'site' }, { controller_proxy: proxy })).to.deep.equal({
      controller_proxy: null,
      controller_username: 'ann',
      controller_route: 'site',
      controller_url: URL,
    });
    expect(await kept({ controller_proxy: proxy }, { controller_route: 'site' })).to.deep.equal({
      controller_route: null,
      controller_username: 'ann',
      controller_proxy: proxy,
      controller_url: URL,
    });
    expect(await kept({}, {})).to.deep.equal({ controller_username: 'ann', controller_url: URL });
  });
});

describe('what a connection reaches', () => {
  it('is one controller for all users and tenants, but not behind other headers or another route', async () => {
    const inventory = { ...INVENTORY, controller_dialect: 'avi' };
    const { at, usual } = start({ inventory });
    const { reached } = await usual();
    const others = [
      { controller_tenant: 'blue' },
      { controller_username: 'ann' },
      { controller_headers: { 'X-Site': 'b' } },
      { controller_route: 'site' },
    ];
    const found = await Promise.all(others.map(async (values) => (await at(values)).reached));
    expect(found.map(({ url }) => url)).to.deep.equal([URL, URL, URL, `${URL} via site`]);
    const same = found.map((one) => [one.controller === reached.controller, one.account === reached.account]);
    expect(same).to.deep.equal([
      [true, true],
      [true, false],
      [false, false],
      [false, false],
    ]);
    expect((await start({ inventory, isKept: false }).usual()).reached).to.deep.equal(reached);
  });

  it('is declared by the inventory or the play, unless the run found it out or a task set it', async () => {
    const [near, far] = ['https://near.example.com', 'https://far.example.com'];
    const { at, usual } = start({ play: { controller_url: near } });
    const found = [await usual(), await at({ controller_url: near }), await at({ controller_url: far })];
    expect(found.map(({ declaredBy }) => declaredBy)).to.deep.equal(['inventory', 'play', undefined]);
    expect((await at({ controller_username: 'ann' })).declaredBy).to.equal('inventory');
    const moved = { inventory: { ...INVENTORY, controller_url: far }, plain: INVENTORY, isOutdated: true };
    const { declaredBy, written: kept } = await start(moved).usual();
    expect([declaredBy, kept]).to.deep.equal([undefined, { controller_url: far }]);
  });
});
