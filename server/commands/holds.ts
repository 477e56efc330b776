import { maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { formatEther } from 'viem';
import { countFlag, type Flags, requiredFlag, textFlag, wholeNumberFlag } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { accepted } from '../accepted.ts';
import { chainFlag } from '../chains/chain-flag.ts';
import { withCore } from '../with-core.ts';

export async function listHolds(flags: Flags): Promise<void> {
  const wanted = {
    chainId: chainFlag(flags),
    ...omitAbsent({
      sender: textFlag(flags, 'sender'),
      afterHoldId: countFlag(flags, 'after', Number.MAX_SAFE_INTEGER),
      limit: countFlag(flags, 'limit', maxPageSize),
    }),
  };
  const holds = await withCore(flags, async (core) => accepted(await core.listOpenHolds(wanted)));
  printAnswer(flags, holds, () => {
    if (holds.length === 0) return printHint('There are no holds.');
    printRows(
      holds.map(({ holdId: hold, createdAt, validUntil, amount, sender, nonce, contract, paymasterId }) => ({
        hold: String(hold),
        since: formatTime(createdAt),
        ends: validUntil === undefined ? 'never' : formatTime(validUntil),
        amount: `${formatEther(amount)} ether`,
        sender,
        nonce: String(nonce),
        contract,
        paymaster: paymasterId,
      })),
    );
  });
}

export async function releaseHold(flags: Flags): Promise<void> {
  const chainId = chainFlag(flags);
  const holdId = Number(wholeNumberFlag(flags, 'hold'));
  const reason = requiredFlag(flags, 'reason');
  const released = await withCore(flags, async (core) => accepted(await core.releaseHold({ chainId, holdId, reason })));
  printAnswer(flags, released, () => {
    const { amount, sender, nonce, ground } = released;
    printLine(`Released ${formatEther(amount)} ether held for nonce ${nonce} of ${sender}: ${ground}.`);
  });
}
