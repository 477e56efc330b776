import { Argument, type Command } from 'commander';
import { runCommand } from '../terminal/run-command.ts';

/**
 * Adds `completion`, which prints the script for a shell, and the hidden `complete`, which the script calls at every tab.
 */
export function registerCompletionCommands(program: Command, createCommands: () => Command): void {
  const load = () => import('./complete-words.ts');
  program
    .command('completion')
    .description('print the shell completion script: source <(tollfree completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: string) => runCommand(async () => (await load()).printCompletion(createCommands(), shell)));
  program
    .command('complete [words...]', { hidden: true })
    .action((words: string[]) => runCommand(async () => (await load()).completeWords(createCommands(), words)));
}
