import { randomBytes } from 'node:crypto';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';

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

/** How long a funding message can be used, in seconds. */
const fundingMessageLifetime = 15 * 60;

/** What a funding message binds its signature to. Times are Unix seconds; `nonce` is 64 hex digits. */
type FundingMessageFacts = {
  readonly paymasterId: string;
  readonly chainId: number;
  readonly chainName?: string;
  readonly nonce: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** 256 random bits as hex. */
function generateFundingNonce(): string {
  return randomBytes(32).toString('hex');
}

/** The text that the future funding wallet signs. Its line breaks are single line feeds. */
function formatFundingMessage(facts: FundingMessageFacts): string {
  const chain = facts.chainName === undefined ? `${facts.chainId}` : `${facts.chainName} (chain ID ${facts.chainId})`;
  return [
    'Tollfree: set the funding wallet of a paymaster',
    '',
    'By signing, the owner of this wallet agrees that it becomes the funding wallet of the paymaster below.',
    'Signing costs nothing and moves no funds. Deposits of an earlier funding wallet stay in its own gas tank, which',
    'pays for this paymaster again if that wallet is set again.',
    '',
    `Paymaster: ${facts.paymasterId}`,
    `Chain: ${chain}`,
    `Nonce: ${facts.nonce}`,
    `Issued at: ${formatTime(facts.createdAt)}`,
    `Valid until: ${formatTime(facts.expiresAt)}`,
  ].join('\n');
}

function formatTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString();
}
