import type { Migration } from '../../migration.ts';
import { management } from './0001-management.ts';
import { ledger } from './0002-ledger.ts';
import { decisions } from './0003-decisions.ts';
import { charges } from './0004-charges.ts';
import { notifications } from './0005-notifications.ts';
import { usage } from './0006-usage.ts';
import { unpaid } from './0007-unpaid.ts';
import { clients } from './0008-clients.ts';
import { keyRotation } from './0009-key-rotation.ts';
import { deployments } from './0010-deployments.ts';
import { strayDeposits } from './0011-stray-deposits.ts';
import { contractWatches } from './0012-contract-watches.ts';
import { runningSums } from './0013-running-sums.ts';
import { releasesAndHours } from './0014-releases-and-hours.ts';
import { signIn } from './0015-sign-in.ts';
import { apiKeys } from './0016-api-keys.ts';
import { webhookAnswers } from './0017-webhook-answers.ts';
import { coinPrices } from './0018-coin-prices.ts';
import { cores } from './0019-cores.ts';
import { quotes } from './0020-quotes.ts';
import { sharedLimits } from './0021-shared-limits.ts';
import { settledDays } from './0022-settled-days.ts';
import { sealingKey } from './0023-sealing-key.ts';
import { usageSums } from './since-0024/0024-usage-sums.ts';
import { limitUses } from './since-0024/0025-limit-uses.ts';
import { keySettings } from './since-0024/0026-key-settings.ts';
import { tickets } from './since-0024/0027-tickets.ts';
import { namedPolicies } from './since-0024/0028-named-policies.ts';
import { scopes } from './since-0024/0029-scopes.ts';
import { auditLog } from './since-0024/0030-audit-log.ts';
import { members } from './since-0024/0031-members.ts';
import { holdCalls } from './since-0024/0032-hold-calls.ts';
import { webhookPayloads } from './since-0024/0033-webhook-payloads.ts';
import { ticketEnds } from './since-0024/0034-ticket-ends.ts';
import { failureBudgets } from './since-0024/0035-failure-budgets.ts';
import { budgets } from './since-0024/0036-budgets.ts';
import { otherMoney } from './since-0024/0037-other-money.ts';
import { premiums } from './since-0024/0038-premiums.ts';
import { packedReasons } from './since-0024/0039-packed-reasons.ts';
import { writeProbe } from './since-0024/0040-write-probe.ts';
import { auditLogKeys } from './since-0024/0041-audit-log-keys.ts';
import { keptDecisions } from './since-0024/0042-kept-decisions.ts';
import { argumentBytes } from './since-0024/0043-argument-bytes.ts';
import { contractWallets } from './since-0024/0044-contract-wallets.ts';
import { simulatedCalls } from './since-0024/0045-simulated-calls.ts';
import { shares } from './since-0024/0046-shares.ts';
import { attributionUsage } from './since-0024/0047-attribution-usage.ts';

/** In the order they are applied. */
export const migrations: readonly Migration[] = [
  management,
  ledger,
  decisions,
  charges,
  notifications,
  usage,
  unpaid,
  clients,
  keyRotation,
  deployments,
  strayDeposits,
  contractWatches,
  runningSums,
  releasesAndHours,
  signIn,
  apiKeys,
  webhookAnswers,
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
