import type { LookupCall } from './lookup.js';

/** Ansible's older way of writing options, in the term itself: `"lb1 file=fleet.csv delimiter=,"`. */
export function inlineOptions(
  term: string,
  call: LookupCall,
  names: readonly string[],
): { readonly key: string; readonly call: LookupCall } {
  const options = new Map(call.options);
  const key = term.split(/\s+/).filter((word) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    if (!names.includes(name)) return true;
    options.set(name, value);
    return false;
  });
  return { key: key.join(' '), call: { ...call, options } };
}
