import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Selectable } from 'kysely';
import { getAddress } from 'viem';
import type { Paymaster } from '../domain/paymaster.ts';
import type { Database } from '../store/database.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { ownKeyNumber } from './key-settings.ts';

/** A stored paymaster with its newest apiKey in the clear. */
export function toPaymaster(
  row: Selectable<Database['paymasters']> & { readonly api_key_sealed: Uint8Array },
  box: SecretBox,
): Paymaster {
  return {
    paymasterId: row.paymaster_id,
    accountId: row.account_id,
    name: row.name,
    chainId: row.chain_id,
    version: row.version,
    apiKey: box.open(row.api_key_sealed, apiKeyBinding(row.paymaster_id)),
    ...(row.funding_wallet === null ? {} : { fundingWallet: getAddress(row.funding_wallet) }),
    ...omitAbsent({ pausedAt: row.paused_at ?? undefined, retiredAt: row.retired_at ?? undefined }),
  };
}

/** Binds a sealed apiKey to its paymaster. */
export function apiKeyBinding(paymasterId: string): string {
  return `paymasters/${paymasterId}/api_key`;
}

/** Paymasters with the newest version of their original apiKey, sealed. */
export function selectPaymasters(db: Kysely<Database>) {
  return db
    .selectFrom('paymasters')
    .innerJoin('api_keys', (join) =>
      join
        .onRef('api_keys.paymaster_id', '=', 'paymasters.paymaster_id')
        .on('api_keys.key_number', '=', ownKeyNumber)
        .on('api_keys.expires_at', 'is', null),
    )
    .selectAll('paymasters')
    .select('api_keys.sealed as api_key_sealed');
}
