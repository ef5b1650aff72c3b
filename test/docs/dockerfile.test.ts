import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../rig/command.js';

/** An image cannot be built here. `.ci/package-smoke` does what its steps do: it installs the package, and starts it without rights. */
describe('Dockerfile', () => {
  const text = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
  const steps = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const valuesOf = (name: string): readonly string[] =>
    steps.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  it('has instructions that Docker knows, and commands that a shell can parse', () => {
    for (const line of steps) expect(line).to.match(/^(?:ARG|ENV|FROM|WORKDIR|COPY|RUN|USER|ENTRYPOINT|CMD) \S/);
    for (const line of valuesOf('RUN')) expect(spawnSync('sh', ['-n', '-c', line]).status, line).to.equal(0);
  });

  it('starts the command of the package as a user without rights', () => {
    const { bin, engines } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly bin: Readonly<Record<string, string>>;
      readonly engines: { readonly node: string };
    };
    expect(JSON.parse(valuesOf('ENTRYPOINT').join())).to.deep.equal(Object.keys(bin));
    expect(valuesOf('USER').at(-1)).to.match(/^[1-9]\d*:[1-9]\d*$/);
    const [, major = ''] = /node:(\d+)/.exec(valuesOf('ARG').join()) ?? [];
    expect(Number(major)).to.be.at.least(Number(/\d+/.exec(engines.node)?.[0]));
  });

  it('packs no build and no state of this machine', () => {
    const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).to.include.members(['node_modules', 'dist', '.evenkeel', '.git']);
  });
});
