import { defaultPageSize, defaultPreview, maxPageSize, maxPreview } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withKeyRules } from './key-rule-flags.ts';
import { withJson } from './terminal/print-answer.ts';
import { commandOf, runCommand } from './terminal/run-command.ts';

/**
 * Adds the commands that use the management API of a running service: `paymaster`, `contract`, `policy`, `webhook` and
 * `funding`. Their code is loaded only when one of them runs.
 */
export function registerManagementCommands(program: Command): void {
  addPaymaster(program);
  addContract(program);
  addPolicy(program);
  addWebhook(program);
  addFunding(program);
}

/** Adds the options for the service and the account. */
export function withAccount(command: Command): Command {
  return withJson(command)
    .option('--url <url>', 'URL of the service (TOLLFREE_URL); default: the `tollfree dev` of this directory')
    .option('--auth-token-file <file>', 'file with the authToken (or TOLLFREE_AUTH_TOKEN with the token itself)');
}

/** {@link withAccount}, plus the option for the paymaster. */
export function withApiKey(command: Command): Command {
  return withAccount(command).option('--api-key <key>', 'apiKey of the paymaster (TOLLFREE_API_KEY)');
}

function addPaymaster(program: Command): void {
  const load = () => import('./paymaster-commands.ts');
  const paymaster = program.command('paymaster').description('register, list, pause and retire paymasters (DApps)');
  withAccount(paymaster.command('create <name>').description('register a paymaster, print its apiKey'))
    .requiredOption('--chain-id <id>', 'chain id, of the paymaster')
    .requiredOption('--paymaster-version <version>', 'version of the paymaster contract, as the operator names it')
    .action(commandOf(load, 'createPaymaster'));
  withAccount(paymaster.command('list').description("list the account's paymasters")).action(
    commandOf(load, 'listPaymasters'),
  );
  withAccount(paymaster.command('chains').description('list the supported chains, and the versions for create')).action(
    commandOf(load, 'listChains'),
  );
  withAccount(paymaster.command('update <paymasterId>').description('rename, pause or resume it'))
    .option('--name <name>', 'name it is listed under')
    .option('--active <yes|no>', 'whether it is active; no refuses everything')
    .action(commandOf(load, 'updatePaymaster'));
  withAccount(paymaster.command('retire <paymasterId>').description('retire it permanently; its ledger stays'))
    .requiredOption('--confirm <name>', 'its name, as confirmation')
    .action(commandOf(load, 'retirePaymaster'));
}

function addContract(program: Command): void {
  const load = () => import('./contract-commands.ts');
  const contract = program.command('contract').description('choose the contracts a paymaster sponsors calls to');
  const methods = 'sponsored methods: names (every overload) or full signatures';
  withApiKey(contract.command('register <name>').description('register a contract'))
    .requiredOption('--address <address>', 'address of the contract')
    .option('--abi <file>', 'file with its ABI, or with a build artifact')
    .option('--from-explorer', 'fetch its ABI from the configured explorer')
    .option('--whitelist [methods...]', methods)
    .action(commandOf(load, 'registerSmartContract'));
  withApiKey(contract.command('list').description('list the contracts')).action(commandOf(load, 'listSmartContracts'));
  withApiKey(contract.command('update <address>').description('replace the sponsored methods'))
    .requiredOption('--whitelist [methods...]', `${methods}; none sponsors nothing`)
    .action(commandOf(load, 'updateSmartContract'));
  withApiKey(contract.command('delete <address>').description('delete a contract')).action(
    commandOf(load, 'deleteSmartContract'),
  );
}

function addPolicy(program: Command): void {
  const load = () => import('./policy-commands.ts');
  const policy = program
    .command('policy')
    .description('choose what a paymaster sponsors, in addition to its contracts');
  const [option, meaning] = ['--policy <policyId>', 'a policy of `policy list` instead of the default one'] as const;
  withApiKey(policy.command('show').description('print the policy as JSON, in the format that `policy set` reads'))
    .option(option, meaning)
    .action(commandOf(load, 'showPolicy'));
  withApiKey(policy.command('set <file>').description('replace the policy with the one in a JSON file'))
    .option(option, meaning)
    .action(commandOf(load, 'setPolicy'));
  withApiKey(policy.command('preview <file>').description('show which recent decisions a policy would change'))
    .option(option, meaning)
    .option('--last <count>', `how many decisions, 1 to ${maxPreview}; ${defaultPreview} by default`)
    .action(commandOf(load, 'previewPolicy'));
  addNamedPolicies(policy);
  addPolicyFiles(policy);
}

function addPolicyFiles(policy: Command): void {
  const load = () => import('./policy-file/policy-file-commands.ts');
  const prune = ['--prune', 'delete named policies that the file does not contain'] as const;
  withApiKey(
    policy.command('export').description('print all policies in the file format of `diff` and `apply`'),
  ).action(commandOf(load, 'exportPolicies'));
  withApiKey(
    policy.command('diff <file>').description('show what a file of all policies would change; exit code 2 if anything'),
  )
    .option(...prune)
    .action(commandOf(load, 'diffPolicies'));
  withApiKey(policy.command('apply <file>').description('apply a file of all policies, after showing the changes'))
    .option(...prune)
    .option('--yes', 'without asking')
    .action(commandOf(load, 'applyPolicies'));
}

function addNamedPolicies(policy: Command): void {
  const load = () => import('./policy-commands.ts');
  withApiKey(policy.command('list').description('list the policies that requests can choose by id')).action(
    commandOf(load, 'listPolicies'),
  );
  withApiKey(
    policy.command('create <name> <file>').description('create a policy that requests can choose, print its id'),
  )
    .option('--description <text>', 'what it is for, to show to users')
    .option('--author <name>', 'sponsor name, to show to users')
    .option('--icon <uri>', 'a picture to show to users, as a data URI')
    .option('--closed', 'do not open it yet')
    .action(commandOf(load, 'createPolicy'));
  withApiKey(policy.command('update <policyId>').description('open or close a policy that requests can choose'))
    .requiredOption('--active <yes|no>', 'whether it is active; requests can choose it then')
    .action(commandOf(load, 'updatePolicy'));
  withApiKey(
    policy.command('delete <policyId>').description('delete a policy; requests that name it are refused'),
  ).action(commandOf(load, 'deletePolicy'));
}

function addWebhook(program: Command): void {
  const load = () => import('./webhook-commands.ts');
  const onFailure = ['--on-failure <what>', 'when it is down: refuse, or sponsor without it'] as const;
  const failureBudget = [
    '--failure-budget <wei/window>',
    'the most that is sponsored without it, like 1000/hour or 1000/day',
  ] as const;
  const webhook = program
    .command('webhook')
    .description('choose the URLs that are called before an operation is sponsored');
  withApiKey(webhook.command('create <url>').description('register a webhook, print its id'))
    .option('--request-type <type>', 'how it is called: GET or POST', 'POST')
    .option('--payload <what>', 'what it receives: data, or with POST operation', 'data')
    .option(...onFailure)
    .option(...failureBudget)
    .action(commandOf(load, 'createWebhook'));
  withApiKey(
    webhook.command('list [webhookId]').description('show the webhook with an id; without one, all of the account'),
  ).action((id, flags) =>
    runCommand(async () =>
      id === undefined ? (await load()).listAccountWebhooks(flags) : (await load()).listWebhook(id, flags),
    ),
  );
  withApiKey(webhook.command('test <webhookId>').description('send it a test call')).action(
    commandOf(load, 'testWebhook'),
  );
  withApiKey(webhook.command('answers <webhookId>').description('list its answers, newest first'))
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .action(commandOf(load, 'listWebhookAnswers'));
  withApiKey(webhook.command('update <webhookId>').description('change the given settings'))
    .option('--active <yes|no>', 'whether it is active; it is called then')
    .option('--payload <what>', 'what it receives: data or operation (default: unchanged)')
    .option(...onFailure)
    .option(...failureBudget)
    .action(commandOf(load, 'updateWebhook'));
  withApiKey(webhook.command('delete <webhookId>').description('delete a webhook')).action(
    commandOf(load, 'deleteWebhook'),
  );
  withApiKey(webhook.command('secret <webhookId>').description('print the secret that signs its calls'))
    .option('--rotate', 'create a new secret first')
    .action(commandOf(load, 'showWebhookSecret'));
}

function addFunding(program: Command): void {
  const load = () => import('./funding-commands.ts');
  const funding = program.command('funding').description('set the wallet that fills a gas tank');
  withApiKey(
    funding.command('set-wallet').description('set the funding wallet; without a key, print the message to sign'),
  )
    .option('--paymaster-id <id>', 'paymaster to act on (default: that of the apiKey)')
    .option('--keystore <file>', 'encrypted V3 keystore of the wallet that signs and pays')
    .option('--password-file <file>', 'file with the password of the keystore in its first line')
    .option('--wallet <address>', 'address of the wallet (with --signature)')
    .option('--signature <signature>', 'its signature of the newest message')
    .action(commandOf(load, 'setFundingWallet'));
}

/** Adds `key`: the apiKeys of a paymaster. */
export function registerKeyCommands(program: Command): void {
  const load = () => import('./key-commands.ts');
  const key = program.command('key').description("create, change and end a paymaster's apiKeys");
  withAccount(key.command('list <paymasterId>').description('list the apiKeys, without the keys')).action(
    commandOf(load, 'listApiKeys'),
  );
  withKeyRules(
    withAccount(key.command('create <paymasterId> <name>').description('create another apiKey, print it')),
  ).action(commandOf(load, 'createApiKey'));
  withKeyRules(
    withAccount(key.command('update <paymasterId> <apiKeyId>').description('change the settings of an apiKey')),
  )
    .option('--name <name>', 'name it is listed under')
    .option('--active <yes|no>', 'whether it is active; no sponsors nothing with it')
    .action(commandOf(load, 'updateApiKey'));
  withAccount(
    key
      .command('rotate <paymasterId> [apiKeyId]')
      .description("replace an apiKey, by default the paymaster's own; print the new one"),
  )
    .requiredOption('--grace-seconds <seconds>', 'how long earlier keys are still accepted; 0: not at all')
    .action(commandOf(load, 'rotateApiKey'));
  withAccount(key.command('end <paymasterId> <apiKeyId>').description('end an apiKey immediately')).action(
    commandOf(load, 'endApiKey'),
  );
}

/** Adds `ticket-key`. */
export function registerTicketKeyCommands(program: Command): void {
  const load = () => import('./ticket-key-commands.ts');
  const key = program.command('ticket-key').description("choose the keys that sign a paymaster's tickets");
  withAccount(key.command('create <paymasterId> <name>').description('create a key and print it, or register one'))
    .option('--kind <kind>', 'HS256, ES256, EDDSA: generated; JWK: your public key; JWKS: an issuer’s list', 'ES256')
    .option('--public-key <file>', 'file with the public key (RFC 7517), for JWK')
    .option('--jwks-url <url>', 'URL of the key list, for JWKS')
    .option('--issuer <issuer>', 'required iss of a ticket; mandatory for JWKS')
    .option('--audience <audience>', 'required aud of a ticket; the paymasterId by default, mandatory for JWKS')
    .action(commandOf(load, 'createTicketKey'));
  withAccount(key.command('list <paymasterId>').description('list the keys, without secrets')).action(
    commandOf(load, 'listTicketKeys'),
  );
  withAccount(
    key.command('delete <paymasterId> <ticketKeyId>').description('delete a key: its tickets are no longer accepted'),
  ).action(commandOf(load, 'deleteTicketKey'));
}
