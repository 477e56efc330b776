import type { Address } from 'viem';
import type { AuthorizationRule, TreasuryStatus } from '../../domain/chain-config.ts';
import type { SignersNow } from '../../evm/signer/signer.ts';
import type { GasEstimator } from '../../gas/estimator.ts';
import type { GasGuard } from '../../gas/gas-guard.ts';
import type { TokenPaymentTrial } from '../../gas/token-payment-trial.ts';
import type { AccountReader } from '../../node/account-codes/create-account-reader.ts';
import type { BundlerClient } from '../../node/bundler-client.ts';
import type { NodeState } from '../../node/chain-client.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Upstream } from '../../node/upstream/create-upstream.ts';
import type { LastCoinPrice } from '../../quotes/last-coin-price.ts';
import type { TokenRates } from '../../quotes/token-rates.ts';

/** The operator's hot wallet on a chain. `status`: the result of the last turn; undefined while another process tops up. */
export type ChainTreasury = {
  readonly address: Address;
  readonly maxPerDay: bigint;
  /** For accounts of the relay's tenants; absent if it sends none. */
  readonly authorizations?: AuthorizationRule;
  readonly status: () => TreasuryStatus | undefined;
};

/** The parts of one chain for sponsorships. */
export type ChainRuntime = FollowedChain & {
  readonly rates: TokenRates;
  /** The coin's price, read in the background. */
  readonly coinPrice: Pick<LastCoinPrice, 'last'>;
  readonly estimator: GasEstimator;
  readonly gasGuard: GasGuard;
  readonly paymentTrial: TokenPaymentTrial;
  readonly accountReader: AccountReader;
  /** What is wrong with the estimating bundler; undefined when nothing is, absent if there is none. */
  readonly bundlerFault?: () => string | undefined;
  /** Asks the bundler on behalf of clients; absent if there is none, or it is not exposed. */
  readonly bundler?: BundlerClient;
  /** Another paymaster, used while ours cannot sign; absent if there is none. */
  readonly upstream?: Upstream;
  /** The operator's hot wallet; absent where there is none. */
  readonly treasury?: ChainTreasury;
  /** What is known of its nodes, in the order of `nodeUrls`. */
  readonly nodes?: () => readonly NodeState[];
  /** The configured keys, for the operator. */
  readonly signers?: () => SignersNow;
};
