import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, getAddress } from 'viem';
import type { Logger } from '../base/logger.ts';
import { coreMetrics } from '../base/metrics/core-metrics.ts';
import type { MetricRegistry } from '../base/metrics/metric-registry.ts';
import type { Clock, Timers } from '../base/time/clock.ts';
import type { ChainConfig, PaymasterContractConfig } from '../domain/core-config.ts';
import { StartError } from '../domain/start-error.ts';
import { paymasterContractFamilies } from '../evm/paymaster-contracts/families.ts';
import type { PaymasterContractFamily, PaymasterContractRuntime } from '../evm/paymaster-contracts/family/family.ts';
import { noMarkup } from '../evm/paymaster-contracts/family/terms.ts';
import type { Signer } from '../evm/signer/signer.ts';
import { createGasEstimator, createOwnEstimator } from '../gas/create-gas-estimator.ts';
import { readGasSchedule } from '../gas/gas-schedule.ts';
import { createGivenLimitsCheck } from '../gas/given-limits-check.ts';
import { createTokenPaymentTrial } from '../gas/token-payment-trial.ts';
import { ensureContractTotals } from '../ledger/posting/pass-block.ts';
import { type ChangeableAccountReader, createAccountReader } from '../node/account-codes/create-account-reader.ts';
import { createBundlerClient, maxBundlerWaitMs } from '../node/bundler-client.ts';
import { createBundlerList } from '../node/bundler-list.ts';
import {
  type ChainClient,
  createChainClient,
  createChainGuards,
  createNodeClients,
  createNodeStates,
  type NodeStates,
  type NodeTimesNote,
} from '../node/chain-client.ts';
import { createCustomerBalances } from '../node/customer-balances.ts';
import type { ChainRelay, ChainWatcher, Watched, WatchedContract } from '../node/followed-chain.ts';
import { readP256 } from '../node/p256-precompile.ts';
import type { ChainGuard } from '../node/rpc/chain-guard.ts';
import { machineTimes, type QuestionNote } from '../node/rpc/create-endpoint.ts';
import { createVendor, type Vendor, type VendorNote } from '../node/vendor/create-vendor.ts';
import { createLastCoinPrice, type LastCoinPrice } from '../quotes/last-coin-price.ts';
import { createTokenRates } from '../quotes/token-rates.ts';
import type { ChainRuntime } from '../sponsorship/run/sponsorship-parts.ts';
import type { Store } from '../store/store.ts';
import { type ChainSigners, createChainSigners, openSigners } from './chain-signers.ts';
import { startChainWatcher } from './chain-watcher.ts';
import { checkOverrides } from './check-chain.ts';
import { createDeferredBundler, createDeferredWatcher, type DeferredBundler } from './deferred-parts.ts';
import { followGasSchedule } from './follow-gas-schedule.ts';
import { followSimulationCode } from './follow-simulation-code.ts';
import { type OpenedHotWallet, openChainHotWallet } from './hot-wallet/open-hot-wallet.ts';
import { moneySettings } from './leading/share-ledger-health.ts';
import { noteTimes } from './metrics/note-times.ts';
import { openRelay, startSendingRelays, watchedRelay } from './open-relay.ts';

/** A chain with its key and its contracts, whose node may not have been asked yet. */
export type PreparedChain = {
  /** Signs nothing before `connect` has succeeded: its watcher has no readings. */
  readonly runtime: ChainRuntime;
  /**
   * Checks that the chain matches the configuration, and starts watching it. Can be retried after a failure.
   *
   * @throws StartError when something in the configuration is missing on the chain.
   */
  connect(): Promise<void>;
  /** Switches to other keys (see {@link ChainSigners}). */
  readonly changeSigners: ChainSigners['change'];
  /** Switches to other additions of the operator to the known code. */
  readonly changeKnownCode: ChangeableAccountReader['changeKnown'];
};

type Context = {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Why nothing is signed on any chain, in words. */
  readonly fault?: () => string | undefined;
  /** Records response times of nodes, bundlers and prices. */
  readonly metrics?: MetricRegistry;
  /** Of what runs again and again; the machine's when absent. */
  readonly timers?: Timers;
};

/**
 * Prepares one chain as far as possible without a node: its key, its paymaster contracts, their rows in the ledger.
 *
 * @throws StartError for a mistake in the configuration.
 */
export async function openChain(config: ChainConfig, context: Context): Promise<PreparedChain> {
  const notes = context.metrics === undefined ? {} : noteTimes(config.chainId, context.metrics, context.clock);
  const { logger, clock } = context;
  const keys = await openSigners(config, { chainId: config.chainId, logger, note: notes.signing });
  const configured = config.paymasterContracts.map((entry) => toRuntime(entry, config, keys[0]));
  const relay = openRelay(config, context);
  const hotWallet = await openChainHotWallet(config, configured);
  const places = [...configured, ...(relay === undefined ? [] : [relay.contract])].map((contract) => contract.location);
  await ensureContractTotals(context.store, places);
  const guards = createChainGuards(config, context);
  const states = createNodeStates(config.nodeUrls, clock);
  const client = createChainClient(config, machineTimes, { logger, guards, states, noteTimes: notes.node });
  const contracts = new Map(configured.map((contract) => [contract.version, contract]));
  const signers = createChainSigners(
    { config, client, configured, contracts, noteSigning: notes.signing, ...context },
    keys,
  );
  const rates = createTokenRates(config, { client, clock, noteTimes: notes.price });
  const coinPrice = createLastCoinPrice(rates.nativeUsdMicros, clock);
  const watcher = createDeferredWatcher(config.chainId);
  const bundler = createDeferredBundler(config, context);
  const accountReader = createAccountReader({ client, known: config.accounts, clock });
  const ownEstimator = createOwnEstimator({ client, config });
  return {
    runtime: {
      config,
      client,
      contracts,
      rates,
      coinPrice,
      estimator: createGasEstimator({
        client,
        config,
        bundlerNotes: bundler?.estimates,
        noteBundlerTimes: notes.bundler,
      }),
      accountReader,
      paymentTrial: createTokenPaymentTrial({ client, config }),
      givenLimitsCheck: createGivenLimitsCheck({ client, config, estimator: ownEstimator, clock }),
      customerBalances: createCustomerBalances(client),
      watcher,
      signers: signers.now,
      guards,
      nodes: states.read,
      ...omitAbsent({
        bundlerFault: bundler?.fault,
        bundler: openBundler(config, logger, notes.bundler),
        relay,
        vendor: openVendor(config, context, notes.vendor),
        hotWallet,
      }),
    },
    connect: async () => {
      try {
        await askMachines(config, { client, guards, signers });
      } catch (cause) {
        if (cause instanceof StartError) watcher.wait(cause.message);
        throw cause;
      }
      signers.follow();
      const followed = {
        config,
        client,
        guards,
        configured,
        signers,
        coinPrice,
        bundler,
        relay,
        hotWallet,
        states,
        noteTimes: notes.node,
      };
      watcher.begin(watchChain(followed, context));
    },
    changeSigners: signers.change,
    changeKnownCode: accountReader.changeKnown,
  };
}

/** Connects the signers, and asks the nodes what has to be known before their chain is followed. */
async function askMachines(config: ChainConfig, { client, guards, signers }: Asked): Promise<void> {
  await Promise.all([signers.connect(), askEachForItsChain(config, guards)]);
  await checkOverrides(config, client);
  await Promise.all([readGasSchedule(client), readP256(client)]);
}

type Asked = {
  readonly client: ChainClient;
  readonly guards: readonly ChainGuard[];
  readonly signers: Pick<ReturnType<typeof createChainSigners>, 'connect'>;
};

function openBundler({ chainId, bundler }: ChainConfig, logger: Logger, noteTimes: QuestionNote | undefined) {
  if (bundler === undefined || bundler.expose === 'NONE') return undefined;
  const waitMs = Math.floor(maxBundlerWaitMs / bundler.urls.length);
  const clients = bundler.urls.map((url) =>
    createBundlerClient({ chainId, url, times: machineTimes, logger, noteTimes, waitMs }),
  );
  return createBundlerList(clients, { chainId, clock: machineTimes.clock, logger });
}

function openVendor(
  { chainId, vendor }: ChainConfig,
  { clock, logger, fault }: Context,
  note: VendorNote | undefined,
): Vendor | undefined {
  if (vendor === undefined) return undefined;
  return createVendor(vendor, {
    clock,
    note,
    blocked: fault,
    onRest: (cause) => logger.warn({ chainId, cause }, 'The vendor’s paymaster failed and is not asked for a while'),
  });
}

/** Includes backup nodes, so that mistakes show at startup. Unreachable ones are checked later. */
async function askEachForItsChain(config: ChainConfig, guards: readonly ChainGuard[]): Promise<void> {
  const nodes = createNodeClients(config, machineTimes, { guards });
  await Promise.allSettled(nodes.map((node) => node.getChainId()));
}

function watchChain(
  chain: {
    readonly config: ChainConfig;
    readonly client: ChainClient;
    readonly guards: readonly ChainGuard[];
    readonly configured: readonly PaymasterContractRuntime[];
    readonly signers: ChainSigners;
    readonly coinPrice: LastCoinPrice;
    readonly bundler: DeferredBundler | undefined;
    readonly relay: ChainRelay | undefined;
    readonly hotWallet: OpenedHotWallet | undefined;
    readonly states: NodeStates;
    readonly noteTimes: NodeTimesNote | undefined;
  },
  context: Context,
): ChainWatcher {
  const { config, client, guards, configured, signers, coinPrice, bundler, relay, hotWallet, states, noteTimes } =
    chain;
  const { chainId } = config;
  const nodes = createNodeClients(config, machineTimes, { guards, states, noteTimes });
  const watcher = startChainWatcher({
    chainId,
    client,
    nodes,
    watched: [...groupByEntryPoint(configured), ...(relay === undefined ? [] : [watchedRelay(relay, context)])],
    confirmations: config.confirmations,
    pollIntervalMs: config.pollIntervalMs,
    startBlock: config.startBlock,
    maxClockDifferenceSeconds: config.maxClockDifferenceSeconds,
    settings: moneySettings(config),
    coinPrice,
    noteCostWithoutTank: (contract, cost) =>
      context.metrics?.count(coreMetrics.costWithoutTankWei, { chain: String(chainId), contract }, Number(cost)),
    noteExpired: (contract, holds) =>
      context.metrics?.count(coreMetrics.expiredHolds, { chain: String(chainId), contract }, holds),
    ...context,
  });
  bundler?.begin();
  const code = followSimulationCode({ config, client, contracts: configured, ...context });
  const schedule = followGasSchedule({ chainId, client, ...context });
  const sending = relay === undefined ? undefined : startSendingRelays({ ...relay, client, ...context });
  const refilling = hotWallet?.start({ client, nodes, ...context });
  const fault = () => context.fault?.();
  return {
    ...watcher,
    faultOf: (contract) => fault() ?? watcher.faultOf(contract),
    fault: () => fault() ?? watcher.fault(),
    close: async () => {
      bundler?.close();
      await Promise.all([signers.close(), code.close(), schedule.close(), watcher.close()]);
      await Promise.all([sending?.close(), refilling?.close()]);
    },
  };
}

function toRuntime(entry: PaymasterContractConfig, config: ChainConfig, signer: Signer): PaymasterContractRuntime {
  const family = paymasterContractFamilies.get(entry.family);
  if (family === undefined) {
    const known = [...paymasterContractFamilies.keys()].join(', ');
    throw new StartError(`There is no paymaster contract family "${entry.family}". Known: ${known}.`, {
      tryAgain: false,
    });
  }
  const entryPoint = config.entryPoints[family.entryPointVersion];
  if (entryPoint === undefined) {
    throw new StartError(
      `Chain ${config.chainId} has no EntryPoint ${family.entryPointVersion} configured, which ${entry.family} requires.`,
      { tryAgain: false },
    );
  }
  return {
    version: entry.version,
    family,
    signer,
    tokenRecipient: getAddress(entry.tokenRecipient),
    priceMarkup: readPriceMarkup(entry, family),
    premiumBasisPoints: entry.premiumBasisPoints ?? 0,
    location: {
      chainId: config.chainId,
      address: getAddress(entry.address),
      entryPoint: getAddress(entryPoint),
      ...omitAbsent({ allowedBundlers: config.allowedBundlers }),
    },
  };
}

function readPriceMarkup(
  { priceMarkup = noMarkup, version }: PaymasterContractConfig,
  { name, priceMarkups }: PaymasterContractFamily,
): number {
  const { min, max } = priceMarkups ?? { min: noMarkup, max: noMarkup };
  if (priceMarkup >= min && priceMarkup <= max) return priceMarkup;
  const allowed = min === max ? 'has no price markup' : `requires a price markup from ${min} to ${max}`;
  throw new StartError(`The paymaster contract family ${name} of version ${version} ${allowed}.`, { tryAgain: false });
}

/** One group per EntryPoint; a contract that two versions name is watched once. */
function groupByEntryPoint(contracts: readonly PaymasterContractRuntime[]): readonly Watched[] {
  const groups = new Map<Address, Map<Address, WatchedContract>>();
  for (const { location, family } of contracts) {
    const group = groups.get(location.entryPoint) ?? new Map<Address, WatchedContract>();
    // One of the two versions may name the wrong family, which must not remove the other's tanks.
    const customers = family.customerFunding ?? group.get(location.address)?.customers;
    const tokenPaymentEvents = family.tokenPaymentEvents ?? group.get(location.address)?.tokenPaymentEvents;
    group.set(location.address, {
      address: location.address,
      ...omitAbsent({ customers, tokenPaymentEvents }),
    });
    groups.set(location.entryPoint, group);
  }
  return [...groups].map(([entryPoint, group]) => ({ entryPoint, contracts: [...group.values()] }));
}
