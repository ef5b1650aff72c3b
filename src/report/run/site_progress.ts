import type { PlayProgress } from './progress.js';
import { NO_SITE } from './sites.js';
import { grouped } from '../text/words.js';

/** How far the controllers of a site are in a play. */
export interface SiteProgress {
  readonly name: string;
  total: number;
  finished: number;
  active: number;
  failed: number;
  unreachable: number;
  /** The workers with active controllers. */
  readonly workers: Set<string>;
}

/** One entry for each site, and one for controllers without a site. Empty unless the play is carried out in several places. */
export function siteProgress(progress: PlayProgress): readonly SiteProgress[] {
  const { sites } = progress;
  if (sites.size === 0) return [];
  const found = new Map<string, SiteProgress>();
  for (const [controller, name] of sites) {
    let site = found.get(name);
    if (site === undefined) found.set(name, (site = newSite(name)));
    const { state, outcome, worker } = progress.controller(controller);
    site.total++;
    if (state === 'finished') site.finished++;
    if (state === 'finished' && outcome === 'failed') site.failed++;
    if (state === 'finished' && outcome === 'unreachable') site.unreachable++;
    if (state === 'active') site.active++;
    if (state === 'active' && worker !== undefined) site.workers.add(worker);
  }
  const all = [...found.values()];
  if (sites.size < progress.total) all.push(withoutSite(progress, all));
  return all.length > 1 ? all : [];
}

function newSite(name: string): SiteProgress {
  return { name, total: 0, finished: 0, active: 0, failed: 0, unreachable: 0, workers: new Set() };
}

function withoutSite(
  { total, finished, active, outcomes }: PlayProgress,
  sites: readonly SiteProgress[],
): SiteProgress {
  const rest = { ...newSite(NO_SITE), total, finished, active, ...counted(outcomes) };
  for (const site of sites)
    for (const field of ['total', 'finished', 'active', 'failed', 'unreachable'] as const) rest[field] -= site[field];
  return rest;
}

function counted({ failed, unreachable }: PlayProgress['outcomes']): Pick<SiteProgress, 'failed' | 'unreachable'> {
  return { failed, unreachable };
}

/** `80 of 200`, `2 failed`, `1 unreachable`. */
export function siteCounts({ finished, total, failed, unreachable }: SiteProgress): readonly string[] {
  return [
    `${grouped(finished)} of ${grouped(total)}`,
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(unreachable > 0 ? [`${grouped(unreachable)} unreachable`] : []),
  ];
}
