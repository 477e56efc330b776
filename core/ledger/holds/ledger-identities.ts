import type { PolicyKey } from '../../policies/policy-key.ts';
import type { HoldRequest, TankKey } from './hold-request.ts';

/** One text per gas tank, for maps. */
export function tankIdentity(tank: TankKey): string {
  return `${tank.chainId}:${tank.contract}:${tank.wallet}`;
}

/** One text per paymaster contract, for maps. */
export function contractIdentity(tank: Pick<TankKey, 'chainId' | 'contract'>): string {
  return `${tank.chainId}:${tank.contract}`;
}

/** The place on chain that only one operation can take: a sender's nonce. */
export function slotOf(operation: Pick<HoldRequest, 'sender' | 'nonce'>): string {
  return `${operation.sender}:${operation.nonce}`;
}

/** The identity of a live hold. */
export function holdIdentity(tankId: number, policy: PolicyKey, slot: string): string {
  return `${tankId}:${policy.paymasterId}:${policy.policyId}:${slot}`;
}

/** The policy whose limits count a request. */
export function policyOf({ paymasterId, policyId = '' }: HoldRequest): PolicyKey {
  return { paymasterId, policyId };
}
