import { SpanKind } from '@opentelemetry/api';
import type { Logger } from '../base/logger.ts';
import { coreMetrics } from '../base/metrics/core-metrics.ts';
import type { MetricRegistry } from '../base/metrics/metric-registry.ts';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { traced } from '../base/traced.ts';
import { createDecisionRecorder } from '../decisions/record-decisions.ts';
import { defaultUnpaidBudget } from '../domain/budget.ts';
import { defaultHoldCaps } from '../domain/chain-config.ts';
import type { Core } from '../domain/core.ts';
import type { CoreConfig } from '../domain/core-config.ts';
import { describeResult } from '../domain/result/result.ts';
import { createVendorQuestions } from '../ledger/holds/end-vendor-question.ts';
import { hasOpenDeployment } from '../ledger/holds/has-open-deployment.ts';
import { createDryHolds, createHoldQueue } from '../ledger/holds/hold-queue.ts';
import { readAvailableFunds } from '../ledger/holds/read-available-funds.ts';
import { createSentRecorder } from '../ledger/operation-status/note-sent.ts';
import { createSignatureRecorder } from '../ledger/operation-status/record-signatures.ts';
import { createRelayQueue } from '../ledger/relay-queue.ts';
import { createRegisteredErrors } from '../paymasters/contract-methods.ts';
import { createKeyRates, createUseRecorder } from '../paymasters/key-rates.ts';
import { createQuoteStore, createSharedQuoteStore } from '../quotes/quote-store.ts';
import { createSimulationTurns } from '../sponsorship/run/simulation-turns.ts';
import type { ChainRuntime, SponsorshipParts } from '../sponsorship/run/sponsorship-parts.ts';
import type { Store } from '../store/store.ts';
import { createJwksCache, jwksLimits } from '../tickets/jwks-cache.ts';
import { createGuardedGet } from '../webhooks/guarded-get.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import { createAnswerRecorder } from '../webhooks/webhook-outcome.ts';
import type { LossGate } from './leading/loss-gate.ts';
import type { CallbackNotes } from './note-callbacks.ts';
import type { SealedParts } from './sealed-parts.ts';

type Built = {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricRegistry;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly losses: LossGate;
  readonly recorders: Recorders;
  readonly sealed: SealedParts;
  readonly webhooks: WebhookCaller;
  readonly shareLimits: Core['shareLimits'];
  readonly callbacks: Pick<CallbackNotes, 'noteSigned'>;
};

/** Assembles the parts of a sponsorship from those of a running core. */
export function createSponsorshipParts(config: CoreConfig, built: Built): SponsorshipParts {
  const { store, clock, logger, metrics, chains, recorders, sealed } = built;
  const { signatures, decisions } = recorders;
  const isShared = config.database.kind === 'postgres';
  return {
    profiles: sealed.profiles,
    noteUse: recorders.uses.noteUse,
    takeOfRate: createKeyRates({ clock, logger, ...(isShared ? { share: built.shareLimits } : {}) }),
    errors: createRegisteredErrors(store),
    chains,
    simulations: createSimulationTurns(clock),
    webhooks: timeWebhooks(built.webhooks, metrics, clock),
    jwks: createJwksCache({ get: createGuardedGet(config.webhooks, jwksLimits), clock }),
    noteDecision: noteDecisions(metrics, chains),
    noteSigned: built.callbacks.noteSigned,
    noteVendor: ({ chainId, usdMicros }) =>
      metrics.count(coreMetrics.vendorUsd, { chain: String(chainId) }, Number(usdMicros) / 1e6),
    signatures,
    decisions,
    vendorQuestions: createVendorQuestions(store, clock),
    holds: createHoldQueue(store, clock, [built.losses]),
    tryHold: createDryHolds(store, clock).hold,
    sign: (signer, digest) => signer.signDigest(digest),
    relays: createRelayQueue({ store, clock, logger }),
    availableFunds: (request) => readAvailableFunds(store, request),
    hasOpenDeployment: (asked) => hasOpenDeployment(store, { ...asked, now: unixSeconds(clock) }),
    quotes: isShared ? createSharedQuoteStore({ store, clock, logger }) : createQuoteStore(clock),
    validity: config.validity,
    holdCaps: config.holds ?? defaultHoldCaps,
    digestClient: sealed.digestClient,
    unpaidBudget: config.tokenPayments ?? defaultUnpaidBudget,
    clock,
    logger,
  };
}

/** Counts the answers. Chains that are not configured come from clients, so they share one label. */
function noteDecisions(
  metrics: MetricRegistry,
  chains: ReadonlyMap<number, unknown>,
): NonNullable<SponsorshipParts['noteDecision']> {
  return ({ chainId, outcome, mode = 'none', reason = 'none' }) => {
    const chain = chains.has(chainId) ? String(chainId) : 'other';
    metrics.count(coreMetrics.decisions, { chain, outcome, mode, reason });
  };
}

/**
 * A caller of webhooks that measures how long they take. Their URLs belong to account holders, so none gets a series of its own.
 */
function timeWebhooks(webhooks: WebhookCaller, metrics: MetricRegistry, clock: Clock): WebhookCaller {
  return {
    ...webhooks,
    async call(webhook, dataJson, sponsorshipJson) {
      const begunAt = clock.now();
      const answer = await traced(
        { name: 'webhook', kind: SpanKind.CLIENT },
        () => webhooks.call(webhook, dataJson, sponsorshipJson),
        describeResult,
      );
      const refusal = answer.ok ? undefined : answer.refusal.reason;
      const outcome = refusal === undefined ? 'approved' : refusal === 'WEBHOOK_REFUSED' ? 'refused' : 'unavailable';
      metrics.observe(coreMetrics.webhookSeconds, { outcome }, Math.max(clock.now() - begunAt, 0) / 1_000);
      return answer;
    },
  };
}

/** Everything that is written in the background after requests. `close` writes what is still waiting. */
export function createRecorders(store: Store, clock: Clock, logger: Logger) {
  const recorders = {
    uses: createUseRecorder(store, logger),
    answers: createAnswerRecorder(store, logger),
    signatures: createSignatureRecorder(store, clock, logger),
    sent: createSentRecorder(store, clock, logger),
    decisions: createDecisionRecorder(store, logger, clock),
  };
  const all = Object.values(recorders);
  return { ...recorders, close: async () => void (await Promise.all(all.map((recorder) => recorder.close()))) };
}

type Recorders = ReturnType<typeof createRecorders>;
