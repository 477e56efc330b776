import { counted } from '@tollfree/contract/counted';
import { type Address, encodeFunctionData, formatEther, getAddress, isAddress } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { fillingCall } from '../../core/evm/paymaster-contracts/filling-call.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import { weiAmountSchema } from '../config/value-schemas.ts';
import { type CarriedOut, carryOut, toAnswer } from './carry-out.ts';
import {
  askChain,
  type ChainAccess,
  type ConfiguredContract,
  configuredSigners,
  contractAbi,
  findContract,
  isAmong,
  openChain,
} from './configured-contract.ts';
import { minUnstakeDelay, whyNoSigners, whyNoWithdrawal } from './family-facts.ts';
import { findPayer, type Payer } from './payer.ts';
import type { PlannedTransaction } from './planned-transaction.ts';

/** The input of a planned change. */
export type Target = { readonly access: ChainAccess; readonly contract: ConfiguredContract; readonly from: Address };
/** What a command sends; `undefined` if nothing needs to change, which is reported. */
type Change = Omit<PlannedTransaction, 'from' | 'facts'> & { readonly facts?: PlannedTransaction['facts'] };
export type Plan = (target: Target) => Promise<Change | { readonly done: string }>;

/** `tollfree paymaster-contract add-signer` and `remove-signer`. */
export function changeSigner(kind: 'add' | 'remove', signer: string, flags: Flags): Promise<void> {
  const key = readAddress(signer, 'The signer');
  return changeContract(flags, async ({ access, contract }) => {
    const refusal = whyNoSigners(contract.family);
    if (refusal !== undefined) throw mistake(`${contract.family.name} has no ${kind}Signer. ${refusal}.`);
    const { address: to } = contract;
    const read = { address: to, abi: contractAbi, functionName: 'signers', args: [key] } as const;
    const isSigner = await askChain(access.chain.chainId, access.client.readContract(read));
    if (isSigner === (kind === 'add')) return { done: `${key} is ${isSigner ? 'a' : 'no'} signer of ${to} already.` };
    const functionName = kind === 'add' ? 'addSigner' : 'removeSigner';
    const warning =
      kind === 'remove' && isAmong(configuredSigners(access.chain), key)
        ? '; the configuration names it, so its signatures of the service no longer land'
        : '';
    return {
      action: functionName,
      to,
      value: 0n,
      facts: [['signer', key]],
      data: encodeFunctionData({ abi: contractAbi, functionName, args: [key] }),
      changes:
        kind === 'add' ? `signatures of ${key} are accepted too` : `signatures of ${key} are not accepted${warning}`,
    };
  });
}

/** `tollfree paymaster-contract stake`. */
export function changeStake(amount: string | undefined, flags: Flags): Promise<void> {
  const { unlock, withdraw } = flags;
  if ([amount !== undefined, unlock === true, withdraw === true].filter(Boolean).length !== 1) {
    throw mistake('Name an amount to stake, or one of --unlock and --withdraw.');
  }
  if (amount !== undefined) return addStake(amount, flags);
  return unlock === true ? unlockStake(flags) : withdrawStake(flags);
}

function addStake(amount: string, flags: Flags): Promise<void> {
  const delay = Number(textFlag(flags, 'unstakeDelay') ?? minUnstakeDelay);
  if (!Number.isInteger(delay) || delay < 1 || delay > 0xffff_ffff) {
    throw mistake('--unstake-delay must be a number of seconds.');
  }
  return changeContract(flags, planStake(readAmount(amount), delay));
}

/** Adds wei to the stake; they can be withdrawn `delay` seconds after unlocking. */
export function planStake(value: bigint, delay: number): Plan {
  return async ({ contract: { address: to } }) => ({
    action: 'addStake',
    to,
    value,
    facts: [['unstake delay', counted(delay, 'second')]],
    data: encodeFunctionData({ abi: contractAbi, functionName: 'addStake', args: [delay] }),
    changes: `${formatEther(value)} ether more are staked at the EntryPoint, available ${counted(delay, 'second')} after it was unlocked`,
  });
}

/** `tollfree paymaster-contract stake --unlock`. */
function unlockStake(flags: Flags): Promise<void> {
  return changeContract(flags, async ({ contract: { address: to } }) => ({
    action: 'unlockStake',
    to,
    value: 0n,
    data: encodeFunctionData({ abi: contractAbi, functionName: 'unlockStake' }),
    changes: 'the contract is no longer staked; the stake can be withdrawn after its delay',
  }));
}

/** `tollfree paymaster-contract stake --withdraw`. */
function withdrawStake(flags: Flags): Promise<void> {
  return changeContract(flags, async ({ contract: { address: to }, from }) => {
    const receiver = readReceiver(flags, from);
    return {
      action: 'withdrawStake',
      to,
      value: 0n,
      facts: [['receiver', receiver]],
      data: encodeFunctionData({ abi: contractAbi, functionName: 'withdrawStake', args: [receiver] }),
      changes: `${receiver} gets the whole stake`,
    };
  });
}

/** `tollfree paymaster-contract deposit`: the call that fills the sender's tank. */
export function deposit(amount: string, flags: Flags): Promise<void> {
  return changeContract(flags, planDeposit(readAmount(amount)));
}

/** Fills the tank of the sending wallet. */
export function planDeposit(value: bigint): Plan {
  return async ({ access, contract, from }) => {
    const { family, address, entryPoint } = contract;
    const { chainId } = access.chain;
    const filling = fillingCall({ chainId, address, entryPoint }, from, family.customerFunding);
    return {
      action: filling.call,
      to: filling.to,
      value,
      data: filling.data,
      changes: `the deposit of ${address} grows by ${formatEther(value)} ether, for the tank of the funding wallet ${from}`,
    };
  };
}

/** `tollfree paymaster-contract withdraw`. */
export function withdraw(amount: string, flags: Flags): Promise<void> {
  const wei = readAmount(amount);
  return changeContract(flags, async ({ contract: { address: to, family }, from }) => {
    const refusal = whyNoWithdrawal(family);
    if (refusal !== undefined) throw mistake(`${family.name} has no withdrawTo. ${refusal}.`);
    const receiver = readReceiver(flags, from);
    return {
      action: 'withdrawTo',
      to,
      value: 0n,
      facts: [
        ['receiver', receiver],
        ['amount', `${formatEther(wei)} ether`],
      ],
      data: encodeFunctionData({ abi: contractAbi, functionName: 'withdrawTo', args: [receiver, wei] }),
      changes: `the deposit shrinks by ${formatEther(wei)} ether; signed open operations may no longer be covered`,
    };
  });
}

async function changeContract(flags: Flags, plan: Plan): Promise<void> {
  const access = await openChain(loadConfig(withOwnConfig(flags)), flags);
  const contract = findContract(access.chain, flags);
  const payer = await findPayer(flags);
  const done = await sendChange({ access, contract, payer }, plan, flags);
  const { chainId } = access.chain;
  if ('done' in done) {
    const data = { chainId, contract: contract.address, sent: false, nothingToDo: done.done };
    return printAnswer(flags, data, () => printHint(`${done.done} Nothing was sent.`));
  }
  printAnswer(flags, { ...toAnswer(chainId, done), contract: contract.address }, () => {
    if (done.receipt !== undefined) printLine(`landed in      block ${done.receipt.blockNumber}`);
  });
}

/** Shows what a change sends, and sends it if the flags or the user confirm. `done` says why there was nothing to send. */
export async function sendChange(
  { access, contract, payer }: Omit<Target, 'from'> & { readonly payer: Payer },
  plan: Plan,
  flags: Flags,
): Promise<CarriedOut | { readonly done: string }> {
  const change = await plan({ access, contract, from: payer.address });
  if ('done' in change) return change;
  const facts = [
    ['contract', `${contract.address} (${contract.family.name} ${contract.version})`],
    ...(change.facts ?? []),
  ] as const;
  return carryOut(access, { planned: { ...change, from: payer.address, facts }, payer }, flags);
}

/** Parses an amount with its unit into wei. */
export function readAmount(text: string): bigint {
  const amount = weiAmountSchema.safeParse(text);
  if (amount.success && amount.data > 0n) return amount.data;
  throw mistake('The amount must have its unit and be above 0, like "50 gwei" or "0.05 ether".');
}

function readReceiver(flags: Flags, from: Address): Address {
  const to = textFlag(flags, 'to');
  return to === undefined ? from : readAddress(to, '--to');
}

function readAddress(text: string, what: string): Address {
  if (isAddress(text)) return getAddress(text);
  throw mistake(`${what} must be an address (0x and 40 hex digits).`);
}
