import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { startFleet, type Fleet, type FleetOptions } from '../../rig/simulated.js';

export const CONFIGURATION = '/api/systemconfiguration';
export const CLOUDS = '/api/cloud/';

/** A project whose inventory is a fleet of simulated controllers, each with the cloud "edge". */
export class Scene {
  private constructor(
    readonly fleet: Fleet,
    readonly project: Project,
  ) {}

  static async open(
    files: Readonly<Record<string, string>>,
    options: FleetOptions = { controllers: 2 },
  ): Promise<Scene> {
    const fleet = await startFleet(options);
    const project = await emptyProject({ 'inventory.yml': fleet.inventory, ...files });
    await project.write('evenkeel.yml', 'inventory: inventory.yml\n');
    const scene = new Scene(fleet, project);
    for (const name of fleet.names) scene.set(name, { mtu: 1500 });
    return scene;
  }

  /** The cloud "edge" of a controller has just these fields, beside its name and what the controller sets. */
  set(controller: string, fields: Readonly<Record<string, string | number>>): void {
    this.fleet.controller(controller).setObjects(CLOUDS, [{ uuid: 'cloud-1', name: 'edge', ...fields }]);
  }

  /** What a test changes of it: the controller fills in more. */
  edge(controller: string): string {
    const [edge = {}] = this.fleet.controller(controller).objects(CLOUDS);
    return JSON.stringify({ mtu: edge['mtu'], description: edge['description'] });
  }

  evenkeel(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: this.project.directory });
  }

  /** Like `evenkeel run`; a failure includes its output. */
  async run(...args: readonly string[]): Promise<Ended> {
    const ended = await this.evenkeel('run', ...args);
    if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr);
    return ended;
  }

  /** Ids, oldest first. */
  async runs(): Promise<readonly string[]> {
    return (await readdir(path.join(this.project.directory, '.evenkeel/runs'))).sort();
  }

  async header(run: string): Promise<unknown> {
    return JSON.parse(await readFile(path.join(this.project.directory, '.evenkeel/runs', run, 'run.json'), 'utf8'));
  }

  writes(): readonly string[] {
    return this.fleet.names.flatMap((name) =>
      this.fleet
        .controller(name)
        .requests.filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${name} ${method} ${path}`),
    );
  }

  forgetRequests(): void {
    for (const name of this.fleet.names) this.fleet.controller(name).clearRequests();
  }

  async close(): Promise<void> {
    await this.fleet.dispose();
    await this.project.remove();
  }
}
