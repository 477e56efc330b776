import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Clock } from '../../core/base/time/clock.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { LimitSharing } from './limit-sharing.ts';
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts';

/**
 * Who may ask how often. Methods return 0 for "go on", else the milliseconds to wait.
 *
 * Only wrong credentials count as failed logins, missing ones do not, and only they are told to wait: anyone who has the right
 * ones is served, whatever others behind the same address have tried. Every RPC request counts under its address. An RPC key
 * that the core accepted is known and has a bucket of its own next to that; made-up keys have none, so that they cannot fill
 * the memory, and requests that are no right ones are given back to it: RPC keys ship in browsers, and one bad client must
 * not use up what all share.
 */
export type AccessLimits = {
  /** For credentials that were not accepted. */
  takeFailedLogin(address: string): number;
  /** For a management call of an authenticated caller, named by its paymaster or account. */
  takeManagementCall(caller: string): number;
  /** For an RPC request, before it is looked at. */
  takeRpcCall(key: string, address: string): number;
  /** For an RPC request that turned out not to be a right one: it counts under its address alone. */
  giveBackRpcCall(key: string): void;
  /** What the core said about an RPC key. For one it rejected: how long to wait before another is tried. */
  rememberRpcKey(key: string, verdict: 'accepted' | 'rejected', address: string): number;
};

/** With `sharing` the limits hold for all gateways together. */
export function createAccessLimits(limits: GatewayLimits, clock: Clock, sharing?: LimitSharing): AccessLimits {
  const { failedLoginsPerMinute, requestBurst, requestsPerSecond, managementBurst, managementPerSecond } = limits;

  function buckets(name: string, capacity: number, perMinute: number): TokenBuckets {
    const onUse = sharing?.share({ name, burst: capacity, perMinute, lower: (key, left) => made.lower(key, left) });
    const made: TokenBuckets = createTokenBuckets({
      ...{ capacity, refillPerSecond: perMinute / 60, maxKeys: limits.trackedClients, clock },
      ...omitAbsent({ onUse }),
    });
    return made;
  }

  const failedLogins = buckets('failed logins', failedLoginsPerMinute, failedLoginsPerMinute);
  const managementCalls = buckets('management', managementBurst, managementPerSecond * 60);
  const knownKeys = buckets('apiKey', requestBurst, requestsPerSecond * 60);
  const addresses = buckets('address', requestBurst, requestsPerSecond * 60);

  return {
    takeFailedLogin: failedLogins.take,
    takeManagementCall: managementCalls.take,
    takeRpcCall(key, address) {
      const waitMs = addresses.take(address);
      return waitMs > 0 || !knownKeys.has(key) ? waitMs : knownKeys.take(key);
    },
    giveBackRpcCall(key) {
      if (knownKeys.has(key)) knownKeys.giveBack(key);
    },
    rememberRpcKey(key, verdict, address) {
      if (verdict === 'rejected') {
        knownKeys.forget(key);
        return failedLogins.take(address);
      }
      // This also makes it known.
      if (!knownKeys.has(key)) knownKeys.charge(key);
      return 0;
    },
  };
}
