import { type Address, encodeFunctionData, getAddress, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Logger } from '../../core/base/logger.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { accepted } from '../../server/accepted.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { tokenBalance } from '../support/chain/chain-lab.ts';
import { approvedAhead, balanceOf, customer } from '../support/paymaster-contracts/biconomy-lab.ts';
import type { DeployedFamilies } from '../support/paymaster-contracts/deploy-families.ts';
import { approveAll, mintTo } from '../support/paymaster-contracts/send-sponsored.ts';
import { type FamiliesService, startFamiliesService } from './families-service.ts';

/** By version of the paymaster. The last two are not what the configuration says. */
const versions = {
  '1.0.0': 'verifying-paymaster-0.6',
  '1.1.0': 'verifying-paymaster-0.7',
  '2.0.0': 'biconomy-sponsorship-1.0.0',
  '2.1.0': 'biconomy-sponsorship-1.1.0',
  '2.2.0': 'biconomy-sponsorship-packed',
  '2.3.0': 'biconomy-sponsorship-0.7',
  '3.0.0': 'biconomy-token-0.6',
  '3.1.0': 'biconomy-token-0.6-packed',
  '3.2.0': 'biconomy-token-0.7',
} as const;
const markups: Readonly<Record<string, number>> = { '2.2.0': 900_000, '2.3.0': 1_100_000 };
const stranger: Address = '0x00000000000000000000000000000000000000b0';

const errors: string[] = [];
const logger: Logger = { debug() {}, info() {}, warn() {}, error: (_fields, message) => void errors.push(message) };

function contractsOf(deployed: DeployedFamilies, tokenRecipient: Address) {
  const entries = Object.entries(versions).map(([version, family]) => {
    const address = deployed.get(family)?.contract.address ?? stranger;
    const priceMarkup = markups[version];
    return { version, family, address, tokenRecipient, ...(priceMarkup === undefined ? {} : { priceMarkup }) };
  });
  // Another kind of contract, and none at all.
  const other = deployed.get('biconomy-sponsorship-0.7')?.contract.address ?? stranger;
  return [
    ...entries,
    { version: '9.0.0', family: 'pimlico-singleton-0.7', address: other, tokenRecipient },
    { version: '9.1.0', family: 'verifying-paymaster-0.7', address: stranger, tokenRecipient },
  ];
}

let service: FamiliesService;
beforeAll(async () => {
  service = await startFamiliesService(contractsOf, logger);
});
afterAll(() => service.close());

let salt = 10n;
function nextSalt(): bigint {
  salt += 1n;
  return salt;
}

const increment = () => ({
  to: service.lab.devnet.target.address,
  data: encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' }),
});

function entryPointOf(family: string): '0.6' | '0.7' {
  return family.endsWith('0.7') ? '0.7' : '0.6';
}

const sponsoring = Object.entries(versions).filter(([version]) => !version.startsWith('3.'));
const charging = Object.entries(versions).filter(([version]) => version.startsWith('3.'));

describe.each(sponsoring)('a paymaster of version %s, %s', (version, family) => {
  test('sponsors two operations of one account, one after the other, estimated and signed by the service', async () => {
    const { apiKey } = await service.paymaster(version);
    const accountSalt = nextSalt();
    for (const nonce of [0n, 1n]) {
      const operation = await service.build(entryPointOf(family), accountSalt, [increment()]);
      expect(operation.nonce).toBe(nonce);
      const request = service.ask(apiKey, operation, { mode: 'SPONSORED' });
      const answer = await service.sponsor(request);
      expect((await service.land(operation, answer)).success).toBe(true);
    }
  });

  test('cannot have its users pay a share in tokens, which it does not take', async () => {
    const { owned } = await service.paymaster(version);
    const policy = { ...defaultPolicy, userPaysPercent: 50 };
    const message = `userPaysPercent needs a paymaster contract that accepts tokens. Version ${version} only sponsors`;
    expect(await service.core.setPolicy({ ...owned, policy })).toMatchObject({ refusal: { message } });
  });
});

describe.each(charging)('a paymaster of version %s, %s', (version, family) => {
  test('takes a token for an operation that the service estimated and signed', async () => {
    const { lab } = service;
    const { apiKey } = await service.paymaster(version);
    const token = lab.devnet.tokens[1]?.address ?? stranger;
    const spender = service.deployed.get(family)?.contract.address ?? stranger;
    const entryPointVersion = entryPointOf(family);
    const accountSalt = nextSalt();
    const calls = [{ to: token, data: approveAll(spender) }];
    const first = await service.build(entryPointVersion, accountSalt, calls);
    await mintTo(lab, token, first.sender);
    // 0.7 pulls before the calls: the allowance already exists.
    const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
    const bare = { ...first, gas: { ...gas, paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n } };
    if (entryPointVersion === '0.7') await approvedAhead(lab, bare, token, spender);
    const operation = await service.build(entryPointVersion, accountSalt, calls);
    const tokenInfo = { feeTokenAddress: token };
    const request = service.ask(apiKey, operation, { mode: 'ERC20', tokenInfo, sponsorshipInfoGiven: false });
    const answer = await service.sponsor(request);
    expect((await service.land(operation, answer)).success).toBe(true);
  });

  test('takes a share for an operation that it sponsors in part', async () => {
    const { lab } = service;
    const { apiKey, owned } = await service.paymaster(version);
    const token = lab.devnet.tokens[1]?.address ?? stranger;
    const spender = service.deployed.get(family)?.contract.address ?? stranger;
    const accountSalt = nextSalt();
    const version06Or07 = entryPointOf(family);
    const first = await service.build(version06Or07, accountSalt, [increment()]);
    await mintTo(lab, token, first.sender);
    const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
    const bare = { ...first, gas: { ...gas, paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n } };
    await approvedAhead(lab, bare, token, spender);
    const policy = { ...defaultPolicy, userPaysPercent: 50, sponsorAllCalls: true, accounts: 'ANY' } as const;
    accepted(await service.core.setPolicy({ ...owned, policy }));
    const operation = await service.build(version06Or07, accountSalt, [increment()]);
    const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: token }, sponsorshipInfoGiven: false };
    const readTokens = () => tokenBalance(lab.devnet, lab.devnet.tokens[1] ?? expect.fail(), operation.sender);
    const before = await readTokens();
    const answer = await service.sponsor(service.ask(apiKey, operation, context));
    expect((await service.land(operation, answer)).success).toBe(true);
    expect(before - (await readTokens())).toBeGreaterThan(0n);
  });

  test('does not sponsor: asked to, it says so; asked for either, it quotes', async () => {
    const { apiKey } = await service.paymaster(version);
    const operation = await service.build(entryPointOf(family), nextSalt(), [increment()]);
    const refused = await service.core.sponsorUserOperation(service.ask(apiKey, operation, { mode: 'SPONSORED' }));
    expect(refused).toMatchObject({ ok: false, refusal: { reason: 'INVALID_PARAMS', field: 'mode' } });
    const either = service.ask(apiKey, operation, { tokenInfo: {} });
    expect(await service.core.getFeeQuoteOrData(either)).toMatchObject({ ok: true, value: { kind: 'quotes' } });
  });
});

test('a signature without a window says that it does not end', async () => {
  const { apiKey } = await service.paymaster('2.0.0');
  const operation = await service.build('0.6', nextSalt(), [increment()]);
  const request = service.ask(apiKey, operation, { mode: 'SPONSORED', expiryDuration: 60 });
  expect((await service.sponsor(request)).validUntil).toBe(2 ** 48 - 1);
});

test('a verification gas limit that postOp cannot live on is named', async () => {
  const { apiKey } = await service.paymaster('3.0.0');
  const operation = await service.build('0.6', nextSalt(), []);
  const limits = { callGasLimit: 50_000n, verificationGasLimit: 100_000n, preVerificationGas: 60_000n };
  const tokenInfo = { feeTokenAddress: service.lab.devnet.tokens[1]?.address ?? stranger };
  const context = { mode: 'ERC20', tokenInfo, calculateGasLimits: false };
  const answer = await service.core.sponsorUserOperation(service.ask(apiKey, { ...operation, ...limits }, context));
  expect(answer).toMatchObject({ ok: false, refusal: { reason: 'INVALID_PARAMS', field: 'verificationGasLimit' } });
});

describe.each([
  ['9.0.0', 'does not accept .* as a signer'],
  ['9.1.0', 'has no code'],
] as const)('the paymaster contract of version %s, which is not what it should be', (version, complaint) => {
  const sentence = new RegExp(
    `^The paymaster contract of version ${version} at 0x\\w{40} on chain 31337 ${complaint}\\.$`,
  );

  test('is refused with the sentence, and its tank does not say how it is filled', async () => {
    const { apiKey, owned } = await service.paymaster(version);
    expect(accepted(await service.core.readGasTank(owned))).not.toHaveProperty('filling');
    const operation = await service.build('0.7', nextSalt(), [increment()]);
    const request = service.ask(apiKey, operation, { mode: 'SPONSORED' });
    const answer = await service.core.sponsorUserOperation(request);
    if (answer.ok) throw new Error('it was signed');
    expect(answer.refusal.reason).toBe('CHAIN_UNAVAILABLE');
    expect(answer.refusal.message).toMatch(sentence);
  });

  test('is logged and shown as not ready, while the chain is', async () => {
    const parts = await service.core.status();
    const part = parts.find((candidate) => candidate.part === `paymaster version ${version} on chain 31337`);
    expect(part).toMatchObject({ ready: false, detail: expect.stringMatching(sentence) });
    expect(parts.find((candidate) => candidate.part === 'chain 31337')?.ready).toBe(true);
    expect(errors.filter((message) => sentence.test(message))).toHaveLength(1);
  });
});

test('a markup for a contract that has none stops the start', async () => {
  const start = startFamiliesService((deployed, tokenRecipient) => {
    const address = deployed.get('verifying-paymaster-0.7')?.contract.address ?? stranger;
    return [{ version: '1.0.0', family: 'verifying-paymaster-0.7', address, tokenRecipient, priceMarkup: 1_100_000 }];
  }, logger);
  await expect(start).rejects.toThrow('verifying-paymaster-0.7 of version 1.0.0 has no price markup');
});

test('the ledger of every family agrees with the chain, and tanks of customers with the balances that contracts keep', async () => {
  const addressOf = (family: string) => getAddress(service.deployed.get(family)?.contract.address ?? stranger);
  await vi.waitFor(
    async () => {
      const reports = accepted(await service.core.checkLedger({ allRows: false }));
      for (const [, family] of sponsoring) {
        const report = reports.find(({ contract }) => contract === addressOf(family));
        expect(report, family).toMatchObject({ state: 'compared', difference: 0n, faults: [], unexplainedCosts: 0n });
        expect(report?.settled, family).toBeGreaterThan(0n);
        const keepsBalances = service.deployed.get(family)?.family.customerFunding !== undefined;
        if (!keepsBalances) expect(report?.margin, family).toBe(0n);
        else expect(report?.margin, family).not.toBe(0n);
      }
    },
    { timeout: 15_000 },
  );
});

test('what is available to a customer is what the contract keeps for it less what is held', async () => {
  const { lab, core, deployed } = service;
  const paymaster = deployed.get('biconomy-sponsorship-1.1.0');
  if (paymaster === undefined) throw new Error('The contract is not there.');
  const { owned } = await service.paymaster('2.1.0');
  const { held } = accepted(await core.readGasTank(owned));
  // The wallet takes out all but what is held and two coins more.
  const amount = (await balanceOf(lab, paymaster)) - held - parseEther('2');
  const abi = parseAbi(['function withdrawTo(address withdrawAddress, uint256 amount)']);
  const data = encodeFunctionData({ abi, args: [stranger, amount] });
  const { client } = lab.devnet;
  const [account, to] = [customer(lab), paymaster.contract.address];
  const hash = await client.sendTransaction({ account, chain: client.chain, to, data, gas: 200_000n });
  await client.waitForTransactionReceipt({ hash });
  await vi.waitFor(
    async () => expect(accepted(await core.readGasTank(owned))).toMatchObject({ available: parseEther('2') }),
    { timeout: 15_000 },
  );
  await vi.waitFor(
    async () =>
      expect(accepted(await core.listGasTankEntries({ ...owned, limit: 1 }))).toMatchObject([
        { kind: 'withdrawal', amount },
      ]),
    { timeout: 15_000 },
  );
});

test('what the wallet sends past its balance is named in the tank, with what can be done about it', async () => {
  const { lab, core, deployed } = service;
  const { client } = lab.devnet;
  const abi = parseAbi(['function depositTo(address account) payable']);
  for (const [version, recovery] of [
    ['2.1.0', 'no function to return it'],
    ['2.3.0', `refundBalances([${customer(lab).address}], [${parseEther('1')}])`],
  ] as const) {
    const { owned } = await service.paymaster(version);
    const before = accepted(await core.readGasTank(owned));
    expect(before.filling).toMatchObject({ call: `depositFor(${customer(lab).address})`, from: 'anybody' });
    const { entryPoint: to, address } = deployed.get(versions[version])?.contract ?? {
      entryPoint: stranger,
      address: stranger,
    };
    const data = encodeFunctionData({ abi, args: [address] });
    const value = parseEther('1');
    const txHash = await client.sendTransaction({ account: customer(lab), chain: client.chain, to, data, value });
    await vi.waitFor(
      async () =>
        expect(accepted(await core.readGasTank(owned)).strayDeposits).toMatchObject([
          { txHash, amount: value, sender: customer(lab).address, recovery: expect.stringContaining(recovery) },
        ]),
      { timeout: 15_000 },
    );
  }
});
