import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { usdText } from '@tollfree/contract/fields/forms';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { applyEdits } from 'jsonc-parser';
import type { LocalAccount } from 'viem/accounts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import type { Core } from '../../core/domain/core.ts';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import type { Paymaster } from '../../core/domain/paymaster.ts';
import { gasScheduleOf, readGasSchedule } from '../../core/gas/gas-schedule.ts';
import { readFees } from '../../core/node/read-fees.ts';
import { hasTotalLimit } from '../../core/policies/unbounded-paymasters.ts';
import { accepted } from '../accepted.ts';
import type { Config } from '../config/config-schema.ts';
import { readConfigFile } from '../config/load-config.ts';
import { toCoreConfig } from '../config/to-core-config.ts';
import { openManagement } from '../open-accounts.ts';
import { askChain, type ChainAccess, type ConfiguredContract } from '../paymaster-contract/configured-contract.ts';
import type { Payer } from '../paymaster-contract/payer.ts';
import { asOperator } from '../process/as-operator.ts';
import { reachCore } from '../with-core.ts';
import { editsOf, replaceConfigFile, writeNewFiles } from '../write-files.ts';

/** An account that becomes the dashboard's operator, and those that the configuration file names by now. */
type Operators = { readonly accountId: string; readonly known: readonly string[] };

/**
 * Makes the account the operator where the file names none. An account that a later run adds is a tenant's, so it never
 * becomes one.
 */
export function nameOperator(configFile: string, { accountId, known }: Operators, progress: Progress): void {
  if (known.length > 0) {
    progress.note('operator', 'there', known.join(', '));
    return;
  }
  const { text } = readConfigFile(configFile);
  replaceConfigFile(
    configFile,
    applyEdits(text, editsOf(text, ['dashboard', 'operators'], [accountId])),
    `${configFile} cannot be written. Add "operators": ["${accountId}"] to "dashboard" by hand.`,
  );
  progress.note('operator', 'done', `${accountId} sees the dashboard's operator page after the next start`);
}

type SetUpCore = Pick<
  Core,
  | 'listAccounts'
  | 'createAccount'
  | 'createAuthToken'
  | 'listAuthTokens'
  | 'revokeAuthToken'
  | 'listPaymasters'
  | 'createPaymaster'
  | 'createFundingMessage'
  | 'setFundingWallet'
  | 'readPolicy'
  | 'setPolicy'
  | 'listBudgets'
>;

/** The requested state of the service. */
type ServiceWanted = {
  readonly accountName: string;
  readonly paymasterName: string;
  readonly access: ChainAccess;
  readonly contract: ConfiguredContract;
  readonly authTokenFile: string;
  readonly payer: Payer;
  /** What all operations of a day may cost, in millionths of a USD. Absent: the paymaster gets no such limit. */
  readonly dailyUsdMicros: bigint | undefined;
};

/**
 * The account, its authToken in a file, and its paymaster with a limit, whose tank the payer fills. Existing ones stay
 * unchanged.
 */
export async function setUpService(config: Config, wanted: ServiceWanted, progress: Progress): Promise<Paymaster> {
  const opened = await openCore(config, wanted.access);
  try {
    return await asOperator(async () => {
      const accountId = await prepareAccount(opened.core, wanted, progress);
      await prepareAuthToken(opened.core, accountId, wanted, progress);
      return await preparePaymaster(opened.core, accountId, wanted, progress);
    });
  } finally {
    await opened.close();
  }
}

/** The running service if there is one, since its caches must see changes; else its database. */
async function openCore(
  config: Config,
  { chain: { chainId }, client }: ChainAccess,
): Promise<{ readonly core: SetUpCore; close(): Promise<void> | void }> {
  if (config.core !== undefined || (config.grpc.listen !== undefined && config.grpc.tls === undefined)) {
    const remote = reachCore(config);
    const isAway = (await remote.core.status()).some(({ part, ready }) => part === 'core' && !ready);
    if (!isAway || config.core !== undefined) return remote;
    remote.close();
  }
  const { chains }: { readonly chains: readonly ChainConfig[] } = await toCoreConfig(config);
  accepted(await readGasSchedule(client));
  const fees = await askChain(
    chainId,
    client.getBlock().then((head) => readFees(client, head)),
  );
  const { management, close } = await openManagement(config, { chains, prices: gasScheduleOf(client), fees });
  return { core: management, close };
}

const setUpToken = 'setup';

async function prepareAccount(core: SetUpCore, { accountName }: ServiceWanted, progress: Progress): Promise<string> {
  const known = accepted(await core.listAccounts({})).find(({ name }) => name === accountName);
  const { accountId } = known ?? accepted(await core.createAccount({ name: accountName }));
  progress.note('account', known === undefined ? 'done' : 'there', `${accountName}, ${accountId}`);
  return accountId;
}

/**
 * The token is shown once: a run that ended between its creation and its file leaves one that no one knows. The file `.new`, which is
 * there only in between, tells the next run, which revokes it.
 */
async function prepareAuthToken(
  core: SetUpCore,
  accountId: string,
  { authTokenFile }: ServiceWanted,
  progress: Progress,
): Promise<void> {
  if (existsSync(authTokenFile)) return progress.note('authToken', 'there', authTokenFile);
  const unfinished = `${authTokenFile}.new`;
  if (existsSync(unfinished)) {
    const left = accepted(await core.listAuthTokens({ accountId }));
    for (const { authTokenId, name, lastUsedAt } of left) {
      if (name === setUpToken && lastUsedAt === undefined)
        accepted(await core.revokeAuthToken({ accountId, authTokenId }));
    }
    rmSync(unfinished);
  }
  writeNewFiles(new Map([[unfinished, '']]));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: setUpToken }));
  writeFileSync(unfinished, `${authToken}\n`);
  renameSync(unfinished, authTokenFile);
  progress.note('authToken', 'done', `in ${authTokenFile}`);
}

async function preparePaymaster(
  core: SetUpCore,
  accountId: string,
  wanted: ServiceWanted,
  progress: Progress,
): Promise<Paymaster> {
  const { paymasterName: name, access, contract, payer } = wanted;
  const { chainId } = access.chain;
  const known = accepted(await core.listPaymasters({ accountId })).find(
    (paymaster) => paymaster.name === name && paymaster.chainId === chainId,
  );
  const { version } = contract;
  const paymaster =
    known ?? accepted(await core.createPaymaster({ accountId, name, type: 'HYBRID', chainId, version }));
  progress.note('paymaster', known === undefined ? 'done' : 'there', `${name}, ${paymaster.paymasterId}`);
  await prepareLimit(core, paymaster, wanted, progress);
  if (paymaster.fundingWallet === undefined) {
    const funded = await setFundingWallet(core, paymaster, await payer.open());
    progress.note('funding wallet', 'done', payer.address);
    return funded;
  }
  progress.note('funding wallet', 'there', paymaster.fundingWallet);
  if (paymaster.fundingWallet.toLowerCase() !== payer.address.toLowerCase()) {
    printHint('The tank belongs to another wallet than the payer. Deposits of the payer do not fill it.');
  }
  return paymaster;
}

/**
 * A new paymaster's limit on what all senders together can spend: anyone who has the URL can make any number of senders. It is new until
 * it has a funding wallet, which is set next.
 */
async function prepareLimit(
  core: SetUpCore,
  { accountId, paymasterId, fundingWallet }: Paymaster,
  { dailyUsdMicros: max }: Pick<ServiceWanted, 'dailyUsdMicros'>,
  progress: Progress,
): Promise<void> {
  const owned = { accountId, paymasterId };
  const { etag, ...policy } = accepted(await core.readPolicy(owned));
  if (hasTotalLimit(policy.limits)) return progress.note('limit', 'there', 'the policy has a total limit');
  if (fundingWallet === undefined && max !== undefined) {
    const limits = [...policy.limits, { per: 'total', window: 'day', unit: 'usdMicros', max } as const];
    accepted(await core.setPolicy({ ...owned, policy: { ...policy, limits }, ...omitAbsent({ etag }) }));
    return progress.note('limit', 'done', `all operations of a day may cost $${usdText(max)} together`);
  }
  const budgets = accepted(await core.listBudgets({ accountId }));
  const budget = budgets.find(({ paymasterIds }) => paymasterIds?.includes(paymasterId) ?? true);
  if (budget !== undefined) return progress.note('limit', 'there', `the budget "${budget.name}"`);
  progress.note('limit', 'there', 'none: the policy has no total limit');
  printHint(
    'Strangers who have the URL can spend the whole gas tank. Set a limit with "tollfree policy set" or a budget.',
  );
}

async function setFundingWallet(
  core: SetUpCore,
  { accountId, paymasterId }: Paymaster,
  wallet: LocalAccount,
): Promise<Paymaster> {
  const owned = { accountId, paymasterId };
  const { fundingMessage } = accepted(await core.createFundingMessage(owned));
  const signature = await wallet.signMessage({ message: fundingMessage });
  return accepted(await core.setFundingWallet({ ...owned, signature, address: wallet.address }));
}

type StepOutcome = {
  readonly step: string;
  /** Existed before, or done now. */
  readonly state: 'there' | 'done';
  readonly detail: string;
};

/** Steps report their outcome at once: the next one may wait an hour for coins. */
export type Progress = {
  readonly outcomes: readonly StepOutcome[];
  note(step: string, state: StepOutcome['state'], detail: string): void;
};

const marks: Readonly<Record<StepOutcome['state'], string>> = { there: '=', done: '✓' };

/** With `--json` stdout is only for the final answer. */
export function createProgress(flags: Flags): Progress {
  const outcomes: StepOutcome[] = [];
  const print = flags.json === true ? printHint : printLine;
  return {
    outcomes,
    note(step, state, detail) {
      outcomes.push({ step, state, detail });
      print(`${marks[state]} ${step.padEnd(14)} ${detail}${state === 'there' ? ' (there already)' : ''}`);
    },
  };
}
