import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../core/model/inventory/route.js';
import type { Ping } from '../core/model/run/ping.js';
import { directReference } from '../core/model/run/reference.js';
import type { NamedReference, ReferenceLookup, ReferenceView, Scope } from '../core/model/run/reference.js';
import {
  isRead,
  WAIT_WITHOUT_FORKS,
  type ControllerSession,
  type FindOptions,
  type Listed,
  type ListOptions,
  type OpenSession,
  type RawAnswer,
  type RawRequest,
  type WaitWithoutFork,
  type Singleton,
} from '../core/model/run/session.js';
import { jsonText, type Mapping } from '../core/model/values/value.js';
import { awaitWrite, followTask } from './accepted.js';
import { bodyText, jsonObject, rawAnswer, requireExact, requireNoError, singleObject } from './answers/json_object.js';
import type { Account, Client } from './client.js';
import { appears, createOnce, exists, type Creation } from './create_once.js';
import { type ApiCall, get } from './exchange/call.js';
import { findByName, listObjects, readObjects, type Search } from './find_by_name.js';
import { References } from './references.js';
import type { KnownObjects, RunKnowledge } from './run_knowledge.js';

/** The controller does not support the read, as the API document allows (section 4, gaps). */
const UNREADABLE: ReadonlySet<number> = new Set([404, 405, 501]);

const EMPTY_LIST: RawAnswer = { status: 200, body: { count: 0, results: [] } };

/**
 * One controller, used from its first task to its last over one connection. All methods throw `ControllerError` if the
 * controller is unreachable, rejects the request, or sends an invalid answer.
 */
export class Session implements OpenSession {
  constructor(
    private readonly account: Account,
    private readonly run: RunKnowledge,
    private readonly onClose: () => Promise<void>,
    private readonly wait: WaitWithoutFork = WAIT_WITHOUT_FORKS,
    private readonly isPatient = true,
  ) {}

  withWait(wait: WaitWithoutFork, isPatient = true): ControllerSession {
    return new Session(this.account, this.run, this.onClose, wait, isPatient);
  }

  private get client(): Client {
    return this.account.client.withWait(this.wait, this.isPatient);
  }

  get settings(): ConnectionSettings {
    return this.account.client.settings;
  }

  async find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined> {
    if (this.#isTenantExpected) return undefined;
    const search = { ...this.#search(scope), ...options };
    const object = await findByName(this.client, this.#collection(collection), name, search);
    if (object !== undefined) this.#known?.note(collection, object);
    return object;
  }

  foundVersion(): Promise<string | undefined> {
    return Promise.resolve(this.client.foundVersion);
  }

  references(view: ReferenceView = {}): Promise<ReferenceLookup | undefined> {
    const known = this.#known;
    return Promise.resolve(known && this.#references(known, this.settings, view));
  }

  /** @param settings with the tenant of the lookup */
  #references(known: KnownObjects, settings: ConnectionSettings, wanted: ReferenceView): ReferenceLookup {
    const { run } = this;
    const { asExpected = false, onlyCompares = false } = wanted;
    const tenant = settings.tenant === this.settings.tenant ? undefined : settings.tenant;
    const list = (collection: string) => listObjects(this.client, this.#collection(collection), run.pages, tenant);
    const view = {
      asExpected,
      onlyCompares,
      tenant: tenantReference(settings),
      isExpected: run.isTenantExpected(settings),
      isExpectedInUsual: (path: string, name: string): boolean =>
        run.isExpectedInUsual(settings, path, name, onlyCompares),
      expect: (path: string, name: string): void => run.expectTenant(settings, path, name),
    };
    const inTenant = (name: string): ReferenceLookup => {
      const others = { ...settings, tenant: name };
      return this.#references(run.objects(others) ?? known, others, wanted);
    };
    return new References(known, settings.dialect.cloudScope, list, view, run.findCollection, this.wait, inTenant);
  }

  get #isTenantExpected(): boolean {
    return this.run.isTenantExpected(this.settings);
  }

  async single(path: string): Promise<Singleton> {
    const known = this.run.unreadable(this.settings, path);
    if (known !== undefined) return { status: 'unreadable', ...known, ...this.#signIn };
    // In a tenant that does not exist yet, a controller answers 404 to every request. All tenants show the same object.
    const usual = this.#isTenantExpected ? this.settings.dialect.tenants?.default : undefined;
    const call: ApiCall = { ...get(path), ...(usual !== undefined && { tenant: usual }) };
    const answer = await this.client.ask(call);
    if (answer.status === 200)
      return { status: 'found', object: requireExact(call, singleObject(call, answer, this.client)), ...this.#signIn };
    if (!UNREADABLE.has(answer.status) || this.settings.dialect.singlesReadable)
      throw this.client.refused(call, answer);
    this.run.setUnreadable(this.settings, path, answer.status);
    return { status: 'unreadable', code: answer.status, ...this.#signIn };
  }

  list(path: string, options: ListOptions): Promise<Listed> {
    if (this.#isTenantExpected) return Promise.resolve({ objects: [] });
    return readObjects(this.client, this.#collection(path), this.run.pages, options);
  }

  /** If another task created this name before, read again first. */
  create(collection: string, name: string, body: Mapping, scope?: Scope): Promise<'adopted' | undefined> {
    const wanted = { client: this.client, collection: this.#collection(collection), name, search: this.#search(scope) };
    const creation: Creation = { ...wanted, body };
    const object = jsonText([this.settings.tenant, collection, name, scope?.key]);
    return this.run.turns.hold({ controller: controllerIdentity(this.settings), object }, this.wait, async (before) => {
      const known = before?.adopted === true ? 'adopted' : undefined;
      const end = before !== undefined && (await exists(creation)) ? known : await createOnce(creation);
      this.run.created(this.settings, collection, name);
      this.#forgetLists(collection);
      return end;
    });
  }

  appears(collection: string, name: string, scope?: Scope): Promise<boolean> {
    const search = this.#search(scope);
    return appears({ client: this.client, collection: this.#collection(collection), name, search });
  }

  async replace(path: string, body: Mapping): Promise<void> {
    const text = bodyText('PUT', path, body, this.settings.dialect);
    const call: ApiCall = { method: 'PUT', path, body: text, repeatable: true };
    const answer = await this.client.ask(call);
    if (answer.status >= 300) throw this.client.refused(call, answer);
    if (answer.status === 202) await awaitWrite(call, answer, this.client, body);
    else if (answer.text !== '') jsonObject(call, answer, this.client);
    this.run.wrote(this.settings, path, body);
    const written = directReference(path);
    if (written === undefined) return;
    this.#known?.settle(written.collection, written.uuid);
    // It may have another name now.
    this.run.outdateOthers(this.settings, written.collection);
  }

  /** The path ends with a uuid, so a repeated request cannot delete an object that someone has created since. */
  async remove(path: string): Promise<void> {
    const call: ApiCall = { method: 'DELETE', path, repeatable: true };
    const answer = await this.client.ask(call);
    if (answer.status >= 300 && answer.status !== 404) throw this.client.refused(call, answer);
    if (answer.status === 202) await awaitWrite(call, answer, this.client);
    else if (answer.status < 300) requireNoError(call, answer, this.client);
    const gone = directReference(path);
    if (gone === undefined) return;
    this.#known?.forget(gone.collection, gone.uuid);
    this.#forgetLists(gone.collection);
  }

  /** Controllers create and delete networks, service engine groups and other objects together with a cloud. */
  #forgetLists(collection: string): void {
    const isCloud = collection === this.settings.dialect.cloudScope?.collection;
    if (isCloud) this.#known?.forgetAll();
    this.run.outdateOthers(this.settings, isCloud ? undefined : collection);
  }

  async request(raw: RawRequest): Promise<RawAnswer> {
    if (this.#isTenantExpected && isRead(raw.method) && raw.into === undefined) return EMPTY_LIST;
    // Few tasks send raw requests.
    const { rawCall, sendRaw } = await import('./raw_write.js');
    const call = rawCall(raw, this.settings.dialect);
    const { creates, path } = raw;
    const client = this.client;
    const parent = this.#collection(path.replace(/\/?$/, '/'));
    const created = creates && { client, collection: parent, name: creates.name, search: this.#search(creates.scope) };
    const sent = isRead(raw.method) ? await client.ask(call) : await sendRaw(call, raw, client, created);
    if (raw.exact === true && sent.status === 200) requireExact(call, jsonObject(call, sent, client));
    const answer = rawAnswer(call, sent, client);
    if (isRead(raw.method)) return answer;
    const pending = sent.status === 202 && raw.accepts !== true ? await followTask(call, sent, client) : undefined;
    const collection = `${/^\/api\/[^/?]+/.exec(raw.path)?.[0] ?? ''}/`;
    this.#known?.forgetCollection(collection);
    if (creates !== undefined) this.run.created(this.settings, collection, creates.name);
    this.#forgetLists(collection);
    return pending === undefined ? answer : { ...answer, pending };
  }

  signIn(password: string, changed?: 'changed'): Promise<boolean> {
    return this.account.signIn(password, changed);
  }

  async ping(): Promise<Ping> {
    const { pingController } = await import('./ping.js');
    return pingController(this.client, this.#collection('/api/cloud/'));
  }

  expectLockout(): Promise<void> {
    this.run.lockouts.expect(controllerIdentity(this.settings));
    return Promise.resolve();
  }

  forgetAnswers(): void {
    this.client.forgetAnswers();
  }

  close(): Promise<void> {
    return this.onClose();
  }

  get #signIn() {
    return this.settings.auth === 'session' ? ({ signIn: 'session' } as const) : undefined;
  }

  /** Modules write collections with a slash at the end, as the API document does. */
  #collection(path: string): string {
    return this.settings.dialect.collectionSlash ? path : path.replace(/\/$/, '');
  }

  #search(scope: Scope | undefined): Search {
    const { pages } = this.run;
    if (scope === undefined) return { pages };
    const ownOnly = scope.ownOnly && tenantReference(this.settings) !== undefined;
    return { pages, ownOnly, select: (objects) => scope.select(objects, () => this.references()) };
  }

  get #known(): KnownObjects | undefined {
    return this.run.objects(this.settings);
  }
}

/** The tenant, if controllers may also show it objects of another one. */
function tenantReference({ dialect, tenant }: ConnectionSettings): NamedReference | undefined {
  const { collection, all, default: usual } = dialect.tenants ?? {};
  if (collection === undefined || tenant === undefined || tenant === all || tenant === usual) return undefined;
  return { collection, name: tenant };
}
