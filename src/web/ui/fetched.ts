import { useEffect, useState } from 'preact/hooks';
import { withDelta, type PageDelta } from '../../reporting/page/format/delta.js';
import { readPage, type Page } from '../../reporting/page/format/page.js';

export type Fetched<T> =
  | { readonly status: 'loading' }
  /** `lost`: why it may be out of date. */
  | { readonly status: 'ready'; readonly value: T; readonly lost?: string | undefined }
  | { readonly status: 'failed'; readonly message: string };

class UiServer {
  #policy: string | null | undefined;

  /** What the server answers. @throws Error with its message */
  async ask(path: string): Promise<Response> {
    const response = await fetch(path).catch(() => {
      throw new Error('"evenkeel ui" does not answer: start it again, and open the address that it prints');
    });
    if (!response.ok) throw new Error(await response.text());
    const policy = response.headers.get('Content-Security-Policy');
    // It names the script: a server that was started again in another version has another one.
    if (policy !== (this.#policy ??= policy)) location.reload();
    return response;
  }
}

function failed(error: unknown): Extract<Fetched<never>, { status: 'failed' }> {
  return { status: 'failed', message: error instanceof Error ? error.message : String(error) };
}

/** JSON of the server, read again every few seconds. Its shape is not checked, because both sides have the same version. */
export function useFetched<T>(path: string, seconds?: number): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T>>({ status: 'loading' });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const server = new UiServer();
    const read = async (): Promise<void> => {
      try {
        const response = await server.ask(path);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server has the same version as the page
        const value = (await response.json()) as T;
        if (!isGone) setFetched({ status: 'ready', value });
      } catch (error) {
        if (!isGone) setFetched(failed(error));
      }
      if (!isGone && seconds !== undefined) timer = setTimeout(() => void read(), seconds * 1000);
    };
    void read();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [path, seconds]);
  return fetched;
}

/** A run, and what happens in it while it is shown. */
export function useLivePage(id: string): Fetched<Page> {
  const [fetched, setFetched] = useState<Fetched<Page>>({ status: 'loading' });
  useEffect(() => {
    const following = new Following(id, setFetched);
    void following.start();
    return () => following.stop();
  }, [id]);
  return fetched;
}

const LOST =
  '"evenkeel ui" does not answer, so this page may be out of date: reload it, or start "evenkeel ui" again and open the address that it prints';

class Following {
  readonly #server = new UiServer();
  #page: Page | undefined;
  #events: EventSource | undefined;
  #frame = 0;
  #isStopped = false;

  constructor(
    private readonly id: string,
    private readonly show: (fetched: Fetched<Page>) => void,
  ) {}

  /** Reads the page, and follows from there. */
  async start(): Promise<void> {
    this.#events?.close();
    try {
      const response = await this.#server.ask(`/api/runs/${this.id}`);
      const page = readPage(new Uint8Array(await response.arrayBuffer()));
      if (this.#isStopped) return;
      this.#page = page;
      this.#paint();
      if (response.headers.get('X-Over') !== 'true') this.#follow(response.headers.get('X-Version') ?? '');
    } catch (error) {
      if (this.#isStopped) return;
      const { message } = failed(error);
      if (this.#page === undefined) this.show({ status: 'failed', message });
      else this.#paint(message);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#events?.close();
    cancelAnimationFrame(this.#frame);
  }

  #follow(version: string): void {
    const events = new EventSource(`/api/runs/${this.id}/events?since=${version}`);
    this.#events = events;
    events.addEventListener('delta', ({ data }: MessageEvent<string>) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server has the same version as the page
      const delta = JSON.parse(data) as PageDelta;
      if (this.#page === undefined) return;
      this.#page = withDelta(this.#page, delta);
      this.#paint();
    });
    events.addEventListener('reload', () => void this.start());
    events.addEventListener('over', () => {
      events.close();
    });
    events.addEventListener('error', () => {
      // The server answers, but has the run no longer, or does not know this browser: it says why.
      if (events.readyState === EventSource.CLOSED) void this.start();
      else this.#paint(LOST);
    });
    events.addEventListener('open', () => {
      this.#paint();
    });
  }

  /** Paints once a frame, regardless of the number of changes. */
  #paint(lost?: string): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (this.#page !== undefined) this.show({ status: 'ready', value: this.#page, lost });
    });
  }
}
