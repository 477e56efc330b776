import type { Migration } from '../../migration.ts';
import { firstSchema } from './0017-first-schema.ts';
import { coinPrices } from './0018-coin-prices.ts';
import { cores } from './0019-cores.ts';
import { quotes } from './0020-quotes.ts';
import { sharedLimits } from './0021-shared-limits.ts';
import { settledDays } from './0022-settled-days.ts';
import { sealingKey } from './0023-sealing-key.ts';
import { usageSums } from './0024-usage-sums.ts';
import { limitUses } from './0025-limit-uses.ts';
import { keySettings } from './0026-key-settings.ts';
import { tickets } from './0027-tickets.ts';
import { namedPolicies } from './0028-named-policies.ts';
import { scopes } from './0029-scopes.ts';
import { auditLog } from './0030-audit-log.ts';
import { members } from './0031-members.ts';
import { holdCalls } from './0032-hold-calls.ts';
import { webhookPayloads } from './0033-webhook-payloads.ts';
import { ticketEnds } from './0034-ticket-ends.ts';
import { failureBudgets } from './0035-failure-budgets.ts';
import { budgets } from './0036-budgets.ts';
import { otherMoney } from './0037-other-money.ts';
import { premiums } from './0038-premiums.ts';
import { packedReasons } from './0039-packed-reasons.ts';
import { writeProbe } from './0040-write-probe.ts';
import { auditLogKeys } from './0041-audit-log-keys.ts';
import { keptDecisions } from './0042-kept-decisions.ts';
import { argumentBytes } from './0043-argument-bytes.ts';
import { contractWallets } from './0044-contract-wallets.ts';
import { simulatedCalls } from './0045-simulated-calls.ts';
import { shares } from './0046-shares.ts';
import { attributionUsage } from './0047-attribution-usage.ts';

/** In the order they are applied, each with the number of the migration of SQLite that comes to the same. */
export const postgresMigrations: readonly Migration[] = [
  firstSchema,
  coinPrices,
  cores,
  quotes,
  sharedLimits,
  settledDays,
  sealingKey,
  usageSums,
  limitUses,
  keySettings,
  tickets,
  namedPolicies,
  scopes,
  auditLog,
  members,
  holdCalls,
  webhookPayloads,
  ticketEnds,
  failureBudgets,
  budgets,
  otherMoney,
  premiums,
  packedReasons,
  writeProbe,
  auditLogKeys,
  keptDecisions,
  argumentBytes,
  contractWallets,
  simulatedCalls,
  shares,
  attributionUsage,
];
