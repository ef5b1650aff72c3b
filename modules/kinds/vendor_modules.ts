import type { Kind, KindTable } from '../../src/kinds/kind_table.js';
import type { Module } from '../../src/module/contract.js';
import { userAccount } from './vendor_account.js';
import { apiFileservice, apiImage } from './vendor_files.js';
import { patchMember, updateVnics } from './vendor_lists.js';
import { vendorModule } from './vendor_module.js';
import { apiSession, apiVersion } from './vendor_session.js';

/**
 * The module of the vendor's collection of that name; undefined if there is none.
 *
 * @param others kinds that no table describes
 */
export function vendorModuleNamed(name: string, table: KindTable, others: readonly string[]): Module | undefined {
  const special = [apiFileservice, apiImage, apiSession, apiVersion, userAccount].find((one) => one.name === name);
  if (special !== undefined) return special;
  const [word, make] = OF_KIND[name] ?? [name.slice('avi_'.length), undefined];
  const kind = table.kind(word) ?? (others.includes(word) ? untyped(word) : undefined);
  if (kind === undefined || kind.upload) return undefined;
  return make === undefined ? vendorModule(kind, name) : make(kind);
}

/** Modules that handle a part of the objects of a kind. */
const OF_KIND: Readonly<Record<string, readonly [kind: string, make?: (kind: Kind) => Module]>> = {
  avi_gslbservice_patch_member: ['gslbservice', patchMember],
  avi_serviceenginegroup_advanced: ['serviceenginegroup'],
  avi_update_se_data_vnics: ['serviceengine', updateVnics],
};

function untyped(name: string): Kind {
  const single = name.startsWith('license');
  const structure = { name, fields: new Map(), required: [], key: [] };
  return {
    name,
    about: undefined,
    path: `/api/${name}${single ? '' : '/'}`,
    single,
    upload: false,
    scope: 'tenant',
    structure,
  };
}
