import { Command } from 'commander';
import type { WorkerOptions, WorkersOptions } from '../commands/worker.js';
import { collected, type Define, examples, wholeNumber } from './define.js';

/** How to reach the broker. */
function withBroker(command: Command): Command {
  return command
    .option('--nats <url>', 'the NATS server: nats://host:4222 or tls://host:4222 (default: nats in evenkeel.yml)')
    .option(
      '--nats-creds <file>',
      'credentials for the NATS server: a file with USER:PASSWORD, the seed of an nkey, or a creds file of nsc',
    )
    .option('--nats-ca <file>', 'file with the CA certificate of the NATS server');
}

export const defineWorker: Define = (context, finish) => {
  const command = withBroker(
    new Command('worker').requiredOption('--site <name>', 'the site whose controllers it works on'),
  )
    .description('Work on the controllers of a site for runs on other machines, until Ctrl-C.')
    .option('--name <name>', 'name of the worker (default: the name of this machine)')
    .option('--concurrency <number>', 'controllers at once (default 50)', wholeNumber)
    .option(
      '--allow-module <name>',
      'of the modules that may write, run only this one (repeatable; default: all built-in ones)',
      collected,
    )
    .option('--allow-code', 'execute code of the projects: modules, helpers, inventory programs')
    .option('--vault-id <id>', 'vault password that only this site needs: LABEL@FILE (repeatable)', collected)
    .option('--vault-password-file <file>', 'file with the password, or program that prints it (repeatable)', collected)
    .option('--no-color', 'no colours');
  examples(command, [
    [
      'evenkeel worker --site madrid --nats tls://broker.example.com:4222 --nats-creds madrid.creds',
      'as a service on a machine of the site',
    ],
  ]);
  return command.action(async (options: WorkerOptions) => {
    const { workerCommand } = await import('../commands/worker.js');
    finish(await workerCommand(options, context));
  });
};

export const defineWorkers: Define = (context, finish) => {
  const command = withBroker(
    new Command('workers').option('-E, --env <name>', 'environment of evenkeel.yml, which can name the NATS server'),
  )
    .description('List the workers of all sites: version, load, public key.')
    .option('--json', 'print JSON')
    .option('--no-color', 'no colours');
  examples(command, [
    [
      'evenkeel workers --nats tls://broker.example.com:4222 --nats-creds coordinator.creds',
      'the workers that are registered now',
    ],
  ]);
  return command.action(async (options: WorkersOptions) => {
    const { workersCommand } = await import('../commands/worker.js');
    finish(await workersCommand(options, context));
  });
};
