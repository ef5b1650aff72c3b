import path from 'node:path';
import { expect } from 'chai';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';

const init = (cwd: string, ...args: readonly string[]): ReturnType<typeof evenkeel> =>
  evenkeel(['init', '--yes', ...args], { cwd });

describe('what init says', () => {
  it('is what it has created and kept, and what to do next', () =>
    inFolder({ 'my lab/.gitignore': 'mine\n', 'my lab/.vscode/settings.json': '{}\n' }, async (cwd) => {
      expect(await init(cwd, 'my lab', '--env', 'dev,prod,dr')).to.deep.include({
        code: 0,
        stderr: '',
        stdout: `Created a project in my lab:
  evenkeel.yml           settings and environments
  inventory/dev/         the controllers of dev, and their variables
  inventory/prod/        the controllers of prod, and their variables
  inventory/dr/          the controllers of dr, and their variables
  playbooks/rollout.yml  the desired state of the controllers
  .vscode/               completion and checks in editors
A run asks before it writes in: prod, dr (confirm in evenkeel.yml).
Kept .gitignore, which existed. It should contain: .evenkeel/
Kept .vscode/settings.json, which existed.

Try it. --simulate contacts no controller:
  cd 'my lab'
  evenkeel run playbooks/rollout.yml --simulate --check --diff  # show what would change
  evenkeel run playbooks/rollout.yml --simulate                 # change it
  evenkeel drift playbooks/rollout.yml --simulate               # compare: exit 0 is no drift

For real controllers, set DEV_CONTROLLER_PASSWORD, and leave out --simulate.
`,
      });
      const [file, again] = [path.join('my lab', 'evenkeel.yml'), await init(cwd, 'my lab')];
      expect(again).to.deep.include({
        code: 1,
        stdout: '',
        stderr: `error: ${file} exists: this is a project already\n  = hint: init overwrites no file: name another folder, such as: evenkeel init lab\n\n1 error\n`,
      });
    }));
});
