import type { Hex } from 'viem';
import type { ChainRuntime } from '../chain/chain-runtime.ts';
import type { RegisteredErrors } from '../contracts/registered-errors.ts';
import type { ValidityConfig } from '../core-config.ts';
import type { DecisionRecorder } from '../decisions/record-decisions.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { HoldQueue } from '../ledger/hold-queue.ts';
import type { FundsRequest } from '../ledger/read-available-funds.ts';
import type { SignatureRecorder } from '../ledger/record-signatures.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import type { QuoteBook } from '../quotes/quote-book.ts';
import type { Signer } from '../signer/signer.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';

/** What the steps of a sponsorship are made of. */
export type SponsorshipParts = {
  readonly profiles: Pick<SponsorProfiles, 'find'>;
  /** What a failed operation may have reverted with. */
  readonly errors: RegisteredErrors;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly holds: HoldQueue;
  /** What could be held for an operation now, in wei. */
  readonly availableFunds: (request: FundsRequest) => Promise<bigint>;
  readonly signatures: Pick<SignatureRecorder, 'record'>;
  readonly sign: (signer: Signer, digest: Hex) => Promise<Hex>;
  /** Keeps the decisions that no hold is kept for. */
  readonly decisions: Pick<DecisionRecorder, 'add'>;
  readonly webhooks: WebhookCaller;
  readonly quotes: QuoteBook;
  readonly validity: ValidityConfig;
  readonly clock: Clock;
  readonly logger: Logger;
};
