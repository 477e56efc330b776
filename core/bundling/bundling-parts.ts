import type { BundlerOperations } from '../domain/operations/bundler-operations.ts';
import type { SignedQuestion } from '../ledger/holds/find-signed-operation.ts';
import type { NoteSent } from '../ledger/lives/note-sent.ts';
import type { SimulationTurns } from '../sponsorship/run/simulation-turns.ts';
import type { SponsorshipParts } from '../sponsorship/run/sponsorship-parts.ts';

/** What a request for a bundler came to: `denied` before the bundler was asked, `refused` by it. */
export type BundlerCallOutcome = 'answered' | 'refused' | 'unavailable' | 'denied';

/** What is needed to ask a chain's bundler for a client. */
export type BundlingParts = Pick<
  SponsorshipParts,
  'profiles' | 'chains' | 'noteUse' | 'takeOfRate' | 'clock' | 'logger'
> & {
  /** Whose turn it is to ask. */
  readonly turns: SimulationTurns;
  /** The decision behind an operation that a paymaster has signed; undefined for any other operation. */
  readonly findSigned: (asked: SignedQuestion) => Promise<{ readonly decisionId?: string } | undefined>;
  /** Notified of every request when it is over. */
  readonly noteCall: (chainId: number, operation: keyof BundlerOperations, outcome: BundlerCallOutcome) => void;
  /** Notified of every operation that the bundler has taken, perhaps more than once. */
  readonly noteSent?: NoteSent;
};
