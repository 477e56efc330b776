import type { Command } from 'commander';

/** Adds the flag for JSON output. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the answer as one line of JSON');
}
