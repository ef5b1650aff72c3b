import { options } from 'preact';
import { endShown, Piece } from './rendered.js';

type Listener = (event: object) => void;

/** What the pages of `evenkeel ui` ask a browser for. */
export class Browser {
  /** What was asked for, in order. */
  readonly asked: string[] = [];
  readonly stored = new Map<string, string>();
  readonly dataset: Record<string, string> = {};
  readonly location = { hash: '' };
  readonly #listeners = new Map<string, Listener>();
  readonly #before: PropertyDescriptorMap;

  /** @param answers path → what the server answers */
  constructor(answers: Readonly<Record<string, unknown>> = {}) {
    const globals = {
      location: this.location,
      history: { replaceState: (_state: unknown, _title: string, hash: string) => (this.location.hash = hash) },
      document: { documentElement: { dataset: this.dataset }, querySelector: () => null },
      localStorage: {
        getItem: (key: string) => this.stored.get(key) ?? null,
        setItem: (key: string, value: string) => this.stored.set(key, value),
      },
      addEventListener: (name: string, listener: Listener) => this.#listeners.set(name, listener),
      removeEventListener: (name: string) => this.#listeners.delete(name),
      requestAnimationFrame: setImmediate,
      cancelAnimationFrame: clearImmediate,
      HTMLInputElement: class extends Piece {},
      HTMLSelectElement: class extends Piece {},
      fetch: (path: string) => {
        this.asked.push(path);
        const found = answers[path];
        if (found === undefined) return Promise.resolve(new Response('not kept', { status: 404 }));
        if (!(found instanceof Uint8Array)) return Promise.resolve(Response.json(found));
        return Promise.resolve(new Response(Uint8Array.from(found), { headers: { 'X-Over': 'true' } }));
      },
    };
    this.#before = Object.fromEntries(
      Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name) ?? {}]),
    );
    for (const [name, value] of Object.entries(globals))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    options.requestAnimationFrame = queueMicrotask;
  }

  /** Effects have run, and answers have been shown. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  }

  press(key: string, more: object = {}): void {
    this.#listeners.get('keydown')?.({ key, target: new Piece('body'), preventDefault: () => undefined, ...more });
  }

  go(hash: string): void {
    this.location.hash = hash;
    this.#listeners.get('hashchange')?.({});
  }

  async close(): Promise<void> {
    endShown();
    await this.settled();
    for (const [name, before] of Object.entries(this.#before)) {
      Reflect.deleteProperty(globalThis, name);
      if (Object.keys(before).length > 0) Object.defineProperty(globalThis, name, before);
    }
  }
}
