import { counted } from '@tollfree/contract/counted';
import type { Address } from 'viem';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Behind, BehindByContract, LedgerState } from '../ledger/following/following.ts';

/** A node that does not answer for longer is silent, in milliseconds. */
const maxSilence = 5_000;
/** A ledger that was not updated for longer is behind, in milliseconds in addition to the polling interval. */
const maxBehind = 60_000;

/** Tracks whether the ledger follows its chain. */
export type FollowHealth = {
  /** A pass begins: the node was asked for its head. */
  asked(): void;
  answered(): void;
  /** A pass updated the ledger: it has all confirmed events, except for the contracts that are behind. */
  followed(behind: BehindByContract): void;
  /** A pass failed before it updated the ledger. */
  failed(cause: unknown): void;
  /**
   * Why nothing may be signed for a contract, in words: its ledger disagrees with the chain, or was not compared for too
   * long.
   */
  faultOf(contract: Address): string | undefined;
  /** Why the chain is not ready, in words; undefined when it is, or when at least some of its contracts are. */
  fault(): string | undefined;
  /** That the node does not answer, in words, if so. */
  silence(): string | undefined;
  stateOf(contract: Address): LedgerState;
  /**
   * This process takes over the ledger from another one. Contracts that the other one had stopped, with the reasons in
   * words, stay stopped until their ledger is in step.
   */
  takeOver(stopped: ReadonlyMap<Address, string>): void;
};

/** Cases in which the ledger certainly disagrees with the chain; in the others it may only be late. */
const stopsAtOnce: readonly Behind['kind'][] = ['off-chain', 'refused'];

/**
 * Logs a problem once when it begins, with its cause, and once when it is over. Differing nodes only count as a problem if
 * they still differ at the next pass.
 */
export function createFollowHealth(options: {
  readonly chainId: number;
  readonly contracts: readonly Address[];
  readonly pollIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}): FollowHealth {
  const { chainId, clock, logger, contracts } = options;
  let begunAt = clock.now();
  let stopped: ReadonlyMap<Address, string> = new Map();
  const inStepAt = new Map<Address, number>();
  const behind = new Map<Address, Behind>();
  /** What was logged about contracts that are behind. */
  const reported = new Map<Address, Behind['kind']>();
  const answers = createNodeAnswers(clock);
  let isAway = false;

  function faultOf(contract: Address): string | undefined {
    const why = behind.get(contract);
    if (why !== undefined && stopsAtOnce.includes(why.kind)) return why.text;
    if (!inStepAt.has(contract) && stopped.has(contract)) return stopped.get(contract);
    // If the clock was set back, the real delay is unknown and may be just as long.
    const late = Math.abs(clock.now() - (inStepAt.get(contract) ?? begunAt));
    if (late <= maxBehind + options.pollIntervalMs) return undefined;
    const since = `the ledger has been behind the chain for ${counted(Math.floor(late / 1_000), 'second')}`;
    return why === undefined || why.kind === 'node' ? since : `${since}: ${why.text}`;
  }

  function note(contract: Address, why: Behind | undefined): void {
    const before = behind.get(contract);
    if (why === undefined) {
      inStepAt.set(contract, clock.now());
      behind.delete(contract);
      if (reported.delete(contract)) logger.info({ chainId, contract }, 'The chain is followed again');
      return;
    }
    // An unreachable node says nothing about the ledger: an earlier problem remains until the ledger was compared again.
    if (why.kind === 'node' && before !== undefined) return;
    behind.set(contract, why);
    if (why.kind === 'reading' || reported.get(contract) === why.kind) return;
    // Events and deposit are two questions, and the node may have added a block in between. The next pass shows.
    if (why.kind === 'differs' && before?.kind !== 'differs') return;
    reported.set(contract, why.kind);
    const level = why.kind === 'node' ? 'warn' : 'error';
    logger[level]({ err: why.cause, chainId, contract }, `The ledger of a contract is behind: ${why.text}`);
  }

  function fault(): string | undefined {
    const silent = answers.silence();
    if (silent !== undefined) return silent;
    const faults = contracts.map(faultOf);
    if (!faults.includes(undefined)) return faults[0];
    return inStepAt.size === 0 ? 'the ledger is catching up with the chain' : undefined;
  }

  return {
    ...answers,
    followed: (now) => {
      if (isAway) logger.info({ chainId }, 'The chain can be read again');
      isAway = false;
      for (const contract of contracts) note(contract, now.get(contract));
    },
    failed: (cause) => {
      if (!isAway) logger.warn({ err: cause, chainId }, 'The chain could not be read; trying again');
      isAway = true;
    },
    faultOf,
    fault,
    stateOf: (contract) => {
      const why = faultOf(contract);
      if (why !== undefined) return { state: 'stopped', fault: why };
      return { state: inStepAt.has(contract) ? 'kept' : 'reading' };
    },
    takeOver: (faults) => {
      begunAt = clock.now();
      stopped = faults;
      inStepAt.clear();
      behind.clear();
      reported.clear();
    },
  };
}

/** Since when the node has not answered a question. */
function createNodeAnswers(clock: Clock): Pick<FollowHealth, 'asked' | 'answered' | 'silence'> {
  let unanswered: number | undefined;
  return {
    asked: () => {
      unanswered ??= clock.now();
    },
    answered: () => {
      unanswered = undefined;
    },
    silence: () => {
      if (unanswered === undefined || clock.now() - unanswered <= maxSilence) return undefined;
      return 'the node does not respond';
    },
  };
}
