import { type Address, getAddress } from 'viem';
import type { Actor } from '../../domain/access/actor.ts';

/**
 * Whether the caller uses a session that this wallet itself signed in for: not an authToken that it created, nor a session
 * that began with one, since programs have those.
 */
export function isOfWallet(actor: Actor | undefined, wallet: string | undefined): boolean {
  if (actor?.kind !== 'session' || actor.wallet === undefined || wallet === undefined) return false;
  return getAddress(actor.wallet as Address) === getAddress(wallet as Address); // both were parsed as addresses
}
