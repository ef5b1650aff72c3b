import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const FOLDER = path.join(ROOT, 'docs/examples');
const NAMES = readdirSync(FOLDER).filter((name) => name.startsWith('shards-'));

/** The command lines in a text, and the lists of arguments of a manifest. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const lines = [...text.matchAll(/(?:(?<![\w/.-])|(?<=\.bin\/))evenkeel ((?:run|report|resume)\b[^\n"]*)/g)].map(
    ([, line = '']) => line,
  );
  const lists = [...text.matchAll(/^ *args: \[(.*)\]$/gm)].map(([, list = '']) => list.replaceAll(',', ''));
  return [...lines, ...lists].map((line) => line.split(/\s+/));
}

/** `.ci/nightly` validates the examples against public schemas, and runs that of Slurm. */
describe('docs/examples', () => {
  for (const name of NAMES) {
    const text = readFileSync(path.join(FOLDER, name), 'utf8');

    it(`has commands and options that exist: ${name}`, async () => {
      const commands = commandsIn(text);
      expect(commands.length).to.be.greaterThan(name === 'shards-gitlab.yml' ? -1 : 0);
      for (const [command = '', ...args] of commands) {
        const { stdout } = await evenkeel([command, '--help-all'], { cwd: ROOT });
        for (const option of args.filter((word) => word.startsWith('-')))
          expect(stdout, `${name}: ${command} ${option}`).to.match(
            new RegExp(String.raw`^ {2}(?:-\w, )?${option}\b`, 'm'),
          );
      }
    });

    if (/\.ya?ml$/.test(name))
      it(`is YAML: ${name}`, () => {
        for (const document of parseAllDocuments(text)) expect(document.errors).to.deep.equal([]);
      });

    if (name === 'shards-github.yml' || name === 'shards-gitlab-jobs.yml')
      it(`keeps the state of each shard, with which a person resumes it: ${name}`, () => {
        expect(text)
          .to.match(/ci\/state\.sh restore .*\n(?:.*\n)*.*evenkeel run .*\n(?:.*\n)*.*ci\/state\.sh save /)
          .and.to.include('evenkeel-production-$');
        if (name.includes('github')) expect(text).to.include('- run: exec node_modules/.bin/evenkeel run');
      });

    it(`is named in docs/scaling.md: ${name}`, () => {
      expect(readFileSync(path.join(ROOT, 'docs/scaling.md'), 'utf8')).to.include(`(examples/${name})`);
    });
  }
});
