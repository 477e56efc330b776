import { defaultPageSize, defaultPreview, maxPageSize, maxPreview } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { runCommand } from '../run-command.ts';
import { withJson } from '../with-settings.ts';

/**
 * Adds the commands that use the management interface of a running service: `paymaster`, `contract`, `policy`, `webhook`
 * and `funding`. Their code is loaded only when one of them runs.
 */
export function registerManagementCommands(program: Command): void {
  addPaymaster(program);
  addContract(program);
  addPolicy(program);
  addWebhook(program);
  addFunding(program);
}

/** Adds the options that say which service and account. */
export function withAccount(command: Command): Command {
  return withJson(command)
    .option('--url <url>', 'address of the service (TOLLFREE_URL); without it, the `tollfree dev` of this directory')
    .option('--auth-token-file <file>', 'file with the authToken (or TOLLFREE_AUTH_TOKEN with the token itself)');
}

/** {@link withAccount}, and the option that says which paymaster. */
export function withApiKey(command: Command): Command {
  return withAccount(command).option('--api-key <key>', 'apiKey of the paymaster (TOLLFREE_API_KEY)');
}

function addPaymaster(program: Command): void {
  const load = () => import('./paymaster-commands.ts');
  const paymaster = program.command('paymaster').description('register, list, pause and end paymasters (DApps)');
  withAccount(paymaster.command('create <name>').description('register a paymaster, print its apiKey'))
    .requiredOption('--chain-id <id>', 'chain it pays on')
    .requiredOption('--paymaster-version <version>', 'paymaster contract to use, as the operator named it')
    .action((name, flags) => runCommand(async () => (await load()).createPaymaster(name, flags)));
  withAccount(paymaster.command('list').description("list the account's paymasters")).action((flags) =>
    runCommand(async () => (await load()).listPaymasters(flags)),
  );
  withAccount(
    paymaster.command('chains').description('list the chains that are served, and the versions for create'),
  ).action((flags) => runCommand(async () => (await load()).listChains(flags)));
  withAccount(paymaster.command('rename <paymasterId> <name>').description('call it something else')).action(
    (id, name, flags) => runCommand(async () => (await load()).renamePaymaster(id, name, flags)),
  );
  withAccount(paymaster.command('pause <paymasterId>').description('refuse everything until it is resumed')).action(
    (id, flags) => runCommand(async () => (await load()).pausePaymaster(id, flags)),
  );
  withAccount(paymaster.command('resume <paymasterId>').description('be at work again')).action((id, flags) =>
    runCommand(async () => (await load()).resumePaymaster(id, flags)),
  );
  withAccount(paymaster.command('retire <paymasterId>').description('end it for good; its books stay'))
    .requiredOption('--name <name>', 'its name, so that no other is meant')
    .action((id, flags) => runCommand(async () => (await load()).retirePaymaster(id, flags)));
}

function addContract(program: Command): void {
  const load = () => import('./contract-commands.ts');
  const contract = program.command('contract').description('choose the contracts a paymaster sponsors calls to');
  const methods = 'methods that are sponsored: names (every overload) or full signatures';
  withApiKey(contract.command('register <name>').description('register a contract'))
    .requiredOption('--address <address>', 'address of the contract')
    .option('--abi <file>', 'file with its ABI, or with a build artifact')
    .option('--from-explorer', 'fetch its ABI from the explorer that the operator has set up')
    .option('--whitelist [methods...]', methods)
    .action((name, flags) => runCommand(async () => (await load()).registerContract(name, flags)));
  withApiKey(contract.command('list').description('list the contracts')).action((flags) =>
    runCommand(async () => (await load()).listContracts(flags)),
  );
  withApiKey(contract.command('update <address>').description('replace the methods that are sponsored'))
    .requiredOption('--whitelist [methods...]', `${methods}; none ends the sponsoring`)
    .action((address, flags) => runCommand(async () => (await load()).updateContract(address, flags)));
  withApiKey(contract.command('delete <address>').description('delete a contract')).action((address, flags) =>
    runCommand(async () => (await load()).deleteContract(address, flags)),
  );
}

function addPolicy(program: Command): void {
  const load = () => import('./policy-commands.ts');
  const policy = program.command('policy').description('choose what a paymaster sponsors beside its contracts');
  const [option, meaning] = [
    '--policy <policyId>',
    'a policy of `policy list` in the place of the default one',
  ] as const;
  withApiKey(policy.command('show').description('print the policy as JSON, in the form that `policy set` takes'))
    .option(option, meaning)
    .action((flags) => runCommand(async () => (await load()).showPolicy(flags)));
  withApiKey(policy.command('set <file>').description('replace the policy with the one in a JSON file'))
    .option(option, meaning)
    .action((file, flags) => runCommand(async () => (await load()).setPolicy(file, flags)));
  withApiKey(policy.command('preview <file>').description('show which of the last decisions a policy would change'))
    .option(option, meaning)
    .option('--last <count>', `how many decisions, 1 to ${maxPreview}; ${defaultPreview} by default`)
    .action((file, flags) => runCommand(async () => (await load()).previewPolicy(file, flags)));
  addNamedPolicies(policy);
  addPolicyFiles(policy);
}

function addPolicyFiles(policy: Command): void {
  const load = () => import('./policy-file/policy-file-commands.ts');
  const prune = ['--prune', 'delete the policies that requests choose and the file does not have'] as const;
  withApiKey(
    policy.command('export').description('print all policies as the file that `diff` and `apply` take'),
  ).action((flags) => runCommand(async () => (await load()).exportPolicies(flags)));
  withApiKey(
    policy.command('diff <file>').description('show what a file of all policies would change; ends with 2 if anything'),
  )
    .option(...prune)
    .action((file, flags) => runCommand(async () => (await load()).diffPolicies(file, flags)));
  withApiKey(policy.command('apply <file>').description('make the policies those of a file, after showing the changes'))
    .option(...prune)
    .option('--yes', 'without asking')
    .action((file, flags) => runCommand(async () => (await load()).applyPolicies(file, flags)));
}

function addNamedPolicies(policy: Command): void {
  const load = () => import('./named-policy-commands.ts');
  withApiKey(policy.command('list').description('list the policies that requests can choose by their ids')).action(
    (flags) => runCommand(async () => (await load()).listPolicies(flags)),
  );
  withApiKey(policy.command('create <name> <file>').description('make a policy that requests can choose, print its id'))
    .option('--description <text>', 'what it is for, to show to users')
    .option('--author <name>', 'who sponsors, to show to users')
    .option('--icon <uri>', 'a picture to show to users, as a data URI')
    .option('--closed', 'no request can choose it yet')
    .action((name, file, flags) => runCommand(async () => (await load()).createPolicy(name, file, flags)));
  withApiKey(policy.command('open <policyId>').description('let requests choose a policy')).action((id, flags) =>
    runCommand(async () => (await load()).setPolicyEnabled(id, true, flags)),
  );
  withApiKey(policy.command('close <policyId>').description('refuse requests that choose a policy')).action(
    (id, flags) => runCommand(async () => (await load()).setPolicyEnabled(id, false, flags)),
  );
  withApiKey(
    policy.command('delete <policyId>').description('delete a policy; requests that name it are refused'),
  ).action((id, flags) => runCommand(async () => (await load()).deletePolicy(id, flags)));
}

function addWebhook(program: Command): void {
  const load = () => import('./webhook-commands.ts');
  const onFailure = ['--on-failure <what>', 'refuse, or sponsor without it, when it is down'] as const;
  const failureBudget = [
    '--failure-budget <wei/window>',
    'most that is sponsored without it, like 1000/hour or 1000/day',
  ] as const;
  const webhook = program
    .command('webhook')
    .description('choose the URLs that are asked before something is sponsored');
  withApiKey(webhook.command('create <url>').description('register a webhook, print its id'))
    .option('--request-type <type>', 'how it is called: GET or POST', 'POST')
    .option('--payload <what>', 'what it is told: data, or with POST operation', 'data')
    .option(...onFailure)
    .option(...failureBudget)
    .action((url, flags) => runCommand(async () => (await load()).createWebhook(url, flags)));
  withApiKey(
    webhook.command('list [webhookId]').description('show the webhook with an id; without one, all of the account'),
  ).action((id, flags) =>
    runCommand(async () =>
      id === undefined ? (await load()).listAccountWebhooks(flags) : (await load()).listWebhook(id, flags),
    ),
  );
  withApiKey(webhook.command('test <webhookId>').description('call it with data that says it is a test')).action(
    (id, flags) => runCommand(async () => (await load()).testWebhook(id, flags)),
  );
  withApiKey(webhook.command('answers <webhookId>').description('list what it answered, newest first'))
    .option('--cursor <cursor>', 'go on where the page before ended')
    .option('--limit <number>', `answers per page, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .action((id, flags) => runCommand(async () => (await load()).listWebhookAnswers(id, flags)));
  withApiKey(webhook.command('enable <webhookId>').description('ask it from now on'))
    .option('--payload <what>', 'what it is told: data or operation (default: as before)')
    .option(...onFailure)
    .option(...failureBudget)
    .action((id, flags) => runCommand(async () => (await load()).enableWebhook(id, flags)));
  withApiKey(webhook.command('disable <webhookId>').description('no longer ask it')).action((id, flags) =>
    runCommand(async () => (await load()).disableWebhook(id, flags)),
  );
  withApiKey(webhook.command('delete <webhookId>').description('delete a webhook')).action((id, flags) =>
    runCommand(async () => (await load()).deleteWebhook(id, flags)),
  );
  withApiKey(webhook.command('secret <webhookId>').description('print the secret that signs its calls')).action(
    (id, flags) => runCommand(async () => (await load()).readWebhookSecret(id, flags)),
  );
  withApiKey(webhook.command('rotate-secret <webhookId>').description('make a new secret, print it')).action(
    (id, flags) => runCommand(async () => (await load()).rotateWebhookSecret(id, flags)),
  );
}

function addFunding(program: Command): void {
  const load = () => import('./funding-commands.ts');
  const paymasterId = ['--paymaster-id <id>', 'the paymaster; without it, the one of the apiKey'] as const;
  const funding = program.command('funding').description('set the wallet that fills a gas tank');
  withApiKey(funding.command('message').description('print a new message for the wallet to sign'))
    .option(...paymasterId)
    .action((flags) => runCommand(async () => (await load()).printFundingMessage(flags)));
  withApiKey(funding.command('set-wallet').description('set the funding wallet; without a key, print what to sign'))
    .option(...paymasterId)
    .option('--keystore <file>', 'encrypted V3 keystore of the wallet, to sign with here')
    .option('--password-file <file>', 'file with the password of the keystore in its first line')
    .option('--address <address>', 'the wallet, when it has signed elsewhere')
    .option('--signature <signature>', 'its signature of the newest message')
    .action((flags) => runCommand(async () => (await load()).setFundingWallet(flags)));
}
