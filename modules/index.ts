import type { Kinds } from '../src/kinds/kind_table.js';
import type { Module } from '../src/module/contract.js';

export interface BuiltinModule {
  readonly default: Module;
  /** The module for a project that has kinds beside the built-in ones. */
  readonly withKinds?: (kinds: Kinds) => Module;
}

/** The modules that come with Evenkeel; each is loaded when a task names it. */
export const builtinModules: Readonly<Record<string, () => Promise<BuiltinModule>>> = {
  add_host: () => import('./add_host.js'),
  api_request: () => import('./api_request.js'),
  assert: () => import('./assert.js'),
  cloud_absent: () => import('./cloud_absent.js'),
  cloud_present: () => import('./cloud_present.js'),
  debug: () => import('./debug.js'),
  fail: () => import('./fail.js'),
  file_download: () => import('./file_download.js'),
  file_upload: () => import('./file_upload.js'),
  group_by: () => import('./group_by.js'),
  include_role: () => import('./include_role.js'),
  include_tasks: () => import('./include_tasks.js'),
  include_vars: () => import('./include_vars.js'),
  pause: () => import('./pause.js'),
  ping: () => import('./ping.js'),
  resource_absent: () => import('./resource_absent.js'),
  resource_facts: () => import('./resource_facts.js'),
  resource_present: () => import('./resource_present.js'),
  set_fact: () => import('./set_fact.js'),
  system_config: () => import('./system_config.js'),
  user_password: () => import('./user_password.js'),
  validate_argument_spec: () => import('./validate_argument_spec.js'),
  wait_for: () => import('./wait_for.js'),
  wait_until: () => import('./wait_until.js'),
};
