import { expect } from 'chai';
import type { Handler, Step } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { load, mistakes } from '../../rig/loaded.js';

/** The names of the tasks of steps, also of files that are included. */
async function namesIn(steps: readonly (Step | Handler)[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const step of steps) {
    if (step.type === 'role' || step.type === 'block') found.push(...(await namesIn(step.steps)));
    else if (step.type === 'include')
      found.push(...(await namesIn((await step.read(step.args as { file: string })).steps)));
    else if (step.type === 'task') found.push(step.name?.value ?? '');
  }
  return found;
}

/** The places of a file in the order in which they are searched: each is used once the ones before have none. */
async function searched(playbook: string, around: Files, places: readonly string[]): Promise<readonly string[]> {
  const left = [...places];
  const found: string[] = [];
  while (left.length > 0) {
    const files = Object.fromEntries(left.map((place) => [place, `- { name: ${place}, debug: }\n`]));
    const used: string[] = [];
    await load(playbook, { ...around, ...files }, undefined, {
      use: async ({ plays: [play], diagnostics }) => {
        expect(diagnostics).to.deep.equal([]);
        used.push(...(await namesIn([...(play?.tasks ?? []), ...(play?.handlers ?? [])])));
      },
    });
    const [one = ''] = used;
    if (!left.includes(one)) return [...found, `not found: ${used.join()}`];
    found.push(one);
    left.splice(left.indexOf(one), 1);
  }
  return found;
}

const shuffled = (places: readonly string[]): readonly string[] => [...places].sort().reverse();

describe('a file of tasks', () => {
  for (const word of ['import_tasks', 'include_tasks']) {
    it(`of a role is searched in the role, then beside the playbook: ${word}`, async () => {
      const of = (kind: string) => [
        `roles/r/${kind}/x.yml`,
        ...(kind === 'handlers' ? ['roles/r/tasks/x.yml'] : []),
        `${kind}/x.yml`,
        'roles/r/x.yml',
        'x.yml',
      ];
      for (const kind of ['tasks', 'handlers']) {
        const around = { [`roles/r/${kind}/main.yml`]: `- ${word}: x.yml\n` };
        const playbook = '- { hosts: all, roles: [r] }\n';
        expect(await searched(playbook, around, shuffled(of(kind))), kind).to.deep.equal(of(kind));
      }
    });

    it(`of a play is searched below the folders of what includes it, and in that of the play between them: ${word}`, async () => {
      const around = { 'a/one.yml': `- ${word}: b/two.yml\n`, 'a/b/two.yml': `- ${word}: x.yml\n` };
      const playbook = `- { hosts: all, tasks: [{ ${word}: a/one.yml }] }\n`;
      const places = ['b/x.yml', 'x.yml', 'a/b/x.yml'];
      expect(await searched(playbook, around, shuffled(places))).to.deep.equal(places);
    });
  }

  it('is no folder, if there is a file elsewhere, and has the nearest name of any folder', async () => {
    const playbook = '- { hosts: all, roles: [r] }\n';
    const task = '- debug:\n';
    const main = { 'roles/r/tasks/main.yml': '- import_tasks: x\n' };
    expect(await mistakes(playbook, { ...main, 'roles/r/x': task, 'x/y.yml': task })).to.deep.equal([]);
    expect(await mistakes(playbook, { ...main, 'roles/r/x/y.yml': task })).to.deep.equal([
      'roles/r/tasks/main.yml:1:17 "x" is a folder — name a file in it',
    ]);
    const near = { 'roles/r/tasks/main.yml': '- import_tasks: reloda.yml\n', 'tasks/reload.yml': task };
    expect(await mistakes(playbook, near)).to.deep.equal([
      'roles/r/tasks/main.yml:1:17 there is no file "reloda.yml" (looked in roles/r/tasks/tasks, roles/r/tasks, tasks, roles/r, .) — did you mean "reload.yml"?',
    ]);
  });

  it('of a role in an include is searched below it first by an import, and last by an include', async () => {
    const places = (inside: readonly string[], first: boolean) => {
      const base = ['roles/r/tasks/x.yml', 'tasks/x.yml', 'roles/r/x.yml', 'x.yml'];
      return first ? [...inside, ...base] : [...base, ...inside];
    };
    for (const word of ['import_tasks', 'include_tasks']) {
      const around = {
        'roles/r/tasks/main.yml': '- include_tasks: deep/one.yml\n',
        'roles/r/tasks/deep/one.yml': `- ${word}: x.yml\n`,
      };
      const expected = places(['roles/r/tasks/deep/tasks/x.yml', 'roles/r/tasks/deep/x.yml'], word === 'import_tasks');
      const found = await searched('- { hosts: all, roles: [r] }\n', around, shuffled(expected));
      expect(found, word).to.deep.equal(expected);
    }
  });
});
