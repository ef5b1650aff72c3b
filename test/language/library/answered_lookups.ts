import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import type { WebAnswer, WebRequest } from '../../../src/core/programs/programs.js';
import type { LookupFunction } from '../../../src/language/library/lookups/lookup.js';
import {
  CallableArguments,
  CommandOutputs,
  type Invoke,
  type OutputPage,
} from '../../../src/language/runtime/arguments.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import type { LookupServices } from '../../../src/language/runtime/frame.js';
import { variables } from '../scopes.js';

export type Answers = Readonly<Record<string, WebAnswer>>;

/** What a lookup sends, with answers for it by URL. */
class AnsweredOutputs extends CommandOutputs {
  readonly requests: WebRequest[] = [];

  constructor(private readonly answers: Answers) {
    super(true);
  }

  override page(_: string, fetch: (send: (request: WebRequest) => WebAnswer) => OutputPage): OutputPage {
    return fetch((request) => {
      this.requests.push(request);
      return this.answers[request.url] ?? { type: 'failure', code: 'ECONNREFUSED', message: 'refused' };
    });
  }
}

export const answer = (status: number, text = '', location?: string, reason = ''): WebAnswer => ({
  type: 'answer',
  status,
  reason,
  location,
  body: Buffer.from(text),
});
export const json = (value: unknown): WebAnswer => answer(200, JSON.stringify(value));
export const broken = (code: string, message = ''): WebAnswer => ({ type: 'failure', code, message });

interface AnsweredLookup {
  readonly found: readonly Value[] | string;
  readonly requests: readonly WebRequest[];
  readonly learned: readonly string[];
}

export interface AskedLookup {
  readonly terms?: readonly Value[];
  readonly options?: Readonly<Record<string, Value>>;
  readonly scope?: Mapping;
  readonly routeUrl?: LookupServices['routeUrl'];
}

export function answered(lookup: LookupFunction, answers: Answers, asked: AskedLookup): AnsweredLookup {
  const { terms = [], options = {}, scope = {}, routeUrl = () => ({ proxies: [] }) } = asked;
  const commands = new AnsweredOutputs(answers);
  const learned: string[] = [];
  const invoke: Invoke = {
    filter: () => () => null,
    test: () => () => false,
    template: () => () => null,
    commands,
    unsavedPasswords: new Map(),
    services: { routeUrl, secrets: { decrypt: (text) => text, learn: (secret) => learned.push(secret) } },
  };
  const frame = { scope: variables(scope), block: undefined };
  const args = new CallableArguments('lookup', [], [], new Map(), frame, invoke);
  const named = new Map(Object.entries(options));
  const { requests } = commands;
  try {
    return { found: lookup.run({ terms, options: named, args }), requests, learned };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { found: error.hint === undefined ? error.message : `${error.message} — ${error.hint}`, requests, learned };
  }
}
