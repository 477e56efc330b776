import type { Clock } from '../../core/domain/time/clock.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import { createTokenBuckets } from './token-buckets.ts';

/**
 * Who may ask how often. Methods return 0 for "go on", else the milliseconds to wait.
 *
 * Only wrong credentials count as failed logins, missing ones do not. An RPC key that the core accepted is known and
 * has a bucket of its own; any other key is counted under its address, so that made-up keys cannot fill the memory. A
 * known key is served even from an address with failed logins: RPC keys ship in browsers, and one bad client behind a
 * shared address must not cut off the others.
 */
export type AccessLimits = {
  /** Before a login is tried. */
  waitForLogin(address: string): number;
  countFailedLogin(address: string): void;
  /** For a management call of an authenticated caller, named by its paymaster or account. */
  takeManagementCall(caller: string): number;
  /** For an RPC request. `limit` says which bound was hit. */
  takeRpcCall(key: string, address: string): { waitMs: number; limit: 'logins' | 'requests' };
  /** What the core said about an RPC key. */
  rememberRpcKey(key: string, verdict: 'accepted' | 'rejected', address: string): void;
};

export function createAccessLimits(limits: GatewayLimits, clock: Clock): AccessLimits {
  const maxKeys = limits.trackedClients;
  const rpcRate = { capacity: limits.requestBurst, refillPerSecond: limits.requestsPerSecond, maxKeys, clock };
  const { managementBurst, managementPerSecond } = limits;
  const failedLogins = createTokenBuckets({
    capacity: limits.failedLoginsPerMinute,
    refillPerSecond: limits.failedLoginsPerMinute / 60,
    maxKeys,
    clock,
  });
  const managementCalls = createTokenBuckets({
    capacity: managementBurst,
    refillPerSecond: managementPerSecond,
    maxKeys,
    clock,
  });
  const knownKeys = createTokenBuckets(rpcRate);
  const addresses = createTokenBuckets(rpcRate);

  return {
    waitForLogin: failedLogins.waitFor,
    countFailedLogin: failedLogins.charge,
    takeManagementCall: managementCalls.take,
    takeRpcCall(key, address) {
      if (knownKeys.has(key)) {
        return { waitMs: knownKeys.take(key), limit: 'requests' };
      }
      const blockedMs = failedLogins.waitFor(address);
      return blockedMs > 0
        ? { waitMs: blockedMs, limit: 'logins' }
        : { waitMs: addresses.take(address), limit: 'requests' };
    },
    rememberRpcKey(key, verdict, address) {
      if (verdict === 'rejected') {
        knownKeys.forget(key);
        failedLogins.charge(address);
      } else if (!knownKeys.has(key)) {
        // This also makes it known.
        knownKeys.charge(key);
      }
    },
  };
}
