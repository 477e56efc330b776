import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { formatFundingMessage, fundingMessageLifetime, generateFundingNonce } from './funding-message.ts';

/** `Core.createFundingMessage` (interface 4.4, step 1). The new message replaces the one before. */
export async function createFundingMessage(
  parts: { store: Store; clock: Clock; chains: readonly ChainConfig[] },
  owned: Owned,
): Promise<Result<{ fundingMessage: string }>> {
  const createdAt = unixSeconds(parts.clock);
  const times = { createdAt, expiresAt: createdAt + fundingMessageLifetime };
  const nonce = generateFundingNonce();
  return parts.store.transaction(async (trx) => {
    const paymaster = await trx
      .selectFrom('paymasters')
      .select(['paymaster_id', 'chain_id'])
      .where('account_id', '=', owned.accountId)
      .where('paymaster_id', '=', owned.paymasterId)
      .executeTakeFirst();
    if (paymaster === undefined) return paymasterNotFound;
    const { paymaster_id: paymasterId, chain_id: chainId } = paymaster;
    // The chain may have been removed from the configuration since.
    const chain = parts.chains.find((candidate) => candidate.chainId === chainId);
    const chainName = chain === undefined ? {} : { chainName: chain.name };
    const message = formatFundingMessage({ paymasterId, chainId, ...chainName, nonce, ...times });
    const newest = { nonce, message, created_at: times.createdAt, expires_at: times.expiresAt };
    await trx
      .insertInto('funding_messages')
      .values({ paymaster_id: paymasterId, ...newest })
      .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet(newest))
      .execute();
    return accept({ fundingMessage: message });
  });
}
