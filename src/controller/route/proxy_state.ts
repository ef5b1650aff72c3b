import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { shownProxy, type Proxy } from '../../core/model/inventory/route.js';
import type { HostAndPort } from '../transport/confinement.js';
import { openTunnel, tryProxy, type Opening } from './tunnel.js';
import { isDown, TunnelFailure } from './tunnel_failure.js';

/** A proxy that failed is tried again after this time, so that many controllers do not ask it one after the other. */
const AGAIN_MS = 250;
/** The longest time that a connection with untried credentials delays the next one. */
const TRIAL_MS = 1000;
/** While another proxy works: after a second, or this many times the time that the failed attempt took. */
const CAREFUL = { leastMs: 1000, times: 4 };
/** A proxy through which nothing arrived is tried again after this time. */
const STALLED_MS = 10_000;

interface Down {
  readonly failure: TunnelFailure;
  /** Its first failure in a row. */
  readonly first: number;
  readonly since: number;
  readonly tookMs: number;
}

/** What a run knows about one proxy. All controllers of its routes share it, so that a dead proxy is found once. */
export class ProxyState {
  readonly shown: string;
  #isUp = false;
  #down: Down | undefined;
  #check: Promise<boolean> | undefined;
  /** Accounts lock after a few wrong passwords, so connections try it one after the other until one has ended. */
  #trial: Promise<unknown> | undefined;
  #isTried = false;
  /** It has let the credentials in, so a later refusal is about the controller, or passes. */
  #isAccepted = false;
  /** The credentials are not sent again in this run. */
  #refusal: TunnelFailure | undefined;
  /** When something last arrived through it. */
  #arrived = -Infinity;
  #stalled = -Infinity;

  constructor(
    private readonly proxy: Proxy,
    private readonly opening: Opening,
  ) {
    this.shown = shownProxy(proxy);
  }

  /** Whether it is a SOCKS proxy, as tunnels of OpenSSH are. */
  get isTunnel(): boolean {
    return this.proxy.scheme.startsWith('socks');
  }

  get isUp(): boolean {
    return this.#isUp && this.#refusal === undefined;
  }

  /** Why it cannot be used; undefined if that is not known. */
  get failure(): TunnelFailure | undefined {
    return this.#refusal ?? this.#down?.failure;
  }

  /** Since when it has been down, in ms of `performance.now()`; undefined: it is not known to be down. */
  get downSince(): number | undefined {
    return this.#down?.first;
  }

  /** Whether nothing arrives through it. Now and then it answers false to one caller, which then tries the proxy. */
  isStalled(): boolean {
    if (this.#stalled === -Infinity) return false;
    const now = performance.now();
    if (now - this.#stalled < STALLED_MS) return true;
    this.#stalled = now;
    return false;
  }

  /** Whether it is time to try it again. */
  isDue(another: boolean): boolean {
    if (this.#refusal !== undefined) return false;
    if (this.#down === undefined) return true;
    const { since, tookMs } = this.#down;
    const wait = another ? Math.max(CAREFUL.leastMs, CAREFUL.times * tookMs) : AGAIN_MS;
    return performance.now() - since >= wait;
  }

  /** Whether it works. Callers at the same time share one attempt. */
  check(): Promise<boolean> {
    return (this.#check ??= this.#try().finally(() => (this.#check = undefined)));
  }

  /** @throws TunnelFailure */
  async open(to: HostAndPort, ms: number): Promise<Socket> {
    while (this.#trial !== undefined) await this.#trial;
    if (this.#refusal !== undefined) throw this.#refusal;
    const opened = this.#open(to, ms);
    if (this.#hasCredentials && !this.#isTried) {
      const end = (): void => (this.#trial = undefined);
      this.#trial = Promise.race([opened, sleep(TRIAL_MS, undefined, { ref: false })]).then(end, end);
    }
    return opened;
  }

  async #open(to: HostAndPort, ms: number): Promise<Socket> {
    const started = performance.now();
    try {
      const socket = await openTunnel(this.proxy, to, ms, this.opening);
      this.#isTried = this.#isAccepted = true;
      return socket;
    } catch (error) {
      if (!(error instanceof TunnelFailure)) throw error;
      if (error.fault === 'credentials' && this.#isAccepted)
        throw new TunnelFailure('forbidden', `cannot reach ${shownProxy(to)}: it ${error.message}`);
      if (isDown(error.fault)) this.#fail(error, started);
      // A name that this machine does not know ended it before the proxy was asked.
      else if (error.fault !== 'name') this.#isTried = true;
      throw error;
    }
  }

  get #hasCredentials(): boolean {
    return this.proxy.username !== '' || this.proxy.password !== '';
  }

  /** Something arrived through it. */
  arrived(): void {
    this.#arrived = performance.now();
    this.#stalled = -Infinity;
  }

  /** A controller did not answer through it since that time. If no other controller did either, the proxy is at fault. */
  silentSince(time: number): void {
    if (this.#arrived < time) this.#stalled = performance.now();
  }

  async #try(): Promise<boolean> {
    const started = performance.now();
    try {
      await tryProxy(this.proxy, this.opening);
      this.#isUp = true;
      this.#down = undefined;
    } catch (error) {
      if (!(error instanceof TunnelFailure)) throw error;
      this.#fail(error, started);
    }
    return this.#isUp;
  }

  #fail(failure: TunnelFailure, started: number): void {
    const now = performance.now();
    this.#isUp = false;
    if (failure.fault === 'credentials' && this.#hasCredentials) this.#refusal = failure;
    this.#down = { failure, first: this.#down?.first ?? now, since: now, tookMs: now - started };
  }
}
