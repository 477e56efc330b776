import type { z } from 'zod';
import { message, text } from '../../base/message-schema.ts';

/**
 * How a request of the RPC endpoint came: by which method, from which page (the header `Origin`, as browsers send it)
 * and from which address. What an apiKey may is decided on this.
 */
export const ArrivalSchema = message('Arrival', {
  method: text,
  /** From which page: the header `Origin`, as a browser sends it. */
  origin: text.exactOptional(),
  /** From which address. */
  address: text.exactOptional(),
});
export type Arrival = z.output<typeof ArrivalSchema>;
