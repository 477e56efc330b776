import { randomBytes, randomUUID } from 'node:crypto';
import { maxIssuerLength, maxTicketJwkBytes, maxTicketKeys } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Owned } from '../domain/access/actor.ts';
import type { Core, Input } from '../domain/core.ts';
import type { WebhookConfig } from '../domain/core-config.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../domain/result/result.ts';
import { type NewTicketKey, type TicketKeyKind, ticketKeyKinds } from '../domain/tickets.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import type { Database } from '../store/database.ts';
import { sealIn } from '../store/master-keys/adopt-master-key.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../store/own-paymaster.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Store } from '../store/store.ts';
import { readPublicJwk, ticketKeySecretBinding, toTicketKey } from '../tickets/stored-ticket-key.ts';
import { checkWebhookUrl } from '../webhooks/resolve-host.ts';
import { changeOwnPaymaster } from './paymasters/change-own-paymaster.ts';

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

/** A key to store, with what is shown once. `secret` is sealed. */
type MadeTicketKey = {
  readonly ticketKeyId: string;
  readonly name: string;
  readonly kind: TicketKeyKind;
  readonly secret?: string;
  readonly publicJwk?: string;
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
  /** As JSON text (RFC 7517). */
  readonly reported?: string;
};

/** Bytes of a shared secret: as long as the output of HS256 (RFC 7518, 3.2). */
const secretBytes = 32;

/** Creates a key, or reads the application's own one, after validating its settings. */
async function makeTicketKey(input: Input<'createTicketKey'>, config: WebhookConfig): Promise<Result<MadeTicketKey>> {
  const { name, issuer, audience } = input;
  const kind = ticketKeyKinds.find((known) => known === input.kind);
  const checked = checkName(name);
  if (!checked.ok) return checked;
  if (kind === undefined) return invalidField('kind', `must be ${ticketKeyKinds.join(', ')}`);
  for (const [field, value] of Object.entries({ issuer, audience })) {
    if (value !== undefined && (value === '' || value.length > maxIssuerLength)) {
      return invalidField(field, `must have 1 to ${maxIssuerLength} characters`);
    }
    if (value === undefined && kind === 'JWKS') return invalidField(field, 'is required for a list of keys');
  }
  if (input.publicKeyJson !== undefined && kind !== 'JWK')
    return invalidField('publicKey', `is not allowed for ${kind}`);
  if (input.jwksUrl !== undefined && kind !== 'JWKS') return invalidField('jwksUrl', `is not allowed for ${kind}`);
  const named = { ticketKeyId: randomUUID(), name, kind, ...omitAbsent({ issuer, audience }) };
  if (kind === 'JWKS') return checkList(named, input.jwksUrl, config);
  if (kind === 'JWK') return readOwnKey(named, input.publicKeyJson);
  return accept(kind === 'HS256' ? makeSecret(named) : await makePair(named, kind));
}

type Named = Pick<MadeTicketKey, 'ticketKeyId' | 'name' | 'kind' | 'issuer' | 'audience'>;

async function checkList(
  named: Named,
  jwksUrl: string | undefined,
  config: WebhookConfig,
): Promise<Result<MadeTicketKey>> {
  const verdict = await checkWebhookUrl(jwksUrl ?? '', config);
  if (jwksUrl === undefined || verdict === 'not-a-url') return invalidField('jwksUrl', 'must be a valid URL');
  if (verdict === 'accepted') return accept({ ...named, jwksUrl });
  return refuse({
    reason: 'JWKS_URL_NOT_REACHABLE',
    message: 'jwksUrl cannot be reached by the service',
    field: 'jwksUrl',
  });
}

async function readOwnKey(named: Named, text: string | undefined): Promise<Result<MadeTicketKey>> {
  if (text === undefined) return invalidField('publicKey', 'must be an object');
  if (Buffer.byteLength(text) > maxTicketJwkBytes) {
    return invalidField('publicKey', `must have at most ${maxTicketJwkBytes} bytes`);
  }
  const read = await readPublicJwk(text);
  if ('problem' in read) return invalidField('publicKey', read.problem);
  return accept({ ...named, publicJwk: JSON.stringify(read.jwk) });
}

function makeSecret(named: Named): MadeTicketKey {
  const secret = randomBytes(secretBytes).toString('base64url');
  return {
    ...named,
    secret,
    reported: JSON.stringify({ kty: 'oct', k: secret, kid: named.ticketKeyId, alg: 'HS256' }),
  };
}

async function makePair(named: Named, kind: 'ES256' | 'EDDSA'): Promise<MadeTicketKey> {
  const alg = kind === 'EDDSA' ? 'EdDSA' : 'ES256';
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const asJson = async (key: CryptoKey): Promise<JWK> => ({ ...(await exportJWK(key)), kid: named.ticketKeyId, alg });
  return {
    ...named,
    publicJwk: JSON.stringify(await asJson(publicKey)),
    reported: JSON.stringify(await asJson(privateKey)),
  };
}
