import {
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  hexToBytes,
  parseAbi,
  parseEther,
  parseEventLogs,
  size,
} from 'viem';
import { maxBigint } from '../../../core/base/values/integers.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { mainnetPrices } from '../../../core/domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { entryPoint07Abi } from '../../../core/evm/entry-point/entry-point-abi.ts';
import { gasSchedules } from '../../../core/gas/gas-schedule.ts';
import { devTargetAbi } from '../../../server/dev/devnet/contracts.generated.ts';
import type { DeployedPaymaster } from '../../support/paymaster-contracts/paymaster-lab.ts';
import {
  approveAll,
  bundleFor,
  bundler,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
} from '../../support/paymaster-contracts/send-sponsored.ts';
import type { OverheadLab } from './overhead-lab.ts';

const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
const window = { validUntil: 4_000_000_000, validAfter: 1_000 };

/** What a transaction used, and what the EntryPoint charged for its operation. */
type Gas = { readonly used: bigint; readonly charged: bigint };

/** Gas of a transaction with one operation, above the gas of the same operation that its account's deposit pays for. */
export type Overhead = { readonly sponsored: bigint; readonly token?: bigint };

/**
 * The account is on chain, has used its nonce, its target's storage and its deposit before, and has approved the token:
 * what differs between the transactions is the paymaster alone.
 */
export async function measureOverhead(lab: OverheadLab, paymaster: DeployedPaymaster): Promise<Overhead> {
  const next = await prepareAccount(lab, paymaster);
  const alone = await gasOf(lab, next('SPONSORED'), 'alone', paymaster);
  const sponsored = above(await gasOf(lab, next('SPONSORED'), 'SPONSORED', paymaster), alone);
  if (!paymaster.family.modes.includes('ERC20')) return { sponsored };
  await gasOf(lab, next('ERC20'), 'ERC20', paymaster);
  return { sponsored, token: above(await gasOf(lab, next('ERC20'), 'ERC20', paymaster), alone) };
}

/** Makes an account with a deposit and tokens. The answer makes its next operation, a call of the target. */
async function prepareAccount(lab: OverheadLab, paymaster: DeployedPaymaster) {
  const { target, tokens } = lab.devnet;
  const { contract, family } = paymaster;
  const token = tokens[0]?.address ?? '0x';
  const call = { target: token, data: approveAll(contract.address), salt: hexToBigInt(contract.address) };
  const first = await newAccountOperation(lab, paymaster, { mode: 'SPONSORED', ...call });
  await setDeposit(lab, paymaster, parseEther('5'));
  await setDeposit(lab, { family, contract: { ...contract, address: first.sender } }, parseEther('5'));
  await mintTo(lab, token, first.sender);
  let nonce = 0n;
  const increment = encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' });
  const callData = encodeFunctionData({ abi: executeAbi, args: [target.address, 0n, increment] });
  const next = (mode: SponsorshipMode): UserOperationWithGas => {
    const gas = { ...first.gas, ...family.paymasterGasLimits(mode, gasSchedules.osaka) };
    return { ...first, initCode: '0x', callData, nonce: nonce++, gas };
  };
  await gasOf(lab, { ...first, nonce: nonce++ }, 'alone', paymaster);
  await gasOf(lab, next('SPONSORED'), 'alone', paymaster);
  return next;
}

async function gasOf(
  lab: OverheadLab,
  operation: UserOperationWithGas,
  mode: SponsorshipMode | 'alone',
  paymaster: DeployedPaymaster,
): Promise<Gas> {
  const { client, tokenRecipient, tokens } = lab.devnet;
  const token = {
    token: tokens[0]?.address ?? '0x',
    exchangeRate: 10n ** 10n,
    tokenRecipient,
    prices: mainnetPrices,
  } as const;
  const sponsored = { fundingWallet: tokenRecipient, priceMarkup: 1_000_000 };
  const data =
    mode === 'alone'
      ? await bundleFor(lab, paymaster.contract, operation, '0x')
      : await signForBundle(
          lab,
          paymaster,
          operation,
          mode === 'ERC20' ? { mode, ...window, ...token } : { mode, ...window, ...sponsored },
          await readState(lab, paymaster, operation),
        );
  const { entryPoint: to } = paymaster.contract;
  const hash = await client.sendTransaction({ account: bundler(lab), chain: client.chain, to, data, gas: 15_000_000n });
  const { logs, gasUsed } = await client.waitForTransactionReceipt({ hash });
  const [event] = parseEventLogs({ abi: entryPoint07Abi, logs, eventName: 'UserOperationEvent' });
  if (event?.args.success !== true) throw new Error(`An operation of ${paymaster.family.name} failed.`);
  return { used: gasUsed, charged: event.args.actualGasUsed + callDataGas(data) };
}

/** The word of the contract's state that its digest holds, if any. */
async function readState(
  { devnet: { client } }: OverheadLab,
  { family, contract }: DeployedPaymaster,
  operation: UserOperationWithGas,
): Promise<Hex | undefined> {
  const data = family.stateData?.(operation);
  return data === undefined ? undefined : (await client.call({ to: contract.address, data })).data;
}

/** What a transaction pays for its data (EIP-2028), which `actualGasUsed` has as the same `preVerificationGas` each time. */
function callDataGas(data: Hex): bigint {
  const zeros = hexToBytes(data).filter((byte) => byte === 0).length;
  return BigInt(4 * zeros + 16 * (size(data) - zeros));
}

/** The larger one: the EntryPoint's fine for unused gas is in the charge alone, what it does at the end in the use alone. */
function above(gas: Gas, alone: Gas): bigint {
  return maxBigint(gas.used - alone.used, gas.charged - alone.charged);
}
