import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { Ticket } from '../../tickets/ticket.ts';

/** A bound on what is spent on one ticket. */
type TicketLimit = CountedLimit & { readonly per: 'ticket' };

/** The total limits of a ticket: its uses count operations. */
export function ticketLimits({ uses, budgetWei, budgetUsdMicros }: Ticket): readonly TicketLimit[] {
  const limits = { operations: uses, wei: budgetWei, usdMicros: budgetUsdMicros } as const;
  const units = ['operations', 'wei', 'usdMicros'] as const;
  return units.flatMap((unit) => {
    const max = limits[unit];
    return max === undefined ? [] : [{ per: 'ticket', window: 'ever', unit, max }];
  });
}
