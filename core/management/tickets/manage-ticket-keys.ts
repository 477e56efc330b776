import { maxTicketKeys } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core, Input } from '../../domain/core.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { NewTicketKey } from '../../domain/tickets.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Database } from '../../store/database.ts';
import { sealIn } from '../../store/master-keys/seal-in.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { ticketKeySecretBinding, toTicketKey } from '../../tickets/stored-ticket-key.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import { type MadeTicketKey, makeTicketKey } from './make-ticket-key.ts';

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly profiles: SponsorProfiles;
  /** Key lists are fetched by the rules of webhooks. */
  readonly config: WebhookConfig;
  readonly box: SecretBox;
};

const notFound = refuse({ reason: 'TICKET_KEY_NOT_FOUND', message: 'Ticket key not found' });
const nameExists = refuse({ reason: 'TICKET_KEY_NAME_EXISTS', message: 'Ticket key name already exists' });
const tooMany = refuse({
  reason: 'TOO_MANY_TICKET_KEYS',
  message: `A paymaster can have at most ${maxTicketKeys} ticket keys`,
});

/** The operations of `Core` on a paymaster's ticket keys. */
export function manageTicketKeys(parts: Parts): Pick<Core, 'createTicketKey' | 'listTicketKeys' | 'deleteTicketKey'> {
  const { store } = parts;
  return {
    createTicketKey: (input) => createTicketKey(parts, input),

    async listTicketKeys(owned) {
      if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
      const rows = await store.db
        .selectFrom('ticket_keys')
        .selectAll()
        .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
        .orderBy('ticket_key_number')
        .execute();
      return accept(rows.map(toTicketKey));
    },

    deleteTicketKey: ({ ticketKeyId, ...owned }) =>
      changeOwnPaymaster(parts, owned, async (trx) => {
        const row = await trx
          .deleteFrom('ticket_keys')
          .where('paymaster_id', '=', ownPaymasterId(trx, owned))
          .where('ticket_key_id', '=', ticketKeyId)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? notFound : accept(toTicketKey(row));
      }),
  };
}

async function createTicketKey(parts: Parts, input: Input<'createTicketKey'>): Promise<Result<NewTicketKey>> {
  if (!(await ownsPaymaster(parts.store.db, input))) return paymasterNotFound;
  const made = await makeTicketKey(input, parts.config);
  if (!made.ok) return made;
  return changeOwnPaymaster(parts, input, (trx) => insertKey(trx, parts, { ...input, made: made.value }));
}

async function insertKey(
  trx: Transaction<Database>,
  { box, clock }: Parts,
  { made, ...owned }: Owned & { readonly made: MadeTicketKey },
): Promise<Result<NewTicketKey>> {
  const kept = await trx
    .selectFrom('ticket_keys')
    .select('ticket_key_id')
    .where('paymaster_id', '=', ownPaymasterId(trx, owned))
    .execute();
  if (kept.length >= maxTicketKeys) return tooMany;
  const { ticketKeyId, secret } = made;
  const boundTo = ticketKeySecretBinding(ticketKeyId);
  const row = await trx
    .insertInto('ticket_keys')
    .values({
      ticket_key_id: ticketKeyId,
      paymaster_id: owned.paymasterId,
      name: made.name,
      kind: made.kind,
      secret_sealed: secret === undefined ? null : await sealIn(trx, box, { text: secret, boundTo }),
      public_jwk: made.publicJwk ?? null,
      jwks_url: made.jwksUrl ?? null,
      issuer: made.issuer ?? null,
      audience: made.audience ?? owned.paymasterId,
      created_at: unixSeconds(clock),
    })
    .onConflict((conflict) => conflict.columns(['paymaster_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return nameExists;
  return accept({ record: toTicketKey(row), ...omitAbsent({ secretJson: made.reported }) });
}
