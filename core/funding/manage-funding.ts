import type { Transaction } from 'kysely';
import type { Core, Owned } from '../core.ts';
import type { ChainConfig } from '../core-config.ts';
import type { Clock } from '../domain/clock.ts';
import { invalidField } from '../domain/invalid-field.ts';
import { parseAddress } from '../domain/parse-address.ts';
import { accept, refuse } from '../domain/result.ts';
import { unixSeconds } from '../domain/unix-seconds.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../paymasters/own-paymaster.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import { toPaymaster } from '../paymasters/to-paymaster.ts';
import type { Database } from '../store/database.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Store } from '../store/store.ts';
import { formatFundingMessage, fundingMessageLifetime, generateFundingNonce } from './funding-message.ts';
import { recoverMessageSigner } from './recover-message-signer.ts';

const invalidSignature = refuse({ reason: 'INVALID_SIGNATURE', message: 'Invalid signature' });

/** The funding wallet operations of `Core` (interface 4.4). */
export function manageFunding(parts: {
  store: Store;
  clock: Clock;
  chains: readonly ChainConfig[];
  profiles: SponsorProfiles;
  box: SecretBox;
}): Pick<Core, 'createFundingMessage' | 'setFundingWallet'> {
  const { store, clock, chains, profiles, box } = parts;
  return {
    async createFundingMessage(owned) {
      const createdAt = unixSeconds(clock);
      const expiresAt = createdAt + fundingMessageLifetime;
      const nonce = generateFundingNonce();
      return store.transaction(async (trx) => {
        const paymaster = await findPaymaster(trx, owned);
        if (paymaster === undefined) return paymasterNotFound;
        const { paymaster_id: paymasterId, chain_id: chainId } = paymaster;
        const chain = chains.find((candidate) => candidate.chainId === chainId);
        const message = formatFundingMessage({
          paymasterId,
          chainId,
          ...(chain === undefined ? {} : { chainName: chain.name }),
          nonce,
          createdAt,
          expiresAt,
        });
        const newest = { nonce, message, created_at: createdAt, expires_at: expiresAt };
        await trx
          .insertInto('funding_messages')
          .values({ paymaster_id: paymasterId, ...newest })
          .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet(newest))
          .execute();
        return accept({ fundingMessage: message });
      });
    },

    async setFundingWallet(input) {
      const address = parseAddress(input.address);
      if (address === undefined) return invalidField('address', 'must be a valid address');
      if (!(await ownsPaymaster(store.db, input))) return paymasterNotFound;
      const newest = await findMessage(store, input);
      // A wrong signature leaves the message as it is, so that a failed attempt does not cost the owner a new one.
      if (newest === undefined || recoverMessageSigner(newest.message, input.signature) !== address) {
        return invalidSignature;
      }

      const result = await store.transaction(async (trx) => {
        const now = unixSeconds(clock);
        const { numDeletedRows } = await trx
          .deleteFrom('funding_messages')
          .where('paymaster_id', '=', ownPaymasterId(trx, input))

          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (numDeletedRows !== 1n) return invalidSignature;
        const proof = { message: newest.message, signature: input.signature.toLowerCase() };
        await trx
          .insertInto('funding_wallets')
          .values({ paymaster_id: input.paymasterId, address, ...proof, set_at: now })
          .execute();
        const row = await trx
          .updateTable('paymasters')
          .set({ funding_wallet: address })
          .where('account_id', '=', input.accountId)
          .where('paymaster_id', '=', input.paymasterId)
          .returningAll()
          .executeTakeFirstOrThrow();
        return accept(toPaymaster(row, box));
      });
      if (result.ok) profiles.forget(input.paymasterId);
      return result;
    },
  };
}

async function findPaymaster(trx: Transaction<Database>, owned: Owned) {
  return trx
    .selectFrom('paymasters')
    .select(['paymaster_id', 'chain_id'])
    .where('account_id', '=', owned.accountId)
    .where('paymaster_id', '=', owned.paymasterId)
    .executeTakeFirst();
}

async function findMessage(store: Store, owned: Owned) {
  return store.db
    .selectFrom('funding_messages')
    .select(['message', 'nonce'])
    .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
    .executeTakeFirst();
}
