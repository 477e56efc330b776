import { setTimeout as wait } from 'node:timers/promises';
import { type Address, formatEther } from 'viem';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printHint } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { askChain, type ChainAccess } from '../paymaster-contract/chain-access.ts';
import { type Missing, priceMissing } from './chain-state.ts';

/** Polling interval of the balance while waiting for coins, in milliseconds. */
const betweenLooks = 4_000;

/**
 * Makes sure that the payer can pay for the missing transactions, and that the user agrees. At a terminal it waits for the
 * coins and asks; otherwise it reports what is missing, and the next run continues there.
 */
export async function fundPayer(access: ChainAccess, payer: Address, missing: Missing, flags: Flags): Promise<void> {
  const needed = await priceMissing(access, missing);
  if (needed === 0n) return;
  const { chain, client } = access;
  const balanceOf = () => askChain(chain.chainId, client.getBalance({ address: payer }));
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true && flags.json !== true;
  const balance = await balanceOf();
  if (balance < needed) {
    const sentence = `Send ${formatEther(needed - balance)} ether on ${chain.name} to ${payer}: ${describeMissing(missing)}.`;
    if (!isTerminal) throw tryAgain(`${sentence} Then run this command again.`);
    printHint(`${sentence} It goes on by itself; Ctrl-C ends it, and the next run continues from here.`);
    await withProgress('Waiting for the coins', async () => {
      while ((await balanceOf()) < needed) await wait(betweenLooks);
    });
  }
  await confirm(chain.name, missing, { flags, isTerminal });
}

/** What will be sent, in words. */
function describeMissing({ contract, stake, deposit }: Missing): string {
  return [
    ...(contract ? ['to deploy the contract'] : []),
    ...(stake > 0n ? [`to stake ${formatEther(stake)} ether, which you can withdraw later`] : []),
    ...(deposit > 0n ? [`to deposit ${formatEther(deposit)} ether into the gas tank`] : []),
  ].join(', ');
}

async function confirm(
  chainName: string,
  missing: Missing,
  { flags, isTerminal }: { readonly flags: Flags; readonly isTerminal: boolean },
): Promise<void> {
  if (flags.yes === true) return;
  const what = `transactions on ${chainName}, ${describeMissing(missing)}`;
  if (!isTerminal) throw mistake(`Add --yes to send ${what}. Everything before that is done.`);
  const prompts = await import('@clack/prompts');
  const message = `Send ${what}?`;
  if ((await prompts.confirm({ message, initialValue: false, output: process.stderr })) === true) return;
  throw mistake('Nothing was sent. The next run continues from here.');
}
