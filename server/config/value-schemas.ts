import { isIP } from 'node:net';
import { getAddress, isAddress, parseUnits, zeroAddress } from 'viem';
import { z } from 'zod';

/** An address with, in mixed case, the right checksum; not the zero address. */
export const addressSchema = z
  .string()
  .refine((text) => isAddress(text, { strict: true }) && text !== zeroAddress, {
    error: 'must be an address (0x and 40 hex digits)',
    params: { id: 'address' },
  })
  .transform((text) => getAddress(text));

const decimalsOfUnit: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/**
 * An amount as text with its unit: `"50 gwei"`, `"0.01 ether"`, `"1000 wei"`. JSON numbers are refused, since they are
 * doubles, and so are digits below one wei.
 */
export const weiAmountSchema = z.string().transform((text, context) => {
  const match = /^(?<whole>\d{1,30})(?:\.(?<fraction>\d{1,18}))? (?<unit>wei|gwei|ether)$/.exec(text);
  const decimals = decimalsOfUnit[match?.groups?.unit ?? ''];
  if (match === null || decimals === undefined || (match.groups?.fraction ?? '').length > decimals) {
    context.addIssue({
      code: 'custom',
      message: 'must be an amount with its unit, like "50 gwei" or "0.01 ether"',
      params: { id: 'amount' },
    });
    return z.NEVER;
  }
  return parseUnits(text.slice(0, text.indexOf(' ')), decimals);
});

const localHost = /^(?:localhost|127(?:\.\d{1,3}){3})$/;
/** A name with a dot, or an IPv4 address: the hosts that viem accepts in sign-in messages. */
const namedHost = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$|^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether browsers can use the dashboard there: an origin over https, or over http on this machine. */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin, href, username, password } = new URL(text);
  const isOrigin = href === `${origin}/` && username === '' && password === '';
  const isLocal = localHost.test(hostname);
  if (protocol === 'http:') return isOrigin && isLocal;
  return protocol === 'https:' && isOrigin && (isLocal || namedHost.test(hostname));
}

export type HostAndPort = { readonly host: string; readonly port: number };

/** Parses `host:port` (`127.0.0.1:3000`, `[::1]:3000`, `localhost:0`). Undefined for anything else. */
export function parseHostAndPort(text: string): HostAndPort | undefined {
  const match = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[A-Za-z0-9.-]+)):(?<port>\d{1,5})$/.exec(text);
  const host = match?.groups?.six ?? match?.groups?.host;
  const port = Number(match?.groups?.port);
  if (host === undefined || port > 65_535) return undefined;
  if (match?.groups?.six !== undefined && isIP(host) !== 6) return undefined;
  return { host, port };
}

/** Whether a text is an address or a CIDR range, like `10.0.0.1` or `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/**
 * A schema check across several parts, reported together with errors of the parts themselves: it must tolerate missing or
 * invalid parts. `params` are for code that explains mistakes.
 */
export function refusal(error: string, params?: Readonly<Record<string, string>>) {
  const when = ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null;
  return { error, when, ...(params === undefined ? {} : { params }) };
}

/** Whether no two entries have the same value of a key. Entries without it are not compared. */
export function areAllDifferent<Key extends string>(
  entries: readonly Partial<Record<Key, unknown>>[],
  key: Key,
): boolean {
  if (!Array.isArray(entries)) return true;
  const values = entries.map((entry) => entry?.[key]).filter((value) => value !== undefined);
  return new Set(values).size === values.length;
}
