import type { PlantedFault } from '../../support/run/run-with-faults.ts';

const holds = 'core/ledger/holds';
const accounts = 'core/ledger/accounts';

/** Mistakes of each kind that the model has to find. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'tickets: one is forgotten as soon as it ends',
    file: `${accounts}/limit-accounts.ts`,
    from: '(hold.ticketEndsAt ?? now) + ticketOutlives;',
    to: 'hold.ticketEndsAt ?? now;',
  },
  {
    name: 'tickets: one that was forgotten may be used again',
    file: `${holds}/decide-hold.ts`,
    from: 'endedUntil !== undefined && ticket.endsAt <= endedUntil;',
    to: 'endedUntil !== undefined && ticket.endsAt < 0;',
  },
  {
    name: 'keys: what joins an operation counts for its own key',
    file: `${holds}/decide-limits.ts`,
    from: 'const keyNumber = live?.keyNumber ?? request.key.keyNumber;\n  const countKey',
    to: 'const keyNumber = request.key.keyNumber;\n  const countKey',
  },
  {
    name: 'shares: the largest of several counts',
    file: `${holds}/add-to-hold.ts`,
    from: 'const least = Math.min(before, userPercent);',
    to: 'const least = before === 100 ? userPercent : Math.max(before, userPercent);',
  },
  {
    name: 'shares: of what landed limits count the whole',
    file: `${holds}/close-holds.ts`,
    from: 'const sponsored = before === undefined ? 0n : sponsoredPart(end.charge, userPercent ?? 0);',
    to: 'const sponsored = before === undefined ? 0n : end.charge;',
  },
  {
    name: 'caps: a client takes an operation over and counts only the raise',
    file: `${holds}/decide-caps.ts`,
    from: 'amount: live.amount + added.amount, atRisk',
    to: 'amount: added.amount, atRisk',
  },
  {
    name: 'caps: a short operation that becomes a long one counts only the raise',
    file: `${holds}/decide-caps.ts`,
    from: 'return lastsLong ? added + (live?.amount ?? 0n) : undefined;',
    to: 'return lastsLong ? added : undefined;',
  },
  {
    name: 'caps: what stands again after a rollback is of no client',
    file: 'core/ledger/revert/revert-hold.ts',
    from: 'const client = await readClient(transaction, before);',
    to: 'const client = undefined;',
  },
  {
    name: 'unpaid operations do not count for their sender',
    file: `${holds}/decide-risk.ts`,
    from: 'ofSender: openIn(sender) + openIn(unpaid),',
    to: 'ofSender: openIn(sender),',
  },
  {
    name: 'unpaid operations are forgotten after half a day',
    file: `${holds}/forget-unpaid.ts`,
    from: `.where('unpaid_until', '<=', now)`,
    to: `.where('unpaid_until', '<=', now + 43_200)`,
  },
  {
    name: 'named policies: one that is disabled may be chosen',
    file: 'core/policies/limit-window.ts',
    from: `.where('enabled', '=', 1),`,
    to: `.where('enabled', '>=', 0),`,
  },
  {
    name: 'named policies: their limits go on with those of the default policy',
    file: `${accounts}/limit-numbers.ts`,
    from: 'return policyKey(policy);',
    to: 'return policyKey({ ...policy, policyId: "" });',
  },
  {
    name: 'limits: one that is set again goes on counting',
    file: `${accounts}/limit-numbers.ts`,
    from: 'const ended = rows.filter(({ scope }) => !scopes.has(scope))',
    to: 'const ended = rows.filter(({ scope }) => scope === "")',
  },
  {
    name: 'limits: of calls the last request counts, not the most',
    file: 'core/policies/called-limits.ts',
    from: 'if (calls > (joined.get(key) ?? 0)) joined.set(key, calls);',
    to: 'if (calls > 0) joined.set(key, calls);',
  },
  {
    name: 'budgets: a price that rose is not counted',
    file: `${holds}/close-holds.ts`,
    from: 'return maxBigint(shareOf(held, remains, before), posted ?? 0n);',
    to: 'return shareOf(held, remains, before);',
  },
  {
    name: 'pruning: windows are forgotten when they end',
    file: `${accounts}/limit-accounts.ts`,
    from: 'export const windowOutlives = 2 * secondsPerDay;',
    to: 'export const windowOutlives = 0;',
  },
  {
    name: 'archiving: a ledger may be rolled back behind what is archived',
    file: 'core/ledger/archiving/drop-rows.ts',
    from: '  await noteBlocks(transaction, found);\n',
    to: '',
  },
  {
    name: 'archiving: what archived operations counted is forgotten',
    file: 'core/ledger/archiving/drop-rows.ts',
    from: `    if (table === 'holds') await addToBases(transaction, some);\n`,
    to: '',
  },
  {
    name: 'another paymaster: what it did not answer for stays set aside',
    file: `${holds}/end-vendor-question.ts`,
    from: 'const reserved = found.use.reserved - reservation.added;',
    to: 'const reserved = found.use.reserved;',
  },
  {
    name: 'another paymaster: what it answered for is given back',
    file: `${holds}/close-holds.ts`,
    from: 'const mayHaveLanded = before.vendorSigned && end.at === undefined;',
    to: 'const mayHaveLanded = false;',
  },
  {
    name: 'late landings: a rollback has them stand again',
    file: 'core/ledger/revert/revert-hold.ts',
    from: `if (before?.state !== 'settled' || before.releasedBecause === undefined) return undefined;`,
    to: `if (before?.state !== 'live' || before.releasedBecause === undefined) return undefined;`,
  },
  {
    name: 'late landings: the last hold pays, not the first',
    file: 'core/ledger/posting/settle-operations.ts',
    from: `.orderBy('holds.hold_id')\n    .executeTakeFirst();`,
    to: `.orderBy('holds.hold_id', 'desc')\n    .executeTakeFirst();`,
  },
  {
    name: 'late landings: they cost no tank',
    file: 'core/ledger/posting/settle-operations.ts',
    from: 'const payer = landed ?? (await findReleased(transaction, chainId, event));',
    to: 'const payer = landed;',
  },
  {
    name: 'late landings: limits count nothing of them',
    file: `${holds}/close-holds.ts`,
    from: 'keptWei: isCounted ? remains : undefined,',
    to: 'keptWei: isCounted ? (before.state === "live" ? remains : 0n) : undefined,',
  },
];
