import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import type { CommandContext } from '../../src/cli/context.js';
import { examples } from '../../src/cli/options/define.js';
import { manPages } from '../../src/program/man_page.js';
import { wholeProgram } from '../../src/program/program.js';
import { ROOT } from '../rig/command.js';

const EDITION = { version: '1.2.3', date: '2026-11-23' };

/** Only declares commands, which need nothing of it. */
const CONTEXT = {
  version: '1.2.3',
  argv: [],
  stdout: process.stdout,
  stderr: process.stderr,
} as unknown as CommandContext;

const CHECKERS = [
  ['groff', ['-ww', '-man', '-Tutf8', '-z']],
  ['mandoc', ['-T', 'lint', '-W', 'warning']],
] as const;

describe('manual pages', () => {
  const program = wholeProgram(CONTEXT);
  const pages = manPages(program, EDITION);
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-man-'));
    for (const [name, text] of pages) writeFileSync(path.join(folder, name), text);
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('are those that the package names: one of each command', () => {
    const { man } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { man: readonly string[] };
    expect(man).to.have.members([...pages.keys()].map((name) => `dist/man/${name}`));
    expect(pages.size).to.equal(program.commands.length + 1);
  });

  it('have every argument, option and example of the help', () => {
    for (const command of program.commands) {
      const text = pages.get(`evenkeel-${command.name()}.1`)?.replaceAll('\\-', '-') ?? '';
      for (const option of command.options) expect(text, command.name()).to.include(`.B ${option.flags}\n`);
      expect(text, command.name()).to.include('.SH EXAMPLES\n');
      const parts = command.registeredArguments.map((one) => `.B ${one.name()}\n${one.description.charAt(0)}`);
      expect(text.includes('.SH ARGUMENTS\n'), command.name()).to.equal(parts.length > 0);
      for (const part of parts) expect(text, command.name()).to.include(part);
    }
    expect(pages.get('evenkeel.1')).to.include('.SH EXIT STATUS\n').and.to.include('.SH ENVIRONMENT\n');
  });

  it('list each command once, under its heading, and each option under its own', () => {
    const sections = (name: string): ReadonlyMap<string, readonly string[]> =>
      new Map(
        (pages.get(name) ?? '').split('\n.SH ').map((text) => {
          const [heading = '', ...lines] = text.split('\n');
          const entries = lines.filter((line) => /^\.(?:B|BR) /.test(line)).map((line) => line.replaceAll('\\-', '-'));
          return [heading.replaceAll('"', '').toLowerCase(), entries];
        }),
      );
    const main = sections('evenkeel.1');
    for (const command of program.commands) {
      const entry = `.BR evenkeel-${command.name()} (1)`;
      const heading = (text = 'Options:'): string => text.replace(/:$/, '').toLowerCase();
      const having = [...main].filter(([, entries]) => entries.includes(entry)).map(([name]) => name);
      expect(
        having.filter((one) => one !== 'see also'),
        command.name(),
      ).to.deep.equal([heading(command.helpGroup())]);
      const own = sections(`evenkeel-${command.name()}.1`);
      // The sections of commands inside have options of the same names.
      const ofOptions = new Set(command.options.map((one) => heading(one.helpGroupHeading)));
      for (const option of command.options) {
        const under = [...own].filter(([, entries]) => entries.includes(`.B ${option.flags}`)).map(([name]) => name);
        expect(
          under.filter((one) => ofOptions.has(one)),
          option.flags,
        ).to.deep.equal([heading(option.helpGroupHeading)]);
      }
    }
  });

  it('escape characters that roff interprets', () => {
    const command = new Command('x').description(".so /etc/passwd\n'\\n");
    examples(command, [[String.raw`x "a\b" -- '.y'`, '.z']]);
    const made = manPages(new Command('evenkeel').addCommand(command), EDITION).get('evenkeel-x.1') ?? '';
    expect(made).to.include('\n\\&.so /etc/passwd \\(aq\\en\n');
    expect(made)
      .to.include(String.raw`.B x \(dqa\eb\(dq \-\- \(aq.y\(aq`)
      .and.to.include('\n\\&.z\n');
  });

  for (const [checker, args] of CHECKERS) {
    const isThere = spawnSync(checker, ['--version']).error === undefined;
    if (!isThere)
      process.stderr.write(`\nSKIPPED: ${checker} is not installed, so it does not check the manual pages\n`);
    (isThere ? it : it.skip)(`have no errors according to ${checker}`, () => {
      for (const name of pages.keys()) {
        const { stdout, stderr } = spawnSync(checker, [...args, name], { cwd: folder, encoding: 'utf8' });
        expect(stdout + stderr, name).to.equal('');
      }
    });
  }
});
