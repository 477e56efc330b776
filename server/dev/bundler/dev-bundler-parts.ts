import type { LimitFunction } from 'p-limit';
import type { Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import type { GasEstimator } from '../../../core/gas/estimator.ts';
import type { Devnet } from '../devnet/devnet.ts';
import type { OperationOutcome } from '../user-operation/entry-point.ts';
import type { SentOperation } from './sent-operation.ts';

type LandedOperation = {
  readonly operation: SentOperation;
  readonly entryPoint: Hex;
  readonly outcome: OperationOutcome;
};

/** The dependencies of the development bundler's methods. */
export type DevBundlerParts = {
  readonly devnet: Devnet;
  readonly config: Pick<ChainConfig, 'eip7702Marker'>;
  readonly estimator: GasEstimator;
  /** Sends the bundles and is paid for them. */
  readonly account: LocalAccount;
  /** One bundle at a time: they share the account's nonce. */
  readonly inTurn: LimitFunction;
  /** By `userOpHash`. */
  readonly landed: Map<string, LandedOperation>;
};
