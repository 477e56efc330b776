import { randomBytes, randomUUID } from 'node:crypto';
import { maxIssuerLength, maxTicketJwkBytes } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Input } from '../../domain/core.ts';
import type { WebhookConfig } from '../../domain/core-config.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { type TicketKeyKind, ticketKeyKinds } from '../../domain/tickets.ts';
import { readPublicJwk } from '../../tickets/read-public-jwk.ts';
import { checkWebhookUrl } from '../../webhooks/check-webhook-url.ts';

/** A key to store, with what is shown once. `secret` is sealed. */
export type MadeTicketKey = {
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
export async function makeTicketKey(
  input: Input<'createTicketKey'>,
  config: WebhookConfig,
): Promise<Result<MadeTicketKey>> {
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
