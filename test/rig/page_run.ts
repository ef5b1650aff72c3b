import { gunzipSync } from 'node:zlib';
import type { Event } from '../../src/core/model/run/event.js';
import type { WrittenArguments } from '../../src/reporting/output/options.js';
import { PageData } from '../../src/reporting/page/fold/page_data.js';
import { liveSources } from '../../src/reporting/page/fold/sources.js';
import { readPage, type Page, type PageFacts } from '../../src/reporting/page/format/page.js';
import { controllerNames, EventMaker } from './events.js';

const FACTS: PageFacts = { title: 'run playbooks/rollout.yml' };

/** @param written the arguments of tasks as they are written */
export function packed(
  events: Iterable<Event>,
  facts: PageFacts = FACTS,
  written?: WrittenArguments,
): Uint8Array<ArrayBuffer> {
  const data = new PageData(
    liveSources('/nowhere', (text) => text),
    written,
  );
  for (const event of events) data.handle(event);
  return data.pack(facts);
}

export function pageOf(events: Iterable<Event>, facts: PageFacts = FACTS, written?: WrittenArguments): Page {
  return readPage(packed(events, facts, written));
}

/** The page in a report. */
export function pageIn(html: string): Page {
  const [, data = ''] = /<script[^>]*id="data"[^>]*>([^<]*)</.exec(html) ?? [];
  return readPage(new Uint8Array(gunzipSync(Buffer.from(data, 'base64'))));
}

/** The result of each controller at each step, by name. */
export function cellsOf(page: Page, states: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const total = page.controllers.length;
  return Object.fromEntries(
    page.controllers.map((name, row) => [
      name,
      page.columns.map((_, column) => states[page.state[column * total + row] ?? 0] ?? ''),
    ]),
  );
}

/** A fleet: every 7th controller fails with one cause, every 11th is unreachable, and the others have one of two changes. */
export function* fleetEvents(size: number, steps: number): Iterable<Event> {
  const make = new EventMaker();
  const names = controllerNames(size);
  yield make.runStarted({ environment: 'production' });
  const half = Math.ceil(size / 2);
  const groups = { emea: [...names.keys()].slice(0, half), apac: [...names.keys()].slice(half) };
  yield make.playStarted(names, { tasks: steps, groups });
  yield make.batchStarted(names);
  for (const [index, name] of names.entries()) {
    for (let step = 0; step < steps; step++) {
      const task = `Step ${step + 1} <b>of</b> "all" & more`;
      const source = { file: 'playbooks/rollout.yml', line: 4 + 6 * step, column: 7 };
      make.pass(0.01);
      if (step === 0 && index % 11 === 5) {
        const message = `no connection to https://10.0.0.${index} (ECONNREFUSED)`;
        yield make.taskFinished(name, 'unreachable', { task, source, message });
        break;
      }
      if (step === 1 && index % 7 === 3) {
        const message = `POST /api/cloud/: answered 400: <img src=x onerror="alert(1)"> name of ${name} is reserved`;
        yield make.taskFinished(name, 'failed', { task, source, message, hint: 'choose another name' });
        break;
      }
      const mtu = index % 13 === 0 ? 9000 : 1500;
      const after = { name: 'edge', mtu, note: `on ${name} <script>alert(1)</script>` };
      const change = {
        kind: 'update',
        object: 'cloud "edge"',
        before: { name: 'edge', mtu: 1400, note: '' },
        after,
      } as const;
      if (step === 0) yield make.taskFinished(name, 'changed', { task, source, change });
      else yield make.taskFinished(name, step % 5 === 4 ? 'skipped' : 'ok', { task, source });
    }
    yield make.controllerFinished(name);
  }
  yield make.warning('the certificate is not verified', { controller: names[0] ?? '' });
  yield make.batchFinished();
  yield make.playFinished();
  yield make.runFinished({ status: 'failed', exitCode: 2 });
}
