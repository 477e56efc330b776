import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Clock } from '../../core/base/time/clock.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { LimitSharing } from './limit-sharing.ts';
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts';

/**
 * Rate limits of callers. Methods return 0 to proceed, else the milliseconds to wait.
 *
 * Only wrong credentials count as failed logins, not missing ones, and only their senders must wait: valid credentials
 * always work, whatever others behind the same address have tried. Every RPC request counts under its address. A key that
 * the core accepted is known and also has its own bucket. Made-up keys have none, so that they cannot fill the memory.
 * Invalid requests are given back to the key's bucket: RPC keys ship in browsers, and one bad client must not use up what
 * all share.
 */
export type AccessLimits = {
  /** For rejected credentials. */
  takeFailedLogin(address: string): number;
  /** For a management call of an authenticated caller, identified by its paymaster or account. */
  takeManagementCall(caller: string): number;
  /** For an RPC request, before it is parsed. */
  takeRpcCall(key: string, address: string): number;
  /** For an RPC request that turned out to be invalid: it then only counts under its address. */
  giveBackRpcCall(key: string): void;
  /** Records the core's verdict on an RPC key. For a rejected one, returns how long to wait before trying another. */
  rememberRpcKey(key: string, verdict: 'accepted' | 'rejected', address: string): number;
};

/** With `sharing`, the limits apply to all gateways together. */
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
      // This also makes the key known.
      if (!knownKeys.has(key)) knownKeys.charge(key);
      return 0;
    },
  };
}
