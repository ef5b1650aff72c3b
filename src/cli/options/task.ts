import { Command } from 'commander';
import type { Define } from './define.js';
import { examples } from './examples.js';
import { execution, withExecution, type Raw } from './execution.js';
import { withTarget } from './target.js';

export const defineTask: Define = (context, finish) => {
  const command = withExecution(withTarget(new Command('task')))
    .description('Run one task on the controllers that a pattern names, without a playbook.')
    .argument('<pattern>', 'controllers: names, groups, globs, a:b, a:&b, a:!b')
    .requiredOption('-m, --module <name>', 'module')
    .option('-a, --args <args>', "arguments: 'k=v k2=v2', JSON, YAML, or @file");
  examples(command, [
    ['evenkeel task lb01.dev.example.com -m cloud_present -a name=edge --simulate', 'rehearse one task'],
    [
      "evenkeel task all -m system_config -a '{dns_configuration: {search_domain: example.com}}' -CD --simulate",
      'check',
    ],
    ["evenkeel task 'lab:!lb03*' -m api_request -a path=/api/cloud/ -v --simulate", 'ask the API'],
  ]);
  return command.action(async (pattern: string, options: Raw & { module: string; args?: string }) => {
    const { taskCommand } = await import('../commands/task.js');
    finish(await taskCommand({ pattern, ...execution(options) }, context));
  });
};
