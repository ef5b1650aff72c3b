import type { Scope } from '../../template/scope.js';

/** Host name or address of a controller: that of its URL, else as Ansible knows it, else its name. */
export function addressOf(name: string, variables: Scope): string {
  const url = variables.get('controller_url');
  const host = typeof url === 'string' ? hostOf(url) : undefined;
  if (host !== undefined) return host;
  const address = variables.get('ansible_host');
  return typeof address === 'string' && address !== '' ? address : name;
}

function hostOf(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === '' ? undefined : host.replace(/^\[(.*)\]$/, '$1');
}
