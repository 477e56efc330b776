import { z } from 'zod';
import { address, hex, wei } from './fields/forms.ts';

/** What the owner of the paymaster can do about a refusal. */
const ownerActions = [
  'register-contract',
  'whitelist-method',
  'change-policy',
  'look-at-policies',
  'look-at-webhook',
  'deposit',
  'resume-paymaster',
  'create-paymaster',
  'enable-key',
  'change-key-origins',
  'change-key-networks',
  'change-key-methods',
  'change-key-rate',
  'change-key-limits',
  'change-budget',
  'look-at-ticket-keys',
] as const;

/** What the owner of the paymaster, or the operator of the service, can do about a refusal. */
export const fixActions = [...ownerActions, 'look-at-status'] as const;
export type FixAction = (typeof fixActions)[number];

export const FixSchema = z.object({
  action: z.enum(fixActions).describe('What to do. `look-at-status` is for the operator, any other for the owner.'),
  target: address.optional().describe('The address that was called.'),
  selector: hex.optional().describe('The method that was called.'),
  policyField: z.string().optional().describe('The policy field that caused the refusal.'),
  webhookId: z.string().optional().describe('The webhook that refused or gave no usable answer.'),
  neededWei: wei.optional().describe('Required in the gas tank, in wei.'),
});
export type FixItem = z.infer<typeof FixSchema>;
