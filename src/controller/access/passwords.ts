import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';

/** A user at a controller, as a task's variables name it. */
interface Watcher {
  readonly settings: ConnectionSettings;
  /** Switches to settings with another password. */
  use(settings: ConnectionSettings): void;
}

/** Passwords that a run has verified or changed, by controller and user. They replace those of the variables. */
export class Passwords {
  readonly #known = new Map<string, string>();
  readonly #watchers = new Set<Watcher>();

  /** The settings with the current password. */
  apply(settings: ConnectionSettings): ConnectionSettings {
    if (this.#known.size === 0) return settings;
    const password = this.#known.get(credentialsKey(settings));
    return password === undefined ? settings : withPassword(settings, password);
  }

  change(settings: ConnectionSettings): void {
    const key = credentialsKey(settings);
    if (this.#known.get(key) === settings.password) return;
    this.#known.set(key, settings.password);
    for (const watcher of this.#watchers)
      if (credentialsKey(watcher.settings) === key) watcher.use(withPassword(watcher.settings, settings.password));
  }

  watch(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  unwatch(watcher: Watcher): void {
    this.#watchers.delete(watcher);
  }
}

function withPassword(settings: ConnectionSettings, password: string): ConnectionSettings {
  return { ...settings, password, isToken: false };
}

function credentialsKey(settings: ConnectionSettings): string {
  return JSON.stringify([controllerIdentity(settings), settings.username]);
}
