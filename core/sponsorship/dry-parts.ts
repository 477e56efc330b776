import { accept } from '../domain/result/result.ts';
import { createDryHolds } from '../ledger/holds/hold-queue.ts';
import type { Store } from '../store/store.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';

/** A placeholder signature of the right size. */
const noSignature = `0x${'00'.repeat(65)}` as const;

/** Webhooks that are never called. */
export const silentWebhooks: WebhookCaller = {
  call: async () => accept(true),
  remark: ' (not called; assumed to agree)',
};

/** Parts for a decision without side effects: holds are only tried, and nothing is signed or stored. */
export function dryParts(parts: SponsorshipParts, store: Store): SponsorshipParts {
  return {
    ...parts,
    noteUse: () => undefined,
    takeOfRate: () => true,
    holds: createDryHolds(store, parts.clock),
    signatures: { record: () => undefined },
    decisions: { add: () => undefined },
    sign: async () => noSignature,
    relays: { handOver: async () => ({ kind: 'taken' }) },
    upstreamQuestions: undefined,
    quotes: { ...parts.quotes, remember: () => undefined },
  };
}
