import { maxKeyBurst, maxKeyRate, maxKeyRuleLength, maxKeyRules } from '@tollfree/contract/limits';
import { z } from 'zod';
import { asMessage } from '../../base/message-schema.ts';
import { amountBounds, limitUnits, limitWindows, storedAmount } from '../policy.ts';
import { parseNetwork } from './network.ts';
import { isOriginPattern } from './origin.ts';

// The texts are the second half of a sentence that begins with the field.
const tooMany = { error: `must hold at most ${maxKeyRules} items` };

function text() {
  return z.string().max(maxKeyRuleLength, { error: `must have at most ${maxKeyRuleLength} characters` });
}

const origin = text().refine(isOriginPattern, {
  error: 'must be an origin as browsers send it, like https://app.example.com or https://*.example.com',
});

/** Written in its one form. */
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

/** So many requests a second, and so many at once. */
const rate = asMessage(
  'ApiKeyRate',
  z.strictObject({ perSecond: wholeNumber(maxKeyRate), burst: wholeNumber(maxKeyBurst) }).readonly(),
);
export type KeyRate = z.output<typeof rate>;

/** At most so much in each window is sponsored with the key: operations, wei, or millionths of a USD. */
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

/** What an apiKey is bound to, next to the policy of its paymaster. An empty list binds to nothing. */
export const ApiKeyRulesSchema = asMessage(
  'ApiKeyRules',
  z
    .strictObject({
      /** Pages that may ask: what browsers keep to, and no one else. */
      origins: z.array(origin).max(maxKeyRules, tooMany).readonly().default([]),
      /** CIDR ranges of the addresses that may ask. */
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

/** Of a key that its paymaster's policy alone binds. */
export const noKeyRules: ApiKeyRules = ApiKeyRulesSchema.parse({});
