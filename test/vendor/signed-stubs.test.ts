import { type Address, concat, type Hex, http, pad, parseEther } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { OperationRefused } from '../../server/dev/user-operation/entry-point.ts';
import { depositOf, fillTank, incrementsOf, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { deployTable, depositFor } from '../support/paymaster-contracts/biconomy-lab.ts';
import type { DeployedPaymaster, PaymasterLab } from '../support/paymaster-contracts/paymaster-lab.ts';
import { deployVerifyingPaymaster } from '../support/paymaster-contracts/verifying-lab.ts';
import type { OwnedPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc, type RpcAnswer, signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { chainClient, simpleAccount } from '../support/service/client-lab.ts';
import { freshKey, type RunningService } from '../support/service/running-service.ts';
import { openSigningVendor } from './signing-vendor.ts';
import { draft, emptyTank, openVendorLab, type VendorLab } from './vendor-lab.ts';

// A vendor that signs its stubs pays for whoever gets one. Nothing may land that is not held and counted.

const version = '0.7';

let lab: VendorLab;
let bundler: TestBundler;
beforeAll(async () => {
  lab = await openVendorLab();
  const [chain] = lab.service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  bundler = await startTestBundler(lab.devnet, chain);
});
afterAll(async () => {
  await bundler?.close();
  await lab?.close();
});

type Stub = {
  readonly paymaster: Address;
  readonly paymasterData: Hex;
  readonly paymasterVerificationGasLimit: Hex;
  readonly paymasterPostOpGasLimit: Hex;
};

function askStub({ rpcUrl }: OwnedPaymaster, operation: DevUserOperation): Promise<RpcAnswer> {
  const { devnet } = lab;
  const params = [toRpcUserOperation(operation), devnet.entryPoints[version], `0x${devnet.chainId.toString(16)}`, {}];
  return askRpc(rpcUrl, 'pm_getPaymasterStubData', params);
}

function withStub(operation: DevUserOperation, stub: Stub): DevUserOperation {
  const limits = [stub.paymasterVerificationGasLimit, stub.paymasterPostOpGasLimit];
  const packed = limits.map((limit) => pad(limit, { size: 16 }));
  return { ...operation, paymasterAndData: concat([stub.paymaster, ...packed, stub.paymasterData]) };
}

/** Asks for the stub of a new account's operation, and sends it with nothing but the stub. */
async function tryToLand(paymaster: OwnedPaymaster): Promise<'landed' | 'not carried' | 'no stub'> {
  const { account, operation } = await draft(lab.devnet, version);
  const answer = await askStub(paymaster, operation);
  if (answer.code !== undefined) return 'no stub';
  try {
    await land(lab.devnet, account, withStub(operation, answer.result as Stub));
    return 'landed';
  } catch (cause) {
    if (!(cause instanceof OperationRefused)) throw cause;
    return 'not carried';
  }
}

async function countedOf({ management, apiKey }: OwnedPaymaster): Promise<number> {
  return (await management.readGasTankStatement({ apiKey })).vendor?.operations ?? 0;
}

async function sendByViem(paymaster: OwnedPaymaster): Promise<Address> {
  const account = await simpleAccount(lab.devnet, version);
  const client = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(bundler.url, { retryCount: 0 }),
    paymaster: createPaymasterClient({ transport: http(paymaster.rpcUrl, { retryCount: 0 }) }),
    pollingInterval: 20,
  });
  const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
  expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true });
  return account.address;
}

type Deploy = (lab: PaymasterLab) => Promise<DeployedPaymaster>;

/** Arka signs for this contract: the times are words before the signature. */
const deployArkas: Deploy = async (paymasterLab) => {
  const deployed = await deployVerifyingPaymaster(paymasterLab, version);
  const wallet = privateKeyToAccount(freshKey());
  await fillTank(paymasterLab.devnet, version, wallet, parseEther('1'), deployed.contract.address);
  return deployed;
};

/** A layout from which no one removes a signature. */
const deployUnknown: Deploy = async (paymasterLab) => {
  const deployed = (await deployTable(paymasterLab)).get('biconomy-sponsorship-0.7');
  if (deployed === undefined) throw new Error('The contract is not in the table.');
  await depositFor(paymasterLab, deployed.contract, parseEther('1'));
  return deployed;
};

describe.each([
  ['whose layout is known', deployArkas],
  ['whose layout is not known', deployUnknown],
] as const)('a vendor that signs its stubs, %s', (_, deploy) => {
  let service: RunningService;
  let vendor: Address;
  beforeAll(async () => {
    const opened = await openSigningVendor(lab.devnet, deploy);
    vendor = opened.address;
    lab.behave(opened.behaviour);
    service = await lab.again({ paymasters: [vendor] });
  });
  afterAll(async () => {
    lab.behave(undefined);
    await service?.close();
  });

  test('pays for no operation that was only given stubs, unless it is counted', async () => {
    const paymaster = await emptyTank(service, version);
    const before = await depositOf(lab.devnet, version, vendor);
    const tried = [];
    for (let times = 0; times < 4; times += 1) tried.push(await tryToLand(paymaster));
    expect(tried).not.toContain('no stub');
    expect(tried.filter((end) => end === 'landed').length).toBeLessThanOrEqual(await countedOf(paymaster));
    if (deploy === deployArkas) {
      expect(new Set(tried)).toEqual(new Set(['not carried']));
      expect(await depositOf(lab.devnet, version, vendor)).toBe(before);
      expect(await countedOf(paymaster)).toBe(0);
    } else {
      expect(await countedOf(paymaster)).toBe(4);
      const { decisions } = await paymaster.management.listDecisions({ apiKey: paymaster.apiKey, outcome: 'signed' });
      expect(decisions).toHaveLength(4);
    }
  });

  test('pays for viem’s operation, and it is counted once', async () => {
    const paymaster = await emptyTank(service, version);
    const sender = await sendByViem(paymaster);
    expect(await incrementsOf(lab.devnet, sender)).toBe(1n);
    expect(await countedOf(paymaster)).toBe(1);
  });
});

test('stubs of a layout that is not known end with the budget', async () => {
  const { address, behaviour } = await openSigningVendor(lab.devnet, deployUnknown);
  lab.behave(behaviour);
  const wide = await lab.again({ paymasters: [address] });
  let usdMicrosPerDay: bigint;
  try {
    const paymaster = await emptyTank(wide, version);
    signedAnswer(await askSponsorship(paymaster.rpcUrl, (await draft(lab.devnet, version)).operation));
    const { vendor } = await paymaster.management.readGasTankStatement({ apiKey: paymaster.apiKey });
    // Operations differ by some bytes: half an operation more than two.
    usdMicrosPerDay = (BigInt(Math.round(Number(vendor?.worstCaseUsd) * 1e6)) * 5n) / 2n;
  } finally {
    await wide.close();
  }
  const budget = { usdMicrosPerDay, usdMicrosPerMonth: usdMicrosPerDay, maxSharePerClient: 1 };
  const service = await lab.again({ paymasters: [address], budget });
  try {
    const paymaster = await emptyTank(service, version);
    const answers = [];
    for (let times = 0; times < 4; times += 1) {
      answers.push(await askStub(paymaster, (await draft(lab.devnet, version)).operation));
    }
    expect(answers.map(({ reason }) => reason ?? 'stub')).toEqual([
      ...['stub', 'stub'],
      ...['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS'],
    ]);
  } finally {
    lab.behave(undefined);
    await service.close();
  }
});
