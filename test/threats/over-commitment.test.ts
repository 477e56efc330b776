import { Pool } from 'undici';
import { type Address, encodeFunctionData, numberToHex, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import { callRpc, givenLimits, newOperation, type Rpc, resultOf, sponsored } from '../support/interface/rpc-calls.ts';
import { callManagement, dataOf, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';

const depositAbi = parseAbi(['function depositTo(address account) payable']);
const requests = repeatsOfRun(300, 1_000);
const carried = 37;

/** Threat 6: what is signed never exceeds show the balance, however many ask at once. */
describe(`a gas tank for 37 operations and ${requests} requests at once`, () => {
  const service = useService();
  let tenant: Tenant;
  let operation: Readonly<Record<string, unknown>>;
  let rpcUrl: string;
  const wallet = privateKeyToAccount(generatePrivateKey());

  const change = async (method: string, path: string, json?: object) =>
    dataOf(
      await callManagement(service(), method, path, {
        headers: tenant.headers,
        json,
      }),
    );

  /** The most one of these operations can cost, from what the service signs for them (ERC-4337, required prefund). */
  const readWorstCase = async (neighbourUrl: string): Promise<bigint> => {
    const signed = resultOf(await callRpc(neighbourUrl, [operation, sponsored]));
    const own = Object.values(givenLimits).reduce((sum, limit) => sum + BigInt(limit), 0n);
    const paymasters =
      BigInt(String(signed.paymasterVerificationGasLimit)) + BigInt(String(signed.paymasterPostOpGasLimit));
    return (own + paymasters) * BigInt(String(operation.maxFeePerGas));
  };

  beforeAll(async () => {
    const { devnet } = service();
    tenant = await newTenant(service());
    rpcUrl = service().rpcUrl(tenant.apiKey);
    operation = await newOperation(devnet, '0.7');
    const { address, abi } = devnet.target;
    await change('POST', '/smart-contract', {
      name: 'target',
      address,
      abi: JSON.stringify(abi),
      whitelistedMethods: ['increment'],
    });
    const path = `/funding-message/${tenant.paymasterId}`;
    const { fundingMessage } = (await change('GET', path)) as { fundingMessage: string };
    const signature = await wallet.signMessage({ message: fundingMessage });
    const { paymasterId } = tenant;
    await change('PATCH', '/paymaster', {
      paymasterId,
      type: 'paymasterFundingId',
      signature,
      address: wallet.address,
    });

    // A rich neighbour on the same contract, whose deposit must not be lent.
    const neighbour = await service().issueAccount();
    const { rpcUrl: neighbourUrl } = await service().fundedPaymaster(neighbour.authToken, '0.7');
    const worstCase = await readWorstCase(neighbourUrl);
    const deposit = worstCase * BigInt(carried) + worstCase - 1n;
    await fund(wallet.address, deposit + parseEther('1'));
    const args = [devnet.paymasterContracts['pimlico-singleton-0.7']] as const;
    const data = encodeFunctionData({ abi: depositAbi, args });
    const to = devnet.entryPoints['0.7'];
    await sendInOrder(devnet.client, wallet, [{ description: 'a deposit', to, data, value: deposit, gas: 100_000n }]);
  });

  const fund = (to: Address, value: bigint) =>
    sendInOrder(service().devnet.client, privateKeyToAccount(deriveDevKey(0)), [
      { description: 'coin for the wallet', to, value, gas: 21_000n },
    ]);

  test('exactly 37 are signed, the others are INSUFFICIENT_FUNDS', async () => {
    const { origin, pathname } = new URL(rpcUrl);
    const pool = new Pool(origin, { connections: 100 });
    const ask = async (index: number): Promise<Rpc> => {
      const params = [{ ...operation, nonce: numberToHex(index) }, sponsored];
      const body = JSON.stringify({ jsonrpc: '2.0', id: index, method: 'pm_sponsorUserOperation', params });
      const answer = await pool.request({ method: 'POST', path: pathname, body });
      return (await answer.body.json()) as Rpc;
    };
    const answers = await Promise.all(Array.from({ length: requests }, (_, index) => ask(index)));
    await pool.close();
    const signed = answers.filter(({ result }) => result !== undefined);
    const reasons = new Set(answers.flatMap(({ error }) => (error === undefined ? [] : [error.data?.reason])));
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: requests }, (_, index) => index));
    expect([signed.length, [...reasons]]).toEqual([carried, ['INSUFFICIENT_FUNDS']]);

    // Asking again for what is already held costs the tank nothing, for anything else it is still empty.
    const [first] = signed;
    expect((await callRpc(rpcUrl, [{ ...operation, nonce: numberToHex(Number(first?.id)) }, sponsored])).status).toBe(
      200,
    );
    expect((await callRpc(rpcUrl, [{ ...operation, nonce: numberToHex(requests) }, sponsored])).status).toBe(422);
  });
});
