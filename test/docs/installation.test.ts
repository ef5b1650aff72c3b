import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, ROOT } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

/** What asks a registry for the name, which is not ours there. The file of `npm pack` has a path. */
const FROM_REGISTRY = new RegExp(
  [
    String.raw`\b(?:npx|pnpx|bunx|(?:npm|pnpm|yarn|bun)\s+(?:global\s+)?(?:i|in|ins|install|add|ci|exec|x|dlx|link|ln|up|update))`,
    String.raw`(?:[ \t]+[^\s;&|]+)*?[ \t]+["'\x60]?evenkeel(?![\w/*-]|\.\w|@npm:@)`,
    String.raw`|"evenkeel":\s*"(?:[\^~><=*\d]|latest)`,
  ].join(''),
  'g',
);
/** The changelog may tell what earlier pages said. */
const PLACES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'Dockerfile',
  'evenkeel.yml',
  'package.json',
  'docs',
  'src',
  'modules',
  'playbooks',
  'bench',
  'scripts',
  '.ci',
  '.github',
  '.vscode',
];

describe('the installation of Evenkeel', () => {
  it('never asks a registry for its name, which is not ours there', () => {
    const found = PLACES.flatMap((place) => filesIn(place)).flatMap((file) =>
      [...oneLined(readFileSync(path.join(ROOT, file), 'utf8')).matchAll(FROM_REGISTRY)].map(
        ([text]) => `${file}: ${text}`,
      ),
    );
    expect(found).to.deep.equal([]);
  });

  it('never asks a registry in what init prints and writes, however it was started', async () => {
    const project = await emptyProject();
    try {
      const env = { npm_command: 'exec', npm_lifecycle_event: 'npx' };
      const { code, stdout, stderr } = await evenkeel(['init', '.', '--yes'], { cwd: project.directory, env });
      expect(code, stderr).to.equal(0);
      expect(stdout).to.include('\n  evenkeel run playbooks/rollout.yml --simulate ');
      const written = filesIn('.', project.directory).filter((file) => !file.startsWith('.bin/'));
      expect(written).to.include('evenkeel.yml');
      for (const file of written)
        expect(readFileSync(path.join(project.directory, file), 'utf8')).to.not.match(FROM_REGISTRY);
    } finally {
      await project.remove();
    }
  });

  it('is of the newest release of the changelog, whose file is the one that npm pack writes', () => {
    const text = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
    const { version } = JSON.parse(text('package.json')) as { readonly version: string };
    expect(/^## (.*) — \d{4}-\d\d-\d\d$/m.exec(text('CHANGELOG.md'))?.[1]).to.equal(version);
    expect(text('docs/install.md'))
      .to.include(`./evenkeel-${version}.tgz\n`)
      .and.to.include(`@npm:@example/evenkeel@${version}\n`);
  });

  for (const command of [
    'npx evenkeel init',
    'npx --yes evenkeel@1',
    'npm install -g evenkeel',
    'npm i evenkeel',
    'npm exec evenkeel',
    'npm exec --yes -- evenkeel run',
    '`npm install --save-dev\nevenkeel`',
    'yarn global add evenkeel',
    '"evenkeel": "^0.1.0"',
  ])
    it(`would ask a registry by: ${command}`, () => {
      expect(oneLined(command).search(FROM_REGISTRY)).to.be.at.least(0);
    });

  for (const command of [
    'npm install --save-dev ./evenkeel-0.1.0.tgz',
    'npm install -g /tmp/evenkeel-*.tgz && evenkeel --version',
    'npm ci\n      - run: node_modules/.bin/evenkeel run p.yml',
    'npm link\nevenkeel run p.yml',
    'npm install evenkeel@npm:@example/evenkeel@0.1.0',
    '"evenkeel": "file:evenkeel-0.1.0.tgz"',
  ])
    it(`would not ask a registry by: ${command}`, () => {
      expect(oneLined(command).search(FROM_REGISTRY)).to.equal(-1);
    });
});

/** Each command on one line, also where inline code or a shell continues it on the next. */
function oneLined(text: string): string {
  return text.replaceAll(/(?<!`)`[^`]+`(?!`)/g, (code) => code.replaceAll('\n', ' ')).replaceAll('\\\n', ' ');
}

/** The files of a folder and below, or the file. */
function filesIn(place: string, root = ROOT): readonly string[] {
  if (path.extname(place) === '.png') return [];
  try {
    return readdirSync(path.join(root, place)).flatMap((name) => filesIn(path.join(place, name), root));
  } catch {
    return [place];
  }
}
