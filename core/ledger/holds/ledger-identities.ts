import type { PolicyKey } from '../../policies/policy-key.ts';
import type { HoldRequest, TankKey } from './hold-request.ts';

/** A key as it is stored. */
type Texts<Key> = { readonly [Part in keyof Key]: Key[Part] extends string ? string : Key[Part] };

/** A string for each gas tank, for maps. */
export function tankIdentity(tank: Texts<TankKey>): string {
  return `${tank.chainId}:${tank.contract}:${tank.wallet}`;
}

/** The place on chain that only one operation can use: a sender's nonce. */
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
