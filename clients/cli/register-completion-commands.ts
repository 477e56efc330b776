import { Argument, type Command } from 'commander';
import { commandOf, runCommand } from './terminal/run-command.ts';

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

/** Adds `mcp`, which gives a developer's AI assistant access to the management API. */
export function registerMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve the management interface to an assistant, as a Model Context Protocol server on stdin and stdout',
    )
    .option('--url <url>', 'URL of the service (TOLLFREE_URL); default: the `tollfree dev` of this directory')
    .option('--auth-token-file <file>', 'file with the authToken (or TOLLFREE_AUTH_TOKEN with the token itself)')
    .option('--paymaster <name|id>', 'paymaster to act on, for calls that name none; default: that of `tollfree use`')
    .option('--api-key <key>', 'apiKey of the paymaster, for calls that name none (TOLLFREE_API_KEY)')
    .option('--allow-writes', 'also offer tools that change settings; otherwise read-only')
    .action(commandOf(() => import('./mcp/serve-mcp.ts'), 'serveMcp'));
}
