import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { command, exampleProject, type Ended, type Project } from '../rig/command.js';

const RUN = 'evenkeel run playbooks/rollout.yml --simulate -o quiet --report';
const BEGINNING = '<!-- evenkeel -->\n';

describe('a report or log that leads to stdout or stderr', () => {
  let project: Project;
  before(async () => {
    project = await exampleProject();
  });
  after(() => project.remove());

  const bash = (line: string): Promise<Ended> =>
    command('bash', ['-c', line], { cwd: project.directory, env: project.env });
  const text = (name: string): Promise<string> => readFile(path.join(project.directory, name), 'utf8');

  for (const [where, line] of [
    ['a socket', `${RUN} markdown=/dev/stdout`],
    ['a pipe', `${RUN} markdown=/dev/stdout | cat`],
    ['another pipe', `${RUN} markdown=>(cat) | cat`],
    ['a file', `${RUN} markdown=/dev/fd/1 > out; cat out`],
  ] as const)
    it(`is written into ${where}`, async () => {
      const { code, stdout, stderr } = await bash(line);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout.split(BEGINNING)).to.have.length(2);
      expect(stdout).to.match(/^3 controllers ·/m);
    });

  it('keeps all that is in the file, and all that is printed beside it', async () => {
    const { code } = await bash(
      `echo before > log; exec > log 2>&1; echo first; ${RUN} json=/dev/stderr -o lines --log /dev/stdout; echo $?`,
    );
    expect(code).to.equal(0);
    const log = await text('log');
    expect(log.startsWith('first\n')).to.equal(true);
    const lines = log.trimEnd().split('\n');
    expect(lines.at(-1)).to.equal('0');
    const printed = lines.filter((line) => line.startsWith('lb0'));
    const logged = lines.flatMap((line) => /^\d{4}-\S+Z (lb0.*)/.exec(line)?.[1] ?? []);
    expect(printed).to.have.length(3);
    expect(logged).to.deep.equal(printed);
    expect(lines.filter((line) => line.startsWith('{"'))).to.have.length.above(printed.length);
  });

  it('says there why nothing ran', async () => {
    const { code, stdout } = await bash(
      'evenkeel run missing.yml --report markdown=/dev/stdout --log /dev/stdout | cat',
    );
    expect(code).to.equal(0);
    expect(stdout.startsWith(BEGINNING)).to.equal(true);
    expect(stdout.match(/missing\.yml/g)).to.have.length.above(1);
  });
});
