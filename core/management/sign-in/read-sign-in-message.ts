import { maxSignInMessageLength } from '@tollfree/contract/limits';
import type { Address } from 'viem';
import { createSiweMessage, parseSiweMessage, type SiweMessage, validateSiweMessage } from 'viem/siwe';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';

const notValid = refuse({
  reason: 'SIGN_IN_MESSAGE_NOT_VALID',
  message: 'message must be a Sign in with Ethereum message (EIP-4361) of version 1 with a chain id above 0',
});
const forElsewhere = refuse({ reason: 'SIGN_IN_FOR_ELSEWHERE', message: 'message is for another site' });
const expired = refuse({ reason: 'SIGN_IN_EXPIRED', message: 'message is expired or not valid yet' });

const timeLine = /^(?<name>Issued At|Expiration Time|Not Before): (?<time>.+)$/gm;

/** The text with its times in the form that viem writes; other RFC 3339 forms are equally valid. */
function withPlainTimes(message: string): string {
  return message.replace(timeLine, (line, name: string, time: string) => {
    const milliseconds = Date.parse(time);
    return Number.isNaN(milliseconds) ? line : `${name}: ${new Date(milliseconds).toISOString()}`;
  });
}

/** Parses everything that the wallet showed to its owner: no text outside the fields, and none in two of them. */
function parseWhole(message: string): SiweMessage | undefined {
  try {
    // The library finds fields anywhere in the text, and accepts incomplete messages.
    const fields = parseSiweMessage(message) as SiweMessage;
    return createSiweMessage(fields) === withPlainTimes(message) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The wallet, chain and nonce of an EIP-4361 message that is for `origin` (`https://gas.example.org`) and valid at `now`
 * (Unix seconds). Does not check the signature or the nonce.
 */
export function readSignInMessage(
  message: string,
  { origin, now }: { readonly origin: string; readonly now: number },
): Result<{ readonly wallet: Address; readonly chainId: number; readonly nonce: string }> {
  if (message.length > maxSignInMessageLength) return notValid;
  const fields = parseWhole(message);
  if (fields === undefined || !Number.isSafeInteger(fields.chainId) || fields.chainId < 1) return notValid;
  const { issuedAt, address, chainId, nonce } = fields;
  if (issuedAt === undefined || Number.isNaN(issuedAt.getTime())) return notValid;
  const site = new URL(origin);
  const { host: domain } = site;
  const scheme = fields.scheme === undefined || `${fields.scheme}:` === site.protocol;
  if (fields.domain !== domain || !scheme || originOf(fields.uri) !== site.origin) return forElsewhere;
  const age = now - Math.floor(issuedAt.getTime() / 1_000);
  if (age > signInLimits.maxMessageAge || age < -signInLimits.maxClockLead) return expired;
  if (!validateSiweMessage({ message: fields, time: new Date(now * 1_000) })) return expired;
  return accept({ wallet: address, chainId, nonce });
}

function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined;
}
