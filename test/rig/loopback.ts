import { pastOfRecords } from '../../src/app/worker/hosted_run.js';
import type { Attempt, AttemptEnd, CoordinatorTransport } from '../../src/model/run/worker_transport.js';
import type { Value } from '../../src/model/values/value.js';
import { loadPlaybooks } from '../../src/load/playbook/playbook.js';
import type { Playbook } from '../../src/model/playbook/playbook.js';
import { Diagnostics } from '../../src/model/source/diagnostic.js';
import { inFolder } from './folder.js';
import { catalogue } from './loaded.js';
import { Secrets } from '../../src/secrets/secrets.js';
import type { RunInput } from '../../src/run/input/run_input.js';
import { RemoteDispatcher } from '../../src/run/remote/coordinator/remote_dispatcher.js';
import type { run } from '../../src/run/run.js';
import { WalkHost } from '../../src/run/remote/worker/walk_host.js';

/** A playbook that a run makes while it runs. */
export async function madePlaybook(text: string): Promise<Playbook> {
  const [playbook] = await inFolder({ 'made.yml': text }, (cwd) =>
    loadPlaybooks(['made.yml'], { cwd, catalogue, diagnostics: new Diagnostics() }),
  );
  if (playbook === undefined) throw new Error('no playbook');
  return playbook;
}

/** The run of a worker in this process, which shares with the coordinator what was loaded, and nothing else. */
export function hostOf(input: RunInput, refused: AbortController): WalkHost {
  const { plan, journal, past } = input.record;
  const keeper = journal ?? past;
  const digest = (value: Value): string => keeper?.digest(value) ?? '';
  return new WalkHost({
    identity: input.identity,
    settings: input.settings,
    selection: input.selection,
    sources: { ...input.sources, secrets: new Secrets() },
    connections: input.connections,
    digest,
    make: async (_, of) => ({ playbook: await madePlaybook((of as { readonly text: string }).text), catalogue }),
    plan: plan && { type: plan.type, digest: (value) => plan.digest(value) },
    pastOf: (records) => pastOfRecords(records, digest),
    stops: { drain: new AbortController(), abort: new AbortController() },
    credentialsRefused: refused.signal,
    close: () => Promise.resolve(),
  });
}

/**
 * Workers in this process that share nothing with the coordinator but texts, so that every test of the engine is one of the dispatcher:
 * `EVENKEEL_TEST_WORKERS=2 npx mocha test/run/…`.
 */
export function loopbackWorkers(
  input: RunInput,
  {
    count,
    refused,
    loseAfter,
    lostForGood,
    loser = lostForGood,
    onText,
    onSent,
    forge = (text) => text,
    rotate = false,
  }: {
    readonly count: number;
    readonly refused: AbortController;
    readonly loseAfter: number | undefined;
    readonly lostForGood?: string | undefined;
    /** Only this one loses its worker. */
    readonly loser?: string | undefined;
    readonly onText?: ((text: string, isLost: boolean) => void) | undefined;
    readonly onSent?: ((text: string, controller: string) => void) | undefined;
    /** Messages that a compromised worker sends instead of its own. */
    readonly forge?: ((text: string, controller: string) => string) | undefined;
    /** Another worker has each walk of a controller. */
    readonly rotate?: boolean | undefined;
  },
): NonNullable<Parameters<typeof run>[2]> {
  const hosts = Array.from({ length: count }, () => hostOf(input, refused));
  let turn = 0;
  const places = new Map<string, number>();
  const lost = new Set<string>();
  const transport: CoordinatorTransport = {
    offer: (order, listener) => {
      if (order.controller === lostForGood && lost.has(lostForGood)) return untaken();
      const index = (rotate ? undefined : places.get(order.controller)) ?? turn++ % hosts.length;
      places.set(order.controller, index);
      const host = hosts[index];
      let said: Promise<unknown> = Promise.resolve();
      const early: string[] = [];
      let listen: ((text: string) => void) | undefined;
      const revoked = new AbortController();
      const mayBeLost = loser === undefined || loser === order.controller;
      const isLost = loseAfter !== undefined && mayBeLost && !lost.has(order.controller);
      lost.add(order.controller);
      let texts = 0;
      let lose: (end: AttemptEnd) => void = () => undefined;
      const losing = new Promise<AttemptEnd>((resolve) => (lose = resolve));
      const hear = (text: string): Promise<void> => {
        const comesTooLate = isLost && texts++ >= loseAfter;
        onText?.(text, comesTooLate);
        if (comesTooLate) {
          revoked.abort();
          void said.then(() => {
            lose({ type: 'lost', worker: `worker ${index}`, reason: 'the test says so' });
          });
          return Promise.reject(new Error('another worker has it'));
        }
        const next = said.then(() => {
          listener.message(forge(text, order.controller));
        });
        said = next.catch(() => undefined);
        return next;
      };
      const sent = (text: string): string => {
        onSent?.(text, order.controller);
        return text;
      };
      listener.taken(`worker ${index}`, `${index}`);
      const end = (async (): Promise<AttemptEnd> => {
        try {
          await host?.walk({
            text: sent(order.text()),
            post: (text) => void hear(text).catch(() => undefined),
            postDurably: hear,
            stillHeld: () =>
              revoked.signal.aborted ? Promise.reject(new Error('another worker has it')) : Promise.resolve(),
            onMessage: (listener) => {
              listen = listener;
              for (const text of early.splice(0)) listen(text);
            },
            revoked: revoked.signal,
          });
        } catch (error) {
          if (!revoked.signal.aborted) throw error;
        }
        if (revoked.signal.aborted) return losing;
        await said;
        return { type: 'ended' };
      })();
      return {
        send: (text) => {
          queueMicrotask(() => {
            if (listen === undefined) early.push(sent(text));
            else listen(sent(text));
          });
        },
        cancel: () => undefined,
        refuse: (reason) => {
          revoked.abort();
          lose({ type: 'lost', worker: `worker ${index}`, reason });
        },
        end: Promise.race([end, losing]),
      };
    },
    broadcast: (text) => {
      for (const host of hosts) host.onBroadcast(text);
    },
    close: async () => {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };
  return (context) =>
    new RemoteDispatcher(context, {
      transport,
      // Tests of what must run in this process say so.
      siteOf: (variables) => {
        const site = variables.get('worker_site');
        if (site === 'here') return 'here';
        return typeof site === 'string' && site !== '' ? { site } : {};
      },
      refuseCredentials: () => {
        refused.abort();
      },
      lockController: () => Promise.resolve(null),
    });
}

function untaken(): Attempt {
  const end = Promise.resolve({ type: 'untaken', reason: 'no worker is left' } as const);
  return { send: () => undefined, cancel: () => undefined, end };
}
