import { maxSignatureLength } from '@tollfree/contract/limits';
import type { Transaction } from 'kysely';
import { isHex } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Input } from '../../domain/core.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { AskContractWallet, ContractWalletQuestion } from '../../domain/sign-in.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { selectPaymasters, toPaymaster } from '../../paymasters/to-paymaster.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
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
    return accept(toPaymaster(row, parts.box));
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
