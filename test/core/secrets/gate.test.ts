import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../../rig/command.js';

/** Who may go around the mask of stdout and stderr, and why. Whatever else a command prints is masked on its way. */
const AROUND: Readonly<Record<string, readonly [how: RegExp, why: string]>> = {
  'src/cli/masked_stream.ts': [/this\.#stream\.write/, 'is the gate'],
  'src/cli/run_reporter.ts': [/\.unmasked/, 'outputs of runs take only masked events'],
  'src/cli/context.ts': [/\.unmasked/, 'masks messages and lines of code itself'],
  'src/report/command.ts': [/\.unmasked/, 'a page is masked when it is made'],
  'src/cli/prompt.ts': [/\.unmasked/, 'masks the question; readline moves the cursor itself'],
  'src/inventory/command.ts': [/\.reveal\(/, 'prints values, as documented'],
  'src/vault/edit.ts': [/\.reveal\(/, 'prints an edit that no file can take, encrypted'],
  'src/vault/editor.ts': [/\.reveal\(/, 'prints what was encrypted, as documented'],
  'src/vault/files.ts': [/\.reveal\(/, 'prints what was encrypted, as documented'],
  'src/ui/command.ts': [/\.reveal\(/, 'the address contains the token of the page'],
  'src/simulate/command.ts': [/\.reveal\(/, 'an inventory for programs, with names and addresses only'],
  'src/completion/options.ts': [/\.reveal\(/, 'the completion scripts, which are constants'],
};

/** Other ways to a stream, a file of a report, or the type of what was masked. */
const OTHERS: Readonly<Record<string, readonly [how: RegExp, why: string]>> = {
  'src/main.ts': [/process\.stdout/, 'the version'],
  'src/program/process.ts': [/process\.stderr/, 'makes the gate; masks internal errors itself'],
  'src/reporting/output/outlet.ts': [/this\.stream\.write/, 'outputs of runs take only masked events'],
  'src/cli/report_file.ts': [/createWriteStream/, 'reports take only masked events'],
  'src/cli/extra_outputs.ts': [/openOutput\(/, 'the log takes only masked events'],
  'src/core/secrets/mask_event.ts': [/as Masked/, 'is the mask'],
  'src/core/secrets/mask_text.ts': [/as Masked/, 'is the mask'],
};

const WAYS =
  /\.unmasked|std(?:out|err)\.reveal\(|this\.#?stream\.write|process\.std(?:out|err)|createWriteStream|openOutput\(|as Masked/;

describe('the gate of all output', () => {
  it('is passed by whatever a command prints, except where this list says why not', async () => {
    const files = await readdir(path.join(ROOT, 'src'), { recursive: true });
    const allowed = { ...AROUND, ...OTHERS };
    const found: string[] = [];
    for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
      const name = `src/${file.replaceAll(path.sep, '/')}`;
      const text = await readFile(path.join(ROOT, name), 'utf8');
      if (WAYS.test(text)) found.push(name);
      const [how] = allowed[name] ?? [];
      if (how !== undefined) expect(text, name).to.match(how);
    }
    expect(found).to.have.members(Object.keys(allowed));
  });
});
