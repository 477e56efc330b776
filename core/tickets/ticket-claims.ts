import {
  maxPolicyUsd,
  maxPolicyWei,
  maxSubjectLength,
  maxTicketCalls,
  maxTicketIdLength,
  maxTicketLabelLength,
  maxTicketUses,
  unprintable,
  usdDecimals,
} from '@tollfree/contract/limits';
import type { JWTPayload } from 'jose';
import { isHex } from 'viem';
import { z } from 'zod';
import { parseAddress } from '../base/values/parse-address.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { ticketRefusals } from './ticket-refusals.ts';

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

/** Parses the claims of a verified ticket. */
export function readTicketClaims(payload: JWTPayload): Result<TicketClaims> {
  const read = TicketClaimsSchema.safeParse(payload);
  if (read.success) return accept(read.data);
  const [issue] = read.error.issues;
  return ticketRefusals.claim(`${issue?.path.map(String).join('.') ?? 'claims'} ${issue?.message ?? 'cannot be read'}`);
}
