import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { toTicketVerifier } from '../tickets/stored-ticket-key.ts';
import { webhookSecretBinding } from '../webhooks/sign-webhook.ts';
import { readKeySettings, unsetKey } from './key-settings.ts';
import type { PolicyLoader } from './load-policy.ts';
import type { SponsorProfile } from './sponsor-profile.ts';
import { toSponsoredContracts, withArgumentBytes } from './sponsored-contracts.ts';
import { selectPaymasters, toPaymaster } from './to-paymaster.ts';

/**
 * Reads the profile of a paymaster for one of its keys.
 *
 * @throws RowError when its policy or a contract cannot be read: what is not known to be allowed is not sponsored.
 */
export async function loadSponsorProfile(
  { db, box, policies }: { db: Kysely<Database>; box: SecretBox; policies: PolicyLoader },
  paymasterId: string,
  asking: { readonly keyNumber: number; readonly apiKeyId?: string },
): Promise<(SponsorProfile & { readonly changes: number }) | undefined> {
  // Read first, so that the number shows any change during the following reads.
  const row = await selectPaymasters(db).where('paymasters.paymaster_id', '=', paymasterId).executeTakeFirst();
  if (row === undefined) return undefined;
  const owned = { accountId: row.account_id, paymasterId };
  const contracts = await db
    .selectFrom('contracts')
    .select(['contract_number', 'name', 'address', 'selectors', 'argument_bytes'])
    .where('paymaster_id', '=', row.paymaster_id)
    .orderBy('contract_number')
    .execute();
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['webhook_id', 'webhook_url', 'request_type', 'secret_sealed', 'payload'])
    .where('paymaster_id', '=', row.paymaster_id)
    .where('active', '=', 1)
    .orderBy('webhook_number')
    .execute();
  const settings = await readKeySettings(db, paymasterId);
  const ticketKeys = await db
    .selectFrom('ticket_keys')
    .selectAll()
    .where('paymaster_id', '=', row.paymaster_id)
    .orderBy('ticket_key_number')
    .execute();
  const named = await db
    .selectFrom('named_policies')
    .select(['policy_id', 'name'])
    .where('paymaster_id', '=', row.paymaster_id)
    .where('enabled', '=', 1)
    .orderBy('name')
    .execute();
  const loaded = await policies.load({ ...owned, policyId: '', changes: row.changes });
  if (loaded === undefined) return undefined; // cannot happen: a default policy always exists
  const { policy, callRules, calledLimits } = loaded;
  const profile = {
    paymaster: toPaymaster(row, box),
    key: { ...asking, isSet: settings.has(asking.keyNumber), ...(settings.get(asking.keyNumber) ?? unsetKey) },
    keyLimits: new Map(
      [...settings]
        .filter(([, { rules }]) => rules.limits.length > 0)
        .map(([number, { rules }]) => [number, rules.limits]),
    ),
    contracts: toSponsoredContracts(await withArgumentBytes(db, owned, contracts)),
    webhooks: webhooks.map((webhook) => ({
      webhookId: webhook.webhook_id,
      webhookUrl: webhook.webhook_url,
      requestType: webhook.request_type,
      ...(webhook.payload === 'DATA' ? {} : { payload: webhook.payload }),
      secret: box.open(webhook.secret_sealed, webhookSecretBinding(webhook.webhook_id)),
    })),
    ticketKeys: ticketKeys.map((key) => toTicketVerifier(key, box)),
    policy,
    callRules,
    calledLimits,
    named: new Map(named.map(({ policy_id: policyId, name }) => [policyId, name])),
    changes: row.changes,
    readAt: row.changes,
  };
  return { ...profile, bytes: profileBytes(profile, loaded) };
}

/** Per contract, webhook, name or limit. */
const bytesOfEntry = 400;
const bytesOfSelector = 100;
/** Per imported key that verifies tickets. */
const bytesOfTicketKey = 10_000;
/** Per paymaster with a key. */
const bytesOfPaymaster = 4_000;

/** Approximate memory of a profile with its `policy`, in bytes, erring on the high side. */
function profileBytes(profile: Omit<SponsorProfile, 'bytes'>, policy: { readonly bytes: number }): number {
  const { contracts, webhooks, ticketKeys, named, key, keyLimits } = profile;
  const { origins, networks, methods, limits } = key.rules;
  const lists = [webhooks, origins, networks, methods, limits, ...keyLimits.values()];
  const entries = lists.reduce((sum, { length }) => sum + length, contracts.size + named.size);
  let bytes = bytesOfPaymaster + policy.bytes + bytesOfEntry * entries + bytesOfTicketKey * ticketKeys.length;
  for (const { selectors } of contracts.values()) bytes += bytesOfSelector * selectors.size;
  for (const { webhookUrl } of webhooks) bytes += webhookUrl.length;
  return bytes;
}
