import type { BundlerRequest } from '../domain/bundling.ts';
import type { BundlerExposure } from '../domain/chain-config.ts';
import type { Core, NamesIn } from '../domain/core.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { SignedQuestion } from '../ledger/holds/find-signed-operation.ts';
import type { NoteSent } from '../ledger/operation-status/note-sent.ts';
import type { BundlerList } from '../node/bundler-list.ts';
import { type Identified, identify } from '../sponsorship/identify/identify.ts';
import type { SimulationTurns, TurnLimits } from '../sponsorship/run/simulation-turns.ts';
import type { SponsorshipParts } from '../sponsorship/run/sponsorship-parts.ts';

/**
 * Concurrent requests to a bundler, and how many may wait. Far fewer wait than for a simulation: each occupies a slot of the
 * gateway while a slow bundler works, and paymaster requests need those slots too.
 */
export const bundlerTurns: TurnLimits = {
  atOnceOfClient: 16,
  atOnceOfAccount: 64,
  waitingOfClient: 64,
  waitingOfAccount: 128,
  maxWaitMs: 5_000,
};

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

/** The caller, and the bundlers of its chain. */
export type Opened = Identified & {
  readonly bundler: BundlerList;
  readonly expose: Exclude<BundlerExposure, 'NONE'>;
};

/** apiKey → paymaster → bundler of its chain, for a request that the key may make. */
export async function openBundler(parts: BundlingParts, request: BundlerRequest): Promise<Result<Opened>> {
  const identified = await identify(parts, request);
  if (!identified.ok) return identified;
  const { bundler, config } = identified.value.chain;
  const expose = config.bundler?.expose ?? 'NONE';
  if (bundler !== undefined && expose !== 'NONE') return accept({ ...identified.value, bundler, expose });
  return refuse({
    reason: 'BUNDLER_NOT_OFFERED',
    message: `This service does not offer bundler methods on chain ${request.chainId}. Send them to a bundler.`,
  });
}

/** Waits for a turn of the request's address and account, then asks. */
export function inBundlerTurn<T>(
  { turns }: BundlingParts,
  { profile }: Opened,
  { clientAddress, chainId }: BundlerRequest,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  return turns.run({ client: clientAddress, account: `${profile.paymaster.accountId} ${chainId}` }, work);
}
