import { type Address, type Hex, size } from 'viem';
import { z } from 'zod';
import type { DecidedCall, DecisionFacts } from '../domain/decision.ts';
import type { CallContent } from '../policies/call-rules/call-rules.ts';

/** A call as stored with a decision. */
export const DecidedCallSchema = z.object({
  target: z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)),
  selector: z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{8}$/.test(value)).exactOptional(),
}) satisfies z.ZodType<DecidedCall>;

/** A call's content as stored with a decision. */
export const CallContentSchema = z.object({
  value: z.codec(z.string().regex(/^\d{1,78}$/), z.bigint(), { decode: BigInt, encode: String }),
  data: z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/.test(value)),
}) satisfies z.ZodType<CallContent>;

/** A decision's facts with its calls' contents, as far as stored: `contents` in the order of the calls. */
export function withContents<Facts extends Pick<DecisionFacts, 'calls'>>(
  facts: Facts,
  contents: readonly (CallContent | null)[] = [],
): Facts {
  return { ...facts, calls: facts.calls.map((call, index) => ({ ...call, ...contents[index] })) };
}

/** Most bytes of call data stored per decision: enough for most operations. */
const maxKeptBytes = 2_048;

/** The stored part of a decision's calls, in order: nothing of a call that exceeds the limit. */
export function keepContents(calls: readonly CallContent[]): readonly (CallContent | null)[] {
  let room = maxKeptBytes;
  return calls.map(({ value, data }) => {
    if (size(data) > room) return null;
    room -= size(data);
    return { value, data };
  });
}
