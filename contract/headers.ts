import { z } from 'zod';

const authtoken = z.string().optional().describe('authToken of the account. A browser session replaces it.');

/** Headers of calls that act on an account. Lower case, as Node sees them. */
export const AccountHeadersSchema = z.object({
  authtoken,
});
export type AccountHeaders = z.infer<typeof AccountHeadersSchema>;

/** Headers of calls that act on one paymaster. */
export const PaymasterHeadersSchema = z.object({
  authtoken,
  apikey: z.string().describe('apiKey of the paymaster, from its creation or the paymaster list.'),
});
export type PaymasterHeaders = z.infer<typeof PaymasterHeadersSchema>;
