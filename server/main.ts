import { Command, Help } from 'commander';
import {
  registerBudgetCommands,
  registerDecisionCommands,
  registerMemberCommands,
  registerNotificationCommands,
  registerSessionCommands,
  registerTokenCommands,
} from '../clients/cli/register-account-wide-commands.ts';
import { registerCompletionCommands, registerMcpCommand } from '../clients/cli/register-completion-commands.ts';
import {
  registerKeyCommands,
  registerManagementCommands,
  registerTicketKeyCommands,
} from '../clients/cli/register-management-commands.ts';
import { exitCodes } from '../clients/cli/terminal/cli-error.ts';
import { withJson } from '../clients/cli/terminal/print-answer.ts';
import { readVersion } from '../clients/cli/terminal/read-version.ts';
import { commandOf, runCommand } from '../clients/cli/terminal/run-command.ts';
import {
  coreConnectionSettings,
  coreSettings,
  databaseSettings,
  gatewaySettings,
  storeSettings,
  withSettings,
} from './config/settings.ts';
import { registerPaymasterContractCommands } from './paymaster-contract/register-paymaster-contract-commands.ts';
import { registerLedgerCommands, registerTankCommands } from './register-ledger-commands.ts';
import {
  registerAccountCodeCommands,
  registerAccountCommands,
  registerAuditCommand,
  registerBackupCommands,
  registerConfigCommands,
  registerDoctorCommand,
  registerHotWalletCommand,
  registerSimulationCodeCommands,
  registerStatusCommand,
} from './register-operator-commands.ts';
import { registerInitCommand, registerSetupCommand } from './setup/register-setup-command.ts';

/** Parses the command line and runs its command. */
export async function main(argv: readonly string[]): Promise<void> {
  await createProgram().parseAsync(argv);
}

/** All commands. Each command's code is loaded only when it runs. */
export function createProgram(): Command {
  const program = createCommands();
  program.commandsGroup(groups.rest);
  registerCompletionCommands(program, createCommands);
  program.helpCommand(true);
  return program;
}

/** The groups of commands in the help. */
const groups = {
  setUp: 'Set up a service:',
  run: 'Run it:',
  operate: 'Operate it:',
  holder: 'Sponsor, as an account holder:',
  rest: 'Help:',
} as const;

const epilogue = `
Exit codes:
${Object.values(exitCodes)
  .map(({ code, meaning }) => `  ${`${code}`.padEnd(3)} ${meaning.replaceAll('`', '')}`)
  .join('\n')}

Each command has a --help of its own.`;

function createCommands(): Command {
  const program = new Command('tollfree')
    .description('Self-hosted gas sponsorship for ERC-4337 accounts')
    .version(readVersion())
    .showHelpAfterError('(add --help for commands and flags)')
    .configureHelp({
      optionDescription: (option) => new Help().optionDescription(option) + (option.mandatory ? ' (required)' : ''),
    })
    .addHelpText('after', epilogue);
  program.commandsGroup(groups.setUp);
  registerSetupCommand(program);
  registerInitCommand(program);
  registerConfigCommands(program);
  registerDoctorCommand(program);
  addKeys(program);
  registerPaymasterContractCommands(program);
  registerSimulationCodeCommands(program);
  withJson(program.command('version').description('show version, commit, schema of the database and Node.js')).action(
    commandOf(() => import('./commands/version.ts'), 'showVersion'),
  );
  program.commandsGroup(groups.run);
  addServices(program);
  addDev(program);
  program.commandsGroup(groups.operate);
  registerStatusCommand(program);
  registerAccountCommands(program);
  registerAccountCodeCommands(program);
  registerLedgerCommands(program);
  registerTankCommands(program);
  registerHotWalletCommand(program);
  registerAuditCommand(program);
  registerBackupCommands(program);
  program.commandsGroup(groups.holder);
  registerManagementCommands(program);
  registerKeyCommands(program);
  registerTicketKeyCommands(program);
  registerTokenCommands(program);
  registerSessionCommands(program);
  registerMemberCommands(program);
  registerBudgetCommands(program);
  registerNotificationCommands(program);
  registerDecisionCommands(program);
  registerMcpCommand(program);
  return program;
}

function addServices(program: Command): void {
  withSettings(program.command('node').description('run gateway and core in one process'), [
    ...gatewaySettings,
    ...coreSettings,
  ]).action(commandOf(() => import('./commands/node.ts'), 'runNode'));
  withSettings(program.command('core').description('run only the core, reached over gRPC'), coreSettings).action(
    commandOf(() => import('./commands/core.ts'), 'runCore'),
  );
  withSettings(program.command('gateway').description('run only the HTTP side, in front of a core'), [
    ...gatewaySettings,
    ...coreConnectionSettings,
  ]).action(commandOf(() => import('./commands/gateway.ts'), 'runGateway'));
}

function addDev(program: Command): void {
  program
    .command('dev')
    .description('run everything on this machine, with a development chain and funded paymasters')
    .option('--port <port>', 'port of the HTTP interface, 0 for any free one (default 3000, or the next free one)')
    .option('--grpc-port <port>', 'port of gRPC (default 50051)')
    .option('--chain-port <port>', 'port of the development chain (default 8545)')
    .option('--admin-port <port>', 'port of health and metrics (default 9464)')
    .option('--bundler-port <port>', 'port of the development bundler (default 4337)')
    .option('--data <directory>', 'folder of the database, of keys, the chain and dev.json (default .tollfree)')
    .option('--node-url <url>', 'JSON-RPC nodes of the chain: a development node, instead of a new one')
    .option(
      '--entry-point <version>',
      'EntryPoint of your accounts: 0.6, 0.7, 0.8 or 0.9; of the paymaster that commands use (default 0.8)',
    )
    .option('--accounts-from <url>', 'public node that more accounts are copied from')
    .option('--fork <name>', 'gas prices of the new chain: osaka (mainnet, the default) or amsterdam (Sepolia)')
    .option('--as <chain>', 'only a chain and a bundler, which play a known chain: to rehearse going live')
    .option('--fresh', 'start over: a new chain, new keys, tokens and settings')
    .option('--verbose', 'print every address, apiKey and transaction')
    .option('--json', 'print the answer as one line of JSON: the content of dev.json')
    .option('--log-level <level>', 'debug, info, warn or error: log to stderr (default: to dev.log)')
    .action((flags) =>
      runCommand(async () =>
        flags.as === undefined
          ? (await import('./commands/dev.ts')).runDev(flags)
          : (await import('./commands/rehearse.ts')).rehearse(flags),
      ),
    );
}

function addKeys(program: Command): void {
  const masterKey = program.command('master-key').description('show which master keys the database still needs');
  withJson(
    withSettings(masterKey.command('status').description('which master keys the database still needs'), storeSettings),
  ).action(commandOf(() => import('./commands/keys.ts'), 'showMasterKeys'));
  const keystore = program.command('keystore').description('create signing keys, and see which one signs');
  withJson(
    withSettings(
      keystore
        .command('status')
        .description('which key signs for which contract, and when a former one can be removed'),
      databaseSettings,
    ),
  ).action(commandOf(() => import('./commands/keys.ts'), 'showSigners'));
  withJson(keystore.command('create').description('create an encrypted signing key, print its address'))
    .requiredOption('--out <file>', 'where to write it; an existing file is never overwritten')
    .option('--password-file <file>', 'file with the password of the keystore in its first line')
    .action(commandOf(() => import('./commands/keys.ts'), 'createKeystore'));
}
