import * as api from '@tollfree/contract/ticket-key';
import { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { amount, count, hex, listOf, message, seconds, text } from '../base/message-schema.ts';
import { limitUnits, limitWindows } from './policy.ts';

/** What is left in one limit: of the policy, of the apiKey, or of a ticket's uses or budget. Amounts in the unit. */
const LimitAllowanceSchema = message('LimitAllowance', {
  per: z.enum(['sender', 'subject', 'total', 'key', 'ticket']),
  window: z.enum(limitWindows),
  unit: z.enum(limitUnits),
  max: amount,
  /** 0 while its use has not been counted yet. */
  left: amount,
  /** End of its window in Unix seconds, when the next one begins. Absent if it never ends. */
  until: seconds.exactOptional(),
  /** The contract it is on; `operations` are calls then. Absent for a limit on all operations. */
  contract: hex.exactOptional(),
  /** Its method, as the policy names it. Absent: all. */
  method: text.exactOptional(),
});
export type LimitAllowance = z.output<typeof LimitAllowanceSchema>;

/** Why budgets of the account leave nothing: one is used up, or the coin's price is unknown. */
const budgetStops = ['used up', 'not counted'] as const;

/**
 * Says why budgets of the account leave nothing. Otherwise neither the remaining amount nor the number of sharing paymasters
 * is shown, since anyone with the URL can ask.
 */
const BudgetStopSchema = message('BudgetStop', {
  why: z.enum(budgetStops),
  /** Unix seconds at which the exhausted windows have ended. Absent if one never ends, and if it is not counted. */
  until: seconds.exactOptional(),
});
export type BudgetStop = z.output<typeof BudgetStopSchema>;

/** What is left for a user or a sender. The operator's caps and the gas tank may leave less. */
export const AllowanceSchema = message('Allowance', {
  limits: listOf(LimitAllowanceSchema),
  /**
   * How many operations are left, by the limits that count all operations or their cost, whose number is an estimate. A ticket's own
   * uses and budget do not count: the user gets another ticket. Absent without such a limit.
   */
  operationsLeft: count.exactOptional(),
  /** Absent if budgets leave something, or if there are none. */
  budget: BudgetStopSchema.exactOptional(),
  /** Absent without a ticket. */
  ticketExpiresAt: seconds.exactOptional(),
});
export type Allowance = z.output<typeof AllowanceSchema>;

/**
 * Where a paymaster's ticket key comes from: created here (`HS256` a shared secret; `ES256` and `EDDSA` a key pair, whose
 * private half is shown once and not stored), the application's own public key (`JWK`, RFC 7517), or a list at a URL
 * (`JWKS`), such as that of an OpenID provider.
 */
export const { ticketKeyKinds } = api;
export type TicketKeyKind = (typeof ticketKeyKinds)[number];

/** A ticket signing key of a paymaster, without its secret parts. */
export const TicketKeySchema = message('TicketKey', fieldsOfApi(api.TicketKeySchema));
export type TicketKey = z.output<typeof TicketKeySchema>;

/** A new key. `secretJson` is the private or shared key as JSON text (RFC 7517), which only this answer contains. */
export const NewTicketKeySchema = message('NewTicketKey', {
  record: TicketKeySchema,
  /** The key that signs the tickets, as JSON text (RFC 7517), if it was created here. Only this answer contains it. */
  secretJson: text.exactOptional(),
});
export type NewTicketKey = z.output<typeof NewTicketKeySchema>;
