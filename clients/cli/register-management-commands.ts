import { defaultPageSize, defaultPreview, maxPageSize, maxPreview, maxPreviewDays } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withKeyRules } from './key-rule-flags.ts';
import { withJson } from './terminal/print-answer.ts';
import { commandsOf } from './terminal/run-command.ts';

/**
 * Adds the commands that use the management API of a running service: `use`, `paymaster`, `contract`, `policy`, `webhook` and
 * `funding`. Their code is loaded only when one of them runs.
 */
export function registerManagementCommands(program: Command): void {
  commandsOf(program, () => import('./use-paymaster.ts'), withAccount)(
    'use [paymaster]',
    'choose the paymaster, by name or id, for commands in this folder that name none; show the choice',
    'usePaymaster',
  );
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
  return withAccount(command)
    .option('--paymaster <name|id>', 'paymaster to act on, by its name or id; default: that of `tollfree use`')
    .option('--api-key <key>', 'apiKey of the paymaster (TOLLFREE_API_KEY)');
}

function addPaymaster(program: Command): void {
  const paymaster = program.command('paymaster').description('register, list, pause and retire paymasters (DApps)');
  const add = commandsOf(paymaster, () => import('./paymaster-commands.ts'), withAccount);
  add('create <name>', 'register a paymaster, print its apiKey', 'createPaymaster')
    .requiredOption('--chain-id <id>', 'chain id, of the paymaster')
    .option('--entry-point <version>', 'EntryPoint of your accounts: 0.6, 0.7, 0.8 or 0.9')
    .option(
      '--paymaster-version <version>',
      'version of the paymaster contract, as the operator names it; instead of --entry-point',
    )
    .option('--daily-limit <usd>', 'what all operations of a day may cost, in USD, or none (default 50)');
  add('list', "list the account's paymasters", 'listPaymasters');
  add('chains', 'list the supported chains, and the versions for create', 'listChains');
  add('update <paymaster>', 'rename, pause or resume it', 'updatePaymaster')
    .option('--name <name>', 'name it is listed under')
    .option('--active <yes|no>', 'whether it is active; no refuses everything');
  add('retire <paymaster>', 'retire it permanently; its ledger stays', 'retirePaymaster').requiredOption(
    '--confirm <name>',
    'its name, as confirmation',
  );
}

function addContract(program: Command): void {
  const contract = program.command('contract').description('choose the contracts a paymaster sponsors calls to');
  const add = commandsOf(contract, () => import('./contract-commands.ts'), withApiKey);
  const methods = 'sponsored methods: names (every overload) or full signatures';
  add('register <name>', 'register a contract', 'registerSmartContract')
    .requiredOption('--address <address>', 'address of the contract')
    .option('--abi <file>', 'file with its ABI, or with a build artifact')
    .option('--from-explorer', 'fetch its ABI from the configured explorer')
    .option('--whitelist [methods...]', methods);
  add('list', 'list the contracts', 'listSmartContracts');
  add('update <address>', 'replace the sponsored methods', 'updateSmartContract').requiredOption(
    '--whitelist [methods...]',
    `${methods}; none sponsors nothing`,
  );
  add('delete <address>', 'delete a contract', 'deleteSmartContract');
}

function addPolicy(program: Command): void {
  const policy = program
    .command('policy')
    .description('choose what a paymaster sponsors, in addition to its contracts');
  const add = commandsOf(policy, () => import('./policy-commands.ts'), withApiKey);
  const [option, meaning] = ['--policy <policyId>', 'a policy of `policy list` instead of the default one'] as const;
  add('show', 'print the policy as JSON, in the format that `policy set` reads', 'showPolicy').option(option, meaning);
  add('set <file>', 'replace the policy with the one in a JSON file', 'setPolicy').option(option, meaning);
  add('set-cap <amounts...>', 'change the cap on one operation: "0.02 ether", "1.50 USD" or both', 'setCap').option(
    option,
    meaning,
  );
  add('preview <file>', 'show which recent decisions a policy would change', 'previewPolicy')
    .option(option, meaning)
    .option('--last <count>', `how many decisions, 1 to ${maxPreview}; ${defaultPreview} by default`)
    .option('--days <count>', `decisions of the last days, 1 to ${maxPreviewDays}, at most ${maxPreview} of them`);
  add('list', 'list the policies that requests can choose by id', 'listPolicies');
  add('create <name> <file>', 'create a policy that requests can choose, print its id', 'createPolicy')
    .option('--description <text>', 'what it is for, to show to users')
    .option('--author <name>', 'sponsor name, to show to users')
    .option('--icon <uri>', 'a picture to show to users, as a data URI')
    .option('--closed', 'do not open it yet');
  add('update <policyId>', 'open or close a policy that requests can choose', 'updatePolicy').requiredOption(
    '--active <yes|no>',
    'whether it is active; requests can choose it then',
  );
  add('delete <policyId>', 'delete a policy; requests that name it are refused', 'deletePolicy');
  addPolicyFiles(policy);
}

function addPolicyFiles(policy: Command): void {
  const add = commandsOf(policy, () => import('./policy-file/policy-file-commands.ts'), withApiKey);
  const prune = ['--prune', 'delete named policies that the file does not contain'] as const;
  add('export', 'print all policies in the file format of `diff` and `apply`', 'exportPolicies');
  add('diff <file>', 'show what a file of all policies would change; exit code 2 if anything', 'diffPolicies').option(
    ...prune,
  );
  add('apply <file>', 'apply a file of all policies, after showing the changes', 'applyPolicies')
    .option(...prune)
    .option('--yes', 'without asking');
}

function addWebhook(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('choose the URLs that are called before an operation is sponsored');
  const add = commandsOf(webhook, () => import('./webhook-commands.ts'), withApiKey);
  add('create <url>', 'register a webhook, print its id', 'createWebhook')
    .option('--request-type <type>', 'how it is called: GET or POST', 'POST')
    .option('--payload <what>', 'what it receives: data, or with POST operation', 'data');
  add('list [webhookId]', 'show the webhook with an id; without one, all of the account', 'listWebhooks');
  add('test <webhookId>', 'send it a test call', 'testWebhook');
  add('answers <webhookId>', 'list its answers, newest first', 'listWebhookAnswers')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`);
  add('update <webhookId>', 'change the given settings', 'updateWebhook')
    .option('--active <yes|no>', 'whether it is active; it is called then')
    .option('--payload <what>', 'what it receives: data or operation (default: unchanged)');
  add('delete <webhookId>', 'delete a webhook', 'deleteWebhook');
  add('secret <webhookId>', 'print the secret that signs its calls', 'showWebhookSecret').option(
    '--rotate',
    'create a new secret first',
  );
}

function addFunding(program: Command): void {
  const funding = program.command('funding').description('set the wallet that fills a gas tank');
  const add = commandsOf(funding, () => import('./funding-commands.ts'), withApiKey);
  add('set-wallet', 'set the funding wallet; without a key, print the message to sign', 'setFundingWallet')
    .option('--keystore <file>', 'encrypted V3 keystore of the wallet that signs and pays')
    .option('--key-file <file>', 'file with the private key of that wallet, unencrypted: for development')
    .option('--password-file <file>', 'file with the password of the keystore in its first line')
    .option('--wallet <address>', 'address of the wallet (with --signature)')
    .option('--signature <signature>', 'its signature of the newest message');
}

/** Adds `key`: the apiKeys of a paymaster. */
export function registerKeyCommands(program: Command): void {
  const key = program.command('key').description("create, change and end a paymaster's apiKeys");
  const add = commandsOf(key, () => import('./key-commands.ts'), withApiKey);
  add('list', 'list the apiKeys, without the keys', 'listApiKeys');
  withKeyRules(add('create <name>', 'create another apiKey, print it', 'createApiKey'));
  withKeyRules(add('update <apiKeyId>', 'change the settings of an apiKey', 'updateApiKey'))
    .option('--name <name>', 'name it is listed under')
    .option('--active <yes|no>', 'whether it is active; no sponsors nothing with it');
  add(
    'rotate [apiKeyId]',
    "replace an apiKey, by default the paymaster's own; print the new one",
    'rotateApiKey',
  ).requiredOption('--grace-seconds <seconds>', 'how long earlier keys are still accepted; 0: not at all');
  add('end <apiKeyId>', 'end an apiKey immediately', 'endApiKey');
}

/** Adds `ticket-key`. */
export function registerTicketKeyCommands(program: Command): void {
  const key = program.command('ticket-key').description("choose the keys that sign a paymaster's tickets");
  const add = commandsOf(key, () => import('./ticket-key-commands.ts'), withApiKey);
  add('create <name>', 'create a key and print it, or register one', 'createTicketKey')
    .option('--kind <kind>', 'HS256, ES256, EDDSA: generated; JWK: your public key; JWKS: an issuer’s list', 'ES256')
    .option('--public-key <file>', 'file with the public key (RFC 7517), for JWK')
    .option('--jwks-url <url>', 'URL of the key list, for JWKS')
    .option('--issuer <issuer>', 'required iss of a ticket; mandatory for JWKS')
    .option('--audience <audience>', 'required aud of a ticket; the paymasterId by default, mandatory for JWKS');
  add('list', 'list the keys, without secrets', 'listTicketKeys');
  add('delete <ticketKeyId>', 'delete a key: its tickets are no longer accepted', 'deleteTicketKey');
}
