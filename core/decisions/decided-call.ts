import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { DecidedCall } from '../domain/decision.ts';

/** A call as it is kept of a decision. */
export const DecidedCallSchema = z.object({
  target: z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)),
  selector: z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{8}$/.test(value)).exactOptional(),
}) satisfies z.ZodType<DecidedCall>;
