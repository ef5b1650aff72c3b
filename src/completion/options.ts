import { Argument } from 'commander';
import { examples, type DefineCommand } from '../cli/options/define.js';
import { EXIT } from '../core/model/exit_code.js';

export const defineCompletion: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('Print a script that completes commands, options and values of the project on Tab.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']));
  examples(command, [
    ['source <(evenkeel completion bash)', 'for this shell; in ~/.bashrc, for every shell'],
    ['evenkeel completion zsh > _evenkeel', 'to a folder of $fpath'],
    ['evenkeel completion fish > evenkeel.fish', 'to ~/.config/fish/completions/'],
  ]);
  return withAction(command, async (shell: 'bash' | 'zsh' | 'fish') => {
    const { SCRIPTS } = await import('./scripts.js');
    context.stdout.reveal(SCRIPTS[shell]);
    return EXIT.ok;
  });
};
