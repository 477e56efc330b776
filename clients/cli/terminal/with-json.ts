import type { Command } from 'commander';

/** Adds the flag that has a command print its answer as JSON. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the answer as one line of JSON');
}
