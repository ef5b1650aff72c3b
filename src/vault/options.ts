import { Command } from 'commander';
import { collected, examples, type DefineCommand } from '../cli/options/define.js';
import { withVault } from '../cli/options/target.js';
import type { CreateOptions, ViewOrEditOptions } from './edit.js';
import type { DecryptOptions, EncryptFilesOptions, RekeyOptions } from './encrypt.js';
import type { EncryptStringOptions } from './encrypt_string.js';

export const defineVault: DefineCommand = (named, context, withAction) => {
  const command = named.description('Encrypt and decrypt files and values, as ansible-vault does.');
  const inner = { create, encrypt, decrypt, view, edit, rekey, 'encrypt-string': encryptString };
  for (const [name, define] of Object.entries(inner))
    command.addCommand(define(new Command(name), context, withAction));
  examples(command, [
    ['evenkeel vault encrypt group_vars/all.yml --vault-id prod@~/.vault-prod', 'a file, with the vault id prod'],
    ['evenkeel vault encrypt-string --prompt -J', 'a value to paste into YAML; asks for it, and for the password'],
    ['evenkeel vault edit group_vars/all.yml -J', 'opens it in $EDITOR, and encrypts it again'],
  ]);
  return command;
};

function described(command: Command, description: string): Command {
  return withVault(command).description(description).option('-E, --env <name>', 'environment of evenkeel.yml');
}

function withLabel(command: Command): Command {
  return command.option('--encrypt-vault-id <label>', 'label of the password to encrypt with');
}

const create: DefineCommand = (named, context, withAction) => {
  const command = withLabel(described(named, 'Write a new encrypted file in an editor.')).argument(
    '<file>',
    'new file',
  );
  examples(command, [['evenkeel vault create vars/secrets.yml -J', 'asks for a password, and opens $EDITOR']]);
  return withAction(command, async (file: string, options: Omit<CreateOptions, 'file'>) =>
    (await import('./edit.js')).createCommand({ ...options, file }, context),
  );
};

const encrypt: DefineCommand = (named, context, withAction) => {
  const command = withLabel(described(named, 'Encrypt files, or stdin.'))
    .argument('[file...]', 'files, or - for stdin')
    .option('--out <file>', 'write there instead; - is stdout');
  examples(command, [
    ['evenkeel vault encrypt vars/secrets.yml --vault-password-file ~/.vault', 'in place'],
    ['evenkeel vault encrypt --out vars/secrets.yml < plain.yml --vault-id prod@~/.vault-prod', 'from stdin'],
  ]);
  return withAction(command, async (files: string[], options: Omit<EncryptFilesOptions, 'files'>) =>
    (await import('./encrypt.js')).encryptCommand({ ...options, files }, context),
  );
};

const decrypt: DefineCommand = (named, context, withAction) => {
  const command = described(named, 'Decrypt files, or stdin.')
    .argument('[file...]', 'files, or - for stdin')
    .option('--out <file>', 'write there instead; - is stdout');
  examples(command, [
    ['evenkeel vault decrypt vars/secrets.yml --out - -J', 'to stdout; the file stays encrypted'],
    ['evenkeel vault decrypt vars/*.yml --vault-password-file ~/.vault', 'in place'],
  ]);
  return withAction(command, async (files: string[], options: Omit<DecryptOptions, 'files'>) =>
    (await import('./encrypt.js')).decryptCommand({ ...options, files }, context),
  );
};

const view: DefineCommand = (named, context, withAction) => {
  const command = described(named, 'Show the content of encrypted files.').argument('<file...>', 'encrypted files');
  examples(command, [['evenkeel vault view vars/secrets.yml -J', 'in $PAGER, on a terminal']]);
  return withAction(command, async (files: string[], options: Omit<ViewOrEditOptions, 'files'>) =>
    (await import('./edit.js')).viewCommand({ ...options, files }, context),
  );
};

const edit: DefineCommand = (named, context, withAction) => {
  const command = described(named, 'Edit encrypted files.').argument('<file...>', 'encrypted files');
  examples(command, [['evenkeel vault edit vars/secrets.yml -J', 'in $EDITOR; password and label stay']]);
  return withAction(command, async (files: string[], options: Omit<ViewOrEditOptions, 'files'>) =>
    (await import('./edit.js')).editCommand({ ...options, files }, context),
  );
};

const rekey: DefineCommand = (named, context, withAction) => {
  const command = withLabel(described(named, 'Change the password of encrypted files.'))
    .argument('<file...>', 'encrypted files')
    .option('--new-vault-id <id>', 'the new password: LABEL@FILE or LABEL@prompt')
    .option('--new-vault-password-file <file>', 'file with the new password, or program that prints it');
  examples(command, [
    ['evenkeel vault rekey vars/secrets.yml -J', 'asks for the old password and for the new one'],
    ['evenkeel vault rekey vars/*.yml --vault-id prod@old --new-vault-id prod@new', 'from files'],
  ]);
  return withAction(command, async (files: string[], options: Omit<RekeyOptions, 'files'>) =>
    (await import('./encrypt.js')).rekeyCommand({ ...options, files }, context),
  );
};

const encryptString: DefineCommand = (named, context, withAction) => {
  const command = withLabel(described(named, 'Print texts as !vault values to paste into YAML.'))
    .alias('encrypt_string')
    .argument('[text...]', 'texts, or - for stdin')
    .option('-n, --name <name>', 'name of the variable (repeatable)', collected)
    .option('--stdin-name <name>', 'name of the variable for the text on stdin')
    .option('-p, --prompt', 'ask for the text')
    .option('--show-input', 'with --prompt: show what is typed')
    .option('--out <file>', 'write there instead; - is stdout');
  examples(command, [
    ['evenkeel vault encrypt-string --prompt -J', 'asks for all of it: nothing stays in the history of the shell'],
    ['evenkeel vault encrypt-string --stdin-name token --vault-id prod@~/.vault-prod < token.txt', 'from stdin'],
  ]);
  return withAction(command, async (texts: string[], options: Omit<EncryptStringOptions, 'texts'>) =>
    (await import('./encrypt_string.js')).encryptStringCommand({ ...options, texts }, context),
  );
};
