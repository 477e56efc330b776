import {
  maxPolicyUsd,
  maxPolicyWei,
  maxSubjectLength,
  maxTicketCalls,
  maxTicketIdLength,
  maxTicketLabelLength,
  maxTicketLength,
  maxTicketLifetimeSeconds,
  maxTicketUses,
  ticketClockToleranceSeconds,
  unprintable,
  usdDecimals,
} from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { isHex } from 'viem';
import { z } from 'zod';
import { parseAddress } from '../base/values/parse-address.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { JwksCache } from './jwks-cache.ts';
import { type Ticket, type TicketVerifier, ticketDigest, ticketRefusals, ticketUserDigest } from './ticket.ts';

/** The input of verification. `now` in Unix seconds. */
type Verifying = {
  readonly accountId: string;
  readonly paymasterId: string;
  readonly verifiers: readonly TicketVerifier[];
  readonly jwks: JwksCache;
  readonly now: number;
};

type Named = { readonly header: ProtectedHeaderParameters; readonly issuer: unknown };
type Verified = { readonly payload: JWTPayload; readonly by: TicketVerifier };

/** Token types that are tickets: a JWT (RFC 7519) and an access token (RFC 9068), but not logout or event tokens. */
const ticketTypes: ReadonlySet<string> = new Set(['jwt', 'at+jwt']);

/**
 * Verifies a ticket and parses its claims. The paymaster's keys determine which key and algorithm may have signed it. Of the
 * header only `alg`, `kid` and `typ` are read; keys in it (`jwk`, `jku`, `x5u`, `x5c`) are ignored.
 */
export async function verifyTicket(text: string, verifying: Verifying): Promise<Result<Ticket>> {
  if (text.length > maxTicketLength) return ticketRefusals.tooLarge;
  const named = readNames(text);
  if (!named.ok) return named;
  const fitting = fittingKeys(named.value, verifying.verifiers);
  if (!fitting.ok) return fitting;
  const verified = await verifyWithAny(text, fitting.value, verifying);
  if (!verified.ok) return verified;
  const { payload, by } = verified.value;
  const expiresAt = Math.floor(payload.exp ?? 0);
  if (expiresAt <= verifying.now) return ticketRefusals.expired;
  if (expiresAt > verifying.now + maxTicketLifetimeSeconds) return ticketRefusals.livesTooLong;
  if ((payload.iat ?? 0) > verifying.now + ticketClockToleranceSeconds) return ticketRefusals.notYetValid;
  const claims = readTicketClaims(payload);
  if (!claims.ok) return claims;
  const { sub, jti, uses, budget, sender, calls, label, azp: authorizedParty } = claims.value;
  const whose = { paymasterId: verifying.paymasterId, ...omitAbsent({ issuer: by.issuer }) };
  const isCounted = jti !== undefined && (uses !== undefined || budget !== undefined);
  return accept({
    keyName: by.name,
    user: ticketUserDigest({ ...whose, sub }),
    expiresAt,
    ...omitAbsent({
      counted: isCounted ? ticketDigest({ ...whose, jti }) : undefined,
      sender,
      calls: calls?.map(omitAbsent),
      uses,
      label,
      authorizedParty,
      budgetWei: budget?.wei,
      budgetUsdMicros: budget?.usd,
    }),
  });
}

/** The ticket's own, unverified claims about its key. */
function readNames(text: string): Result<Named> {
  try {
    const header = decodeProtectedHeader(text);
    if (typeof header.alg !== 'string') return ticketRefusals.malformed;
    if (header.crit !== undefined) return ticketRefusals.critical;
    if (header.typ !== undefined && !isTicketType(header.typ)) return ticketRefusals.otherType;
    return accept({ header, issuer: decodeJwt(text).iss });
  } catch {
    return ticketRefusals.malformed;
  }
}

/** In any letter case, and with or without `application/` (RFC 7515, 4.1.9). */
function isTicketType(type: unknown): boolean {
  return typeof type === 'string' && ticketTypes.has(type.toLowerCase().replace(/^application\//, ''));
}

/** The keys that may have signed it. A key list is only fetched for its own issuer. */
function fittingKeys(
  { header, issuer }: Named,
  verifiers: readonly TicketVerifier[],
): Result<readonly TicketVerifier[]> {
  const { alg = '', kid } = header;
  if (!verifiers.some(({ algorithms }) => algorithms.includes(alg))) return ticketRefusals.algorithm;
  const named = verifiers.filter((verifier) =>
    'jwk' in verifier
      ? kid === undefined || verifier.kid === undefined || verifier.kid === kid
      : verifier.issuer === issuer,
  );
  if (named.length === 0) return ticketRefusals.unknownKey;
  const fitting = named.filter(({ algorithms }) => algorithms.includes(alg));
  return fitting.length === 0 ? ticketRefusals.algorithm : accept(fitting);
}

/** The first key whose signature matches decides the result. */
async function verifyWithAny(
  text: string,
  fitting: readonly TicketVerifier[],
  { jwks, now, accountId }: Verifying,
): Promise<Result<Verified>> {
  let refused: Result<never> = ticketRefusals.signature;
  for (const by of fitting) {
    const key =
      'jwk' in by ? accept(by.jwk) : await jwks.findKey({ accountId, url: by.jwksUrl }, decodeProtectedHeader(text));
    if (!key.ok) {
      refused = key;
      continue;
    }
    try {
      const { payload } = await jwtVerify(text, key.value, {
        algorithms: [...by.algorithms],
        audience: by.audience,
        ...omitAbsent({ issuer: by.issuer }),
        requiredClaims: ['sub', 'exp'],
        clockTolerance: ticketClockToleranceSeconds,
        currentDate: new Date(now * 1_000),
      });
      return accept({ payload, by });
    } catch (error) {
      // Errors from outside jose concern the key: a list may contain one that is too short for its alg.
      if (!(error instanceof errors.JOSEError)) refused = ticketRefusals.unknownKey;
      else if (!(error instanceof errors.JWSSignatureVerificationFailed)) return refusalOf(error);
    }
  }
  return refused;
}

function refusalOf(error: errors.JOSEError): Result<never> {
  if (error instanceof errors.JWTExpired) return ticketRefusals.expired;
  if (error instanceof errors.JOSEAlgNotAllowed) return ticketRefusals.algorithm;
  if (!(error instanceof errors.JWTClaimValidationFailed)) return ticketRefusals.malformed;
  const { claim, reason } = error;
  if (reason === 'missing') return ticketRefusals.claim(`${claim} is required`);
  if (claim === 'aud') return ticketRefusals.otherAudience;
  if (claim === 'iss') return ticketRefusals.otherIssuer;
  if (reason === 'invalid') return ticketRefusals.claim(`${claim} must be a number of seconds`);
  return claim === 'nbf' ? ticketRefusals.notYetValid : ticketRefusals.malformed;
}

// The texts end a sentence that begins with the claim.

const addressError = 'must be an address';
const address = z.string({ error: addressError }).transform((text, { issues }) => {
  const read = parseAddress(text);
  if (read !== undefined) return read;
  issues.push({ code: 'custom', input: text, message: addressError });
  return z.NEVER;
});

const selector = z.custom<`0x${string}`>((value) => isHex(value) && value.length === 10, {
  error: 'must be a selector, like 0xa9059cbb',
});

const weiError = 'must be wei in decimal digits';
const wei = z
  .string({ error: weiError })
  .regex(/^\d{1,28}$/, { error: weiError })
  .transform(BigInt)
  .refine((value) => value <= maxPolicyWei, { error: weiError });

const usdError = `must be USD with at most ${usdDecimals} decimals, like 0.50`;
const usd = z
  .string({ error: usdError })
  .regex(new RegExp(`^\\d{1,10}(\\.\\d{1,${usdDecimals}})?$`), { error: usdError })
  .transform((text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(usdDecimals, '0'));
  })
  .refine((value) => value <= maxPolicyUsd * 10n ** BigInt(usdDecimals), { error: usdError });

function text(max: number) {
  const error = `must be text of 1 to ${max} characters`;
  return z.string({ error }).min(1, { error }).max(max, { error });
}

const usesError = `must be a whole number from 1 to ${maxTicketUses}`;
const callsError = `must be a list of 1 to ${maxTicketCalls} calls`;

/** A ticket's claims beyond those of every JWT. Other claims are ignored. */
const TicketClaimsSchema = z
  .object({
    sub: text(maxSubjectLength),
    jti: text(maxTicketIdLength).exactOptional(),
    sender: address.exactOptional(),
    calls: z
      .array(z.strictObject({ to: address, selector: selector.exactOptional() }, { error: 'must be a call' }), {
        error: callsError,
      })
      .min(1, { error: callsError })
      .max(maxTicketCalls, { error: callsError })
      .exactOptional(),
    uses: z
      .int({ error: usesError })
      .min(1, { error: usesError })
      .max(maxTicketUses, { error: usesError })
      .transform(BigInt)
      .exactOptional(),
    budget: z
      .strictObject({ wei: wei.exactOptional(), usd: usd.exactOptional() }, { error: 'must hold wei or usd' })
      .refine((budget) => budget.wei !== undefined || budget.usd !== undefined, { error: 'must hold wei or usd' })
      .exactOptional(),
    label: text(maxTicketLabelLength)
      .refine((label) => !unprintable.test(label), { error: 'must be printable' })
      .exactOptional(),
    azp: z.string().max(maxSubjectLength).optional().catch(undefined),
  })
  .refine(({ jti, uses, budget }) => jti !== undefined || (uses === undefined && budget === undefined), {
    path: ['jti'],
    error: 'is required to count its uses or its budget',
  });
type TicketClaims = z.output<typeof TicketClaimsSchema>;

function readTicketClaims(payload: JWTPayload): Result<TicketClaims> {
  const read = TicketClaimsSchema.safeParse(payload);
  if (read.success) return accept(read.data);
  const [issue] = read.error.issues;
  return ticketRefusals.claim(`${issue?.path.map(String).join('.') ?? 'claims'} ${issue?.message ?? 'cannot be read'}`);
}
