import { z } from 'zod';

/** Headers of calls that act on an account. Lower case, as Node and ts-rest see them. */
export const AccountHeadersSchema = z.object({
  authtoken: z.string().describe('authToken of the account, as issued to its holder.'),
});
export type AccountHeaders = z.infer<typeof AccountHeadersSchema>;

/** Headers of calls that act on one paymaster. */
export const PaymasterHeadersSchema = z.object({
  authtoken: z.string().describe('authToken of the account, as issued to its holder.'),
  apikey: z.string().describe('apiKey of the paymaster, from its creation or the paymaster list.'),
});
export type PaymasterHeaders = z.infer<typeof PaymasterHeadersSchema>;
