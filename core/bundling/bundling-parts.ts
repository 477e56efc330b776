import type { Core, NamesIn } from '../domain/core.ts';
import type { SignedQuestion } from '../ledger/holds/find-signed-operation.ts';
import type { NoteSent } from '../ledger/lives/note-sent.ts';
import type { SimulationTurns } from '../sponsorship/run/simulation-turns.ts';
import type { SponsorshipParts } from '../sponsorship/run/sponsorship-parts.ts';

/** The part of `Core` that asks bundlers. */
export type Bundling = Pick<Core, NamesIn<'bundler'>>;

/** The outcome of a request for a bundler: `denied` before the bundler was asked, `refused` by it. */
export type BundlerCallOutcome = 'answered' | 'refused' | 'unavailable' | 'denied';

/** The dependencies for asking a chain's bundler on behalf of a client. */
export type BundlingParts = Pick<
  SponsorshipParts,
  'profiles' | 'chains' | 'noteUse' | 'takeOfRate' | 'clock' | 'logger'
> & {
  /** Limits concurrent questions. */
  readonly turns: SimulationTurns;
  /** The decision behind an operation that a paymaster has signed; undefined for any other operation. */
  readonly findSigned: (asked: SignedQuestion) => Promise<{ readonly decisionId?: string } | undefined>;
  /** Called after every request. */
  readonly noteCall: (chainId: number, operation: keyof Bundling, outcome: BundlerCallOutcome) => void;
  /** Called for every operation that the bundler has accepted, possibly more than once. */
  readonly noteSent?: NoteSent;
};
