import { type Address, getAddress } from 'viem';
import type { Actor } from '../../domain/access/actor.ts';

/**
 * Whether someone acts by a session that this wallet itself has signed in for: not by an authToken that it has made,
 * nor by a session that began with one, which programs have.
 */
export function isOfWallet(actor: Actor | undefined, wallet: string | undefined): boolean {
  if (actor?.kind !== 'session' || actor.wallet === undefined || wallet === undefined) return false;
  return getAddress(actor.wallet as Address) === getAddress(wallet as Address); // both were addresses when they were read
}
