import { Unsafe } from '../../core/model/values/value.js';
import type { TemplateFrame } from './frame.js';
import type { Result } from './result.js';

export type PluginType = 'filter' | 'test' | 'lookup';

export interface PluginCall {
  readonly args: readonly Result[];
  readonly named: ReadonlyMap<string, Result>;
  readonly frame: TemplateFrame;
}

/** A filter, test or lookup of Ansible, in Python. */
export interface Plugin {
  /** Throws a TemplateError that names the plugin and its file. */
  call(call: PluginCall): Result;
}

/** The plugins of a project, its roles and its collections. */
export interface Plugins {
  /** Folders with `ansible_collections`, in the order of search. */
  readonly collections: readonly string[];
  /** @param isKnown there is a built-in one: the plugin replaces it only if its file certainly defines this name */
  find(type: PluginType, name: string, isKnown: boolean): Plugin | undefined;
  /** The full name that the collection of this one gives in its place, in `meta/runtime.yml`; undefined if it gives none. */
  redirect(type: PluginType | 'modules', name: string): string | undefined;
  /** Adds those of a role. */
  addFolder(folder: string): void | Promise<void>;
  /** Evaluates a template: equal calls within it are asked once, and objects of Python end as text. Absent: there are none. */
  readonly during?: ((evaluate: () => Result) => Result) | undefined;
}

/** An object of Python that only plugins can use, such as a date or bytes. Everything else sees its text. */
export class PythonObject extends Unsafe {
  constructor(
    text: string,
    /** Pickled. */
    readonly data: string,
  ) {
    super(text);
  }
}
