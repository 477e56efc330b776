import { resolve } from 'node:path';
import { type PlantedFault, runWithFaults } from '../support/run/run-with-faults.ts';

const holds = 'core/ledger/holds';
const posting = 'core/ledger/posting';

/** Not found so far, so not among them: another paymaster that keeps what was reserved for it after a refusal. */
export const seededFaults: readonly PlantedFault[] = [
  {
    name: 'limits count what is held twice',
    file: `${holds}/add-to-hold.ts`,
    from: 'hold.limitWei = after.limitWei;',
    to: 'hold.limitWei = 2n * after.limitWei;',
  },
  {
    name: 'holds end a second early',
    file: `${posting}/release-expired.ts`,
    from: `.where('holds.valid_until', '<', stretch.chainTime)`,
    to: `.where('holds.valid_until', '<=', stretch.chainTime)`,
  },
  {
    name: 'limits still count what was released',
    file: 'core/ledger/accounts/follow-holds.ts',
    from: "return state === 'released' && !vendorSigned;",
    to: 'return false;',
  },
  {
    name: 'the sponsored part of a cost is rounded down',
    file: 'core/domain/user-share.ts',
    from: 'return divideUp(cost * BigInt(wholePercent - userPercent), percents);',
    to: 'return (cost * BigInt(wholePercent - userPercent)) / percents;',
  },
  {
    name: 'a ticket for something else is called one for someone else',
    file: 'core/sponsorship/permit/check-ticket.ts',
    from: `return refuse({ reason: 'TICKET_NOT_FOR_OPERATION', message });`,
    to: `return refuse({ reason: 'TICKET_FOR_ANOTHER', message });`,
  },
  {
    name: 'a relayed operation costs its tank all that was held',
    file: `${posting}/settle-operations.ts`,
    from: 'minBigint(actualGasCost, payer.amount);',
    to: 'payer.amount;',
  },
  {
    name: 'an operation that lands late costs no tank',
    file: `${posting}/settle-operations.ts`,
    from: 'const payer = landed ?? (await findReleased(transaction, chainId, event));',
    to: 'const payer = landed;',
  },
  {
    name: 'a budget counts in one window for ever',
    file: 'core/ledger/budgets.ts',
    from: `return windowAccount(limitId, '', window, now);`,
    to: `return windowAccount(limitId, '', 'ever', now);`,
  },
  {
    name: 'a ticket is used once more than it allows',
    file: 'core/policies/rules/rule-on-limit.ts',
    from: 'if (used + asked <= max) return seen;\n  const end',
    to: `if (used + asked <= max + (per === 'ticket' ? 1n : 0n)) return seen;\n  const end`,
  },
  {
    name: 'what stands again after a reorg counts nothing',
    file: 'core/ledger/revert/revert-hold.ts',
    from: 'after: countedHold({ ...before, ...values })',
    to: 'after: countedHold({ ...before, ...values, limitWei: undefined })',
  },
  {
    name: 'a joined hold keeps its earlier end',
    file: `${holds}/add-to-hold.ts`,
    from: 'hold.validUntil = Math.max(hold.validUntil, request.validUntil);',
    to: 'if (hold.validUntil === 0) hold.validUntil = request.validUntil;',
  },
];

/** Replays a recording once for each fault, in a copy of the sources that has it. Returns the names of faults not found. */
export function missedFaults(recording: string, say: (line: string) => void): readonly string[] {
  const missed: string[] = [];
  const program = ['test/recording/main.ts', '--until-different', '--against', resolve(recording)];
  runWithFaults(seededFaults, program, ({ name }, { status, stdout, stderr }) => {
    const [last = ''] = stdout.trim().split('\n').slice(-1);
    const [first = ''] = /^line .*$/m.exec(stdout) ?? [];
    // 0: equal. Something else than 1 with a count of differences would be a mistake of this program.
    if (status !== 0 && !last.includes('unexpected differences')) throw new Error(`${name}: ${stderr}`);
    say(`${status === 0 ? 'MISSED' : 'found '} ${name}: ${first}`);
    if (status === 0) missed.push(name);
  });
  return missed;
}
