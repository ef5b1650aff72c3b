import { isIPv6 } from 'node:net';

const BRACKETED_WITH_PORT = /^\[(.+)\]:([0-9]+)$/;
const WITH_PORT = /^((?:[^:[\]]|\[[^\]]*\])*):([0-9]+)$/;
const NUMERIC_RANGE = /\[[0-9a-f]+:[0-9a-f]+(?::[0-9]+)?\]/gi;
const RANGE = String.raw`\[(?:[a-z]:[a-z]|[0-9]+:[0-9]+)(?::[0-9]+)?\]`;
const LABEL = String.raw`(?:[\p{L}\p{N}_]|${RANGE})(?:[\p{L}\p{N}_-]|${RANGE})*(?<![_-])`;
const HOST_NAME = new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*$`, 'iu');

export interface Address {
  /** May contain ranges, such as `lb[1:3]`. */
  readonly host: string;
  readonly port: number | undefined;
}

/**
 * Splits `host`, `host:port` or `[host]:port`; a host is a name or an IP address, with or without ranges.
 * Undefined if the text is none of these. An IPv6 address takes a port only in brackets, as in Ansible.
 */
export function parseAddress(text: string): Address | undefined {
  const [, host = text, port] = BRACKETED_WITH_PORT.exec(text) ?? WITH_PORT.exec(text) ?? [];
  if (!HOST_NAME.test(host) && !isIPv6(host.replaceAll(NUMERIC_RANGE, '0'))) return undefined;
  return { host, port: port === undefined ? undefined : Number(port) };
}
