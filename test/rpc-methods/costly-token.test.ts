import { join } from 'node:path';
import { type Address, numberToHex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { singletonGasLimits } from '../../core/evm/paymaster-contracts/singleton/singleton-terms.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { askPaymaster, paymasterFields, withPaymaster } from '../support/service/ask-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

/** A token whose every transfer writes four fresh slots; it asks for neither balance nor approval. */
const token: Address = '0x00000000000000000000000000000000C0571e57';
const tokenAbi = parseAbi(['function transfers() view returns (uint256)']);
const usualLimit = singletonGasLimits('ERC20', gasSchedules.osaka).paymasterPostOpGasLimit;
const limits = z.object({
  callGasLimit: z.coerce.bigint(),
  verificationGasLimit: z.coerce.bigint(),
  preVerificationGas: z.coerce.bigint(),
});

let lab: ClientLab;
beforeAll(async () => {
  const source = join(import.meta.dirname, '../support/estimation/contracts/GasPuzzle.sol');
  const compiled = compileSolidity(source).get('HeavyToken');
  if (compiled === undefined) throw new Error('The token did not compile.');
  lab = await openClientLab({
    configure: (config) => ({
      ...config,
      chains: config.chains.map((chain) => ({
        ...chain,
        tokens: chain.tokens.slice(0, 1).map((plain) => ({ ...plain, symbol: 'HEAVY', address: token })),
      })),
    }),
  });
  await lab.devnet.client.setCode({ address: token, bytecode: compiled.runtimeBytecode });
}, 60_000);
afterAll(() => lab.close());

const transfers = () => lab.devnet.client.readContract({ address: token, abi: tokenAbi, functionName: 'transfers' });

describe.each(['0.7', '0.8'] as const)('a token with a costly transfer and EntryPoint %s', (version) => {
  const account = newSmartAccount(version);

  /** The operation lands and the token is taken. */
  async function expectPaid(operation: DevUserOperation): Promise<void> {
    const before = await transfers();
    expect((await land(lab.devnet, account, operation)).success).toBe(true);
    expect(await transfers()).toBeGreaterThan(before);
  }

  test('gets the postOp limit it needs in one step', async () => {
    const { rpcUrl } = lab.paymaster(version);
    const operation = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
    const answer = await sponsor(rpcUrl, operation, { token });
    expect(answer.paymasterPostOpGasLimit).toBeGreaterThan(usualLimit);
    await expectPaid(withAnswer(operation, answer));
  });

  test('gets it with limits of its own that a client sends', async () => {
    const { rpcUrl } = lab.paymaster(version);
    const operation = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
    const own = withAnswer(operation, await sponsor(rpcUrl, operation, { token }));
    const answer = await sponsor(rpcUrl, { ...own, paymasterAndData: '0x' }, { token, calculateGasLimits: false });
    expect(answer.paymasterPostOpGasLimit).toBeGreaterThan(usualLimit);
    await expectPaid(withAnswer(own, answer));
  });

  test('gets it in the stub of ERC-7677, and what is signed keeps to the stub', async () => {
    const way = { version, rpcUrl: lab.paymaster(version).rpcUrl };
    const context = { token };
    const drafted = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
    const asked = { operation: drafted, context };
    const stub = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, asked));
    expect(stub.paymasterPostOpGasLimit).toBeGreaterThan(usualLimit);
    const { result } = await askRpc(lab.bundler.url, 'eth_estimateUserOperationGas', [
      toRpcUserOperation(withPaymaster(drafted, stub)),
      lab.devnet.entryPoints[version],
    ]);
    const operation = { ...drafted, ...limits.parse(result) };
    const { paymasterPostOpGasLimit = 0n, paymasterVerificationGasLimit = 0n } = stub;
    const extra = {
      paymasterPostOpGasLimit: numberToHex(paymasterPostOpGasLimit),
      paymasterVerificationGasLimit: numberToHex(paymasterVerificationGasLimit),
    };
    const answer = await askPaymaster(lab, 'pm_getPaymasterData', way, { operation, context, extra });
    const signed = paymasterFields(answer);
    expect({ ...stub, ...signed }).toMatchObject({ paymasterPostOpGasLimit, paymasterVerificationGasLimit });
    await expectPaid(withPaymaster(operation, { ...stub, ...signed }));
  });
});
