import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { emptyProject, type Project } from '../rig/command.js';
import { Broker } from '../rig/nats.js';
import { SiteWorker } from './fleet_rig.js';

/** A broker, and a worker of Madrid and one of Paris. */
export class TwoSites {
  private constructor(
    readonly broker: Broker,
    /** With a folder for each site. */
    readonly project: Project,
    private readonly workers: readonly SiteWorker[],
  ) {}

  static async start(): Promise<TwoSites> {
    const broker = await Broker.start();
    const project = await emptyProject();
    const workers: SiteWorker[] = [];
    for (const site of ['madrid', 'paris']) {
      const folder = path.join(project.directory, site);
      await mkdir(folder);
      const worker = new SiteWorker(`${site}-1`, site, broker.url, folder);
      await worker.start();
      workers.push(worker);
    }
    return new TwoSites(broker, project, workers);
  }

  /** Returns the exit codes of the workers. */
  async dispose(): Promise<readonly unknown[]> {
    const codes: unknown[] = [];
    for (const worker of this.workers) codes.push(await worker.stop());
    await this.broker.dispose();
    await this.project.remove();
    return codes;
  }
}

/** The text of an inventory with the sites of its controllers; the others stay without. */
export function withSites(inventory: string, sites: Readonly<Record<string, string>>): string {
  return inventory.replaceAll(/(lb\d+): \{ /g, (start, name: string) => {
    const site = sites[name];
    return site === undefined ? start : `${start}evenkeel_site: ${site}, `;
  });
}
