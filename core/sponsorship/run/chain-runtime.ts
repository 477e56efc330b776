import type { Address } from 'viem';
import type { TreasuryStatus } from '../../domain/treasury-config.ts';
import type { SignersNow } from '../../evm/signer/signer.ts';
import type { GasEstimator } from '../../gas/estimator.ts';
import type { GasGuard } from '../../gas/gas-guard.ts';
import type { TokenPaymentTrial } from '../../gas/token-payment-trial.ts';
import type { AccountReader } from '../../node/account-codes/create-account-reader.ts';
import type { BundlerClient } from '../../node/bundler-client.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { NodeState } from '../../node/node-states.ts';
import type { Upstream } from '../../node/upstream/create-upstream.ts';
import type { LastCoinPrice } from '../../quotes/last-coin-price.ts';
import type { TokenRates } from '../../quotes/token-rates.ts';

/** The operator's hot wallet on a chain. `status`: what the last turn found; undefined while another process tops up. */
export type ChainTreasury = {
  readonly address: Address;
  readonly maxPerDay: bigint;
  readonly status: () => TreasuryStatus | undefined;
};

/** What a sponsorship works with on one chain. */
export type ChainRuntime = FollowedChain & {
  readonly rates: TokenRates;
  /** The price of its coin as it is read in the background. */
  readonly coinPrice: Pick<LastCoinPrice, 'last'>;
  readonly estimator: GasEstimator;
  readonly gasGuard: GasGuard;
  readonly paymentTrial: TokenPaymentTrial;
  readonly accountReader: AccountReader;
  /** What is wrong with the bundler that estimates too; undefined when nothing is, absent where there is none. */
  readonly bundlerFault?: () => string | undefined;
  /** Asks the bundler for clients; absent where there is none, or it is not exposed. */
  readonly bundler?: BundlerClient;
  /** Another paymaster, asked while ours cannot sign; absent where there is none. */
  readonly upstream?: Upstream;
  /** The operator's hot wallet; absent where there is none. */
  readonly treasury?: ChainTreasury;
  /** What is known of its nodes, in the order of `nodeUrls`. */
  readonly nodes?: () => readonly NodeState[];
  /** The keys as they are configured, for the operator. */
  readonly signers?: () => SignersNow;
};
