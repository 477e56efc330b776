import type { Core } from '../../../core/domain/core.ts';
import type { DecisionMethod } from '../../../core/domain/decision.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Setting } from '../world/core-config.ts';
import type { BundlerBehaviour } from '../world/relay-bundler.ts';
import type { VendorBehaviour } from '../world/vendor.ts';

// One line of a recording. An action names accounts, keys and earlier answers, so that it means the same on another commit,
// where ids differ. In its texts `{{shop.apiKey}}` is a field of the answer that was kept as `shop`.

/** JSON with references. `$wei` is an amount, `$in` a time in seconds from now, `$policy` a policy in the API's form. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The calls that an operation makes. */
export const callNames = ['increment', 'record', 'pay', 'fail', 'unknown', 'mint', 'approve', 'plain'] as const;
export type CallName = (typeof callNames)[number];

/** An operation to ask about, of a SimpleAccount. */
export type Drafted = {
  readonly version: EntryPointVersion;
  /** Name of the account's owner. */
  readonly owner: string;
  readonly calls: readonly CallName[];
  readonly nonceKey?: number;
  /** Added to the chain's next nonce. */
  readonly nonceAhead?: number;
  /** Given limits: enough, far above the need, too low, or none. */
  readonly limits?: 'plain' | 'huge' | 'tight' | 'none';
  /** Wei per gas: the usual price, none, or above what the chain asks. */
  readonly price?: 'usual' | 'none' | 'high' | 'above-ceiling' | 'raised';
  /** Call data that no account understands, or none. */
  readonly callData?: string;
  readonly deploysOnly?: boolean;
  /** Signed by the owner, as what is relayed must be. */
  readonly isSigned?: boolean;
  /** The owner itself is the account, with the code of `Simple7702Account`: whether its authorization is sent, and how. */
  readonly delegation?: 'sent' | 'other-chain' | 'other-nonce' | 'wrong-signer' | 'marker-only' | 'removed' | 'foreign';
  /** Fields that are sent instead; null leaves one out. */
  readonly fields?: { readonly [name: string]: string | null };
};

export type Ask = {
  readonly do: 'ask';
  readonly method: DecisionMethod;
  /** Name of the paymaster that was created. */
  readonly of: string;
  /** Only asks what would be answered, which changes nothing. */
  readonly isDry?: boolean;
  /** Instead of the paymaster's own. */
  readonly apiKey?: string;
  readonly operation: Drafted;
  /** Fields of the context. */
  readonly context?: Json;
  readonly ticket?: { readonly key: string; readonly claims: Json };
  readonly client?: string;
  readonly arrival?: { readonly method: string; readonly origin?: string; readonly address?: string };
  readonly entryPoint?: string;
  readonly chainId?: number;
  /** The number of the line that asked for the stub whose data is sent. */
  readonly promisedBy?: number;
};

/** What happens in a recording, in order. */
export type Action =
  | Ask
  /** The request of an earlier line again, as it was sent. */
  | { readonly do: 'repeat'; readonly line: number; readonly client?: string }
  /** An operation of the core. The answer is kept under a name. */
  | { readonly do: 'core'; readonly call: keyof Core; readonly input: Json; readonly as?: string }
  /** Signs the last funding message and chooses the wallet. */
  | { readonly do: 'fund'; readonly of: string; readonly wallet: string }
  /** Deposits in a contract's tank. Wei. */
  | { readonly do: 'deposit'; readonly wallet: string; readonly version: EntryPointVersion; readonly wei: string }
  | { readonly do: 'send-coin'; readonly wallet: string; readonly to: string; readonly wei: string }
  /** Lands what earlier lines got, in one bundle for each EntryPoint, also what has expired for the service. */
  | { readonly do: 'land'; readonly lines: readonly number[]; readonly by?: string }
  | {
      readonly do: 'tokens';
      readonly owner: string;
      readonly version: EntryPointVersion;
      readonly decimals: 6 | 18;
      readonly amount: string;
      readonly allowed: boolean;
    }
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'mark' }
  /** Puts the chain back to the last mark, and mines other blocks. */
  | { readonly do: 'reorg'; readonly blocks: number }
  /** The operator rolls the ledger back by this many blocks; they are read again. */
  | { readonly do: 'revert'; readonly blocks: number }
  | { readonly do: 'vendor'; readonly behaviour: VendorBehaviour }
  | { readonly do: 'bundler'; readonly behaviour: BundlerBehaviour }
  | { readonly do: 'signer'; readonly behaviour: 'signs' | 'fails' }
  | { readonly do: 'node'; readonly failing: 'none' | 'all' | readonly string[] }
  | { readonly do: 'prices'; readonly behaviour: 'served' | 'missing' }
  | { readonly do: 'restart'; readonly setting: Setting }
  /** Reads everything that the service says about its accounts and money. */
  | { readonly do: 'observe' };
