import { randomBytes } from 'node:crypto';
import { maxSignatureLength } from '@tollfree/contract/limits';
import type { Transaction } from 'kysely';
import { isHex } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Input } from '../../domain/core.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { AskContractWallet, ContractWalletQuestion } from '../../domain/sign-in.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { selectPaymasters } from '../../paymasters/to-paymaster.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import { showPaymaster } from '../paymasters/show-paymaster.ts';
import { recoverMessageSigner } from './recover-message-signer.ts';

const invalidSignature = refuse({ reason: 'INVALID_SIGNATURE', message: 'Invalid signature' });

/**
 * `Core.setFundingWallet` (interface 4.4, step 3). The transaction that sets the wallet also consumes the message. A failed
 * attempt does not, so that it cannot force the owner to request a new one.
 */
export async function setFundingWallet(
  parts: {
    store: Store;
    clock: Clock;
    profiles: SponsorProfiles;
    box: SecretBox;
    askContractWallet: AskContractWallet;
  },
  input: Input<'setFundingWallet'>,
): Promise<Result<Paymaster>> {
  const address = parseAddress(input.address);
  if (address === undefined) return invalidField('address', 'must be a valid address');
  if (!(await ownsPaymaster(parts.store.db, input))) return paymasterNotFound;
  const newest = await findNewestMessage(parts.store, input);
  if (newest === undefined) return invalidSignature;
  const signed = { ...newest, wallet: address, signature: input.signature };
  const proven = await isSignedByWallet(parts.askContractWallet, signed);
  if (!proven.ok) return proven;
  if (!proven.value) return invalidSignature;
  return changeOwnPaymaster(parts, input, async (trx) => {
    const now = unixSeconds(parts.clock);
    // The nonce shows whether it is still the message whose signature was checked.
    if (!(await useUpMessage(trx, input, { nonce: newest.nonce, now }))) return invalidSignature;
    const proof = { message: newest.message, signature: input.signature.toLowerCase() };
    await trx
      .insertInto('funding_wallets')
      .values({ paymaster_id: input.paymasterId, address, ...proof, set_at: now })
      .execute();
    await trx
      .updateTable('paymasters')
      .set({ funding_wallet: address })
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .execute();
    const row = await selectPaymasters(trx)
      .where('paymasters.paymaster_id', '=', ownPaymasterId(trx, input))
      .executeTakeFirstOrThrow();
    return accept(showPaymaster(row, parts.box));
  });
}

async function findNewestMessage(store: Store, owned: Owned) {
  return store.db
    .selectFrom('funding_messages')
    .innerJoin('paymasters', 'paymasters.paymaster_id', 'funding_messages.paymaster_id')
    .select(['message', 'nonce', 'chain_id as chainId'])
    .where('funding_messages.paymaster_id', '=', ownPaymasterId(store.db, owned))
    .executeTakeFirst();
}

/** A contract wallet signs on the paymaster's chain, where its deposits are. */
async function isSignedByWallet(
  askContractWallet: AskContractWallet,
  { signature, ...signed }: Omit<ContractWalletQuestion, 'signature'> & { readonly signature: string },
): Promise<Result<boolean>> {
  if (recoverMessageSigner(signed.message, signature) === signed.wallet) return accept(true);
  if (!isHex(signature) || signature.length > maxSignatureLength) return accept(false);
  const accepted = await askContractWallet({ ...signed, signature });
  return accepted.ok ? accept(accepted.value === true) : accepted;
}

async function useUpMessage(
  trx: Transaction<Database>,
  owned: Owned,
  message: { nonce: string; now: number },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('funding_messages')
    .where('paymaster_id', '=', ownPaymasterId(trx, owned))
    .where('nonce', '=', message.nonce)
    .where('expires_at', '>', message.now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

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
