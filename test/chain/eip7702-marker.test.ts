import { type Address, decodeFunctionData, type Hex, http } from 'viem';
import {
  createBundlerClient,
  createPaymasterClient,
  entryPoint08Abi,
  formatUserOperationRequest,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Eip7702MarkerForm } from '../../core/domain/user-operation.ts';
import { eip7702Marker, shortEip7702Marker } from '../../core/evm/entry-point/eip7702.ts';
import { depositOf, targetCall } from '../support/chain/chain-lab.ts';
import { delegatingAccount, signDelegation } from '../support/chain/eip7702-lab.ts';
import { startTestBundler } from '../support/chain/test-bundler.ts';
import { type ClientLab, chainClient, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

/** A service whose chain has bundlers of this kind, and such a bundler. */
async function openLab(markerForm: Eip7702MarkerForm): Promise<{ lab: ClientLab; delegate: Address }> {
  const lab = await openClientLab({
    configure: (config) => ({
      ...config,
      chains: config.chains.map((chain) => ({ ...chain, eip7702Marker: markerForm })),
    }),
  });
  return { lab, delegate: lab.devnet.simple7702Account };
}

type Opened = Awaited<ReturnType<typeof openLab>>;

/** Sends an operation of a new owner with the marker in these bytes, and gives back how it was packed on chain. */
async function land(
  { lab, delegate }: Opened,
  marker: Hex,
  { bundlerUrl = lab.bundler.url, factoryData = '0x' }: { bundlerUrl?: string; factoryData?: Hex } = {},
) {
  const owner = privateKeyToAccount(freshKey());
  const account = await delegatingAccount(lab.devnet, delegate, owner);
  const client = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(bundlerUrl, { retryCount: 0 }),
    paymaster: createPaymasterClient({ transport: http(lab.paymaster('0.8').rpcUrl, { retryCount: 0 }) }),
    pollingInterval: 20,
  });
  const authorization = await signDelegation(lab.devnet, owner, delegate);
  const calls = [targetCall(lab.devnet, 'increment')];
  const prepared = await client.prepareUserOperation({ calls, authorization, factory: marker, factoryData });
  const signature = await account.signUserOperation(prepared);
  const request = formatUserOperationRequest({ ...prepared, signature });
  const { address } = lab.paymaster('0.8');
  const depositBefore = await depositOf(lab.devnet, '0.8', address);
  const hash = await client.request({
    method: 'eth_sendUserOperation',
    params: [request, account.entryPoint.address],
  });
  const receipt = await client.waitForUserOperationReceipt({ hash });
  const { input } = await lab.devnet.client.getTransaction({ hash: receipt.receipt.transactionHash });
  const decoded = decodeFunctionData({ abi: entryPoint08Abi, data: input });
  if (decoded.functionName !== 'handleOps') throw new Error('No bundle was landed.');
  return {
    success: receipt.success,
    paid: depositBefore - (await depositOf(lab.devnet, '0.8', address)) === receipt.actualGasCost,
    initCode: decoded.args[0][0]?.initCode,
  };
}

describe.each<[Eip7702MarkerForm, Hex, Hex]>([
  ['as-sent', shortEip7702Marker, shortEip7702Marker],
  ['as-sent', eip7702Marker, eip7702Marker],
  ['padded', shortEip7702Marker, eip7702Marker],
  ['padded', eip7702Marker, eip7702Marker],
])('with bundlers that pack the marker %s', (markerForm, sent, packed) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openLab(markerForm);
  }, 60_000);
  afterAll(() => opened.lab.close());

  test(`one sent as ${sent} with data lands padded, sponsored`, async () => {
    const landed = await land(opened, sent, { factoryData: '0xabcd' });
    expect(landed).toEqual({ success: true, paid: true, initCode: `${eip7702Marker}abcd` });
  });

  test(`one sent as ${sent} lands on EntryPoint 0.8 as ${packed}, sponsored`, async () => {
    expect(await land(opened, sent)).toEqual({ success: true, paid: true, initCode: packed });
  });
});

test('a bundler that pads where the setting says that none does gets AA34', async () => {
  const opened = await openLab('as-sent');
  const { lab } = opened;
  const [chain] = lab.service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  const padding = await startTestBundler(lab.devnet, { ...chain, eip7702Marker: 'padded' });
  try {
    await expect(land(opened, shortEip7702Marker, { bundlerUrl: padding.url })).rejects.toThrow('AA34');
  } finally {
    await padding.close();
    await lab.close();
  }
}, 60_000);
