import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable } from 'kysely';
import { getAddress } from 'viem';
import type { Paymaster } from '../domain/paymaster.ts';
import type { Database } from '../store/database.ts';
import type { SecretBox } from '../store/secret-box.ts';

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

/** Ties a sealed apiKey to its paymaster. */
export function apiKeyBinding(paymasterId: string): string {
  return `paymasters/${paymasterId}/api_key`;
}
