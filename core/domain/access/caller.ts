import type { Address } from 'viem';
import type { Scope } from './scope.ts';

/**
 * Who calls: an account, and the paymaster its apiKey names where the call carries one. With them what was shown: the id of
 * an authToken, or that of a session with the wallet that signed in for it.
 */
export type Caller = {
  readonly accountId: string;
  readonly paymasterId?: string;
  readonly authTokenId?: string;
  readonly sessionId?: string;
  readonly wallet?: Address;
  /** The chain of that wallet if it is a contract. */
  readonly chainId?: number;
  /** What the call may. Absent: nothing. */
  readonly scopes?: readonly Scope[];
  /** The call may see what only the operator of the service sees. */
  readonly operator?: true;
};
