import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  hexToBytes,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import {
  type DeployedPaymaster,
  type PaymasterLab,
  startPaymasterLab,
} from '../support/paymaster-contracts/paymaster-lab.ts';
import {
  approveAll,
  land,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { singleton07Abi } from '../support/paymaster-contracts/singleton-abi.ts';
import { termsOf } from '../support/paymaster-contracts/singleton-lab.ts';
import { deployTollfree } from '../support/paymaster-contracts/tollfree-lab.ts';

const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
/** 2,000 units of a token with 6 decimals for one coin. */
const exchangeRate = 2_000_000_000n;

let lab: PaymasterLab;
let token: Address;
beforeAll(async () => {
  lab = await startPaymasterLab();
  token = lab.devnet.tokens.find(({ decimals }) => decimals === 6)?.address ?? '0x';
});
afterAll(() => lab.close());

type Name = 'pimlico-singleton-0.7' | 'pimlico-singleton-0.8' | 'tollfree-0.8' | 'tollfree-0.9';

async function paymasterOf(name: Name): Promise<DeployedPaymaster> {
  if (name === 'tollfree-0.8') return deployTollfree(lab, name);
  const family = paymasterContractFamilies.get(name);
  if (family === undefined) throw new Error(`There is no ${name}.`);
  const { chainId, entryPoints, paymasterContracts } = lab.devnet;
  const entryPoint = entryPoints[family.entryPointVersion];
  return { family, contract: { chainId, entryPoint, address: paymasterContracts[name] } };
}

/** The next operation, which calls the target, of a new account that has allowed the paymaster its tokens. */
async function preparedOperation(paymaster: DeployedPaymaster): Promise<UserOperationWithGas> {
  const { target, tokenRecipient } = lab.devnet;
  await setDeposit(lab, paymaster, parseEther('5'));
  const approval = {
    target: token,
    data: approveAll(paymaster.contract.address),
    salt: hexToBigInt(paymaster.contract.address),
  };
  const first = await newAccountOperation(lab, paymaster, { mode: 'SPONSORED', ...approval });
  await mintTo(lab, token, first.sender);
  await land(
    lab,
    first,
    await signForBundle(lab, paymaster, first, termsOf('SPONSORED', token, tokenRecipient)),
    token,
  );
  const increment = encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' });
  const callData = encodeFunctionData({ abi: executeAbi, args: [target.address, 0n, increment] });
  const gas = { ...first.gas, ...paymaster.family.paymasterGasLimits('ERC20', gasSchedules.osaka) };
  return { ...first, nonce: 1n, initCode: '0x', callData, gas };
}

/** The least gas with which the stub's postOp passes at a price of 1 wei per gas. */
async function estimatePostOpGas({ contract, family }: DeployedPaymaster, made: UserOperationWithGas): Promise<bigint> {
  const { client, tokenRecipient } = lab.devnet;
  const operation = { ...made, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const stub = family.stub(contract, operation, termsOf('ERC20', token, tokenRecipient, exchangeRate));
  const location = { account: contract.entryPoint, to: contract.address };
  const functionName = 'validatePaymasterUserOp';
  const args = [packUserOperation(operation, stub), `0x${'77'.repeat(32)}`, 1_000_000n] as const;
  const validated = await client.call({
    ...location,
    data: encodeFunctionData({ abi: singleton07Abi, functionName, args }),
  });
  const [context] = decodeFunctionResult({ abi: singleton07Abi, functionName, data: validated.data ?? '0x' });
  const data = encodeFunctionData({ abi: singleton07Abi, functionName: 'postOp', args: [0, context, 200_000n, 1n] });
  const intrinsic = intrinsicGas(data);
  let [low, high] = [0n, 100_000n];
  while (high - low > 10n) {
    const middle = (low + high) / 2n;
    const call = { from: contract.entryPoint, to: contract.address, data, gas: numberToHex(intrinsic + middle) };
    // A node's word for too little gas is one that viem asks again at.
    const passes = await client.request({ method: 'eth_call', params: [call, 'latest'] }, { retryCount: 0 }).then(
      () => true,
      () => false,
    );
    if (passes) high = middle;
    else low = middle;
  }
  return high;
}

/** What a transaction with this data costs before it does anything (EIP-2028). */
function intrinsicGas(data: Hex): bigint {
  return hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n);
}

test.each<Name>(['pimlico-singleton-0.7', 'pimlico-singleton-0.8', 'tollfree-0.8', 'tollfree-0.9'])(
  '%s: the postOp limit that a bundler finds at 1 wei per gas is enough at the real price, in a token with 6 decimals',
  async (name) => {
    const paymaster = await paymasterOf(name);
    const made = await preparedOperation(paymaster);
    const estimated = await estimatePostOpGas(paymaster, made);
    const paymasterPostOpGasLimit = (estimated * 11n) / 10n;
    const operation = { ...made, gas: { ...made.gas, paymasterPostOpGasLimit } };
    const signedTerms = termsOf('ERC20', token, lab.devnet.tokenRecipient, exchangeRate);
    const landed = await land(lab, operation, await signForBundle(lab, paymaster, operation, signedTerms), token);
    expect(landed.success).toBe(true);
    expect(landed.charged).toBeGreaterThan(0n);
    expect(landed.charged).toBeLessThanOrEqual(paymaster.family.maximumTokenCharge(operation, signedTerms));
  },
);
