import { type Address, type Hex, size } from 'viem';
import { z } from 'zod';
import type { DecidedCall, DecisionFacts } from '../domain/decision.ts';
import type { CallContent } from '../policies/call-rules/call-rules.ts';

/** A call as it is kept of a decision. */
export const DecidedCallSchema = z.object({
  target: z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)),
  selector: z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{8}$/.test(value)).exactOptional(),
}) satisfies z.ZodType<DecidedCall>;

/** What a call sends, as it is kept of a decision. */
export const CallContentSchema = z.object({
  value: z.codec(z.string().regex(/^\d{1,78}$/), z.bigint(), { decode: BigInt, encode: String }),
  data: z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/.test(value)),
}) satisfies z.ZodType<CallContent>;

/** A decision's facts with what its calls send, as far as that is kept: `contents` in the order of the calls. */
export function withContents<Facts extends Pick<DecisionFacts, 'calls'>>(
  facts: Facts,
  contents: readonly (CallContent | null)[] = [],
): Facts {
  return { ...facts, calls: facts.calls.map((call, index) => ({ ...call, ...contents[index] })) };
}

/** Bytes of call data kept of one decision: room for most operations, and no more of a large one than of its facts. */
const maxKeptBytes = 2_048;

/** What is kept of the calls of a decision, in their order: nothing of a call that there is no room for. */
export function keepContents(calls: readonly CallContent[]): readonly (CallContent | null)[] {
  let room = maxKeptBytes;
  return calls.map(({ value, data }) => {
    if (size(data) > room) return null;
    room -= size(data);
    return { value, data };
  });
}
