import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
import type { Address } from 'viem';
import { type LocalAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import type { Logger } from '../../core/base/logger.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { createLogger } from '../create-logger.ts';
import {
  type Demonstration,
  demonstrate,
  demonstrateRelay,
  mint,
  type RelayDemonstration,
} from '../dev/demo-operations.ts';
import {
  describeAddresses,
  describeDashboard,
  describeDemonstrations,
  describeNext,
  describeRelay,
  describeTanks,
  tryCommand,
  tryRequest,
} from '../dev/describe-dev.ts';
import { type DevFile, type DevPaymaster, defaultEntryPointVersion, describeEnvironment } from '../dev/dev-file.ts';
import { type DevOptions, readDevOptions } from '../dev/dev-options.ts';
import { type DevState, type Kept, openDevState, refuseSecondRun } from '../dev/dev-state.ts';
import { accountsOfPublicChains, copyContracts } from '../dev/devnet/copy-contracts.ts';
import { deploySafe, placeTankFunder } from '../dev/devnet/deploy-safe.ts';
import { deriveDevKey } from '../dev/devnet/dev-keys.ts';
import type { Devnet } from '../dev/devnet/devnet.ts';
import { placeAccounts } from '../dev/devnet/place-accounts.ts';
import { startDevnet } from '../dev/devnet/start-devnet.ts';
import { choosePorts } from '../dev/free-port.ts';
import { reopenPaymaster } from '../dev/register-paymaster.ts';
import { waitUntilReady } from '../dev/rpc-call.ts';
import { bundlerKeyNumber, type DevService, startDevService } from '../dev/start-dev-service.ts';
import { buildUserOperation } from '../dev/user-operation/build-user-operation.ts';
import { watchProcess } from '../process/watch-process.ts';
import { runService, type Shutdown } from '../shutdown.ts';

/**
 * Block interval without transactions: nothing is signed on a chain whose newest block is old, so an idle chain must
 * continue.
 */
const idleBlockSeconds = 60;

/** Index of the funded key that deploys contracts the service does not need. No other part may use it at the same time. */
const otherContractsKeyNumber = 7;

const chainEnded =
  '! The development chain has ended, so nothing is sponsored any more. Stop with Ctrl-C and start again: keys, tokens and settings are kept, the chain is not.\n';

const describeKept: Readonly<Record<Kept, string>> = {
  'there were none': 'Making a new chain, keys and tokens',
  everything: 'Resuming the last run: its chain, gas tanks, keys and settings (--fresh starts over)',
  kept: 'Keys, tokens and settings are those of the last run. Its chain was not kept, so gas tanks start again (--fresh starts over)',
  'not readable': 'This version cannot read the settings of the last run. The authToken and the apiKeys are new',
};

/** The order in which the paymasters are registered. */
const order: readonly EntryPointVersion[] = [
  defaultEntryPointVersion,
  ...entryPointVersions.filter((version) => version !== defaultEntryPointVersion),
];

/** `tollfree dev`: a chain, a funded service on it, and a first sponsored and token-paid operation. */
export async function runDev(flags: Flags): Promise<void> {
  const progress = (line: string) => void process.stderr.write(`· ${line}\n`);
  const wanted = readDevOptions(flags);
  // Before its ports are: the other run has them, which would be reported first.
  refuseSecondRun(wanted.data);
  const options = await choosePorts(wanted, progress);
  const state = openDevState(options.data, options);
  const { logger, metrics } = watchProcess('dev', createDevLogger(options, state.logFile));
  progress(describeKept[state.kept]);
  await runService({ logger }, async (shutdown) => {
    const devnet = await startDevnet({
      port: options.chainPort,
      paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
      idleBlockSeconds,
      stateFile: state.chainFile,
      onProgress: progress,
      onEnded: () => void process.stderr.write(chainEnded),
      fork: options.fork,
      ...omitAbsent({ nodeUrl: options.nodeUrl }),
    });
    shutdown.onClose('chain', devnet.close);
    if (options.accountsFrom !== undefined) {
      progress('Copying accounts from the public chain');
      await copyContracts(devnet.client, options.accountsFrom, accountsOfPublicChains);
    }
    progress('Starting the service');
    // The other contracts deploy while the service starts, which does not need them.
    const [{ service, makeSignInLink }] = await Promise.all([
      startDevService({ devnet, state, options, logger, metrics, shutdown }),
      placeOtherContracts(devnet, privateKeyToAccount(deriveDevKey(otherContractsKeyNumber))),
    ]);
    const management = createManagementClient({ baseUrl: service.gatewayUrl, authToken: service.authToken });
    const paymasters = await openPaymasters(devnet, management, service.gatewayUrl);
    process.stdout.write(describeDashboard(makeSignInLink()));

    // The demonstrations of an earlier run are still on the chain and in the dashboard.
    const demonstrations: Demonstration[] = [];
    let relayed: RelayDemonstration | undefined;
    if (!devnet.isKept) {
      progress('Sending a sponsored and a token-paid operation through each EntryPoint');
      for (const paymaster of paymasters) demonstrations.push(await demonstrate(devnet, paymaster, deriveDevKey(0)));
      relayed = await relayFirst(devnet, management, paymasters);
      await giveTokens(devnet, privateKeyToAddress(state.ownerKey.reveal()));
    }
    await waitUntilReady(service.adminUrl);
    const listed = paymasters.toSorted((one, other) => isOf(other, options) - isOf(one, options));
    const dev = toDevFile(devnet, service, listed);
    await writeFiles(dev, { devnet, state, shutdown });
    const rows = devnet.isKept
      ? describeTanks(await readTanks(management, listed), options.entryPoint)
      : describeDemonstrations(demonstrations, options.entryPoint);
    process.stdout.write(`\n${rows}`);
    if (relayed !== undefined) process.stdout.write(await describeRelayed(devnet, relayed, demonstrations[0]));
    if (options.verbose) process.stdout.write(describeAddresses(dev, { ...state, demonstrations }));
    const [first] = listed;
    if (first !== undefined) {
      process.stdout.write(describeNext(dev, { ...state, tryCommand: tryCommand(first, state.requestFile) }));
    }
    if (options.json) process.stdout.write(`${JSON.stringify(dev)}\n`);
  });
}

function isOf({ entryPointVersion }: DevPaymaster, { entryPoint }: DevOptions): number {
  return Number(entryPointVersion === entryPoint);
}

async function placeOtherContracts({ client }: Devnet, sender: LocalAccount): Promise<void> {
  await deploySafe(client, sender);
  await placeTankFunder(client, sender);
  await placeAccounts(client, sender);
}

/** Through the default paymaster, whose funding wallet has the first key. */
async function relayFirst(
  devnet: Devnet,
  management: ManagementClient,
  [first]: readonly DevPaymaster[],
): Promise<RelayDemonstration | undefined> {
  if (first === undefined) return undefined;
  const executor = privateKeyToAddress(deriveDevKey(bundlerKeyNumber));
  return demonstrateRelay(devnet, first, { management, fundingKey: deriveDevKey(1), executor });
}

async function describeRelayed(
  { client }: Devnet,
  relayed: RelayDemonstration,
  first: Demonstration | undefined,
): Promise<string> {
  if (first === undefined || 'refusal' in first.sponsored) return describeRelay(relayed);
  const { gasUsed } = await client.getTransactionReceipt({ hash: first.sponsored.transactionHash });
  return describeRelay(relayed, gasUsed);
}

async function openPaymasters(
  devnet: Devnet,
  management: ManagementClient,
  gatewayUrl: string,
): Promise<readonly DevPaymaster[]> {
  const paymasters: DevPaymaster[] = [];
  for (const [index, version] of order.entries()) {
    paymasters.push(await reopenPaymaster({ devnet, management, gatewayUrl }, version, deriveDevKey(index + 1)));
  }
  return paymasters;
}

/** The tanks as the service sees them: it may still be processing the newest blocks. */
function readTanks(management: ManagementClient, paymasters: readonly DevPaymaster[]) {
  return Promise.all(
    paymasters.map(async (paymaster) => {
      const { available, settled } = await management.readGasTank({ apiKey: paymaster.apiKey });
      return { paymaster, available: BigInt(available), settled: BigInt(settled) };
    }),
  );
}

/** Writes the files for programs. They are removed when the service stops and their addresses become invalid. */
async function writeFiles(
  dev: DevFile,
  { devnet, state, shutdown }: { devnet: Devnet; state: DevState; shutdown: Shutdown },
): Promise<void> {
  const { devFile, envFile, requestFile } = state;
  const [paymaster] = dev.paymasters;
  writePrivateFile(devFile, `${JSON.stringify(dev, null, 2)}\n`);
  writePrivateFile(envFile, describeEnvironment(dev, state.ownerKey.reveal()));
  if (paymaster !== undefined) writePrivateFile(requestFile, await tryRequest(devnet, paymaster));
  shutdown.onClose('dev.json, dev.env and request.json', () => {
    for (const file of [devFile, envFile, requestFile]) rmSync(file, { force: true });
  });
}

/** Writes a file atomically, readable only by its owner. */
function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** Gives tokens to the SimpleAccount of the key in `dev.env`. */
async function giveTokens(devnet: Devnet, owner: Address): Promise<void> {
  const { sender } = await buildUserOperation(devnet, { version: defaultEntryPointVersion, owner }, []);
  const [token] = devnet.tokens;
  if (token !== undefined) await mint(devnet, privateKeyToAccount(deriveDevKey(0)), token, sender);
}

function toDevFile(devnet: Devnet, service: DevService, paymasters: readonly DevPaymaster[]): DevFile {
  return {
    ...service,
    paymasters,
    chain: {
      chainId: devnet.chainId,
      rpcUrl: devnet.rpcUrl,
      entryPoints: devnet.entryPoints,
      accountFactories: devnet.accountFactories,
      target: devnet.target.address,
      targetAbi: devnet.target.abi,
      tokens: devnet.tokens,
      fundedKeys: devnet.fundedKeys,
    },
    pids: [process.pid, ...(devnet.pid === undefined ? [] : [devnet.pid])],
  };
}

/**
 * The log of `tollfree dev`: JSON lines in a file, to keep the developer's output readable, and a plain line on stderr for
 * each warning and error. With `--log-level` the JSON lines go to stderr, like those of a service.
 */
function createDevLogger({ logLevel }: Pick<DevOptions, 'logLevel'>, logFile: string): Logger {
  if (logLevel !== undefined) return createLogger(logLevel);
  const file = createLogger('info', logFile);
  const alsoPlain = (level: 'warn' | 'error') => (fields: object, message: string) => {
    file[level](fields, message);
    process.stderr.write(`! ${message} (details: ${logFile})\n`);
  };
  return {
    debug: (fields, message) => file.debug(fields, message),
    info: (fields, message) => file.info(fields, message),
    warn: alsoPlain('warn'),
    error: alsoPlain('error'),
  };
}
