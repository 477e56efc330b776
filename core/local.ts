import type { Logger } from './base/logger.ts';
import { coreMetrics } from './base/metrics/core-metrics.ts';
import type { MetricSource } from './base/metrics/metric.ts';
import { createMetricRegistry } from './base/metrics/metric-registry.ts';
import type { Clock } from './base/time/clock.ts';
import { unixSeconds } from './base/time/unix-seconds.ts';
import { omitAbsent } from './base/values/omit-absent.ts';
import { bundlerTurns } from './bundling/bundler-turns.ts';
import { createBundling } from './bundling/create-bundling.ts';
import { manageDecisions } from './decisions/manage-decisions.ts';
import { createReadRevertReason } from './decisions/read-revert-reason.ts';
import { createDecisionRecorder } from './decisions/record-decisions.ts';
import type { Core } from './domain/core.ts';
import type { CoreConfig } from './domain/core-config.ts';
import { defaultHoldCaps } from './domain/hold-caps.ts';
import { longestValidity } from './domain/longest-validity.ts';
import { accept } from './domain/result/result.ts';
import { defaultUnpaidBudget } from './domain/unpaid-budget.ts';
import { createRowSums } from './ledger/checking/row-sums.ts';
import { createDryHolds } from './ledger/holds/dry-holds.ts';
import { createUpstreamQuestions } from './ledger/holds/end-upstream-question.ts';
import { findSignedOperation } from './ledger/holds/find-signed-operation.ts';
import { hasOpenDeployment } from './ledger/holds/has-open-deployment.ts';
import { createHoldQueue } from './ledger/holds/hold-queue.ts';
import { readAvailableFunds } from './ledger/holds/read-available-funds.ts';
import { createSignatureRecorder } from './ledger/holds/record-signatures.ts';
import { createSentRecorder } from './ledger/lives/note-sent.ts';
import { createLedger } from './ledger/manage-ledger.ts';
import { newestEntry } from './ledger/metrics/entry-counts.ts';
import { createRelayDesk } from './ledger/relay/relay-desk.ts';
import { createUseRecorder } from './management/accounts/note-use.ts';
import { auditedStore } from './management/audit-log/audited-store.ts';
import { recordOperations } from './management/audit-log/record-operations.ts';
import { fetchContractAbi } from './management/contracts/fetch-contract-abi.ts';
import { createRegisteredErrors } from './management/contracts/registered-errors.ts';
import { createKeyRates } from './management/limits/key-rates.ts';
import { limitsInMemory, limitsInStore, shareLimits } from './management/limits/share-limits.ts';
import { manageWebhookAnswers } from './management/webhooks/manage-webhook-answers.ts';
import { readImplementation } from './node/account-codes/read-implementation.ts';
import { askContractWallet } from './node/ask-contract-wallet.ts';
import { createQuoteStore } from './quotes/quote-store.ts';
import { createSharedQuoteStore } from './quotes/shared-quote-store.ts';
import { startArchiving } from './runtime/archive-by-age.ts';
import { startRereadingLedger } from './runtime/checking/start-rereading-ledger.ts';
import { followMasterKeys } from './runtime/follow-master-keys.ts';
import { startHousekeeping } from './runtime/housekeeping.ts';
import { followChanges } from './runtime/leading/follow-changes.ts';
import { createLossGate } from './runtime/leading/loss-gate.ts';
import { createMetricReader } from './runtime/metrics/create-metric-reader.ts';
import { noteBundlerCalls } from './runtime/metrics/note-bundler-calls.ts';
import { noteDecisions } from './runtime/metrics/note-decisions.ts';
import { timeWebhooks } from './runtime/metrics/time-webhooks.ts';
import { type ChangedKeys, type ChangedKnownCode, openChains } from './runtime/open-chains.ts';
import { openOwnedStore } from './runtime/open-owned-store.ts';
import { readContractSigners } from './runtime/read-contract-signers.ts';
import { readStatus } from './runtime/read-status.ts';
import { createSealedParts } from './runtime/sealed-parts.ts';
import { startNotifications } from './runtime/senders/start-notifications.ts';
import { createSponsorship } from './sponsorship/create-sponsorship.ts';
import { createExplain } from './sponsorship/explain-sponsorship.ts';
import { createGetAllowance } from './sponsorship/permit/get-allowance.ts';
import type { ChainRuntime } from './sponsorship/run/chain-runtime.ts';
import { createSimulationTurns } from './sponsorship/run/simulation-turns.ts';
import type { SponsorshipParts } from './sponsorship/run/sponsorship-parts.ts';
import { createValidatePolicies } from './sponsorship/validate-policies.ts';
import type { MasterKeys } from './store/master-keys/check-master-key.ts';
import { createJwksCache, jwksLimits } from './tickets/jwks-cache.ts';
import { createWebhookCaller } from './webhooks/create-webhook-caller.ts';
import { createGuardedGet } from './webhooks/guarded-get.ts';
import { createAnswerRecorder } from './webhooks/record-answers.ts';

export type LocalCore = {
  readonly core: Core;
  /**
   * Takes other keys while it serves: master keys, and the signing keys of the chains. What cannot be taken is logged and
   * changes nothing.
   */
  changeKeys(keys: MasterKeys & { readonly chains: readonly ChangedKeys[] }): Promise<void>;
  /** Goes by other code that the operator knows, from the next operation on. */
  changeKnownCode(chains: readonly ChangedKnownCode[]): void;
  close(): Promise<void>;
};

/**
 * `others`: more metrics, of the process that the core runs in. `name` tells people which of the processes at a database this
 * is.
 */
export type LocalCoreContext = {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly others?: MetricSource;
  readonly name?: string;
};

/**
 * The real core, built from its parts: opens the store, the chains and the signers, and begins to watch the chains.
 *
 * @throws StartError or StoreError with a sentence for the operator when something needed is missing.
 */
export async function startLocalCore(config: CoreConfig, context: LocalCoreContext): Promise<LocalCore> {
  const { clock, logger, others = () => [] } = context;
  const metrics = createMetricRegistry();
  const store = await openOwnedStore(config, context);
  const orClose = async (cause: unknown) => {
    await store.close();
    throw cause;
  };
  const newest = await newestEntry(store.db).catch(orClose);
  const losses = createLossGate(store, clock, longestValidity(config.validity));
  const { fault } = losses;
  const opened = await openChains(config.chains, { store, clock, logger, metrics, fault }).catch(orClose);
  const { chains } = opened;
  const coinPrice = (chainId: number) => readCoinPrice(chains.get(chainId));
  const uses = createUseRecorder(store, logger);
  const sealed = createSealedParts(
    {
      ...{ store, config, clock, coinPrice, noteUse: uses.noteUse },
      askContractWallet: async (question) => {
        const chain = chains.get(question.chainId);
        return chain === undefined ? accept(undefined) : askContractWallet(chain.client, question);
      },
    },
    config,
  );
  const { profiles, box } = sealed;
  const unhear = followChanges(store, profiles);
  const notifications = startNotifications({ store, chains, box, config: config.webhooks, clock, logger });
  const answers = createAnswerRecorder(store, logger);
  const webhooks = createWebhookCaller(config.webhooks, {
    ...{ clock, logger },
    ...{ onOutage: notifications.webhookFailing, onAnswer: answers.add },
  });
  const signatures = createSignatureRecorder(store, clock, logger);
  const sent = createSentRecorder(store, clock, logger);
  const decisions = createDecisionRecorder(store, logger);
  const masterKeys = followMasterKeys({ store, sealed, clock, logger }, config);
  const housekeeping = startHousekeeping({
    ...{ store, clock, logger, keep: config.decisions },
    ...omitAbsent({ keepAuditLog: config.auditLog?.keepDays }),
  });
  const keepDays = config.ledger?.keepDays;
  const archiving = keepDays === undefined ? undefined : startArchiving({ store, clock, logger, keepDays });
  const rows = createRowSums(store, clock);
  const ledgerRereading = startRereadingLedger({ store, rows, clock, logger });
  const isShared = config.database.kind === 'postgres';
  const sharedLimits = shareLimits({
    book: isShared ? limitsInStore(store) : limitsInMemory(),
    clock,
    digest: sealed.digestClient,
  });
  const parts: SponsorshipParts = {
    profiles,
    noteUse: uses.noteUse,
    takeOfRate: createKeyRates({ clock, logger, ...(isShared ? { share: sharedLimits.shareLimits } : {}) }),
    errors: createRegisteredErrors(store),
    chains,
    simulations: createSimulationTurns(clock),
    webhooks: timeWebhooks(webhooks, metrics, clock),
    jwks: createJwksCache({ get: createGuardedGet(config.webhooks, jwksLimits), clock }),
    noteDecision: noteDecisions(metrics, chains),
    noteUpstream: ({ chainId, usdMicros }) =>
      metrics.count(coreMetrics.upstreamUsd, { chain: String(chainId) }, Number(usdMicros) / 1e6),
    signatures,
    decisions,
    upstreamQuestions: createUpstreamQuestions(store),
    holds: createHoldQueue(store, clock, [losses, signatures, decisions]),
    tryHold: createDryHolds(store, clock).hold,
    sign: (signer, digest) => signer.signDigest(digest),
    relays: createRelayDesk({ store, clock, logger }),
    availableFunds: (request) => readAvailableFunds(store, request),
    hasOpenDeployment: (asked) => hasOpenDeployment(store, { ...asked, now: unixSeconds(clock) }),
    quotes:
      config.database.kind === 'postgres' ? createSharedQuoteStore({ store, clock, logger }) : createQuoteStore(clock),
    validity: config.validity,
    holdCaps: config.holds ?? defaultHoldCaps,
    digestClient: sealed.digestClient,
    unpaidBudget: config.tokenPayments ?? defaultUnpaidBudget,
    clock,
    logger,
  };
  const readFigures = createMetricReader({
    store,
    chains,
    metrics,
    others,
    database: config.database,
    newest,
    clock,
    logger,
  });
  const own = recordOperations({
    ...manageWebhookAnswers({ store, box, tester: webhooks, recorder: answers }),
    fetchContractAbi: fetchContractAbi({
      ...{ store, logger, chains: config.chains, rules: config.webhooks },
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
    ...createLedger({ store: auditedStore(store, clock), rows, chains, clock }),
    ...manageDecisions({
      ...{ store, clock, recorder: decisions, signatures, sent },
      readRevertReason: createReadRevertReason({ chains, findErrors: parts.errors.find }),
    }),
    readFigures: async () => accept(await readFigures()),
    ...sharedLimits,
    readSigners: () => readContractSigners(store, chains),
    status: () => readStatus(store, chains),
  });
  const core: Core = { ...sealed.management, ...own };
  return {
    core,
    changeKeys: async (keys) => {
      await masterKeys.change(keys);
      await opened.changeSigners(keys.chains);
    },
    changeKnownCode: opened.changeKnownCode,
    close: async () => {
      await Promise.all([notifications.close(), webhooks.close(), housekeeping.close(), masterKeys.close()]);
      await Promise.all([ledgerRereading.close(), archiving?.close()]);
      await Promise.all([signatures.close(), sent.close(), decisions.close(), uses.close(), answers.close()]);
      await opened.close();
      unhear();
      await store.close();
    },
  };
}

async function readCoinPrice(chain: ChainRuntime | undefined): Promise<bigint | undefined> {
  const price = await chain?.rates.nativeUsdMicros();
  return price?.ok === true ? price.value : undefined;
}
