import { isIP } from 'node:net';
import { maxKeyBurst, maxKeyRate, maxKeyRuleLength, maxKeyRules } from '@tollfree/contract/limits';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { asMessage } from '../base/message-schema.ts';
import { amountBounds, limitUnits, limitWindows, storedAmount } from './policy.ts';

/** Scheme, host with an optional `*.` prefix, and port. */
const form = /^([a-z][a-z0-9+.-]*:\/\/)(\*\.)?((?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/;
const someLabels = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * Whether a text is an origin as browsers write it (`https://app.example.com`), or a pattern for all subdomains
 * (`https://*.example.com`).
 */
export function isOriginPattern(text: string): boolean {
  const [, scheme = '', wildcard, host = '', port = ''] = form.exec(text) ?? [];
  if (host === '' || (wildcard !== undefined && !host.includes('.'))) return false;
  const { origin } = URL.parse(`${scheme}${host}${port}`) ?? {};
  // Only URLs of web schemes have an origin; for others a browser sends scheme and host.
  return origin === 'null' || origin === `${scheme}${host}${port}`;
}

/**
 * Whether an origin equals the pattern, or is one of its subdomains. `null`, which a browser sends for no origin, never
 * matches.
 */
export function matchesOrigin(pattern: string, origin: string): boolean {
  const [before, after] = pattern.split('*');
  if (before === undefined || after === undefined) return pattern === origin;
  if (!origin.startsWith(before) || !origin.endsWith(after)) return false;
  return someLabels.test(origin.slice(before.length, -after.length));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Prefix length of the IPv4 addresses mapped into IPv6. */
const mappedBits = 96;

function parse(text: string): Address | undefined {
  // net.isIP only accepts the canonical forms; ipaddr.js would also read `127.1` or octal numbers.
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text);
}

/**
 * An address or CIDR range in canonical form, `10.0.0.0/8`; an IPv6 range of mapped IPv4 addresses becomes the IPv4 range.
 * Undefined for anything else.
 */
export function parseNetwork(text: string): string | undefined {
  const [base = '', prefix, ...more] = text.split('/');
  const address = parse(base);
  if (address === undefined || more.length > 0) return undefined;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined;
  const bits = prefix === undefined ? width : Number(prefix);
  if (bits > width) return undefined;
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= mappedBits) {
    return parseNetwork(`${address.toIPv4Address()}/${bits - mappedBits}`);
  }
  const network = address instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${network.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** Whether an address is in a range from {@link parseNetwork}. */
export function isInNetwork(network: string, address: string): boolean {
  const found = parse(address);
  if (found === undefined) return false;
  const plain = ipaddr.process(found.toString());
  const [base, bits] = ipaddr.parseCIDR(network);
  return plain.kind() === base.kind() && plain.match(base, bits);
}

// The texts are the second half of a sentence that begins with the field.
const tooMany = { error: `must hold at most ${maxKeyRules} items` };

function text() {
  return z.string().max(maxKeyRuleLength, { error: `must have at most ${maxKeyRuleLength} characters` });
}

const origin = text().refine(isOriginPattern, {
  error: 'must be an origin as browsers send it, like https://app.example.com or https://*.example.com',
});

/** Stored in canonical form. */
const network = z.codec(z.string(), text(), {
  decode: (stored) => stored,
  encode: (sent, { issues }) => {
    const range = parseNetwork(sent);
    if (range !== undefined) return range;
    issues.push({ code: 'custom', input: sent, message: 'must be an IP address or a range like 10.0.0.0/8' });
    return sent;
  },
});

const method = text().regex(/^[a-zA-Z0-9]+_[a-zA-Z0-9]+$/, { error: 'must be a method of the RPC endpoint' });

function wholeNumber(max: number) {
  const error = `must be a whole number from 1 to ${max}`;
  return z.int({ error }).min(1, { error }).max(max, { error });
}

/** Requests per second, and the burst. */
const rate = asMessage(
  'ApiKeyRate',
  z.strictObject({ perSecond: wholeNumber(maxKeyRate), burst: wholeNumber(maxKeyBurst) }).readonly(),
);
export type KeyRate = z.output<typeof rate>;

/** The most that is sponsored with the key in each window: operations, wei, or millionths of a USD. */
const limit = asMessage(
  'ApiKeyLimit',
  z
    .strictObject({ window: z.enum(limitWindows), unit: z.enum(limitUnits), max: storedAmount })
    .check(({ value: { unit, max }, issues }) => {
      if (max >= 0n && max <= amountBounds[unit].max) return;
      issues.push({ code: 'custom', path: ['max'], input: max, message: amountBounds[unit].error });
    })
    .readonly(),
);
export type KeyLimit = z.output<typeof limit>;

/** Restrictions of an apiKey, in addition to its paymaster's policy. An empty list does not restrict. */
export const ApiKeyRulesSchema = asMessage(
  'ApiKeyRules',
  z
    .strictObject({
      /** Pages that may send requests. Only browsers enforce this. */
      origins: z.array(origin).max(maxKeyRules, tooMany).readonly().default([]),
      /** CIDR ranges of the addresses that may send requests. */
      networks: z.array(network).max(maxKeyRules, tooMany).readonly().default([]),
      /** Methods of the RPC endpoint. */
      methods: z.array(method).max(maxKeyRules, tooMany).readonly().default([]),
      rate: rate.exactOptional(),
      limits: z
        .array(limit)
        .max(maxKeyRules, tooMany)
        .check(({ value, issues }) => {
          for (const [index, { window, unit }] of value.entries()) {
            const same = value.findIndex((one) => one.window === window && one.unit === unit);
            if (same === index) continue;
            const message = `must differ from limits[${same}] in window or unit`;
            issues.push({ code: 'custom', path: [index], input: value[index], message });
          }
        })
        .readonly()
        .default([]),
    })
    .readonly(),
);
export type ApiKeyRules = z.output<typeof ApiKeyRulesSchema>;

/** A key that only its paymaster's policy restricts. */
export const noKeyRules: ApiKeyRules = ApiKeyRulesSchema.parse({});
