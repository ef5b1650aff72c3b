import { didYouMean } from '../../../core/model/source/suggestion.js';
import type { Value } from '../../../core/model/values/value.js';
import { isList, type Mapping } from '../../../core/model/values/value.js';
import { step } from '../../runtime/access.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { asText } from '../../runtime/text.js';

/** URLs and their parts. */
export const urls = {
  urldecode: helper('text', (args) => decode(args.text(0))),
  /** A mapping of the parts, or the one asked for: `url | urlsplit("hostname")`. */
  urlsplit: helper('url, part?', split),
} satisfies Family;

export const urlTests = {
  uri: helper('text, schemes?', isUri),
  url: helper(
    'text, schemes?',
    (args) => isUri(args) && (part(args, 'netloc') !== '' || part(args, 'scheme') === 'file'),
  ),
  urn: helper('text', (args) => part(args, 'scheme') === 'urn'),
} satisfies Family;

/** As in a form: `+` is a space. Invalid escapes stay. */
function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

const SHAPE = /^(?:([a-z][a-z\d+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;
const AUTHORITY = /^(?:([^@:]*)(?::([^@]*))?@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/;

function partsOf(url: string): Mapping {
  const [, scheme = '', netloc = '', path = '', query = '', fragment = ''] = SHAPE.exec(url) ?? [];
  const [, username = null, password = null, host = '', port = ''] = AUTHORITY.exec(netloc) ?? [];
  return {
    fragment,
    hostname: host === '' ? null : host.replaceAll(/[[\]]/g, '').toLowerCase(),
    netloc,
    password,
    path,
    port: port === '' ? null : Number(port),
    query,
    scheme: scheme.toLowerCase(),
    username,
  };
}

function split(args: Arguments): Value {
  const parts = partsOf(args.text(0));
  if (args.optional(1) === undefined) return parts;
  const found = step(parts, args.text(1));
  if (found !== undefined) return found;
  throw args.error(`a URL has no part "${args.text(1)}"`, didYouMean(args.text(1), Object.keys(parts)));
}

function part(args: Arguments, name: string): string {
  return asText(step(partsOf(args.text(0)), name) ?? null);
}

function isUri(args: Arguments): boolean {
  const schemes = args.value(1);
  return !isList(schemes) || schemes.includes(part(args, 'scheme'));
}
