import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { JWK } from 'jose';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { TicketKey } from '../domain/tickets.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { keyAlgorithms, publicKeyAlgorithms } from './read-public-jwk.ts';
import type { TicketVerifier } from './ticket.ts';

type Row = Selectable<Database['ticket_keys']>;

const member = z.string().exactOptional();
const JwkSchema = z.strictObject({
  kty: z.string(),
  ...{ crv: member, x: member, y: member, n: member, e: member, kid: member, alg: member },
});

/** A stored key in the form that `Core` returns. */
export function toTicketKey(row: Row): TicketKey {
  const { kid, algorithms } = signingFacts(row);
  return {
    ticketKeyId: row.ticket_key_id,
    name: row.name,
    kind: row.kind,
    algorithms,
    audience: row.audience,
    createdAt: row.created_at,
    ...omitAbsent({
      kid,
      publicKeyJson: row.public_jwk ?? undefined,
      jwksUrl: row.jwks_url ?? undefined,
      issuer: row.issuer ?? undefined,
    }),
  };
}

/** A stored key in the form that verifies tickets. */
export function toTicketVerifier(row: Row, box: SecretBox): TicketVerifier {
  const { kid, algorithms } = signingFacts(row);
  const { ticket_key_id: ticketKeyId, name, audience } = row;
  const verifier = { ticketKeyId, name, audience, algorithms, ...omitAbsent({ kid, issuer: row.issuer ?? undefined }) };
  if (row.jwks_url !== null) return { ...verifier, jwksUrl: row.jwks_url };
  if (row.secret_sealed === null) return { ...verifier, jwk: publicJwkOf(row) };
  return { ...verifier, jwk: { kty: 'oct', k: box.open(row.secret_sealed, ticketKeySecretBinding(ticketKeyId)) } };
}

/** The `kid` of its tickets, and their allowed algorithms. */
function signingFacts(row: Row): { readonly kid: string | undefined; readonly algorithms: readonly string[] } {
  if (row.kind === 'HS256') return { kid: row.ticket_key_id, algorithms: ['HS256'] };
  if (row.kind === 'JWKS') return { kid: undefined, algorithms: publicKeyAlgorithms };
  const jwk = publicJwkOf(row);
  return { kid: jwk.kid, algorithms: keyAlgorithms(jwk) };
}

function publicJwkOf({ public_jwk, ticket_key_id }: Row): JWK {
  return readJsonColumn(JwkSchema, public_jwk ?? '', { table: 'ticket_keys', id: ticket_key_id });
}

/** Binds a sealed secret to its row. */
export function ticketKeySecretBinding(ticketKeyId: string): string {
  return `ticket_keys/${ticketKeyId}/secret`;
}
