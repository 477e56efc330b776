import type { z } from 'zod';
import { message, text } from '../base/message-schema.ts';

/**
 * How a request reached the RPC endpoint: its method, its page (the header `Origin`, as browsers send it) and its address.
 * The rules of an apiKey check these.
 */
export const ArrivalSchema = message('Arrival', {
  method: text,
  /** The page of the request: the header `Origin`, as a browser sends it. */
  origin: text.exactOptional(),
  /** The address of the request. */
  address: text.exactOptional(),
});
export type Arrival = z.output<typeof ArrivalSchema>;
