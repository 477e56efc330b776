import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Address, formatEther } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { openWalletWith } from '../../clients/cli/open-wallet.ts';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printHint } from '../../clients/cli/terminal/print-answer.ts';
import { askNewPassword } from '../../clients/cli/terminal/prompts.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { Secret } from '../../core/base/values/secret.ts';
import type { UnitPrices } from '../../core/domain/unit-prices.ts';
import { gasScheduleOf, readGasSchedule } from '../../core/gas/gas-schedule.ts';
import { weiAmountSchema } from '../config/value-schemas.ts';
import { makeKeystore } from '../keystores.ts';
import { readAmount } from '../paymaster-contract/change-contract.ts';
import {
  askChain,
  type ChainAccess,
  type ConfiguredContract,
  contractAbi,
  findFamily,
} from '../paymaster-contract/configured-contract.ts';
import { leastStake, needsStake } from '../paymaster-contract/family-facts.ts';
import { findPayer, type Payer } from '../paymaster-contract/payer.ts';
import { writeNewFiles } from '../write-files.ts';
import type { Progress } from './service-steps.ts';

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

/** Longest wait for the transactions of an earlier run, in milliseconds. */
const longestWait = 300_000;

/**
 * Waits for transactions that an interrupted run has sent and did not see land: what they do would be sent a second time. Where a
 * transaction never lands, a run after five minutes says so instead of paying twice.
 */
export async function landPending({ chain, client }: ChainAccess, payer: Address): Promise<void> {
  const count = (blockTag: 'latest' | 'pending') =>
    askChain(chain.chainId, client.getTransactionCount({ address: payer, blockTag }));
  const [landed, sent] = await Promise.all([count('latest'), count('pending')]);
  if (landed >= sent) return;
  const sentence = `${sent - landed} transactions of ${payer} have not landed yet.`;
  printHint(`${sentence} Waiting for them, so that nothing is sent twice.`);
  const end = Date.now() + longestWait;
  while ((await count('latest')) < sent) {
    if (Date.now() > end) throw tryAgain(`${sentence} Replace or cancel them, then run this command again.`);
    await wait(betweenLooks);
  }
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

const defaultDeposit = '0.01 ether';

/** The amounts that the flags request on the chain, in wei. 0 for none. */
export type Wanted = { readonly stake: bigint; readonly deposit: bigint };

export function readWanted(flags: Flags, chainId: number, familyName: string): Wanted {
  const stake = textFlag(flags, 'stake');
  const usual = needsStake(findFamily(familyName)) ? leastStake(chainId).wei : 0n;
  return {
    stake: stake === undefined ? usual : amountOrNone(stake),
    deposit: amountOrNone(textFlag(flags, 'deposit') ?? defaultDeposit),
  };
}

function amountOrNone(text: string): bigint {
  return text === 'none' ? 0n : readAmount(text);
}

/** A contract's money at the EntryPoint, in wei; an unlocked stake counts as 0. */
type Money = { readonly deposit: bigint; readonly stake: bigint };

export async function readMoney(
  { chain, client }: ChainAccess,
  contract: ConfiguredContract | undefined,
): Promise<Money> {
  if (contract === undefined) return { deposit: 0n, stake: 0n };
  const { entryPoint, address } = contract;
  const asked = { address: entryPoint, abi: contractAbi, functionName: 'getDepositInfo', args: [address] } as const;
  const [deposit, staked, stake] = await askChain(chain.chainId, client.readContract(asked));
  return { deposit, stake: staked ? stake : 0n };
}

/** What still must be sent: whether the contract, and how much stake and deposit, in wei. */
export type Missing = { readonly contract: boolean; readonly stake: bigint; readonly deposit: bigint };

export function findMissing(isThere: boolean, wanted: Wanted, has: Money): Missing {
  return {
    contract: !isThere,
    stake: wanted.stake > has.stake ? wanted.stake - has.stake : 0n,
    // A used tank is filled by its operator, not by repeating the setup.
    deposit: has.deposit === 0n ? wanted.deposit : 0n,
  };
}

/**
 * More gas than any family has needed for each: 3.5 million, 150,000 and 150,000 with mainnet's prices. The largest contract
 * has 15,300 bytes; a stake and a first deposit make two slots each.
 */
function gasOf({ codeByte, newSlot }: UnitPrices) {
  const payment = 2n * newSlot + 105_800n;
  return { contract: 15_600n * codeByte + 380_000n, stake: payment, deposit: payment };
}
/** Minimum gas price, as a reserve for rising prices. */
const leastPrice = weiAmountSchema.parse('0.1 gwei');

/** Wei that the payer needs for what is missing, including gas at twice the current price; 0 if nothing is. */
async function priceMissing({ chain, client }: ChainAccess, missing: Missing): Promise<bigint> {
  if (!missing.contract && missing.stake === 0n && missing.deposit === 0n) return 0n;
  await readGasSchedule(client);
  const { contract, stake, deposit } = gasOf(gasScheduleOf(client));
  const gas =
    (missing.contract ? contract : 0n) + (missing.stake > 0n ? stake : 0n) + (missing.deposit > 0n ? deposit : 0n);
  const price = 2n * (await askChain(chain.chainId, client.getGasPrice()));
  return missing.stake + missing.deposit + gas * (price > leastPrice ? price : leastPrice);
}

const defaultKeystore = 'payer.json';

/**
 * The wallet that pays, owns the contract and fills the first tank: from `--key-file` or `--keystore`; a missing keystore is
 * created. Its password is asked for once.
 */
export async function preparePayer(flags: Flags, progress: Progress): Promise<Payer> {
  const keystore = textFlag(flags, 'keystore') ?? defaultKeystore;
  const isNamed = textFlag(flags, 'keyFile') !== undefined;
  if (isNamed || existsSync(resolve(keystore))) {
    const payer = await findPayer(isNamed ? flags : { ...flags, keystore });
    progress.note('payer', 'there', payer.address);
    return openedOnce(payer);
  }
  const passwordFile = textFlag(flags, 'passwordFile');
  const password =
    passwordFile === undefined
      ? await askNewPassword(
          `Password for the new wallet ${keystore}, which pays and owns the contract`,
          `There is no ${keystore} yet. Name the payer with --key-file or --keystore, or set --password-file for a new one.`,
        )
      : readPassword(resolve(passwordFile));
  const { address, text } = await withProgress('Encrypting the key', () => makeKeystore(new Secret(password)));
  const file = resolve(keystore);
  writeNewFiles(new Map([[file, text]]));
  progress.note('payer', 'done', `${address}, new in ${keystore}`);
  return openedOnce({ address, open: () => openWalletWith(file, password) });
}

function openedOnce({ address, open }: Payer): Payer {
  let opened: Promise<LocalAccount> | undefined;
  return {
    address,
    open: () => {
      opened ??= open();
      return opened;
    },
  };
}
