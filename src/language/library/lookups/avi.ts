import { encodedPart } from '../../../core/model/values/uri.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import type { OutputPage } from '../../runtime/arguments.js';
import { asText, evaluateLazy } from '../../runtime/result.js';
import { fromJson } from '../encodings/encodings.js';
import { textOption, type LookupCall, type Lookups } from './lookup.js';
import { askForPage, requestFor, requireEncrypted } from './url.js';
import type { UrlRequest } from './url_page.js';

/** Options that replace those of `avi_credentials`. */
const OVERRIDES = ['tenant', 'tenant_uuid', 'api_version'];

/** Objects of a controller, as the lookup of the vendor's collection: all of a kind, or that of a name or uuid. */
const avi = {
  options: ['obj_type', 'obj_name', 'obj_uuid', 'avi_credentials', 'params', ...OVERRIDES, 'timeout', 'ca_path'],
  run: (call) => {
    const [kind, name, uuid] = ['obj_type', 'obj_name', 'obj_uuid'].map((option) => textOption(call, option, ''));
    const credentials = evaluateLazy(call.options.get('avi_credentials') ?? {});
    if (kind === '' || !isMapping(credentials) || textIn(credentials, 'controller') === '')
      throw call.args.error('obj_type and avi_credentials with a controller are needed');
    const own = OVERRIDES.map((option) => [option, textOption(call, option, '')] as const);
    const given = Object.fromEntries(own.filter(([, text]) => text !== ''));
    // A tenant of its own replaces that of the credentials, however that is named.
    const used = { ...credentials, ...('tenant' in given && { tenant_uuid: '' }), ...given };
    const found = read({ kind: kind ?? '', name: name ?? '', uuid: uuid ?? '' }, used, call);
    return name === '' ? found : found.slice(0, 1);
  },
} satisfies Lookups[string];

/** With `collections: [vmware.alb]`, playbooks leave the collection out. */
export const aviLookups = { 'vmware.alb.avi': avi, avi } satisfies Lookups;

interface Wanted {
  readonly kind: string;
  readonly name: string;
  readonly uuid: string;
}

function read({ kind, name, uuid }: Wanted, credentials: Mapping, call: LookupCall): readonly Value[] {
  const { args } = call;
  const text = (field: string): string => textIn(credentials, field);
  const port = text('port') === '' ? '' : `:${text('port')}`;
  const base = `${text('controller').replace(/^(?!https?:\/\/)/, 'https://')}${port}`;
  const path = uuid === '' || name !== '' ? kind : `${kind}/${encodedPart(uuid)}`;
  const params = evaluateLazy(call.options.get('params') ?? {});
  if (!isMapping(params)) throw args.error('params must be a mapping');
  const asked = Object.keys(params).map((field) => [field, textIn(params, field)] as const);
  const query = new URLSearchParams({ page_size: '200', ...Object.fromEntries(asked), ...(name !== '' && { name }) });
  const target = `${base}/api/${path}?${query.toString()}`;
  if (!URL.canParse(target)) throw args.error(`"${text('controller')}" is not the address of a controller`);
  requireEncrypted(new URL(target), call);
  const secret = text('password') === '' ? { token: text('token') } : { password: text('password') };
  for (const one of Object.values(secret)) if (one !== '') args.invoke.services.secrets?.learn(one);
  const body = jsonText({ username: text('username'), ...secret });
  const tenant =
    text('tenant_uuid') === ''
      ? { 'x-avi-tenant': text('tenant') || 'admin' }
      : { 'x-avi-tenant-uuid': text('tenant_uuid') };
  const version = text('api_version') === '' ? {} : { 'x-avi-version': text('api_version') };
  const ca = call.options.get('ca_path') ?? args.scope.get('controller_ca_file');
  const options = new Map<string, Value>(call.options).set('ca_path', ca ?? null);
  const request: UrlRequest = {
    ...requestFor(new URL(target), { ...call, options }),
    headers: { ...tenant, ...version, accept: 'application/json' },
    insecure: args.scope.get('controller_verify_tls') === false,
    session: { login: `${base}/login`, logout: `${base}/logout`, body },
  };
  return [...pages(request, call)];
}

/** All pages of a list, or the one object. */
function* pages(request: UrlRequest, call: LookupCall): Generator<Value> {
  const read = new Set<string>();
  for (let next: URL | undefined = request.url; next !== undefined;) {
    if (read.has(next.href)) throw call.args.error('the pages of the list form a loop');
    read.add(next.href);
    const page: OutputPage = askForPage({ ...request, url: next }, call);
    // There is no such object. A list without one of its pages is not whole.
    if (page.type === 'failure' && next === request.url && / answered 404\b/.test(page.message)) return;
    if (page.type === 'failure') {
      const hint = / answered 40[13]\b/.test(page.message)
        ? 'check the user and password in avi_credentials'
        : page.hint;
      throw call.args.error(page.message, hint);
    }
    const answer = fromJson(page.text);
    const results = isMapping(answer) ? answer['results'] : undefined;
    if (!isMapping(answer) || results === undefined || !isList(results)) {
      yield answer;
      return;
    }
    yield* results;
    const { next: following } = answer;
    const link = typeof following === 'string' ? following : '';
    next = link !== '' && URL.canParse(link, next.href) ? new URL(link, next) : undefined;
    if (next !== undefined && next.origin !== request.url.origin)
      throw call.args.error(`the next page is at another address (${next.origin}), which is not followed`);
  }
}

function textIn(credentials: Mapping, field: string): string {
  const value = credentials[field] ?? null;
  return value === null ? '' : asText(value);
}
