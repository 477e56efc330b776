import type { Logger } from './base/logger.ts';
import { createMetricRegistry, type MetricSource } from './base/metrics/metric-registry.ts';
import type { Clock, Timers } from './base/time/clock.ts';
import { bundlerTurns } from './bundling/bundling-parts.ts';
import { createBundling } from './bundling/create-bundling.ts';
import { manageDecisions } from './decisions/manage-decisions.ts';
import { createReadRevertReason } from './decisions/read-operation.ts';
import type { Core } from './domain/core.ts';
import { type CoreConfig, longestValidity } from './domain/core-config.ts';
import { accept } from './domain/result/result.ts';
import { gasScheduleOf } from './gas/gas-schedule.ts';
import { createRowSums, type RowSums } from './ledger/checking/row-sums.ts';
import { findSignedOperation } from './ledger/holds/find-signed-operation.ts';
import { newestEntry } from './ledger/ledger-metrics.ts';
import { createLedger } from './ledger/manage-ledger.ts';
import { auditedStore, recordOperations } from './management/audit-log/audited-store.ts';
import { fetchContractAbi } from './management/contracts/fetch-contract-abi.ts';
import { limitsInMemory, limitsInStore, shareLimits } from './management/share-limits.ts';
import { manageWebhookAnswers } from './management/webhooks/manage-webhook-answers.ts';
import { readImplementation } from './node/account-codes/create-account-reader.ts';
import { askContractWallet } from './node/ask-contract-wallet.ts';
import { agreesOnTime } from './node/followed-chain.ts';
import { hasCode } from './node/has-code.ts';
import type { NoteUse } from './paymasters/key-rates.ts';
import { suggestMaxCost } from './policies/suggest-max-cost.ts';
import { createRecorders, createSponsorshipParts } from './runtime/create-sponsorship-parts.ts';
import { followMasterKeys } from './runtime/follow-master-keys.ts';
import { createLossGate } from './runtime/leading/loss-gate.ts';
import { followChanges } from './runtime/leading/while-leading.ts';
import { createMetricReader } from './runtime/metrics/create-metric-reader.ts';
import { noteBundlerCalls } from './runtime/metrics/note-times.ts';
import { createCallbackNotes } from './runtime/note-callbacks.ts';
import { type ChangedKeys, type ChangedKnownCode, openChains } from './runtime/open-chains.ts';
import { readContractSigners } from './runtime/read-contract-signers.ts';
import { readStatus } from './runtime/read-status.ts';
import { createSealedParts } from './runtime/sealed-parts.ts';
import { startNotifications } from './runtime/senders/start-notifications.ts';
import { startUpkeep } from './runtime/upkeep.ts';
import { openOwnedStore, type WatchedStore } from './runtime/watch-writes.ts';
import { createSponsorship } from './sponsorship/create-sponsorship.ts';
import { createExplain, createValidatePolicies } from './sponsorship/explain-sponsorship.ts';
import { createGetAllowance } from './sponsorship/permit/get-allowance.ts';
import { createSimulationTurns } from './sponsorship/run/simulation-turns.ts';
import type { ChainRuntime, SponsorshipParts } from './sponsorship/run/sponsorship-parts.ts';
import type { MasterKeys } from './store/master-keys/check-master-key.ts';
import type { Store } from './store/store.ts';
import { createWebhookCaller } from './webhooks/create-webhook-caller.ts';
import type { WebhookTester } from './webhooks/webhook-caller.ts';

export type LocalCore = {
  readonly core: Core;
  /**
   * Switches to other keys at runtime: master keys, and the signing keys of the chains. Keys that cannot be used are logged
   * and change nothing.
   */
  changeKeys(keys: MasterKeys & { readonly chains: readonly ChangedKeys[] }): Promise<void>;
  /** Uses other known code of the operator, from the next operation on. */
  changeKnownCode(chains: readonly ChangedKnownCode[]): void;
  close(): Promise<void>;
};

/**
 * `others`: more metrics, of the process that runs the core. `name` identifies the process at the database to people. `timers` fire what
 * runs again and again for chains and database; the machine's when absent.
 */
type LocalCoreContext = {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly others?: MetricSource;
  readonly name?: string;
};

/**
 * The real core: opens the store, the chains and the signers, and starts watching the chains.
 *
 * @throws StartError or StoreError with a sentence for the operator when something needed is missing.
 */
export async function startLocalCore(config: CoreConfig, context: LocalCoreContext): Promise<LocalCore> {
  const { clock, logger } = context;
  const metrics = createMetricRegistry();
  const store = await openOwnedStore(config, context);
  const orClose = async (cause: unknown) => {
    await store.close();
    throw cause;
  };
  const newest = await newestEntry(store.db).catch(orClose);
  const losses = createLossGate(store, clock, longestValidity(config.validity));
  const { fault } = losses;
  const opened = await openChains(config.chains, { ...context, store, metrics, fault }).catch(orClose);
  const { chains } = opened;
  const recorders = createRecorders(store, clock, logger);
  const { uses, decisions } = recorders;
  const background = { noteUse: uses.noteUse, flushDecisions: decisions.flush };
  const sealed = sealParts(config, { store, clock, chains, ...background });
  const unhear = followChanges(store, sealed.profiles);
  const { box } = sealed;
  const notifications = startNotifications({ store, chains, box, config: config.webhooks, clock, logger });
  const webhooks = createWebhookCaller(config.webhooks, {
    clock,
    logger,
    onOutage: notifications.webhookFailing,
    onAnswer: recorders.answers.add,
  });
  const masterKeys = followMasterKeys({ store, sealed, clock, logger }, config);
  const rows = createRowSums(store, clock);
  const isClockRight = () => [...chains.values()].some((chain) => agreesOnTime(chain, clock));
  const upkeep = startUpkeep(config, { ...context, store, rows, isClockRight });
  const sharedLimits = shareLimits({
    book: config.database.kind === 'postgres' ? limitsInStore(store) : limitsInMemory(),
    clock,
    digest: sealed.digestClient,
  });
  const callbacks = createCallbackNotes({ store, profiles: sealed.profiles, chains, clock, logger });
  const built = {
    store,
    clock,
    logger,
    metrics,
    chains,
    losses,
    recorders,
    sealed,
    webhooks,
    callbacks,
    ...sharedLimits,
  };
  const parts = createSponsorshipParts(config, built);
  const readMetrics = createMetricReader({
    store,
    chains,
    metrics,
    newest,
    clock,
    logger,
    others: context.others ?? (() => []),
    database: config.database,
  });
  const core = composeCore(config, { ...built, parts, rows, readMetrics });
  return {
    core,
    changeKeys: async (keys) => {
      await masterKeys.change(keys);
      await opened.changeSigners(keys.chains);
    },
    changeKnownCode: opened.changeKnownCode,
    close: async () => {
      await Promise.all([notifications.close(), webhooks.close(), upkeep.close(), masterKeys.close()]);
      await recorders.close();
      await callbacks.close();
      await opened.close();
      unhear();
      await store.close();
    },
  };
}

type Chains = SponsorshipParts['chains'];

/** The parts that use the master keys and read the chains' nodes. */
function sealParts(
  config: CoreConfig,
  parts: {
    readonly store: Store;
    readonly clock: Clock;
    readonly chains: Chains;
    readonly noteUse: NoteUse;
    readonly flushDecisions: () => Promise<void>;
  },
) {
  const { chains, ...others } = parts;
  return createSealedParts(
    {
      ...others,
      config,
      coinPrice: (chainId) => readCoinPrice(chains.get(chainId)),
      suggestedMaxCost: ({ chain: { chainId }, contract: { family } }) => {
        const chain = chains.get(chainId);
        if (chain === undefined) return undefined;
        const { config, client, watcher } = chain;
        return suggestMaxCost({ config, family, prices: gasScheduleOf(client), fees: watcher.view()?.fees });
      },
      hasCode: async (chainId, address) => {
        const chain = chains.get(chainId);
        return chain === undefined ? undefined : hasCode(chain.client, address);
      },
      askContractWallet: async (question) => {
        const chain = chains.get(question.chainId);
        return chain === undefined ? accept(undefined) : askContractWallet(chain.client, question);
      },
    },
    config,
  );
}

type CoreParts = Parameters<typeof createSponsorshipParts>[1] & {
  readonly parts: SponsorshipParts;
  readonly rows: RowSums;
  readonly readMetrics: ReturnType<typeof createMetricReader>;
  readonly webhooks: WebhookTester;
  readonly store: WatchedStore;
};

/** Every operation of the core, from its part, wrapped by the audit log. */
function composeCore(config: CoreConfig, built: CoreParts): Core {
  const { store, clock, logger, metrics, chains, recorders, sealed, parts, rows } = built;
  const { box, profiles } = sealed;
  const { answers, decisions, signatures, sent } = recorders;
  const audited = auditedStore(store, clock);
  const own = recordOperations({
    ...manageWebhookAnswers({ store: audited, box, tester: built.webhooks, recorder: answers }),
    fetchContractAbi: fetchContractAbi({
      store: audited,
      logger,
      chains: config.chains,
      rules: config.webhooks,
      implementationOf: async (chainId, address) => {
        const chain = chains.get(chainId);
        return chain === undefined ? accept(undefined) : readImplementation(chain.client, address);
      },
    }),
    ...createSponsorship(parts),
    ...createExplain(parts, { store, profiles }),
    ...createValidatePolicies(parts, store),
    ...createBundling({
      ...parts,
      turns: createSimulationTurns(clock, bundlerTurns, 'for the bundler'),
      findSigned: (asked) => findSignedOperation(store, asked),
      noteCall: noteBundlerCalls(metrics, chains),
      noteSent: sent.noteSent,
    }),
    ...createGetAllowance(parts, store),
    ...createLedger({ store: audited, rows, chains, clock }),
    ...manageDecisions({
      store: audited,
      clock,
      chains,
      recorder: decisions,
      signatures,
      sent,
      readRevertReason: createReadRevertReason({ chains, findErrors: parts.errors.find }),
    }),
    readMetrics: async () => accept(await built.readMetrics()),
    shareLimits: built.shareLimits,
    readSigners: () => readContractSigners(store, chains),
    status: () => readStatus(store, chains),
  });
  return { ...sealed.management, ...own };
}

async function readCoinPrice(chain: ChainRuntime | undefined): Promise<bigint | undefined> {
  const price = await chain?.rates.nativeUsdMicros();
  return price?.ok === true ? price.value : undefined;
}
