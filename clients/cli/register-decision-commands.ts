import { defaultPageSize, defaultUsageDays, maxPageSize } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withApiKey } from './register-management-commands.ts';
import { runCommand } from './terminal/run-command.ts';

/** Adds the commands about a paymaster's decisions and usage: `why`, `decisions`, `explain` and `usage`. */
export function registerDecisionCommands(program: Command): void {
  const load = () => import('./decision-commands.ts');
  withApiKey(
    program
      .command('why <idOrHash>')
      .description('explain what happened: to a decision id, a user operation hash or a transaction hash'),
  ).action((what, flags) => runCommand(async () => (await import('./why-command.ts')).explainWhy(what, flags)));
  withApiKey(program.command('decisions').description('list decisions, newest first'))
    .option('--outcome <outcome>', 'only signed, quoted, stub or refused ones')
    .option('--refusal <reason>', 'only refusals with this reason, like LIMIT_EXCEEDED')
    .option('--sender <address>', 'only those of this sender')
    .option('--mode <mode>', 'only SPONSORED or ERC20 ones')
    .option('--status <status>', 'only those that came so far: refused, signed, sent, included, failed, dropped, …')
    .option('--tx <hash>', 'only operations that landed in this transaction')
    .option('--from <time>', 'start of the period: 2026-01-31, 2026-01-31T10:00:00Z or Unix seconds')
    .option('--until <time>', 'end of the period, which is not in it')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .option('--csv', 'print CSV: one line for each decision, amounts in wei')
    .action((flags) => runCommand(async () => (await load()).listDecisions(flags)));
  withApiKey(
    program
      .command('explain <file>')
      .description('explain how a request would be answered now: a JSON-RPC request in a file, or its params'),
  )
    .option('--ask-webhooks', 'call the webhooks; otherwise they are assumed to agree')
    .action((file, flags) => runCommand(async () => (await load()).explainRequest(file, flags)));
  withApiKey(program.command('usage').description('show usage and cost, highest cost first'))
    .option('--by <what>', 'day, sender, contract, method, token, attribution or outcome', 'day')
    .option(
      '--from <day>',
      `start of the period: its first UTC day, like 2026-01-31 (default: ${defaultUsageDays} days in all)`,
    )
    .option('--until <day>', 'end of the period: its last UTC day (default: today)')
    .action((flags) => runCommand(async () => (await load()).showUsage(flags)));
}
